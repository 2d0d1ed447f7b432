// A finished segment's bytes, on their way to a file or into memory.

internal import Glibc
internal import LimelightCodecs
package import LimelightStorage

/// The bytes of a finished segment: the same on disk and in memory.
package struct SegmentImage {
  /// A section at an offset; between two stand zeros.
  struct Part {
    let offset: Int
    let section: SectionBuffer
  }

  let header: ByteWriter
  let parts: [Part]
  let tail: SegmentTail
  let spill: SpillFile?

  /// The size of the file.
  package var count: Int { tail.fileLength }

  /// Up to this size a file is written with one call, and no piece of a larger one is longer.
  private static let gatheredSize = 1 << 20

  /// Appends the segment to an empty file; the caller syncs it.
  ///
  /// To be called once. What was spilled is read through a map, and its room on the disk given up as the file grows: the
  /// two together take little more than the file.
  package func write(to file: AppendFile) throws(StorageError) {
    let scratch = try spill?.map()
    if scratch == nil, count <= Self.gatheredSize {
      try mappedBytes().withBytes { bytes throws(StorageError) in try file.append(bytes) }
      return
    }
    var hasher = PageHasher()
    try append(header, to: file, &hasher)
    var end = header.count
    for part in parts {
      try pad(part.offset - end, file, &hasher)
      if let scratch {
        for extent in part.section.extents { try append(extent, of: scratch, to: file, &hasher) }
      }
      try append(part.section.bytes, to: file, &hasher)
      end = part.offset + part.section.count
    }
    try pad(tail.start - end, file, &hasher)
    let rest = tail.bytes(hasher.finish())
    defer { withExtendedLifetime(rest) {} }
    try file.append(rest.written)
  }

  private func append(
    _ writer: ByteWriter, to file: AppendFile, _ hasher: inout PageHasher
  ) throws(StorageError) {
    defer { withExtendedLifetime(writer) {} }
    try append(writer.written, to: file, &hasher)
  }

  private func append(
    _ bytes: UnsafeRawBufferPointer, to file: AppendFile, _ hasher: inout PageHasher
  ) throws(StorageError) {
    guard !bytes.isEmpty else { return }
    hasher.add(bytes)
    try file.append(bytes)
  }

  private func append(
    _ extent: Range<Int>, of scratch: MappedBytes, to file: AppendFile, _ hasher: inout PageHasher
  ) throws(StorageError) {
    var start = extent.lowerBound
    while start < extent.upperBound {
      let end = min(start + Self.gatheredSize, extent.upperBound)
      try append(
        UnsafeRawBufferPointer(start: scratch.base + start, count: end - start), to: file, &hasher)
      scratch.giveUp(start..<end)
      start = end
    }
  }

  private func pad(
    _ count: Int, _ file: AppendFile, _ hasher: inout PageHasher
  ) throws(StorageError) {
    guard count > 0 else { return }
    let zeros = ByteWriter(capacity: count)
    zeros.zeros(count)
    try append(zeros, to: file, &hasher)
  }

  /// A copy in one buffer, to open as a segment in memory; empty if a part was spilled.
  package func mappedBytes() -> MappedBytes {
    guard parts.allSatisfy({ $0.section.spilled == 0 }), let buffer = malloc(count) else {
      return .empty()
    }
    memcpy(buffer, header.base, header.count)
    var end = header.count
    for part in parts {
      memset(buffer + end, 0, part.offset - end)
      memcpy(buffer + part.offset, part.section.bytes.base, part.section.bytes.count)
      end = part.offset + part.section.bytes.count
    }
    memset(buffer + end, 0, tail.start - end)
    var hasher = PageHasher()
    hasher.add(UnsafeRawBufferPointer(start: buffer, count: tail.start))
    let bytes = tail.bytes(hasher.finish())
    withExtendedLifetime(bytes) { _ = memcpy(buffer + tail.start, bytes.base, bytes.count) }
    return .owning(buffer, count: count)
  }
}

/// What stands behind the sections: checksums, footer and trailer; see `SegmentFormat`.
struct SegmentTail {
  /// Where it begins.
  let start: Int
  /// The entries of the sections, but for that of the checksums.
  let footer: ByteWriter
  let uuid: [UInt8]

  private var checksumsLength: Int { SegmentFormat.pageCount(start) * 8 }
  private var footerOffset: Int { SegmentFormat.aligned(start + checksumsLength) }
  private var footerLength: Int { footer.count + SegmentFormat.entrySize }

  /// The size of the file that ends with this.
  var fileLength: Int { footerOffset + footerLength + SegmentFormat.trailerSize }

  /// The bytes, with the checksums of all pages before them.
  func bytes(_ checksums: [UInt64]) -> ByteWriter {
    let tail = ByteWriter(capacity: fileLength - start)
    for checksum in checksums { tail.u64(checksum) }
    tail.align(to: SegmentFormat.alignment)
    tail.bytes(footer.written)
    Self.putEntry(
      .checksums, entrySize: 8, offset: start, length: checksumsLength, count: checksums.count,
      into: tail)
    tail.u64(UInt64(footerOffset))
    tail.u64(UInt64(start))
    tail.u64(UInt64(fileLength))
    tail.u32(UInt32(footerLength / SegmentFormat.entrySize))
    tail.u32(SegmentFormat.version)
    Self.putUUID(uuid, into: tail)
    tail.u64(XXH64.hash(tail.base, tail.count, seed: 0))
    tail.u64(SegmentFormat.magic)
    return tail
  }

  static func putEntry(
    _ kind: SectionKind, entrySize: UInt16, offset: Int, length: Int, count: Int,
    into footer: ByteWriter
  ) {
    footer.u16(kind.rawValue)
    footer.u16(kind.isRequired ? SegmentFormat.requiredFlag : 0)
    footer.u16(kind.version)
    footer.u16(entrySize)
    footer.u64(UInt64(offset))
    footer.u64(UInt64(length))
    footer.u64(UInt64(truncatingIfNeeded: count))
  }

  static func putUUID(_ uuid: [UInt8], into writer: ByteWriter) {
    for index in 0..<16 { writer.u8(index < uuid.count ? uuid[index] : 0) }
  }
}
