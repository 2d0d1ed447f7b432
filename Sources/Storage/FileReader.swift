// FileReader: a file held open for reading at any place, also while another process appends to it.
internal import Glibc

/// A reader of a file that may grow, such as the journal of a running writer.
///
/// It keeps the file, not the name: after a rename or a removal it reads on in the same one.
/// Threads: any.
package final class FileReader: Sendable {
  private let file: OpenFile
  package let path: String

  init(_ file: OpenFile, path: String) {
    self.file = file
    self.path = path
  }

  /// The size at this moment.
  package func size() throws(StorageError) -> Int {
    try file.size()
  }

  /// Reads `count` bytes; fewer only where the file ends.
  package func read(from offset: Int, count: Int) throws(StorageError) -> [UInt8] {
    guard offset >= 0, count >= 0 else { throw StorageError(code: EINVAL, "pread", path) }
    return try file.read(from: offset, count: count)
  }
}
