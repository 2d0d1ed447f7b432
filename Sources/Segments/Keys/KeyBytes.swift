// Byte strings compared and cut as the sorted dictionaries need it.

internal import Glibc

/// Comparisons of keys: byte by byte, a prefix before what goes on.
enum KeyBytes {
  /// Less than zero, zero or more, as the first key stands before, at or after the second.
  static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    let shared = min(a.count, b.count)
    if shared > 0, let first = a.baseAddress, let second = b.baseAddress {
      let order = Int(memcmp(first, second, shared))
      if order != 0 { return order }
    }
    return a.count - b.count
  }

  /// How many bytes two keys have in common at their start, at most `limit`.
  static func sharedLength(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, limit: Int = .max
  ) -> Int {
    let end = min(a.count, b.count, limit)
    guard let first = a.baseAddress, let second = b.baseAddress else { return 0 }
    var index = 0
    while index &+ 8 <= end {
      let difference =
        first.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        ^ second.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if difference != 0 {
        return index &+ UInt64(littleEndian: difference).trailingZeroBitCount &>> 3
      }
      index &+= 8
    }
    while index < end,
      first.load(fromByteOffset: index, as: UInt8.self)
        == second.load(fromByteOffset: index, as: UInt8.self)
    { index &+= 1 }
    return index
  }

  /// The first eight bytes as a number that sorts like them; a short key is filled up with zeros.
  static func prefix(_ key: UnsafeRawBufferPointer) -> UInt64 {
    guard let base = key.baseAddress else { return 0 }
    if key.count >= 8 { return UInt64(bigEndian: base.loadUnaligned(as: UInt64.self)) }
    var value: UInt64 = 0
    for index in 0..<key.count {
      let byte = UInt64(base.load(fromByteOffset: index, as: UInt8.self))
      value |= byte << UInt64(56 - 8 * index)
    }
    return value
  }
}
