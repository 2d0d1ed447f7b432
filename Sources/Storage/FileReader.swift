// FileReader: a file held open for reading at any place, also while another process appends to it.
internal import Glibc

/// A file as one look shows it: two that are equal say that nothing was written, and that the file has
/// its name still.
package struct FileLook: Equatable, Sendable {
  package let size: Int
  /// When the file or its names were changed last: some network file systems rename what is removed.
  private let seconds: Int
  private let nanoseconds: Int

  init(size: Int, changed: timespec) {
    self.size = size
    seconds = changed.tv_sec
    nanoseconds = changed.tv_nsec
  }
}

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

  /// How the file looks now; nil if that does not tell whether it changes: it has no name any more, or is
  /// no file of the system.
  ///
  /// One system call.
  package func look() -> FileLook? {
    if case .system(let file) = file { file.look() } else { nil }
  }

  /// Reads `count` bytes; fewer only where the file ends.
  package func read(from offset: Int, count: Int) throws(StorageError) -> [UInt8] {
    guard offset >= 0, count >= 0 else { throw StorageError(code: EINVAL, "pread", path) }
    return try file.read(from: offset, count: count)
  }
}
