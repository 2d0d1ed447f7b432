// What a segment says about itself: counts, sequences, statistics.

internal import LimelightCodecs

/// The facts of a segment that everybody needs, in its first section.
package struct SegmentMeta: Equatable, Sendable {
  /// The tokens and values of one attribute, over all items.
  package struct AttributeStatistics: Equatable, Sendable {
    package var attribute: UInt16
    package var tokens: UInt64
    package var values: UInt64

    package init(attribute: UInt16, tokens: UInt64, values: UInt64) {
      self.attribute = attribute
      self.tokens = tokens
      self.values = values
    }
  }

  /// How many items the segment holds, dead ones included: doc numbers are 0 ..< this.
  package var documentCount: UInt32 = 0
  /// Tokens of default attributes.
  package var tokenCount: UInt64 = 0
  /// The journal's numbers of the first and the last operation that the segment shows.
  package var firstSequence: UInt64 = 0
  package var lastSequence: UInt64 = 0
  /// Whether there are stored items.
  package var storesItems = false
  /// Whether the stored items were compressed with the index's dictionary, and its XXH64.
  package var hasDictionary = false
  package var dictionaryHash: UInt64 = 0
  package var attributeStatistics: [AttributeStatistics] = []

  package init() {}

  private static let fixedSize = 44
  private static let statisticsSize = 20

  /// Most items that a segment can hold.
  package static let documentLimit: UInt32 = 0x7FFF_FFFF
  /// No item has so many tokens, or values, in all attributes together.
  ///
  /// So sums over the segments of an index cannot wrap, and those of a merge are within its own limit.
  private static let countLimit: UInt64 = 1 << 32

  // document count u32, flags u32 (1 stores items, 2 has a dictionary), token count u64,
  // first sequence u64, last sequence u64, XXH64 of the dictionary u64, statistics count u32,
  // then for each attribute: id u32, tokens u64, values u64
  func encode(into writer: ByteWriter) {
    writer.u32(documentCount)
    writer.u32((storesItems ? 1 : 0) | (hasDictionary ? 2 : 0))
    writer.u64(tokenCount)
    writer.u64(firstSequence)
    writer.u64(lastSequence)
    writer.u64(dictionaryHash)
    writer.u32(UInt32(attributeStatistics.count))
    for entry in attributeStatistics {
      writer.u32(UInt32(entry.attribute))
      writer.u64(entry.tokens)
      writer.u64(entry.values)
    }
  }

  init(decoding view: SectionView) throws(CorruptionError) {
    try view.touchAll()
    documentCount = try view.u32(at: 0)
    guard documentCount <= Self.documentLimit else {
      throw view.corrupt("too many documents", at: 0)
    }
    let flags = try view.u32(at: 4)
    guard flags & ~3 == 0 else { throw view.corrupt("unknown flags", at: 4) }
    storesItems = flags & 1 != 0
    hasDictionary = flags & 2 != 0
    tokenCount = try view.u64(at: 8)
    firstSequence = try view.u64(at: 16)
    lastSequence = try view.u64(at: 24)
    dictionaryHash = try view.u64(at: 32)
    let count = Int(try view.u32(at: 40))
    guard view.count == Self.fixedSize + count * Self.statisticsSize else {
      throw view.corrupt("the statistics do not fill the section", at: 40)
    }
    let limit = UInt64(documentCount) * Self.countLimit
    guard tokenCount <= limit else { throw view.corrupt("too many tokens", at: 8) }
    var tokens: UInt64 = 0
    var values: UInt64 = 0
    attributeStatistics.reserveCapacity(count)
    for index in 0..<count {
      let at = Self.fixedSize + index * Self.statisticsSize
      guard let attribute = UInt16(exactly: try view.u32(at: at)) else {
        throw view.corrupt("an attribute id is out of range", at: at)
      }
      let entry = AttributeStatistics(
        attribute: attribute, tokens: try view.u64(at: at + 4), values: try view.u64(at: at + 12))
      guard entry.tokens <= limit - tokens, entry.values <= limit - values
      else { throw view.corrupt("too many tokens or values", at: at) }
      tokens += entry.tokens
      values += entry.values
      attributeStatistics.append(entry)
    }
  }
}
