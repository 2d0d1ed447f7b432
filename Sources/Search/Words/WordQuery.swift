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

  /// Nil if a matcher is more than words, or one of them is narrowed to an attribute.
  init?(_ root: Matcher, arena: ScratchArena) {
    let parts: (must: [Matcher], should: [Matcher], not: [Matcher])
    if let any = root as? AnyMatcher {
      parts = ([], any.children, [])
    } else if let boolean = root as? BooleanMatcher {
      parts = (boolean.required, boolean.optional, boolean.excluded)
    } else {
      return nil
    }
    count = parts.must.count + parts.should.count
    mustCount = parts.must.count
    excludedCount = parts.not.count
    lists = arena.allocate(List.self, count + 1)
    excluded = arena.allocate(List.self, excludedCount + 1)
    guard Self.fill(lists, parts.must), Self.fill(lists + mustCount, parts.should),
      Self.fill(excluded, parts.not)
    else { return nil }
  }

  private static func fill(_ lists: UnsafeMutablePointer<List>, _ parts: [Matcher]) -> Bool {
    for (index, part) in parts.enumerated() {
      guard let term = part as? TermMatcher, term.list.pointee.filter == nil else { return false }
      (lists + index).initialize(to: term.list)
    }
    return true
  }
}
