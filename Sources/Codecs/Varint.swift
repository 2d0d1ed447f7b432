// Unsigned integers in 1 to 10 bytes, seven bits a byte, low bits first (LEB128).

/// Variable-length unsigned integers: small numbers take few bytes.
///
/// Each number has exactly one encoding; longer ones (a last byte of zero) are refused, so that
/// equal values have equal bytes.
@usableFromInline
package enum Varint {
  /// The most bytes that a number takes.
  @inlinable package static var maximumLength: Int { 10 }

  /// Stores a number and returns the bytes used; `pointer` needs room for ten.
  @inlinable
  @inline(__always)
  package static func put(into pointer: UnsafeMutableRawPointer, _ value: UInt64) -> Int {
    var rest = value
    var used = 0
    while rest >= 0x80 {
      pointer.storeBytes(
        of: UInt8(truncatingIfNeeded: rest) | 0x80, toByteOffset: used, as: UInt8.self)
      rest &>>= 7
      used &+= 1
    }
    pointer.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: used, as: UInt8.self)
    return used &+ 1
  }

  /// Reads a number and returns the bytes used, or 0 if they are cut short, overlong or too large.
  @inlinable
  @inline(__always)
  package static func get(
    _ pointer: UnsafeRawPointer, _ available: Int, into value: inout UInt64
  ) -> Int {
    guard available > 0 else { return 0 }
    let first = pointer.load(as: UInt8.self)
    if first < 0x80 {
      value = UInt64(first)
      return 1
    }
    if available > 1 {
      let second = pointer.load(fromByteOffset: 1, as: UInt8.self)
      if second &- 1 < 0x7f {
        value = UInt64(first & 0x7f) | UInt64(second) &<< 7
        return 2
      }
    }
    return getLong(pointer, available, into: &value)
  }

  /// `get` for any number of bytes.
  @inlinable
  package static func getLong(
    _ pointer: UnsafeRawPointer, _ available: Int, into value: inout UInt64
  ) -> Int {
    let limit = min(available, maximumLength)
    var sum: UInt64 = 0
    var used = 0
    while used < limit {
      let byte = pointer.load(fromByteOffset: used, as: UInt8.self)
      // The tenth byte holds bit 63 and nothing else.
      if used == 9 && byte > 1 { return 0 }
      sum |= UInt64(byte & 0x7f) &<< UInt64(truncatingIfNeeded: used &* 7)
      used &+= 1
      if byte < 0x80 {
        guard byte != 0 || used == 1 else { return 0 }
        value = sum
        return used
      }
    }
    return 0
  }

  /// The bytes that a number takes.
  @inlinable
  @inline(__always)
  package static func length(_ value: UInt64) -> Int {
    let bits = 64 &- (value | 1).leadingZeroBitCount
    return (bits &+ 6) / 7
  }
}
