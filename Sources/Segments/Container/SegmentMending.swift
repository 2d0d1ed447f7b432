// Makes a segment whole again of which single bits were flipped.

internal import Glibc
internal import LimelightCodecs
package import LimelightStorage

/// Flips bits back by the checksums of a segment: see `FlippedBit`.
package enum SegmentMending {
  /// Most pages that are tried: each takes seconds, and many of them are no single bits.
  private static let pageLimit = 4

  /// A copy of a segment's bytes with its footer and bad pages mended, as far as they can be.
  ///
  /// Nil if there is nothing that could be, or no memory for a copy.
  package static func mended(_ bytes: MappedBytes) -> MappedBytes? {
    copy(bytes) { mend($0, $1) }
  }

  /// The same, but the footer alone is mended, and nil if that is not what is damaged: for who wants to
  /// know which pages are.
  package static func withMendedFooter(_ bytes: MappedBytes) -> MappedBytes? {
    copy(bytes) { base, count in
      guard var isMended = mendMagic(base + (count - 8)), mendFooter(base, count, &isMended) != nil
      else { return false }
      return isMended
    }
  }

  /// A copy of a segment's bytes, if `mend` says that it has mended it.
  private static func copy(
    _ bytes: MappedBytes, _ mend: (UnsafeMutableRawPointer, Int) -> Bool
  ) -> MappedBytes? {
    let count = bytes.count
    guard count >= SegmentFormat.headerSize + SegmentFormat.trailerSize,
      let copy = malloc(count)
    else { return nil }
    bytes.withBytes { if let base = $0.baseAddress { memcpy(copy, base, count) } }
    let mended = MappedBytes.owning(copy, count: count)
    return mend(copy, count) ? mended : nil
  }

  /// Mends what can be mended; false if that is nothing.
  private static func mend(_ base: UnsafeMutableRawPointer, _ count: Int) -> Bool {
    let trailer = count - SegmentFormat.trailerSize
    guard var isMended = mendMagic(base + (count - 8)),
      let start = mendFooter(base, count, &isMended),
      SegmentFormat.pageCount(start) * 8 <= trailer - start
    else { return false }
    var tries = 0
    for page in 0..<SegmentFormat.pageCount(start) where tries < pageLimit {
      let at = page << SegmentFormat.pageShift
      let size = min(SegmentFormat.pageSize, start - at)
      // The checksums themselves are right: the footer's covers them.
      var checksum = (base + (start + page * 8)).loadUnaligned(as: UInt64.self)
      let expected = checksum
      guard XXH64.hash(base + at, size) != UInt64(littleEndian: checksum),
        !hasEmptySector(base + at, size)
      else { continue }
      tries += 1
      let isFound = withUnsafeMutableBytes(of: &checksum) { checksum in
        checksum.baseAddress.map { FlippedBit.mend(base + at, size, checksum: $0) } ?? false
      }
      if isFound, checksum == expected { isMended = true }
    }
    return isMended
  }

  /// Mends the last 8 bytes, which no checksum covers; nil if they are not a segment's, else whether
  /// they were mended.
  private static func mendMagic(_ place: UnsafeMutableRawPointer) -> Bool? {
    let found = UInt64(littleEndian: place.loadUnaligned(as: UInt64.self))
    guard (found ^ SegmentFormat.magic).nonzeroBitCount <= 1 else { return nil }
    place.storeBytes(of: SegmentFormat.magic.littleEndian, as: UInt64.self)
    return found != SegmentFormat.magic
  }

  /// Mends the checksums and the footer behind them; where they start, nil if they cannot be mended.
  private static func mendFooter(
    _ base: UnsafeMutableRawPointer, _ count: Int, _ isMended: inout Bool
  ) -> Int? {
    let trailer = count - SegmentFormat.trailerSize
    let place = base + (trailer + 8)
    let found = UInt64(littleEndian: place.loadUnaligned(as: UInt64.self))
    let sealed = UInt64(
      littleEndian: base.loadUnaligned(fromByteOffset: count - 16, as: UInt64.self))
    // The place from which the hash is taken is itself among what is hashed.
    for flip in [0] + (0..<64).map({ UInt64(1) << $0 }) {
      guard let start = start(found ^ flip, before: trailer) else { continue }
      place.storeBytes(of: (found ^ flip).littleEndian, as: UInt64.self)
      if XXH64.hash(base + start, count - 16 - start) == sealed {
        if flip != 0 { isMended = true }
        return start
      }
    }
    place.storeBytes(of: found.littleEndian, as: UInt64.self)
    guard let start = start(found, before: trailer),
      FlippedBit.mend(base + start, count - 16 - start, checksum: base + (count - 16))
    else { return nil }
    isMended = true
    return start
  }

  private static func start(_ offset: UInt64, before trailer: Int) -> Int? {
    guard let start = Int(exactly: offset), start >= SegmentFormat.headerSize, start <= trailer
    else { return nil }
    return start
  }

  /// Whether a sector of a page is all zeros, as one that was never written or cannot be read: that is
  /// no flipped bit.
  private static func hasEmptySector(_ page: UnsafeMutableRawPointer, _ count: Int) -> Bool {
    let sector = 512
    for start in stride(from: 0, through: count - sector, by: sector) {
      let bytes = UnsafeRawBufferPointer(start: page + start, count: sector)
      if bytes.allSatisfy({ $0 == 0 }) { return true }
    }
    return false
  }
}
