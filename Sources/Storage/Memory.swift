// Memory: the backing of a folder by the memory of this process, for indexes that need no disk.
internal import Glibc

/// Files by name.
///
/// A file that is open stays readable after it is removed, as on a disk.
final class MemoryFolder: @unchecked Sendable {
  private let lock = Lock()
  private var files: [PlainName: MemoryFile] = [:]

  func list() -> [PlainName] {
    lock.withLock { files.keys.sorted() }
  }

  func open(_ name: PlainName) -> MemoryFile? {
    lock.withLock { files[name] }
  }

  /// Nil when the file exists.
  func create(_ name: PlainName) -> MemoryFile? {
    lock.withLock {
      guard files[name] == nil else { return nil }
      let file = MemoryFile()
      files[name] = file
      return file
    }
  }

  /// False when there is no such file.
  func remove(_ name: PlainName) -> Bool {
    lock.withLock { files.removeValue(forKey: name) != nil }
  }

  /// False when there is no such file.
  func rename(_ old: PlainName, to new: PlainName) -> Bool {
    lock.withLock {
      guard let file = files.removeValue(forKey: old) else { return false }
      files[new] = file
      return true
    }
  }

  func tryLock(_ name: PlainName) -> LockAttempt {
    _ = create(name)
    return LockRegistry.shared.tryLock(.entry(ObjectIdentifier(self), name), keeping: self)
  }
}

/// A file in memory, mapped without a copy.
///
/// A map keeps the buffer that it points into. Appending fills the room behind what is mapped; when
/// the room runs out, or bytes that exist would change, the file moves to a new buffer and the old
/// one lives as long as its maps.
final class MemoryFile: @unchecked Sendable {
  private final class Buffer {
    /// Sections of a file stand at multiples of 64 bytes, and so they do in memory.
    static let alignment = 64

    let base: UnsafeMutableRawPointer
    let capacity: Int

    init?(capacity: Int) {
      let rounded = (capacity + Buffer.alignment - 1) / Buffer.alignment * Buffer.alignment
      guard let base = aligned_alloc(Buffer.alignment, rounded) else { return nil }
      self.base = base
      self.capacity = rounded
    }

    deinit { free(base) }
  }

  private let lock = Lock()
  private var buffer: Buffer?
  private var count = 0

  var size: Int { lock.withLock { count } }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StorageError) {
    try lock.withLock { () throws(StorageError) in
      guard let source = bytes.baseAddress, bytes.count > 0 else { return }
      let end = offset + bytes.count
      if offset < count || end > buffer?.capacity ?? 0 {
        try move(toCapacity: max(end, count * 2, 4096))
      }
      guard let base = buffer?.base else { return }
      if offset > count { memset(base + count, 0, offset - count) }
      memcpy(base + offset, source, bytes.count)
      count = max(count, end)
    }
  }

  func truncate(to size: Int) throws(StorageError) {
    try lock.withLock { () throws(StorageError) in
      guard size < count else { return }
      count = size
      try move(toCapacity: max(size, 4096))
    }
  }

  func read(from offset: Int, count wanted: Int?) -> [UInt8] {
    lock.withLock {
      guard offset < count, let base = buffer?.base else { return [] }
      let length = min(wanted ?? Int.max, count - offset)
      return [UInt8](UnsafeRawBufferPointer(start: base + offset, count: length))
    }
  }

  func map() -> MappedBytes {
    lock.withLock {
      guard let buffer, count > 0 else { return .empty() }
      return .inside(buffer, at: buffer.base, count: count)
    }
  }

  private func move(toCapacity capacity: Int) throws(StorageError) {
    guard let new = Buffer(capacity: capacity) else {
      throw StorageError(code: ENOMEM, "aligned_alloc", Folder.memoryPath)
    }
    if let buffer { memcpy(new.base, buffer.base, count) }
    buffer = new
  }
}
