// Where the bytes of a growing segment go once they are too many for memory.

package import LimelightStorage

/// A scratch file for the sections of one segment that is being written.
///
/// Made when the first section outgrows its room, read once when the segment is put together, then
/// gone: it needs neither a name that lasts nor a sync. A failure is kept, and from then on bytes are
/// dropped, so that hot loops need not ask; `SegmentImage.write` throws it. Threads: any.
package final class SpillFile: @unchecked Sendable {
  /// The bytes that a section keeps in memory: some ten sections grow at the same time.
  package static let standardBound = 1 << 20

  /// A section that has as many bytes in memory is spilled.
  let bound: Int
  private let create: () throws(StorageError) -> AppendFile
  /// Guards what follows.
  private let lock = Lock()
  private var file: AppendFile?
  private var error: StorageError?

  /// Why the segment cannot be completed; nil while all is well.
  package var failure: StorageError? { lock.withLock { error } }

  /// `create` makes an empty file that nobody else knows.
  package init(
    bound: Int = SpillFile.standardBound, create: @escaping () throws(StorageError) -> AppendFile
  ) {
    self.bound = bound
    self.create = create
  }

  deinit { file?.close() }

  /// Writes bytes and says where they are.
  func append(_ bytes: UnsafeRawBufferPointer) -> Range<Int> {
    lock.withLock {
      guard error == nil else { return 0..<0 }
      do throws(StorageError) {
        let file = try opened()
        let start = file.size
        try file.append(bytes)
        return start..<(start + bytes.count)
      } catch {
        self.error = error
        return 0..<0
      }
    }
  }

  private func opened() throws(StorageError) -> AppendFile {
    if let file { return file }
    let made = try create()
    file = made
    return made
  }

  /// All that was written, to be read and given up; nil if nothing was.
  func map() throws(StorageError) -> MappedBytes? {
    if let failure { throw failure }
    return try lock.withLock { () throws(StorageError) in try file?.mapScratch() }
  }
}
