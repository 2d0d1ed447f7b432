// Writes the stored items of a segment: records in LZ4 blocks.

internal import LimelightCodecs

/// Writes the sections `storedIndex` and `stored`.
///
///     stored       blocks one after the other:
///                    u8      0 = as it is, 1 = LZ4 (with the index's dictionary if it has one)
///                    varint  number of records
///                    varint  length of each record
///                    bytes   the records, compressed or not, up to the next block
///     storedIndex  for each block its offset: u64 each
///                  then for each block its first document: u32 each
///
/// A record for each document, in their order. A block ends with the record that brings it to
/// 4 KiB; a record of that size is a block of its own, so that no other item waits for it. A compacted
/// segment has blocks of 2 KiB, compressed harder: its items take less room and are read faster.
package final class StoredWriter {
  static let blockSize = 4096
  /// The same of a compacted segment.
  static let compactBlockSize = 2048

  private let segment: SegmentWriter
  private let compressor: LZ4Compressor?
  /// The compressor of a compacted segment, which takes the place of the other one.
  private let highCompressor: LZ4HighCompressor?
  private let blockSize: Int
  private let pending = ByteWriter(capacity: 256)
  private let scratch = ByteWriter(capacity: 16)
  @exclusivity(unchecked) private var lengths: [Int] = []
  @exclusivity(unchecked) private var firstDocuments: [UInt32] = []
  @exclusivity(unchecked) private var count = 0

  package init(_ segment: SegmentWriter) {
    self.segment = segment
    let isFast = segment.compressesItems && !segment.compactsItems
    compressor =
      isFast ? segment.dictionary?.borrowCompressor() ?? LZ4Compressor(dictionary: nil) : nil
    let words = segment.dictionary?.bytes ?? []
    highCompressor =
      segment.compactsItems
      ? words.withUnsafeBytes { LZ4HighCompressor(dictionary: $0) } : nil
    blockSize = segment.compactsItems ? Self.compactBlockSize : Self.blockSize
  }

  /// Adds the record of the next document.
  package func add(_ record: UnsafeRawBufferPointer) {
    if record.count >= blockSize { endBlock() }
    pending.bytes(record)
    lengths.append(record.count)
    count += 1
    if pending.count >= blockSize { endBlock() }
  }

  /// Adds the record of the next document.
  package func add(_ record: [UInt8]) {
    record.withUnsafeBytes { add($0) }
  }

  /// Adds the documents of another segment, but for those that `map` sends to `UInt32.max`.
  ///
  /// Blocks in which all documents stay, compressed alike, are copied as they are, unless the segment is
  /// compacted. What is written is not whole if `isCancelled`, asked for each block, says so.
  package func append(
    _ source: StoredReader, map: [UInt32], isCancelled: () -> Bool = { false }
  ) throws(CorruptionError) {
    for block in 0..<source.blockCount {
      if isCancelled() { return }
      let documents = try source.documents(ofBlock: block)
      let isWhole = !map.isEmpty && documents.allSatisfy { $0 < map.count && map[$0] != .max }
      if isWhole, compressor != nil, pending.count == 0 || pending.count >= Self.blockSize / 2,
        source.dictionary?.hash == segment.dictionary?.hash,
        let bytes = try source.compressedBlock(block)
      {
        endBlock()
        let stored = beginBlock(bytes.count)
        stored.bytes.bytes(bytes)
        stored.spillIfLarge()
        count += documents.count
        continue
      }
      try source.forEachRecord(inBlock: block) { document, record in
        if document < map.count, map[document] != .max { add(record) }
      }
    }
  }

  private func beginBlock(_ room: Int) -> SectionBuffer {
    let stored = segment.section(.stored)
    let index = segment.section(.storedIndex)
    index.bytes.u64(UInt64(stored.count))
    index.spillIfLarge()
    firstDocuments.append(UInt32(truncatingIfNeeded: count))
    _ = stored.bytes.reserve(room)
    return stored
  }

  private func endBlock() {
    guard !lengths.isEmpty else { return }
    scratch.removeAll()
    var size = 0
    if pending.count > 0 {
      size =
        compressor?.compress(pending.written, into: scratch)
        ?? highCompressor?.compress(pending.written, into: scratch) ?? 0
    }
    let isCompressed = size > 0 && size < pending.count
    count -= lengths.count
    let section = beginBlock(pending.count)
    count += lengths.count
    let stored = section.bytes
    stored.u8(isCompressed ? 1 : 0)
    stored.varint(UInt64(lengths.count))
    for length in lengths { stored.varint(UInt64(length)) }
    stored.bytes(isCompressed ? scratch.written : pending.written)
    section.spillIfLarge()
    pending.removeAll()
    lengths.removeAll(keepingCapacity: true)
  }

  package func finish() {
    endBlock()
    let index = segment.buffer(.storedIndex)
    for document in firstDocuments { index.u32(document) }
    segment.setCount(.storedIndex, entrySize: 12, firstDocuments.count)
    segment.meta.storesItems = true
    if segment.compressesItems, let dictionary = segment.dictionary {
      segment.meta.hasDictionary = true
      segment.meta.dictionaryHash = dictionary.hash
      if let compressor { dictionary.giveBack(compressor) }
    }
  }
}
