// Scalars out of the bytes of terms.

/// Scalars out of UTF-8 that is known to be sound, and harmless on other bytes.
package enum UTF8Scalars {
  /// The scalars of a text.
  package static func all(_ bytes: UnsafeRawBufferPointer) -> [UInt32] {
    var scalars: [UInt32] = []
    scalars.reserveCapacity(bytes.count)
    var at = 0
    while at < bytes.count {
      let (scalar, length) = next(bytes, at)
      scalars.append(scalar)
      at += length
    }
    return scalars
  }

  /// The scalar at a place before the end, and its length; a stray byte counts as a scalar of its own
  /// beyond all others.
  @inline(__always)
  static func next(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> (scalar: UInt32, length: Int) {
    let first = bytes[at]
    if first < 0x80 { return (UInt32(first), 1) }
    let length = length(first)
    guard length > 1, at &+ length <= bytes.count else { return (0x20_0000 | UInt32(first), 1) }
    var scalar = UInt32(first) & (0x7F &>> UInt32(length))
    for i in 1..<length { scalar = scalar &<< 6 | UInt32(bytes[at &+ i] & 0x3F) }
    return (scalar, length)
  }

  /// The bytes of a scalar that begins with `first`; 1 for what begins none.
  @inline(__always)
  static func length(_ first: UInt8) -> Int {
    first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
  }

  /// The scalar whose bytes, of which there are `length`, stand at the top of a number.
  @inline(__always)
  static func scalar(_ bytes: UInt64, length: Int) -> UInt32 {
    var scalar = UInt32(truncatingIfNeeded: bytes &>> 56) & (0x7F &>> UInt32(length))
    for i in 1..<max(length, 1) {
      let byte = UInt32(truncatingIfNeeded: bytes &>> UInt64(56 &- 8 &* i))
      scalar = scalar &<< 6 | byte & 0x3F
    }
    return scalar
  }

  /// The bytes of a scalar, the first one at the top of a number, and how many they are.
  ///
  /// A stray byte, as `next` gives it, becomes that byte again.
  static func bytes(_ scalar: UInt32) -> (bytes: UInt64, length: Int) {
    let last = UInt64(0x80 | scalar & 0x3F)
    let third = UInt64(0x80 | scalar &>> 6 & 0x3F)
    switch scalar {
    case ..<0x80: return (UInt64(scalar) &<< 56, 1)
    case ..<0x800: return (UInt64(0xC0 | scalar &>> 6) &<< 56 | last &<< 48, 2)
    case ..<0x1_0000:
      return (UInt64(0xE0 | scalar &>> 12) &<< 56 | third &<< 48 | last &<< 40, 3)
    case ..<0x20_0000:
      let second = UInt64(0x80 | scalar &>> 12 & 0x3F)
      return (
        UInt64(0xF0 | scalar &>> 18) &<< 56 | second &<< 48 | third &<< 40 | last &<< 32, 4
      )
    default: return (UInt64(scalar & 0xFF) &<< 56, 1)
    }
  }
}
