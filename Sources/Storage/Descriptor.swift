// Descriptor: one open regular file of the kernel, and the loops that its system calls need.
internal import Glibc

/// Makes a system call, again when a signal interrupts it: its result, or the negated `errno`.
@inline(__always)
func systemCall<Result: FixedWidthInteger & SignedInteger>(_ call: () -> Result) -> Int {
  while true {
    let result = call()
    if result != -1 { return Int(result) }
    let code = errno
    if code != EINTR { return -Int(code) }
  }
}

/// Turns the negated `errno` of a system call into an error.
@inline(__always)
@discardableResult
func check(_ result: Int, _ operation: String, _ path: String) throws(StorageError) -> Int {
  guard result >= 0 else {
    throw StorageError(code: Int32(truncatingIfNeeded: -result), operation, path)
  }
  return result
}

/// An open file; closed when the last reference goes.
///
/// So a thread that syncs keeps the file open though another closes it meanwhile, and no number is
/// used after the kernel has given it to someone else.
final class Descriptor: Sendable {
  let number: Int32
  let path: String
  private let key: LockKey
  /// Whether the file had a name; some file systems count no names.
  private let wasLinked: Bool

  /// Takes over an open descriptor; anything but a regular file is refused.
  init(number: Int32, path: String, for operation: String) throws(StorageError) {
    var status = stat()
    let code = systemCall { fstat(number, &status) }
    self.number = number
    self.path = path
    key = .file(device: status.st_dev, inode: status.st_ino)
    wasLinked = status.st_nlink > 0
    // From here on `deinit` closes the number, whatever is thrown.
    try check(code, "fstat", path)
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StorageError(.invalid, operation, path, code: EINVAL)
    }
  }

  deinit {
    LockRegistry.shared.close(number, of: key)
  }

  func size() throws(StorageError) -> Int {
    var status = stat()
    try check(systemCall { fstat(number, &status) }, "fstat", path)
    return status.st_size
  }

  /// How the file looks now, while it has a name.
  func look() -> FileLook? {
    var status = stat()
    guard wasLinked, systemCall({ fstat(number, &status) }) >= 0, status.st_nlink > 0 else {
      return nil
    }
    return FileLook(size: status.st_size, changed: status.st_ctim)
  }

  /// Writes all bytes at the offset, however many calls that takes.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StorageError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = try check(
        systemCall { pwrite(number, rest.baseAddress, rest.count, offset + done) }, "pwrite", path)
      // A write of nothing would repeat for ever.
      guard count > 0 else { throw StorageError(code: EIO, "pwrite", path) }
      done += count
    }
  }

  /// Reads up to `count` bytes, all that there are when nil; fewer only at the end of the file.
  func read(from offset: Int, count: Int?) throws(StorageError) -> [UInt8] {
    // The size bounds the buffer: a count that comes from damaged bytes must not.
    let wanted = min(count ?? Int.max, max(try size() - offset, 0))
    guard wanted > 0 else { return [] }
    var code = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
      while filled < wanted {
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
        let position = offset + filled
        code = systemCall { pread(number, rest.baseAddress, rest.count, position) }
        guard code > 0 else { return }
        filled += code
      }
    }
    try check(code, "pread", path)
    return bytes
  }

  func truncate(to size: Int) throws(StorageError) {
    try check(systemCall { ftruncate(number, size) }, "ftruncate", path)
  }

  /// Makes the bytes durable; of a file that somebody has removed meanwhile nothing is.
  func sync() throws(StorageError) {
    try check(systemCall { fdatasync(number) }, "fdatasync", path)
    guard wasLinked else { return }
    var status = stat()
    try check(systemCall { fstat(number, &status) }, "fstat", path)
    if status.st_nlink == 0 { throw StorageError(code: ENOENT, "fdatasync", path) }
  }

  /// Maps the whole file for reading; the map outlives the descriptor.
  ///
  /// One of a scratch file is writable, as the kernel wants it of who gives up a file's pages.
  func map(scratch: Bool = false) throws(StorageError) -> MappedBytes {
    let count = try size()
    guard count > 0 else { return .empty() }
    let access = scratch ? PROT_READ | PROT_WRITE : PROT_READ
    guard let base = mmap(nil, count, access, MAP_SHARED, number, 0), base != MAP_FAILED else {
      throw StorageError(code: errno, "mmap", path)
    }
    return .mapping(base, count: count, scratch: scratch)
  }

  /// Maps the whole file and has its bus errors caught; reads it where no more maps can be guarded.
  func mapGuarded() throws(StorageError) -> MappedBytes {
    let count = try size()
    guard count > 0 else { return .empty() }
    guard let base = mmap(nil, count, PROT_READ, MAP_SHARED, number, 0), base != MAP_FAILED else {
      throw StorageError(code: errno, "mmap", path)
    }
    guard let map = GuardedMap(base, count: count, of: self) else {
      munmap(base, count)
      return try copy(skippingUnreadable: false)
    }
    return .watched(base, count: count, by: map)
  }

  /// Reads the whole file into memory; of one that is cut short meanwhile, what is left.
  ///
  /// With `skippingUnreadable`, blocks of 4 KiB that the disk cannot read are zeros.
  func copy(skippingUnreadable: Bool) throws(StorageError) -> MappedBytes {
    let count = try size()
    guard count > 0 else { return .empty() }
    guard let base = calloc(count, 1) else { throw StorageError(code: ENOMEM, "calloc", path) }
    var done = 0
    while done < count {
      let code = systemCall { pread(number, base + done, count - done, done) }
      if code == -Int(EIO), skippingUnreadable {
        done = readBlock(at: done, into: base, count)
        continue
      }
      guard code >= 0 else {
        free(base)
        throw StorageError(code: Int32(truncatingIfNeeded: -code), "pread", path)
      }
      if code == 0 { break }
      done += code
    }
    return .owning(base, count: done)
  }

  /// Reads to the end of a block, or leaves zeros there; where the next one starts.
  private func readBlock(
    at offset: Int, into base: UnsafeMutableRawPointer, _ count: Int
  ) -> Int {
    let end = min((offset / 4096 + 1) * 4096, count)
    let code = systemCall { pread(number, base + offset, end - offset, offset) }
    return code > 0 ? offset + code : end
  }
}
