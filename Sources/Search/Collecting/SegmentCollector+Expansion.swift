// Ranks the items that hold any of the words to which a prefix or a near word expands.

internal import LimelightSegments

extension SegmentCollector {
  /// Walks the list of the very word that was typed, then fills up with the first of the others.
  ///
  /// All hits score 1, those with the word more: so the word's list alone decides which come first, and
  /// of the others none is looked at that comes behind as many as are still wanted.
  func collectExpansion(_ expansion: ExpansionMatcher) throws(CorruptionError) {
    let base = ExpansionMatcher.constantScore
    if let exact = expansion.exact { _ = try collectTerm(exact.list, base: base) }
    let batch = Batch(arena: context.scratch, isScored: true)
    let end = context.documentCount
    var document: UInt32 = 0
    expansion.threshold = -1
    while document < end && !heap.isFull && !isCancelled {
      document = try expansion.candidates(from: document, to: end, into: batch)
      accepted.retain(batch)
      guard batch.count > 0 else { continue }
      try expansion.keep(batch)
      expansion.addScores(batch)
      for i in 0..<batch.count where !heap.isFull {
        let score = batch.scores[Int(batch.slots[i])]
        // Those above were offered.
        if score <= base { heap.insert(batch.documents[i], view: view, score: score) }
      }
    }
  }

  /// Raises the threshold to what as many documents as are wanted score in the seed of a matcher.
  func raiseThreshold(by seed: Matcher) throws(CorruptionError) {
    guard heap.capacity <= Self.longestSample else { return }
    let batch = Batch(arena: context.scratch, isScored: true)
    var sample = ScoreSample(capacity: heap.capacity, arena: context.scratch)
    let end = context.documentCount
    var document: UInt32 = 0
    while document < end && !isCancelled {
      let least = max(sample.least, heap.threshold)
      seed.threshold = least
      let rangeEnd = seed.rangeEnd(from: document)
      if try seed.bound(from: document, to: rangeEnd) <= least {
        document = rangeEnd
        continue
      }
      while document < rangeEnd {
        document = try seed.candidates(from: document, to: rangeEnd, into: batch)
        accepted.retain(batch)
        guard batch.count > 0 else { continue }
        try seed.keep(batch)
        guard batch.count > 0 else { continue }
        seed.addScores(batch)
        for i in 0..<batch.count { sample.add(batch.scores[Int(batch.slots[i])]) }
      }
    }
    // Sums in another order than the query's may differ by their rounding.
    if sample.isFull { heap.raise(to: sample.least * (1 - 0x1p-18)) }
  }

  private static let longestSample = 1_000
}
