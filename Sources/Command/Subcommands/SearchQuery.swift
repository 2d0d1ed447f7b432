// What was asked on the command line, as one query.

internal import Limelight

/// The words, the forgiveness and the ranges of a search.
struct SearchQuery {
  /// What was typed, or nil when only ranges and the domain say what is found.
  let words: String?
  /// Whether the last word is a whole one.
  let isWhole: Bool
  /// How many slips a word may have, or nil when it may have none.
  let distance: Int?
  let ranges: [Query]

  /// The query, with the words read as the index reads its texts.
  func query(for index: Index) -> Query {
    guard let words else { return ranges.isEmpty ? .everything : .all(ranges) }
    var typed = index.query(typed: words, lastWordIsPrefix: !isWhole)
    if let distance { typed = Self.forgiving(typed, distance: distance) }
    return ranges.isEmpty ? typed : .all([typed] + ranges)
  }

  /// The query with a slip forgiven in each word that is wanted.
  private static func forgiving(_ query: Query, distance: Int) -> Query {
    func forgive(_ queries: [Query]) -> [Query] {
      queries.map { forgiving($0, distance: distance) }
    }
    switch query {
    case .term(let word, let attribute):
      return .fuzzy(word, distance: distance, in: attribute)
    case .prefix(let word, let attribute):
      return .any([query, .fuzzy(word, distance: distance, in: attribute)])
    case .all(let queries): return .all(forgive(queries))
    case .any(let queries): return .any(forgive(queries))
    case .boolean(let must, let should, let not):
      return .boolean(must: forgive(must), should: forgive(should), not: not)
    case .not, .phrase, .fuzzy, .range, .domain, .everything, .nothing: return query
    }
  }
}
