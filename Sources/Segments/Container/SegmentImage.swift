// A finished segment's bytes, on their way to a file or into memory.

internal import Glibc
internal import LimelightCodecs
package import LimelightStorage

/// The bytes of a finished segment: the same on disk and in memory.
package struct SegmentImage {
  /// A run of bytes at an offset; between two parts stand zeros.
  struct Part {
    let offset: Int
    let bytes: ByteWriter
  }

  let parts: [Part]

  /// The size of the file.
  package var count: Int { parts.last.map { $0.offset + $0.bytes.count } ?? 0 }

  /// Up to this size a file is written with one call.
  private static let gatheredSize = 1 << 20

  /// Appends the segment to an empty file; the caller syncs it.
  package func write(to file: AppendFile) throws(StorageError) {
    if count <= Self.gatheredSize {
      let bytes = mappedBytes()
      try file.append(UnsafeRawBufferPointer(start: bytes.base, count: bytes.count))
      return
    }
    var end = 0
    for part in parts {
      if part.offset > end { try file.append([UInt8](repeating: 0, count: part.offset - end)) }
      try file.append(part.bytes.written)
      end = part.offset + part.bytes.count
    }
  }

  /// A copy in one buffer, to open as a segment in memory.
  package func mappedBytes() -> MappedBytes {
    guard count > 0, let buffer = malloc(count) else { return .empty() }
    var end = 0
    for part in parts {
      memset(buffer + end, 0, part.offset - end)
      memcpy(buffer + part.offset, part.bytes.base, part.bytes.count)
      end = part.offset + part.bytes.count
    }
    return .owning(buffer, count: count)
  }
}
