// In which order the items of a segment arrived, where that is not the order of its documents.

internal import LimelightCodecs

/// The section `order`: for each document its rank by arrival, 0 the oldest.
///
/// Bit after bit in the least width that holds the largest rank, then 8 zeros. The ranks are a permutation of
/// the documents, which is checked before they are given out. Valid while the segment lives, usable by any
/// number of threads.
package struct ArrivalOrder: Sendable {
  private let view: SectionView
  private let width: UInt64
  package let count: Int

  init(_ view: SectionView, documentCount: Int) throws(CorruptionError) {
    guard view.count == PackedOrder.byteCount(documentCount) else {
      throw view.corrupt("not one rank for each document", at: 0)
    }
    try view.touchAll()
    self.view = view
    count = documentCount
    width = UInt64(PackedOrder.width(count: documentCount))
  }

  /// The rank of a document, which must be one of the segment: constant time.
  package func rank(of document: UInt32) -> UInt32 {
    guard Int(document) < count else { return .max }
    let bit = UInt64(document) &* width
    let word = UInt64(
      littleEndian: view.base.loadUnaligned(
        fromByteOffset: Int(truncatingIfNeeded: bit &>> 3), as: UInt64.self))
    return UInt32(truncatingIfNeeded: word &>> (bit & 7) & (1 &<< width &- 1))
  }

  /// All documents, the oldest first.
  package func documents() -> [UInt32] {
    var documents = [UInt32](repeating: 0, count: count)
    for document in 0..<UInt32(truncatingIfNeeded: count) {
      let rank = Int(rank(of: document))
      if rank < count { documents[rank] = document }
    }
    return documents
  }

  /// Checks that each rank is there once.
  func verify() throws(CorruptionError) {
    var seen = [UInt64](repeating: 0, count: BitSet.wordCount(count))
    for document in 0..<UInt32(truncatingIfNeeded: count) {
      let rank = Int(rank(of: document))
      guard rank < count, seen[rank >> 6] >> UInt64(rank & 63) & 1 == 0 else {
        throw view.corrupt(
          "the ranks are not those of all documents", at: Int(document) * Int(width) / 8)
      }
      seen[rank >> 6] |= 1 << UInt64(rank & 63)
    }
  }

  /// Writes the section: `ranks` has each document's.
  package static func write(_ ranks: [UInt32], to segment: SegmentWriter) {
    let width = PackedOrder.width(count: ranks.count)
    let bytes = segment.buffer(.order)
    bytes.zeros(PackedOrder.byteCount(ranks.count))
    for (document, rank) in ranks.enumerated() {
      let bit = document * width
      let place = bytes.base + bit >> 3
      let word = UInt64(littleEndian: place.loadUnaligned(as: UInt64.self))
      let value = word | UInt64(rank) << UInt64(bit & 7)
      place.storeBytes(of: value.littleEndian, as: UInt64.self)
    }
    segment.spillIfLarge(.order)
    segment.setCount(.order, entrySize: 0, ranks.count)
  }
}

extension Segment {
  /// The order in which the documents arrived; nil if it is that of their numbers.
  ///
  /// The first time all ranks are checked, some 2 ns each.
  package func arrivalOrder() throws(CorruptionError) -> ArrivalOrder? {
    guard section(.order) != nil else { return nil }
    return try arrivalOrderCache.value { () throws(CorruptionError) -> ArrivalOrder? in
      guard let view = section(.order) else { return nil }
      let order = try ArrivalOrder(view, documentCount: documentCount)
      try order.verify()
      return order
    }
  }
}
