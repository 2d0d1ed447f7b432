// Strings out of bytes that have to be UTF-8.

internal import Glibc

extension String {
  /// The text of the bytes, or nil when they are not UTF-8.
  ///
  /// The standard library's validating initialiser is generic and costs more than a short text;
  /// the repairing one is not and leaves exactly the valid texts as they are.
  init?(utf8 bytes: UnsafeRawBufferPointer) {
    var text = String(decoding: bytes, as: UTF8.self)
    let unchanged = text.withUTF8 { made in
      guard made.count == bytes.count else { return false }
      guard let left = made.baseAddress, let right = bytes.baseAddress else { return true }
      return memcmp(left, right, made.count) == 0
    }
    guard unchanged else { return nil }
    self = text
  }
}
