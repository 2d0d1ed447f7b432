// Directory: the backing of a folder by a folder of the file system.
internal import Glibc

/// A folder of the file system, held open: it stays the same one when it is moved or when the
/// process changes its working folder.
final class Directory: Sendable {
  let path: String
  private let number: Int32

  init(path: String, create: Bool) throws(StorageError) {
    guard !path.utf8.contains(0) else {
      throw StorageError(.invalid, "open", path, code: EINVAL)
    }
    if create { try Directory.make(path) }
    self.path = path
    number = try Directory.open(path)
  }

  deinit {
    close(number)
  }

  /// All names but `.` and `..`, sorted by their bytes.
  ///
  /// Names that are not UTF-8 are left out: no file of ours has one, and a repaired name would open
  /// nothing.
  func list() throws(StorageError) -> [PlainName] {
    // A descriptor of its own: a stream moves the offset and closes what it is given.
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    let copy = Int32(
      truncatingIfNeeded: try check(systemCall { openat(number, ".", flags) }, "open", path))
    guard let stream = fdopendir(copy) else {
      let code = errno
      close(copy)
      throw StorageError(code: code, "fdopendir", path)
    }
    defer { closedir(stream) }
    var names: [PlainName] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      // The record is as long as its name: it is read where it stands, never copied as a whole.
      let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
      let start = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
      guard let text = String(validatingCString: start), text != ".", text != ".." else { continue }
      names.append(try PlainName(text, for: "readdir", in: path))
    }
    let code = errno
    guard code == 0 else { throw StorageError(code: code, "readdir", path) }
    return names.sorted()
  }

  func exists(_ name: PlainName) -> Bool {
    var status = stat()
    return name.text.withCString { text in
      systemCall { fstatat(number, text, &status, 0) } >= 0
    }
  }

  func size(of name: PlainName) throws(StorageError) -> Int {
    var status = stat()
    let code = name.text.withCString { text in
      systemCall { fstatat(number, text, &status, 0) }
    }
    try check(code, "stat", full(name))
    return status.st_size
  }

  /// Opens a file that exists.
  func open(_ name: PlainName, writing: Bool) throws(StorageError) -> Descriptor {
    // Without O_NONBLOCK a pipe of that name would hold up the opener until somebody writes to it.
    try open(name, flags: (writing ? O_WRONLY : O_RDONLY) | O_NONBLOCK)
  }

  /// Makes a file that does not exist yet; it can be read too, which scratch files are.
  func create(_ name: PlainName) throws(StorageError) -> Descriptor {
    try open(name, flags: O_RDWR | O_CREAT | O_EXCL)
  }

  func remove(_ name: PlainName) throws(StorageError) {
    let code = name.text.withCString { text in systemCall { unlinkat(number, text, 0) } }
    try check(code, "unlink", full(name))
  }

  func rename(_ old: PlainName, to new: PlainName) throws(StorageError) {
    let code = old.text.withCString { old in
      new.text.withCString { new in systemCall { renameat(number, old, number, new) } }
    }
    try check(code, "rename", full(old))
  }

  func sync() throws(StorageError) {
    try Directory.sync(number, path)
  }

  func tryLock(
    _ name: PlainName, _ locking: FolderLocking
  ) throws(StorageError) -> LockAttempt {
    try LockRegistry.shared.tryLock(name, in: number, path: full(name), locking)
  }

  private func full(_ name: PlainName) -> String { path + "/" + name.text }

  private func open(_ name: PlainName, flags: Int32) throws(StorageError) -> Descriptor {
    let code = name.text.withCString { text in
      systemCall { openat(number, text, flags | O_CLOEXEC, 0o666) }
    }
    let file = Int32(truncatingIfNeeded: try check(code, "open", full(name)))
    return try Descriptor(number: file, path: full(name), for: "open")
  }

  private static func open(_ path: String) throws(StorageError) -> Int32 {
    let code = path.withCString { text in
      systemCall { Glibc.open(text, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    }
    return Int32(truncatingIfNeeded: try check(code, "open", path))
  }

  private static func sync(_ number: Int32, _ path: String) throws(StorageError) {
    let code = systemCall { fsync(number) }
    // A file system that cannot sync folders says EINVAL: it offers nothing better.
    if code != -Int(EINVAL) { try check(code, "fsync", path) }
  }

  /// Makes the folder and those above it that are missing, each durable in the one above.
  private static func make(_ path: String) throws(StorageError) {
    var code = makeOne(path)
    let above = parent(of: path)
    if code == -Int(ENOENT), above != path {
      try make(above)
      code = makeOne(path)
    }
    // Whether what exists is a folder comes out when it is opened.
    if code == -Int(EEXIST) { return }
    try check(code, "mkdir", path)
    let number = try open(above)
    defer { close(number) }
    try sync(number, above)
  }

  private static func makeOne(_ path: String) -> Int {
    path.withCString { text in systemCall { mkdir(text, 0o777) } }
  }

  /// The path without its last component: `.` for a bare name, and `/` for itself.
  static func parent(of path: String) -> String {
    let slash = UInt8(ascii: "/")
    var bytes = Array(path.utf8)
    while bytes.last == slash { bytes.removeLast() }
    guard let last = bytes.lastIndex(of: slash) else {
      return path.utf8.first == slash ? "/" : "."
    }
    bytes.removeSubrange(last...)
    while bytes.last == slash { bytes.removeLast() }
    return bytes.isEmpty ? "/" : String(decoding: bytes, as: UTF8.self)
  }
}
