// Counts matches without scoring any.

internal import LimelightCodecs
internal import LimelightSegments

/// Counts the matches of one segment.
struct Counting {
  let context: SegmentContext
  let accepted: AcceptedDocs
  let cancellation: CancellationFlag?

  private var isCancelled: Bool { cancellation?.isCancelled ?? false }

  /// How many accepted documents match; meaningless when cancelled.
  ///
  /// One word in a segment where everything counts: what its list says. Words alone: `WordCounter`. Sets
  /// of bits: the bits. Disjunctions: the bits of a window of 4,096 documents at a time. Else batch by
  /// batch.
  func count(_ root: Matcher) throws(CorruptionError) -> Int {
    if let words = root.flatQuery {
      if words.mustCount == 1, words.excludedCount == 0, accepted.isAll {
        return words.lists[0].pointee.documentFrequency
      }
      if let count = try WordCounter.countSets(words, context, accepted) { return count }
      return try WordCounter(words, context, accepted, cancellation).count()
    }
    if let term = root as? TermMatcher, accepted.isAll, term.list.pointee.filter == nil {
      return term.list.pointee.documentFrequency
    }
    if let expansion = root as? ExpansionMatcher {
      let size = try expansion.count()
      if accepted.isAll { return size }
    }
    if let bits = root.bits { return count(bits) }
    if let boolean = root as? BooleanMatcher {
      if let words = boolean.intersection() { return count(words) }
      return try countBatches(root)
    }
    return root is PhraseMatcher ? try countBatches(root) : try countWindows(root)
  }

  private func count(_ words: UnsafePointer<UInt64>) -> Int {
    guard !accepted.isAll else {
      return BitSet.popcount(words, BitSet.wordCount(Int(context.documentCount)))
    }
    let buffer = context.scratch.allocate(UInt64.self, DocumentWords.windowWords)
    var sum = 0
    var window: UInt32 = 0
    while window < context.documentCount {
      let start = Int(window &>> 6)
      let size = min(
        DocumentWords.windowWords, BitSet.wordCount(Int(context.documentCount)) &- start)
      buffer.update(from: words + start, count: size)
      accepted.intersect(window: window, buffer)
      sum &+= BitSet.popcount(buffer, size)
      window &+= DocumentWords.windowSize
    }
    return sum
  }

  private func countWindows(_ root: Matcher) throws(CorruptionError) -> Int {
    let words = context.scratch.allocate(UInt64.self, DocumentWords.windowWords)
    let scratch = Batch(arena: context.scratch, isScored: false)
    var sum = 0
    var window: UInt32 = 0
    while window < context.documentCount && !isCancelled {
      words.initialize(repeating: 0, count: DocumentWords.windowWords)
      try root.unite(window: window, into: words, scratch: scratch)
      accepted.intersect(window: window, words)
      sum &+= BitSet.popcount(words, DocumentWords.windowWords)
      window &+= DocumentWords.windowSize
    }
    return sum
  }

  private func countBatches(_ root: Matcher) throws(CorruptionError) -> Int {
    let batch = Batch(arena: context.scratch, isScored: false)
    var sum = 0
    var document: UInt32 = 0
    while document < context.documentCount && !isCancelled {
      document = try root.candidates(from: document, to: context.documentCount, into: batch)
      accepted.retain(batch)
      guard batch.count > 0 else { continue }
      try root.keep(batch)
      sum &+= batch.count
    }
    return sum
  }

  /// The accepted documents that match, as words.
  func matches(_ root: Matcher) throws(CorruptionError) -> UnsafeMutablePointer<UInt64> {
    let words = DocumentWords.allocate(context.documentCount, arena: context.scratch)
    let scratch = Batch(arena: context.scratch, isScored: false)
    var window: UInt32 = 0
    while window < context.documentCount && !isCancelled {
      let place = words + Int(window &>> 6)
      try root.unite(window: window, into: place, scratch: scratch)
      accepted.intersect(window: window, place)
      window &+= DocumentWords.windowSize
    }
    return words
  }
}
