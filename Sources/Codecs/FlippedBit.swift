// Finds the one flipped bit of bytes whose checksum does not match.

/// Undoes the smallest damage there is.
///
/// An XXH64 says not only that bytes have changed: when one bit has, flipping it back is the only
/// change of one bit after which the checksum matches (another one would by a chance of 2^-64). So
/// bytes that cannot be had from elsewhere are made whole again, with certainty.
package enum FlippedBit {
  /// More bytes than this are given up: the time grows with the square, and is some seconds here.
  package static let limit = 64 << 10

  /// Flips back the bit that was flipped in the bytes or in their checksum; false if that is not it.
  package static func mend(
    _ base: UnsafeMutableRawPointer, _ count: Int, checksum: UnsafeMutableRawPointer,
    seed: UInt64 = 0
  ) -> Bool {
    let stored = UInt64(littleEndian: checksum.loadUnaligned(as: UInt64.self))
    let found = XXH64.hash(base, count, seed: seed)
    if found == stored { return true }
    if (found ^ stored).nonzeroBitCount == 1 {
      checksum.storeBytes(of: found.littleEndian, as: UInt64.self)
      return true
    }
    guard count <= limit else { return false }
    let bytes = base.assumingMemoryBound(to: UInt8.self)
    for place in 0..<count {
      let byte = bytes[place]
      for bit in 0..<8 {
        bytes[place] = byte ^ 1 << UInt8(bit)
        if XXH64.hash(base, count, seed: seed) == stored { return true }
      }
      bytes[place] = byte
    }
    return false
  }

  /// The same in an array: a range, and the checksum at `place` outside of it.
  package static func mend(
    _ bytes: inout [UInt8], _ range: Range<Int>, checksum place: Int, seed: UInt64 = 0
  ) -> Bool {
    guard range.lowerBound >= 0, range.upperBound <= bytes.count, place >= 0,
      place <= bytes.count - 8
    else { return false }
    return bytes.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      return mend(base + range.lowerBound, range.count, checksum: base + place, seed: seed)
    }
  }
}
