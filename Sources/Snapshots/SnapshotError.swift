// SnapshotError: why an index cannot be opened, followed or written.
internal import LimelightCodecs
internal import LimelightItems
package import LimelightStorage

/// What went wrong with the files that make an index, with the file that is to blame.
package struct SnapshotError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Kind: String, Sendable {
    /// There is no index in the folder.
    case noIndex
    /// The bytes of a file are not what was written.
    case damaged
    /// A later version of Limelight wrote it.
    case newerFormat
    /// An earlier version wrote it, one that is no longer read.
    case olderFormat
    /// The file belongs to another index.
    case wrongIndex
    /// Another process writes the index.
    case locked
    /// A sync failed earlier: what it was to make durable is in doubt until the index is reopened.
    case poisoned
    /// A file went because a newer manifest does without it: take the newest manifest.
    case vanished
    /// The index was opened for reading, or closed.
    case notWritable
    /// This process was forked from the one that opened the index.
    case forked
    /// The record or the client state is larger than the format allows.
    case tooLarge
    /// The operating system refused; `storage` says why.
    case storage
  }

  package let kind: Kind
  /// The file's name within the folder; empty when the folder as a whole is meant.
  package let file: String
  /// Where in the file, when its bytes are damaged.
  package let offset: Int?
  package let message: String
  /// What the operating system said.
  package let storage: StorageError?

  package init(
    _ kind: Kind, file: String, offset: Int? = nil, _ message: String, storage: StorageError? = nil
  ) {
    self.kind = kind
    self.file = file
    self.offset = offset
    self.message = message
    self.storage = storage
  }

  /// An error of Storage about one of the index's files.
  package init(_ error: StorageError, file: String) {
    let kind: Kind =
      switch error.kind {
      case .locked: .locked
      case .poisoned: .poisoned
      default: .storage
      }
    self.init(kind, file: file, error.description, storage: error)
  }

  /// The only maker of damage: a breakpoint here sees every byte that is not what was written.
  @inline(never)
  package static func damaged(
    _ file: String, at offset: Int, _ message: String
  ) -> SnapshotError {
    SnapshotError(.damaged, file: file, offset: offset, message)
  }

  static func damaged(
    _ file: String, at start: Int = 0, _ error: DecodingError
  ) -> SnapshotError {
    damaged(file, at: start &+ error.offset, error.what.description)
  }

  static func damaged(
    _ file: String, at start: Int = 0, _ error: ItemDecodingError
  ) -> SnapshotError {
    damaged(file, at: start &+ error.offset, error.what.description)
  }

  package var description: String {
    var text = file.isEmpty ? "index" : file
    if let offset { text += " at byte \(offset)" }
    return text + ": " + message
  }
}

/// Runs an operation of Storage on one of the index's files.
@inline(__always)
func storing<Result: ~Copyable>(
  _ file: String, _ body: () throws(StorageError) -> Result
) throws(SnapshotError) -> Result {
  do {
    return try body()
  } catch {
    throw SnapshotError(error, file: file)
  }
}
