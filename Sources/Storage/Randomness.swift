// Randomness: bytes that nobody can foresee, for the ids of indexes, journals and items.

/// Chance from the operating system.
///
/// The generator of the standard library asks the kernel (`getrandom`) for every number.
package enum Randomness {
  package static func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(max(count, 0))
    while bytes.count < count {
      withUnsafeBytes(of: generator.next()) {
        bytes.append(contentsOf: $0.prefix(count - bytes.count))
      }
    }
    return bytes
  }

  /// A random UUID (version 4 of RFC 9562): 16 bytes.
  package static func uuid() -> [UInt8] {
    var uuid = bytes(16)
    uuid[6] = uuid[6] & 0x0F | 0x40
    uuid[8] = uuid[8] & 0x3F | 0x80
    return uuid
  }
}
