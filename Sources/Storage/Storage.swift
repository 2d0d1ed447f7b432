// Storage: everything the engine asks of the operating system - files, locks, threads, time, chance.

/// The name of one file in a folder, as every backing takes it.
///
/// A name is compared byte for byte, as the kernel does: Swift strings would take the composed and
/// the decomposed spelling of `é` for one name where a disk keeps two files.
struct PlainName: Hashable, Comparable, Sendable {
  /// The longest name that Linux file systems take, in bytes.
  static let longest = 255

  let bytes: [UInt8]

  /// Takes a name that is not empty, not `.` or `..`, and holds neither a slash nor a zero byte.
  init(_ text: String, for operation: String, in folder: String) throws(StorageError) {
    let bytes = Array(text.utf8)
    let slash = UInt8(ascii: "/")
    guard !bytes.isEmpty, text != ".", text != "..", !bytes.contains(slash), !bytes.contains(0)
    else {
      throw StorageError(.invalid, operation, folder + "/" + text, code: StorageError.badArgument)
    }
    guard bytes.count <= PlainName.longest else {
      throw StorageError(.invalid, operation, folder + "/" + text, code: StorageError.nameTooLong)
    }
    self.bytes = bytes
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  static func < (left: PlainName, right: PlainName) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
