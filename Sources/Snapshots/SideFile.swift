// SideFile: the frame of the files that stand beside segments - the dictionary, and thumbnails.
internal import LimelightCodecs

/// The first 64 bytes of `dictionary.N` and `thumbnails.N`, and the checksums of what follows.
///
///     magic      8 bytes, "LIMEDIC1" or "LIMETHM1"
///     version    u32, 1
///     0          u32
///     uuid       16 bytes, the index's
///     number     u64, the N of the name
///     length     u64, the bytes that follow; 0 for thumbnails
///     body       u64, XXH64 of these bytes; 0 for thumbnails
///     checksum   u64, XXH64 of the 56 bytes before
///
/// The dictionary's bytes follow. Thumbnails follow one behind the other, each with its XXH64 (u64)
/// behind it, seeded with its offset in the file: a thumbnail is read, and checked, on its own.
package struct SideFile: Sendable {
  package static let headerSize = 64
  /// The bytes of the checksum behind a thumbnail.
  package static let checksumSize = 8

  private let kind: FileKind
  private let number: UInt64
  private let uuid: [UInt8]

  /// Names a file of an index; `kind` is `dictionary` or `thumbnails`.
  package init(_ kind: FileKind, _ number: UInt64, uuid: [UInt8]) {
    self.kind = kind
    self.number = number
    self.uuid = uuid
  }

  private var magic: [UInt8] { Array((kind == .dictionary ? "LIMEDIC1" : "LIMETHM1").utf8) }
  private var name: String { FileNames.name(kind, number) }

  /// The header; `body` is what follows in a dictionary.
  package func header(of body: [UInt8] = []) -> [UInt8] {
    let writer = ByteWriter(capacity: Self.headerSize)
    writer.bytes(magic)
    writer.u32(SnapshotFormat.version)
    writer.u32(0)
    writer.bytes(uuid)
    writer.u64(number)
    writer.u64(UInt64(body.count))
    writer.u64(body.isEmpty ? 0 : Self.checksum(of: body[...], seed: 0))
    writer.u64(XXH64.hash(writer.base, writer.count))
    return writer.asArray()
  }

  /// Checks the header of a file; what it says of the bytes that follow.
  @discardableResult
  package func check(header: [UInt8]) throws(SnapshotError) -> (length: UInt64, checksum: UInt64) {
    guard header.count >= Self.headerSize else {
      throw .damaged(name, at: header.count, "the header is cut short")
    }
    guard header.starts(with: magic) else {
      throw .damaged(name, at: 0, "not a file of \(kind.rawValue)")
    }
    try SnapshotFormat.check(UInt32(truncatingIfNeeded: Self.integer(in: header, at: 8)), name)
    let end = Self.headerSize - 8
    guard Self.checksum(of: header[..<end], seed: 0) == Self.integer(in: header, at: end) else {
      throw .damaged(name, at: 0, "the header's checksum does not match")
    }
    guard Array(header[16..<32]) == uuid else {
      throw SnapshotError(.wrongIndex, file: name, "the file belongs to another index")
    }
    guard Self.integer(in: header, at: 32) == number else {
      throw .damaged(name, at: 32, "the file bears another one's number")
    }
    return (Self.integer(in: header, at: 40), Self.integer(in: header, at: 48))
  }

  /// Whether the bytes of a file begin with a header that fits its checksum, of whatever version.
  func isSealed(_ file: [UInt8]) -> Bool {
    let end = Self.headerSize - 8
    return file.count >= Self.headerSize
      && Self.checksum(of: file[..<end], seed: 0) == Self.integer(in: file, at: end)
  }

  /// The dictionary in the bytes of its file.
  package func dictionary(in file: [UInt8]) throws(SnapshotError) -> [UInt8] {
    let (length, checksum) = try check(header: Array(file.prefix(Self.headerSize)))
    let body = file.dropFirst(Self.headerSize)
    guard UInt64(body.count) == length, Self.checksum(of: body, seed: 0) == checksum else {
      throw .damaged(name, at: Self.headerSize, "the dictionary's checksum does not match")
    }
    return Array(body)
  }

  /// A thumbnail as it stands at an offset of its file: with its checksum.
  package static func seal(_ thumbnail: [UInt8], at offset: UInt64) -> [UInt8] {
    var bytes = thumbnail
    let checksum = checksum(of: thumbnail[...], seed: offset)
    for shift in 0..<UInt64(checksumSize) {
      bytes.append(UInt8(truncatingIfNeeded: checksum >> (8 * shift)))
    }
    return bytes
  }

  /// The thumbnail of so many bytes that stands at an offset of the file, out of what was read there.
  package func thumbnail(
    of length: Int, in bytes: [UInt8], at offset: UInt64
  ) throws(SnapshotError) -> [UInt8] {
    guard bytes.count == length + Self.checksumSize else {
      throw .damaged(name, at: Int(clamping: offset), "the file ends before the thumbnail does")
    }
    guard Self.checksum(of: bytes[..<length], seed: offset) == Self.integer(in: bytes, at: length)
    else {
      throw .damaged(name, at: Int(clamping: offset), "the thumbnail's checksum does not match")
    }
    return Array(bytes[..<length])
  }

  private static func checksum(of bytes: ArraySlice<UInt8>, seed: UInt64) -> UInt64 {
    bytes.withUnsafeBytes { bytes in
      var hash = XXH64(seed: seed)
      if let base = bytes.baseAddress { hash.update(base, bytes.count) }
      return hash.digest()
    }
  }

  /// The integer at an offset where there are 8 bytes.
  private static func integer(in bytes: [UInt8], at offset: Int) -> UInt64 {
    bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
