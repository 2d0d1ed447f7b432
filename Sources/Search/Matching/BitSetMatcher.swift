// Matches a set of documents that was worked out beforehand: filters, and everything.

internal import LimelightCodecs
internal import LimelightSegments

/// A set of documents that adds nothing to scores.
final class BitSetMatcher: Matcher {
  let words: UnsafePointer<UInt64>
  private let size: Int

  /// `words` cover whole windows and have no bit behind the last document.
  init(_ words: UnsafePointer<UInt64>, _ context: SegmentContext) {
    self.words = words
    size = BitSet.popcount(words, BitSet.wordCount(Int(context.documentCount)))
    super.init(context)
  }

  override var cost: Int { size }
  override var isScored: Bool { false }
  override var bits: UnsafePointer<UInt64>? { words }

  override func candidates(
    from: UInt32, to: UInt32, into batch: Batch
  ) throws(CorruptionError) -> UInt32 {
    var place = Int(from)
    let count = BitSet.extract(
      words, from: &place, to: Int(to), into: batch.documents, limit: Batch.capacity)
    batch.begin(count: count)
    batch.leader = ObjectIdentifier(self)
    return UInt32(truncatingIfNeeded: place)
  }

  override func keep(_ batch: Batch) throws(CorruptionError) {
    guard batch.leader != ObjectIdentifier(self) else { return }
    batch.retain(in: words)
  }

  override func unite(
    window: UInt32, into words: UnsafeMutablePointer<UInt64>, scratch: Batch
  ) throws(CorruptionError) {
    let start = Int(window &>> 6)
    for i in 0..<DocumentWords.windowWords { words[i] |= self.words[start &+ i] }
  }
}
