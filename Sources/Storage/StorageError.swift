// StorageError: what the operating system refused, with the operation, the path and the reason.
internal import Glibc

/// A refusal of the operating system, or of a file that has already failed.
package struct StorageError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The few cases that callers tell apart.
  package enum Kind: String, Sendable {
    case notFound, exists, permission, noSpace, locked, readOnly, io, truncated, invalid, poisoned
  }

  package let kind: Kind
  /// The operation that failed, mostly by the name of its system call.
  package let operation: String
  package let path: String
  /// The `errno` of the system call; 0 when none was made.
  package let code: Int32
  /// The process that holds the lock, when the kind is `.locked` and the kernel tells.
  package let holder: Int32?

  package init(
    _ kind: Kind, _ operation: String, _ path: String, code: Int32 = 0, holder: Int32? = nil
  ) {
    self.kind = kind
    self.operation = operation
    self.path = path
    self.code = code
    self.holder = holder
  }

  /// The error of a system call that gave `code`.
  package init(code: Int32, _ operation: String, _ path: String) {
    self.init(StorageError.kind(of: code), operation, path, code: code)
  }

  static let badArgument = EINVAL
  static let nameTooLong = ENAMETOOLONG

  package var description: String {
    var text = operation + " " + path + ": "
    switch kind {
    case .locked:
      text += "locked by " + (holder.map { "process \($0)" } ?? "another process")
    case .poisoned:
      text += "an earlier failure left this file in doubt; open it again"
    default:
      text += code == 0 ? kind.rawValue : StorageError.text(of: code)
      if operation == "lock", FolderLocking.isMissing(code) {
        text += "; where no other process writes, open the index as its sole writer"
      }
    }
    return text
  }

  private static func kind(of code: Int32) -> Kind {
    switch code {
    // A network file system says so of a file that another machine has removed.
    case ENOENT, ESTALE: .notFound
    case EEXIST, ENOTEMPTY: .exists
    case EACCES, EPERM: .permission
    case ENOSPC, EDQUOT, EFBIG, ENOMEM: .noSpace
    case EROFS: .readOnly
    case EINVAL, ENAMETOOLONG, ENOTDIR, EISDIR, ELOOP, EBADF, ENODEV, ENXIO: .invalid
    default: .io
    }
  }

  /// What the C library says of an error number.
  private static func text(of code: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let base = buffer.baseAddress, strerror_r(code, base, buffer.count) == 0 else {
        return "error \(code)"
      }
      return String(cString: base)
    }
  }
}
