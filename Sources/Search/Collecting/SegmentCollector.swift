// Runs a matcher over a segment and keeps the best documents.

internal import LimelightSegments

/// What a ranked search over one segment needs beside its matcher.
struct SegmentCollector {
  let context: SegmentContext
  /// The index of the segment among the snapshot's views.
  let view: Int
  let accepted: AcceptedDocs
  let heap: TopHeap
  /// Whether documents that cannot be hits may be passed over; otherwise every match is scored.
  let prunes: Bool
  let cancellation: CancellationFlag?

  var isCancelled: Bool { cancellation?.isCancelled ?? false }

  /// Offers all matches of a segment to the heap; stops early when cancelled.
  ///
  /// One word, one expansion and disjunctions of words have loops of their own. Without pruning the
  /// answer is the number of matches.
  func collect(_ root: Matcher) throws(CorruptionError) -> Int {
    // The first documents are the oldest, unless the segment has another order.
    if prunes, context.order == nil, let expansion = root as? ExpansionMatcher {
      try collectExpansion(expansion)
      return 0
    }
    if prunes, let words = root.flatQuery {
      let collector = WordCollector(words, self)
      try collector.collect()
      return 0
    }
    if prunes, let words = root.expandedWords {
      try collectExpanded(words)
      return 0
    }
    if let term = root as? TermMatcher { return try collectTerm(term.list) }
    return try collectRanges(root)
  }

  /// The general loop: range by range, batch by batch.
  private func collectRanges(_ root: Matcher) throws(CorruptionError) -> Int {
    var matched = 0
    if prunes, let seed = root.seed { try raiseThreshold(by: seed) }
    let batch = Batch(arena: context.scratch, isScored: true)
    let end = context.documentCount
    var document: UInt32 = 0
    while document < end && !isCancelled {
      var rangeEnd = root.rangeEnd(from: document)
      if prunes {
        root.threshold = heap.threshold
        let wideEnd = root.wideRangeEnd(from: document)
        if wideEnd > rangeEnd, try root.bound(from: document, to: wideEnd) <= heap.threshold {
          document = wideEnd
          continue
        }
        rangeEnd = root.rangeEnd(from: document)
        if try root.bound(from: document, to: rangeEnd) <= heap.threshold {
          document = rangeEnd
          continue
        }
      } else {
        root.scoreFloor = heap.threshold
      }
      while document < rangeEnd {
        document = try root.candidates(from: document, to: rangeEnd, into: batch)
        accepted.retain(batch)
        guard batch.count > 0 else { continue }
        try root.keep(batch)
        guard batch.count > 0 else { continue }
        matched &+= batch.count
        root.addScores(batch)
        for i in 0..<batch.count {
          let score = batch.scores[Int(batch.slots[i])]
          if score > heap.threshold {
            heap.insert(batch.documents[i], view: view, score: score)
          }
        }
      }
    }
    return matched
  }
}
