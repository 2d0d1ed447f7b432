// Makes the checksums of a damaged file right again, so that the damage reaches the decoders.

internal import LimelightCodecs

/// The files of an index with checksums that fit their bytes.
package enum Reseal {
  /// Seals what was damaged at an offset of a file anew.
  package static func apply(_ file: String, _ bytes: [UInt8], at offset: Int) -> [UInt8] {
    var bytes = bytes
    switch file.split(separator: ".").first {
    case "manifest": seal(&bytes, 0..<bytes.count - 8, at: bytes.count - 8)
    case "segment": segment(&bytes, offset)
    case "journal": journal(&bytes, offset)
    case "dictionary", "thumbnails":
      if file.hasPrefix("dictionary") { seal(&bytes, 64..<bytes.count, at: 48) }
      seal(&bytes, 0..<56, at: 56)
    default: break
    }
    return bytes
  }

  /// Seals all of a file anew, whose lengths are put right as well.
  ///
  /// What begins like a dictionary or like thumbnails is sealed as such, whatever the kind.
  package static func all(_ kind: String, _ bytes: inout [UInt8]) {
    switch kind {
    case "manifest" where bytes.count >= 72 && bytes.starts(with: Array("LIMEDIC1".utf8)):
      put(&bytes, UInt64(bytes.count - 64), at: 40)
      seal(&bytes, 64..<bytes.count, at: 48)
      seal(&bytes, 0..<56, at: 56)
    case "manifest" where bytes.count >= 72 && bytes.starts(with: Array("LIMETHM1".utf8)):
      seal(&bytes, 64..<bytes.count - 8, at: bytes.count - 8, seed: 64)
      seal(&bytes, 0..<56, at: 56)
    case "manifest":
      guard bytes.count >= 48 else { return }
      put(&bytes, UInt64(bytes.count), at: 32)
      seal(&bytes, 0..<bytes.count - 8, at: bytes.count - 8)
    case "segment":
      guard bytes.count >= 128 else { return }
      put(&bytes, UInt64(bytes.count), at: bytes.count - 48)
      let checksums = integer(bytes, bytes.count - 56)
      guard checksums >= 64, checksums <= bytes.count - 64 else { return }
      for offset in stride(from: 0, to: checksums, by: 1 << 16) { segment(&bytes, offset) }
    case "journal": wholeJournal(&bytes)
    default: break
    }
  }

  private static func wholeJournal(_ bytes: inout [UInt8]) {
    guard bytes.count >= 64 else { return }
    seal(&bytes, 0..<56, at: 56)
    let salt = UInt64(truncatingIfNeeded: integer(bytes, 32))
    var start = 64
    while start + 40 <= bytes.count {
      let length = integer(bytes, start) & 0xFFFF_FFFF
      if start + 40 + length <= bytes.count {
        seal(&bytes, start + 40..<start + 40 + length, at: start + 24)
      }
      seal(&bytes, start..<start + 32, at: start + 32, seed: salt)
      start += 40 + (length + 7) & ~7
    }
  }

  private static func segment(_ bytes: inout [UInt8], _ offset: Int) {
    let trailer = bytes.count - 64
    let checksums = integer(bytes, trailer + 8)
    guard checksums >= 64, checksums <= trailer else { return }
    let page = offset >> 16
    if offset < checksums, checksums + page * 8 + 8 <= trailer {
      let end = min((page + 1) << 16, checksums)
      seal(&bytes, (page << 16)..<end, at: checksums + page * 8)
    }
    seal(&bytes, checksums..<bytes.count - 16, at: bytes.count - 16)
  }

  /// Where a section stands in a segment.
  package static func section(_ kind: Int, of bytes: [UInt8]) -> Range<Int>? {
    let footer = integer(bytes, bytes.count - 64)
    for entry in stride(from: footer, to: bytes.count - 64, by: 32)
    where integer(bytes, entry) & 0xFFFF == kind {
      let start = integer(bytes, entry + 8)
      return start..<start + integer(bytes, entry + 16)
    }
    return nil
  }

  private static func journal(_ bytes: inout [UInt8], _ offset: Int) {
    if offset < 64 { return seal(&bytes, 0..<56, at: 56) }
    let salt = UInt64(truncatingIfNeeded: integer(bytes, 32))
    var start = 64
    while start + 40 <= bytes.count {
      let length = integer(bytes, start) & 0xFFFF_FFFF
      let end = start + 40 + (length + 7) & ~7
      guard offset >= end else {
        let payload = start + 40..<min(start + 40 + length, bytes.count)
        if offset >= start + 40 { seal(&bytes, payload, at: start + 24) }
        seal(&bytes, start..<start + 32, at: start + 32, seed: salt)
        return
      }
      start = end
    }
  }

  private static func seal(
    _ bytes: inout [UInt8], _ range: Range<Int>, at place: Int, seed: UInt64 = 0
  ) {
    guard range.upperBound <= bytes.count, place + 8 <= bytes.count else { return }
    let checksum = bytes[range].withUnsafeBytes { part -> UInt64 in
      var hash = XXH64(seed: seed)
      if let base = part.baseAddress { hash.update(base, part.count) }
      return hash.digest()
    }
    put(&bytes, checksum, at: place)
  }

  private static func put(_ bytes: inout [UInt8], _ value: UInt64, at place: Int) {
    for byte in 0..<8 {
      bytes[place + byte] = UInt8(truncatingIfNeeded: value >> UInt64(8 * byte))
    }
  }

  private static func integer(_ bytes: [UInt8], _ place: Int) -> Int {
    Int(
      truncatingIfNeeded: bytes[place..<place + 8].reversed().reduce(UInt64(0)) {
        $0 << 8 | UInt64($1)
      })
  }
}
