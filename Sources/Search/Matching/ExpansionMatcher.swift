// Matches the items that hold any of the words to which a prefix or a near word expands.

internal import LimelightCodecs
internal import LimelightSegments

/// The union of the lists of many words, as a bit set.
///
/// **Score.** Every match scores 1, as in Lucene and Tantivy: which of the words an item holds and how
/// often says little. But an item that holds the very word that was typed has that word's BM25 on top,
/// so that exact words come first: `1 + idf * (sat + boost)`.
final class ExpansionMatcher: Matcher {
  private let words: UnsafePointer<UInt64>
  private let size: Int
  /// The very word that was typed, if the segment has it.
  let exact: TermMatcher?
  private var exactSlots = SlotSet()
  private let exactBatch: Batch
  private let exactScores: UnsafeMutablePointer<Float>

  init(_ words: UnsafePointer<UInt64>, exact: TermMatcher?, _ context: SegmentContext) {
    self.words = words
    self.exact = exact
    size = BitSet.popcount(words, BitSet.wordCount(Int(context.documentCount)))
    exactBatch = Batch(arena: context.scratch, isScored: true)
    exactScores = context.scratch.allocate(Float.self, Batch.capacity)
    super.init(context)
  }

  static let constantScore: Float = 1

  override var cost: Int { size }
  override var bits: UnsafePointer<UInt64>? { words }

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
    return Self.constantScore + max(try exact.bound(from: from, to: to), 0)
  }

  override func candidates(
    from: UInt32, to: UInt32, into batch: Batch
  ) throws(CorruptionError) -> UInt32 {
    if let exactOnly { return try exactOnly.candidates(from: from, to: to, into: batch) }
    var place = Int(from)
    let count = BitSet.extract(
      words, from: &place, to: Int(to), into: batch.documents, limit: Batch.capacity)
    batch.begin(count: count)
    return UInt32(truncatingIfNeeded: place)
  }

  override func keep(_ batch: Batch) throws(CorruptionError) {
    batch.retain(in: words)
    guard batch.isScored, let exact else { return }
    exactBatch.copy(batch)
    if exactBatch.count > 0 { try exact.keep(exactBatch) }
    exactSlots = exactBatch.slotSet
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
    let start = Int(window &>> 6)
    for i in 0..<DocumentWords.windowWords { words[i] |= self.words[start &+ i] }
  }
}
