// Puts the sections of a segment together into one file or buffer.

package import LimelightCodecs

/// Gathers the sections of a segment; the bytes of the frame are drawn at `SegmentFormat`.
///
/// Each part's writer appends to `buffer(kind)`; a section that stays empty is left out. Used by
/// one thread.
package final class SegmentWriter {
  package let uuid: [UInt8]
  package let segmentID: UInt64
  /// What stored items are compressed with, together with their own bytes.
  package let dictionary: StoredDictionary?
  /// Whether stored items are compressed at all: not worth it in memory.
  package let compressesItems: Bool
  /// What the meta section will say; `StoredWriter` sets what concerns stored items.
  @exclusivity(unchecked) package var meta = SegmentMeta()

  @exclusivity(unchecked) private var buffers: [ByteWriter?]
  @exclusivity(unchecked) private var entrySizes: [UInt16]
  @exclusivity(unchecked) private var entryCounts: [UInt64]

  /// Makes a writer of an empty segment; `uuid` is the index's, 16 bytes.
  package init(
    uuid: [UInt8], segmentID: UInt64, dictionary: StoredDictionary? = nil,
    compressesItems: Bool = true
  ) {
    self.uuid = uuid
    self.segmentID = segmentID
    self.dictionary = dictionary
    self.compressesItems = compressesItems
    buffers = Array(repeating: nil, count: SectionKind.limit)
    entrySizes = Array(repeating: 0, count: SectionKind.limit)
    entryCounts = Array(repeating: 0, count: SectionKind.limit)
  }

  /// The bytes of a section so far, to append to.
  package func buffer(_ kind: SectionKind) -> ByteWriter {
    let index = Int(kind.rawValue)
    if let writer = buffers[index] { return writer }
    let writer = ByteWriter(capacity: 128)
    buffers[index] = writer
    return writer
  }

  /// What the footer says about a section's entries: their size (0 = they differ) and number.
  package func setCount(_ kind: SectionKind, entrySize: Int, _ count: Int) {
    entrySizes[Int(kind.rawValue)] = UInt16(truncatingIfNeeded: entrySize)
    entryCounts[Int(kind.rawValue)] = UInt64(truncatingIfNeeded: count)
  }

  /// Writes meta, header, checksums, footer and trailer; the writer is then used up.
  package func finish() -> SegmentImage {
    let meta = buffer(.meta)
    meta.removeAll()
    self.meta.encode(into: meta)

    var parts: [SegmentImage.Part] = []
    parts.reserveCapacity(SectionKind.limit + 1)
    parts.append(.init(offset: 0, bytes: header()))
    let footer = ByteWriter(capacity: 1024)
    var end = SegmentFormat.headerSize
    var hasher = PageHasher()
    hasher.add(parts[0].bytes.written, thenZeros: 0)
    for rawValue in 1..<SectionKind.checksums.rawValue {
      guard let kind = SectionKind(rawValue: rawValue) else { continue }
      guard let bytes = buffers[Int(kind.rawValue)], bytes.count > 0 else { continue }
      parts.append(.init(offset: end, bytes: bytes))
      putEntry(kind, offset: end, length: bytes.count, into: footer)
      let next = SegmentFormat.aligned(end + bytes.count)
      hasher.add(bytes.written, thenZeros: next - end - bytes.count)
      end = next
    }
    let checksums = hasher.finish()
    parts.append(.init(offset: end, bytes: tail(checksums, at: end, footer)))
    buffers = Array(repeating: nil, count: SectionKind.limit)
    return SegmentImage(parts: parts)
  }

  private func header() -> ByteWriter {
    let header = ByteWriter(capacity: SegmentFormat.headerSize)
    header.u64(SegmentFormat.magic)
    header.u32(SegmentFormat.version)
    header.u32(0)
    putUUID(into: header)
    header.u64(segmentID)
    header.align(to: SegmentFormat.headerSize)
    return header
  }

  /// Checksums, footer and trailer.
  private func tail(_ checksums: [UInt64], at start: Int, _ footer: ByteWriter) -> ByteWriter {
    setCount(.checksums, entrySize: 8, checksums.count)
    putEntry(.checksums, offset: start, length: checksums.count * 8, into: footer)
    let tail = ByteWriter(capacity: checksums.count * 8 + footer.count + 256)
    for checksum in checksums { tail.u64(checksum) }
    tail.align(to: SegmentFormat.alignment)
    let footerOffset = start + tail.count
    tail.bytes(footer.written)
    tail.u64(UInt64(footerOffset))
    tail.u64(UInt64(start))
    tail.u64(UInt64(footerOffset + footer.count + SegmentFormat.trailerSize))
    tail.u32(UInt32(footer.count / SegmentFormat.entrySize))
    tail.u32(SegmentFormat.version)
    putUUID(into: tail)
    tail.u64(XXH64.hash(tail.base, tail.count, seed: 0))
    tail.u64(SegmentFormat.magic)
    return tail
  }

  private func putEntry(_ kind: SectionKind, offset: Int, length: Int, into footer: ByteWriter) {
    footer.u16(kind.rawValue)
    footer.u16(SegmentFormat.requiredFlag)
    footer.u16(kind.version)
    footer.u16(entrySizes[Int(kind.rawValue)])
    footer.u64(UInt64(offset))
    footer.u64(UInt64(length))
    footer.u64(entryCounts[Int(kind.rawValue)])
  }

  private func putUUID(into writer: ByteWriter) {
    for index in 0..<16 { writer.u8(index < uuid.count ? uuid[index] : 0) }
  }
}

/// The XXH64 of each page of a file whose bytes come in pieces.
private struct PageHasher {
  private var hash = XXH64(seed: 0)
  private var filled = 0
  private var pages: [UInt64] = []

  mutating func add(_ bytes: UnsafeRawBufferPointer, thenZeros zeros: Int) {
    if let base = bytes.baseAddress { add(base, bytes.count) }
    guard zeros > 0 else { return }
    var padding: SIMD64<UInt8> = .zero
    withUnsafeBytes(of: &padding) { bytes in
      if let base = bytes.baseAddress { add(base, min(zeros, bytes.count)) }
    }
  }

  private mutating func add(_ start: UnsafeRawPointer, _ count: Int) {
    var done = 0
    while done < count {
      let part = min(count - done, SegmentFormat.pageSize - filled)
      hash.update(start + done, part)
      filled += part
      done += part
      if filled == SegmentFormat.pageSize { endPage() }
    }
  }

  private mutating func endPage() {
    pages.append(hash.digest())
    hash = XXH64(seed: 0)
    filled = 0
  }

  mutating func finish() -> [UInt64] {
    if filled > 0 { endPage() }
    return pages
  }
}
