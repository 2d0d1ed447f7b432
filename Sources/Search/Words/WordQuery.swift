// The words of a flat query: which must, may and must not be in an item.

internal import LimelightSegments

/// A query of words alone, without any other structure: what most people ask.
///
/// Lists in the order of the query, in which scores are summed up: first what must be there, then what
/// may. Kept in an arena.
struct WordQuery {
  typealias List = UnsafeMutablePointer<TermList>

  /// The lists that give scores: `mustCount` of them are required, the others optional.
  let lists: UnsafeMutablePointer<List>
  let count: Int
  let mustCount: Int
  /// The lists whose documents do not match.
  let excluded: UnsafeMutablePointer<List>
  let excludedCount: Int
  /// A set in which every match is, and what each match scores beside the words.
  let members: DocumentUnion?
  let base: Float

  /// - Parameters:
  ///   - mustCount: How many of the lists are required.
  init(
    _ lists: UnsafeMutablePointer<List>, count: Int, mustCount: Int,
    excluded: UnsafeMutablePointer<List>, excludedCount: Int, members: DocumentUnion? = nil,
    base: Float = 0
  ) {
    self.lists = lists
    self.count = count
    self.mustCount = mustCount
    self.excluded = excluded
    self.excludedCount = excludedCount
    self.members = members
    self.base = base
  }
}
