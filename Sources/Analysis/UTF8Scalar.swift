// One scalar out of untrusted UTF-8.

/// A decoded scalar and the bytes it takes; `value` is `UTF8Scalar.invalid` for bytes that are not
/// UTF-8, which are then taken as one maximal ill-formed subsequence (Unicode, section 3.9).
struct UTF8Scalar {
  let value: UInt32
  let length: Int

  static var invalid: UInt32 { .max }
  static var replacement: UInt32 { 0xFFFD }

  @inline(__always) init(_ value: UInt32, _ length: Int) {
    self.value = value
    self.length = length
  }

  /// Decodes at `at`, which must be below `end`; reads nothing at or behind `end`.
  @inline(__always) init(_ bytes: UnsafePointer<UInt8>, at: Int, end: Int) {
    let first = UInt32(bytes[at])
    if first < 0x80 {
      self.init(first, 1)
      return
    }
    let room = end &- at
    guard room > 1, first >= 0xC2, first <= 0xF4 else {
      self.init(UTF8Scalar.invalid, 1)
      return
    }
    let second = UInt32(bytes[at &+ 1])
    if first < 0xE0 {
      if second & 0xC0 == 0x80 {
        self.init((first & 0x1F) &<< 6 | second & 0x3F, 2)
      } else {
        self.init(UTF8Scalar.invalid, 1)
      }
      return
    }
    // The second byte rules out overlong forms, surrogates and values above U+10FFFF.
    let low: UInt32 = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80
    let high: UInt32 = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF
    guard second >= low, second <= high else {
      self.init(UTF8Scalar.invalid, 1)
      return
    }
    guard room > 2, bytes[at &+ 2] & 0xC0 == 0x80 else {
      self.init(UTF8Scalar.invalid, 2)
      return
    }
    let third = UInt32(bytes[at &+ 2]) & 0x3F
    if first < 0xF0 {
      self.init((first & 0x0F) &<< 12 | (second & 0x3F) &<< 6 | third, 3)
      return
    }
    guard room > 3, bytes[at &+ 3] & 0xC0 == 0x80 else {
      self.init(UTF8Scalar.invalid, 3)
      return
    }
    let fourth = UInt32(bytes[at &+ 3]) & 0x3F
    self.init((first & 0x07) &<< 18 | (second & 0x3F) &<< 12 | third &<< 6 | fourth, 4)
  }

  /// Writes the UTF-8 of a scalar and returns its length; `out` has room for four bytes.
  @inline(__always)
  static func encode(_ scalar: UInt32, into out: UnsafeMutablePointer<UInt8>) -> Int {
    func byte(_ value: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: value) }
    if scalar < 0x80 {
      out[0] = byte(scalar)
      return 1
    }
    if scalar < 0x800 {
      out[0] = byte(0xC0 | scalar &>> 6)
      out[1] = byte(0x80 | scalar & 0x3F)
      return 2
    }
    if scalar < 0x10000 {
      out[0] = byte(0xE0 | scalar &>> 12)
      out[1] = byte(0x80 | scalar &>> 6 & 0x3F)
      out[2] = byte(0x80 | scalar & 0x3F)
      return 3
    }
    out[0] = byte(0xF0 | scalar &>> 18)
    out[1] = byte(0x80 | scalar &>> 12 & 0x3F)
    out[2] = byte(0x80 | scalar &>> 6 & 0x3F)
    out[3] = byte(0x80 | scalar & 0x3F)
    return 4
  }
}
