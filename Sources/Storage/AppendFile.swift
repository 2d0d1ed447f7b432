// AppendFile: a file that grows at its end and is made durable by a sync.
internal import Glibc

/// A file open for appending.
///
/// Threads: any; an append runs while a sync waits for the disk, which is what lets writers gather
/// behind one sync. The sync then covers the appends that had returned when it began.
package final class AppendFile: @unchecked Sendable {
  private enum State {
    case open(OpenFile)
    case poisoned
    case closed
  }

  package let path: String
  private let lock = Lock()
  private let syncing = Lock()
  private var state: State
  private var end: Int

  init(_ file: OpenFile, path: String, size: Int) {
    self.path = path
    state = .open(file)
    end = size
  }

  /// The bytes appended so far, with those that were there before.
  package var size: Int { lock.withLock { end } }

  /// Appends all of the bytes or, when it throws, none.
  ///
  /// What a full disk took of them is cut off again, and the file can be used on; when even that
  /// fails, it is poisoned. After a power cut any part of bytes that were not synced may be there.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
    try lock.withLock { () throws(StorageError) in
      let file = try opened(for: "pwrite")
      do throws(StorageError) {
        try file.write(bytes, at: end)
      } catch {
        if (try? file.truncate(to: end)) == nil { state = .poisoned }
        throw error
      }
      end += bytes.count
    }
  }

  package func append(_ bytes: [UInt8]) throws(StorageError) {
    var failure: StorageError?
    bytes.withUnsafeBytes { buffer in
      do throws(StorageError) { try append(buffer) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Makes everything appended so far durable.
  ///
  /// A sync that fails poisons the file: the kernel may have dropped the bytes that it could not
  /// write and would report success the next time, so nothing that comes later can be trusted.
  package func sync() throws(StorageError) {
    // One at a time: the kernel tells of a loss once, and the second of two syncs must not take
    // what the first was told for its own success.
    try syncing.withLock { () throws(StorageError) in
      let file = try lock.withLock { () throws(StorageError) in try opened(for: "fdatasync") }
      do throws(StorageError) {
        try file.sync()
      } catch {
        lock.withLock { if case .open = state { state = .poisoned } }
        throw error
      }
    }
  }

  /// Cuts the file off; it can be made shorter, not longer.
  package func truncate(to size: Int) throws(StorageError) {
    try lock.withLock { () throws(StorageError) in
      let file = try opened(for: "ftruncate")
      guard size >= 0, size <= end else {
        throw StorageError(code: EINVAL, "ftruncate", path)
      }
      try file.truncate(to: size)
      end = size
    }
  }

  /// Maps what was appended so far, to be read and given up piece by piece (`MappedBytes.giveUp`).
  ///
  /// Only for a file that this object has made and nobody else knows: the map is writable.
  package func mapScratch() throws(StorageError) -> MappedBytes {
    let file = try lock.withLock { () throws(StorageError) in try opened(for: "mmap") }
    return try file.map(scratch: true)
  }

  /// Closes the file without a sync; every later call but this one throws.
  package func close() {
    lock.withLock { state = .closed }
  }

  private func opened(for operation: String) throws(StorageError) -> OpenFile {
    switch state {
    case .open(let file): return file
    case .poisoned: throw StorageError(.poisoned, operation, path)
    case .closed: throw StorageError(code: EBADF, operation, path)
    }
  }
}
