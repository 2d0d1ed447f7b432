// Varints read eight bytes at a time, where it does not matter how a damaged one is read.

/// Moves over and reads varints without a step for each byte.
///
/// For bytes that lie in front of the one that is wanted: a number of more than eight bytes, which no
/// writer of ours makes there, gives any value, and longer encodings than needed are not refused. The
/// caller makes sure that `window` bytes can be read.
@usableFromInline
package enum QuickVarint {
  /// How many bytes a call looks at, and moves at most.
  @inlinable package static var window: Int { 9 }

  @inlinable static var ends: UInt64 { 0x8080_8080_8080_8080 }

  /// Moves over a number.
  @inlinable
  @inline(__always)
  package static func skip(_ at: inout UnsafeRawPointer) {
    let word = UInt64(littleEndian: at.loadUnaligned(as: UInt64.self))
    at += (~word & ends).trailingZeroBitCount &>> 3 &+ 1
  }

  /// Reads a number of up to eight bytes and moves over it.
  @inlinable
  @inline(__always)
  package static func read(_ at: inout UnsafeRawPointer) -> UInt64 {
    let word = UInt64(littleEndian: at.loadUnaligned(as: UInt64.self))
    if word & 0x80 == 0 {
      at += 1
      return word & 0x7F
    }
    let end = UInt64((~word & ends).trailingZeroBitCount)
    at += Int(end &>> 3 &+ 1)
    // The sevens up to the last byte, then moved together by pairs, fours and eights.
    var x = word & (end < 63 ? (2 &<< end) &- 1 : .max) & ~ends
    x = x & 0x007F_007F_007F_007F | (x & 0x7F00_7F00_7F00_7F00) &>> 1
    x = x & 0x0000_3FFF_0000_3FFF | (x & 0x3FFF_0000_3FFF_0000) &>> 2
    return x & 0x0FFF_FFFF | (x & 0x0FFF_FFFF_0000_0000) &>> 4
  }
}
