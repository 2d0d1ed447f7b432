// Words and one beginning of a word, as flat queries of words.

internal import LimelightSegments

/// What a person types: words, of which the last goes on.
///
/// Each match has the words and something that the beginning, or the near word, stands for, which scores
/// 1, and more if it is the very word. So the matches fall into two flat queries: those with that very
/// word, and those without it that are in the union. Mostly the first have all the hits, and bounds of
/// the words tell that the second have none.
struct ExpandedWords {
  /// The matches with the very word; nil if the segment has none.
  let exact: WordQuery?
  let others: WordQuery

  /// Nil if a query is of another kind, if its sums might not be exact, or if the union is so small that
  /// it finds the matches faster than the words do.
  init?(_ query: BooleanMatcher, arena: ScratchArena) {
    var expansions: [ExpansionMatcher] = []
    var words: [TermMatcher] = []
    for matcher in query.required {
      if let word = matcher as? TermMatcher {
        words.append(word)
      } else if let expansion = matcher as? ExpansionMatcher {
        expansions.append(expansion)
      } else {
        return nil
      }
    }
    guard expansions.count == 1, let expansion = expansions.first, !words.isEmpty,
      let optional = query.optional as? [TermMatcher],
      let excluded = query.excluded as? [TermMatcher]
    else { return nil }
    let scored = words + optional + (expansion.exact.map { [$0] } ?? [])
    var most = ExpansionMatcher.constantScore
    for word in scored { most += word.list.pointee.limit }
    guard most < ScoreFormula.gridLimit,
      (scored + excluded).allSatisfy({ $0.list.pointee.filter == nil }),
      let rarest = words.map(\.cost).min(), rarest / Self.longestDetour <= expansion.cost
    else { return nil }
    func flat(
      _ must: [TermMatcher], _ not: [TermMatcher], _ members: DocumentUnion?
    ) -> WordQuery {
      let lists = arena.allocate(WordQuery.List.self, must.count + optional.count)
      let dropped = arena.allocate(WordQuery.List.self, not.count + 1)
      for (index, word) in (must + optional).enumerated() {
        (lists + index).initialize(to: word.list)
      }
      for (index, word) in not.enumerated() { (dropped + index).initialize(to: word.list) }
      return WordQuery(
        lists, count: must.count + optional.count, mustCount: must.count, excluded: dropped,
        excludedCount: not.count, members: members, base: ExpansionMatcher.constantScore)
    }
    let very = expansion.exact.map { [$0] } ?? []
    exact = very.isEmpty ? nil : flat(words + very, excluded, nil)
    others = flat(words, excluded + very, expansion.union)
  }

  /// How many times as many postings as the union the rarest word may have.
  private static let longestDetour = 16
}

extension SegmentCollector {
  /// Ranks the matches with the very word that was typed, then the others.
  func collectExpanded(_ words: ExpandedWords) throws(CorruptionError) {
    heap.mixesOrder()
    if let exact = words.exact { try WordCollector(exact, self).collect() }
    guard !isCancelled else { return }
    try WordCollector(words.others, self).collect()
  }
}
