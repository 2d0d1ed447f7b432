// Matches the items that hold any of the words to which a prefix or a near word expands.

internal import LimelightCodecs
internal import LimelightSegments

/// The union of the lists of many words, as a bit set that is filled window by window.
///
/// **Score.** Every match scores 1, as in Lucene and Tantivy: which of the words an item holds and how
/// often says little. But an item that holds the very word that was typed has that word's BM25 on top,
/// so that exact words come first: `1 + idf * (sat + boost)`.
final class ExpansionMatcher: Matcher {
  let union: DocumentUnion
  private let words: UnsafePointer<UInt64>
  /// The very word that was typed, if the segment has it.
  let exact: TermMatcher?
  private var exactSlots = SlotSet()
  private let exactBatch: Batch
  private let exactScores: UnsafeMutablePointer<Float>

  init(_ union: DocumentUnion, exact: TermMatcher?, _ context: SegmentContext) {
    self.union = union
    self.exact = exact
    words = union.words
    exactBatch = Batch(arena: context.scratch, isScored: true)
    exactScores = context.scratch.allocate(Float.self, Batch.capacity)
    super.init(context)
  }

  static let constantScore: Float = 1

  override var cost: Int { min(union.bound, Int(context.documentCount)) }
  override var bits: UnsafePointer<UInt64>? { union.isComplete ? words : nil }

  /// Makes all bits at once.
  func complete() throws(CorruptionError) { try union.complete() }

  /// How many documents match, those included that do not count.
  func count() throws(CorruptionError) -> Int { try union.count() }

  /// Whether only items with the exact word can still be hits.
  private var exactOnly: TermMatcher? { threshold >= Self.constantScore ? exact : nil }

  override func rangeEnd(from document: UInt32) -> UInt32 {
    exactOnly?.rangeEnd(from: document) ?? super.rangeEnd(from: document)
  }

  override func wideRangeEnd(from document: UInt32) -> UInt32 {
    if let exactOnly { return exactOnly.wideRangeEnd(from: document) }
    return threshold >= Self.constantScore
      ? context.documentCount : super.wideRangeEnd(from: document)
  }

  override func bound(from: UInt32, to: UInt32) throws(CorruptionError) -> Float {
    guard let exact else { return Self.constantScore }
    let more = try exact.bound(from: from, to: to)
    guard more > 0 else { return Self.constantScore }
    // The blocks of a rare word span ranges in which it mostly is not.
    if to &- from <= Self.wideRange, !(try exact.list.pointee.mayHold(from, to)) {
      return Self.constantScore
    }
    return Self.constantScore + more
  }

  /// Ranges of more documents are not looked into.
  private static let wideRange: UInt32 = 16_384

  override func candidates(
    from: UInt32, to: UInt32, into batch: Batch
  ) throws(CorruptionError) -> UInt32 {
    if let exactOnly { return try exactOnly.candidates(from: from, to: to, into: batch) }
    var place = Int(from)
    var end = Int(to)
    if !union.isComplete {
      try union.fill(windowOf: from)
      end = min(end, Int(DocumentWords.window(of: from) &+ DocumentWords.windowSize))
    }
    let count = BitSet.extract(
      words, from: &place, to: end, into: batch.documents, limit: Batch.capacity)
    batch.begin(count: count)
    return UInt32(truncatingIfNeeded: place)
  }

  override func keep(_ batch: Batch) throws(CorruptionError) {
    if batch.isScored, threshold >= Self.constantScore {
      // What the other parts can add is not enough for items without the word.
      guard let exact else {
        batch.count = 0
        return
      }
      try exact.keep(batch)
      exactSlots = batch.slotSet
      return
    }
    // Candidates that are the exact word's are documents of the union.
    let isExact = exact.map { batch.leader == ObjectIdentifier($0) } ?? false
    if !isExact { try drop(batch) }
    guard batch.isScored, let exact else { return }
    exactBatch.copy(batch)
    if exactBatch.count > 0 { try exact.keep(exactBatch) }
    exactSlots = exactBatch.slotSet
  }

  /// Drops what is not in the union.
  private func drop(_ batch: Batch) throws(CorruptionError) {
    try union.fill(windowsOf: batch.documents, count: batch.count)
    batch.retain(in: words)
  }

  override func addScores(_ batch: Batch) {
    if let exact, !exactSlots.isEmpty {
      for i in 0..<batch.count { exactScores[Int(batch.slots[i])] = 0 }
      exactBatch.copy(batch)
      exactBatch.scores = exactScores
      exactBatch.retain(exactSlots, isMember: true)
      exact.addScores(exactBatch)
      for i in 0..<batch.count {
        let slot = Int(batch.slots[i])
        batch.scores[slot] += Self.constantScore + exactScores[slot]
      }
      return
    }
    for i in 0..<batch.count { batch.scores[Int(batch.slots[i])] += Self.constantScore }
  }

  override func unite(
    window: UInt32, into words: UnsafeMutablePointer<UInt64>, scratch: Batch
  ) throws(CorruptionError) {
    try union.fill(windowOf: window)
    let start = Int(window &>> 6)
    for i in 0..<DocumentWords.windowWords { words[i] |= self.words[start &+ i] }
  }
}

extension DocumentUnion {
  /// Makes sure that all bits of the windows are there in which documents lie.
  func fill(
    windowsOf documents: UnsafePointer<UInt32>, count: Int
  ) throws(CorruptionError) {
    guard !isComplete else { return }
    var filled = UInt32.max
    for i in 0..<count where DocumentWords.window(of: documents[i]) != filled {
      filled = DocumentWords.window(of: documents[i])
      try fill(windowOf: filled)
    }
  }
}

extension TermList {
  /// Whether one of the documents `from ..< to` may be in the list: decodes the block that tells.
  fileprivate mutating func mayHold(
    _ from: UInt32, _ to: UInt32
  ) throws(CorruptionError) -> Bool {
    if let bits { return BitSet.next(bits, from: Int(from), to: Int(to)) < Int(to) }
    let number = blockIndex(for: from)
    if number &+ 1 < blockCount, postings.firstDocuments[number &+ 1] < to { return true }
    try load(number)
    // Behind the last document stands one that is larger than any.
    return documents[BlockIndex.first(notBelow: from, in: documents, from: 0, count: count)] < to
  }
}
