// What is asked with each query: a count, the best hits, hits with their items.

internal import Limelight

/// A way to ask a query, as the side-by-side harness calls it.
enum SearchCommand: String, CaseIterable, Codable {
  /// The exact number of matches; nothing is scored.
  case count = "COUNT"
  /// The ten best hits.
  case top10 = "TOP_10"
  /// The hundred best hits.
  case top100 = "TOP_100"
  /// The ten best hits and the exact number of matches.
  case top10Count = "TOP_10_COUNT"
  /// The ten best hits and all their attributes.
  case items10 = "DOCS_10"

  /// Whether the index must store its items.
  var needsStoredItems: Bool { self == .items10 }

  /// What it gives, in a few words.
  var meaning: String {
    switch self {
    case .count: "the exact number of matches"
    case .top10: "the ten best hits"
    case .top100: "the hundred best hits"
    case .top10Count: "the ten best hits and the exact number of matches"
    case .items10: "the ten best hits with their items"
    }
  }

  /// Asks a query; the number of matches or of hits.
  func ask(_ query: BenchmarkQuery, of index: Index) throws -> Int {
    let tree =
      switch query.form {
      case .tree(let tree): tree
      case .typed(let text): index.query(typed: text)
      }
    switch self {
    case .count: return try index.count(tree)
    case .top10: return try top(10, tree, index).count
    case .top100: return try top(100, tree, index).count
    case .top10Count: return try index.search(tree, limit: 10).total
    case .items10:
      let hits = try top(10, tree, index)
      for hit in hits { _ = try hit.attributes() }
      return hits.count
    }
  }

  private func top(_ limit: Int, _ query: Query, _ index: Index) throws -> Results {
    try index.search(query, limit: limit, options: SearchOptions(countsAll: false))
  }
}
