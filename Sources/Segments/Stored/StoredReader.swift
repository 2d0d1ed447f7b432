// The stored items of a segment.

internal import LimelightCodecs

/// Reads what `StoredWriter` wrote; valid while the segment lives.
///
/// Keeps the block that it decompressed last, so it belongs to one thread; making one is cheap.
package final class StoredReader {
  private let index: SectionView
  private let stored: SectionView
  private let documentCount: Int
  let dictionary: StoredDictionary?
  package let blockCount: Int

  private var loaded = -1
  private var firstDocument = 0
  /// Where each record of the loaded block ends.
  private var ends: [Int] = []
  private let raw = ByteWriter(capacity: 2 * StoredWriter.blockSize)

  /// The largest block that is believed: no item comes near it.
  private static let rawLimit = 1 << 30

  init(
    index: SectionView, stored: SectionView, documentCount: Int, dictionary: StoredDictionary?
  ) throws(CorruptionError) {
    guard index.count % 12 == 0 else { throw index.corrupt("entries are cut short", at: 0) }
    self.index = index
    self.stored = stored
    self.documentCount = documentCount
    self.dictionary = dictionary
    blockCount = index.count / 12
  }

  /// Puts the record of a document into `record`: O(log blocks), then one block.
  package func record(
    of document: UInt32, into record: inout [UInt8]
  ) throws(CorruptionError) {
    record.removeAll(keepingCapacity: true)
    record.append(contentsOf: try self.record(of: document))
  }

  /// The record of a document, lent until the reader is used again.
  package func record(of document: UInt32) throws(CorruptionError) -> UnsafeRawBufferPointer {
    guard Int(document) < documentCount else { throw index.corrupt("no such document", at: 0) }
    var low = 0
    var high = blockCount
    while low < high {
      let middle = (low + high) / 2
      if try index.u32(at: blockCount * 8 + middle * 4) <= document {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low > 0 else { throw index.corrupt("a document has no block", at: 0) }
    try load(low - 1)
    let place = Int(document) - firstDocument
    guard ends.indices.contains(place) else {
      throw stored.corrupt("a document is not in its block", at: 0)
    }
    return bytes(place)
  }

  private func bytes(_ place: Int) -> UnsafeRawBufferPointer {
    let start = place == 0 ? 0 : ends[place - 1]
    return UnsafeRawBufferPointer(start: raw.base + start, count: ends[place] - start)
  }

  /// Calls `body` with each document and its record, in order.
  package func forEachRecord(
    _ body: (_ document: Int, _ record: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    for block in 0..<blockCount {
      try load(block)
      for place in ends.indices { try body(firstDocument + place, bytes(place)) }
    }
  }

  /// The same for one block.
  func forEachRecord(
    inBlock block: Int, _ body: (_ document: Int, _ record: UnsafeRawBufferPointer) -> Void
  ) throws(CorruptionError) {
    try load(block)
    for place in ends.indices { body(firstDocument + place, bytes(place)) }
  }

  /// The documents whose records a block holds.
  func documents(ofBlock block: Int) throws(CorruptionError) -> Range<Int> {
    let first = Int(try index.u32(at: blockCount * 8 + block * 4))
    let end =
      block + 1 < blockCount
      ? Int(try index.u32(at: blockCount * 8 + block * 4 + 4)) : documentCount
    guard first < end, end <= documentCount else {
      throw index.corrupt("first documents are out of order", at: blockCount * 8 + block * 4)
    }
    return first..<end
  }

  private func bytes(ofBlock block: Int) throws(CorruptionError) -> SectionView {
    let start = try index.u64(at: block * 8)
    let end = block + 1 < blockCount ? try index.u64(at: block * 8 + 8) : UInt64(stored.count)
    guard start < end else { throw index.corrupt("a block is out of order", at: block * 8) }
    let view = try stored.slice(start, end - start)
    try view.touchAll()
    return view
  }

  /// A block's bytes if they are compressed, checked only against the pages' checksums.
  func compressedBlock(_ block: Int) throws(CorruptionError) -> UnsafeRawBufferPointer? {
    let view = try bytes(ofBlock: block)
    guard try view.u8(at: 0) == 1 else { return nil }
    return UnsafeRawBufferPointer(start: view.base, count: view.count)
  }

  /// Decompresses a block, unless it is the one that is there.
  private func load(_ block: Int) throws(CorruptionError) {
    guard block != loaded else { return }
    loaded = -1
    let documents = try documents(ofBlock: block)
    let view = try bytes(ofBlock: block)
    var reader = ByteReader(view.base, count: view.count)
    var total = 0
    ends.removeAll(keepingCapacity: true)
    let isCompressed: Bool
    do throws(DecodingError) {
      let form = try reader.u8()
      let records = try reader.varint()
      guard form <= 1, records == UInt64(documents.count) else {
        throw DecodingError.corrupt("not one record for each document", at: 0)
      }
      isCompressed = form == 1
      for _ in documents {
        total += try reader.length(atMost: Self.rawLimit - total)
        ends.append(total)
      }
    } catch {
      throw view.corrupt(error.what, at: error.offset)
    }
    let body = UnsafeRawBufferPointer(
      start: view.base + reader.position, count: reader.remaining)
    // LZ4 makes at most 255 bytes of one: a larger claim would only cost memory.
    guard isCompressed ? total / 256 <= body.count : total == body.count else {
      throw view.corrupt("a block's length does not fit its records", at: reader.position)
    }
    raw.removeAll()
    if isCompressed {
      let target = UnsafeMutableRawBufferPointer(start: raw.reserve(total), count: total)
      guard decompress(body, into: target) else {
        throw view.corrupt("a block cannot be decompressed", at: reader.position)
      }
      raw.advance(total)
    } else {
      raw.bytes(body)
    }
    firstDocument = documents.lowerBound
    loaded = block
  }

  private func decompress(
    _ body: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard let dictionary else { return LZ4.decompress(body, into: target, dictionary: nil) }
    return dictionary.bytes.withUnsafeBytes {
      LZ4.decompress(body, into: target, dictionary: $0)
    }
  }

  func verify() throws(CorruptionError) {
    var expected = 0
    for block in 0..<blockCount {
      guard try documents(ofBlock: block).lowerBound == expected else {
        throw index.corrupt("a block does not follow the one before", at: block * 8)
      }
      try load(block)
      expected += ends.count
    }
    guard expected == documentCount else {
      throw index.corrupt("not one record for each document", at: 0)
    }
  }
}

extension Segment {
  /// The stored items, for one thread; nil when the segment has none.
  package func storedItems() throws(CorruptionError) -> StoredReader? {
    guard meta.storesItems, documentCount > 0 else { return nil }
    guard let index = section(.storedIndex), let stored = section(.stored) else {
      throw missing("the section is missing", from: .storedIndex)
    }
    return try StoredReader(
      index: index, stored: stored, documentCount: documentCount, dictionary: dictionary)
  }
}
