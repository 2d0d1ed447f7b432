// Folder: the files of one index, wherever they are kept.
internal import Glibc

/// How the files of a folder of the file system are brought into memory.
package enum FileReading: Sendable {
  /// Mapped: takes no memory of its own, but a file that something else cuts short, or that the disk
  /// cannot read, ends the process with a bus error.
  case mapped
  /// Mapped, and the process's handler of SIGBUS turns what goes from under the map into zeros and a
  /// flag (`MappedBytes.loss`), at which readers look before they trust what they have read.
  case guarded
  /// Read into memory as a whole: what cannot be read is an error.
  case copied
  /// As `copied`, but blocks that the disk cannot read come as zeros, for who looks for what is left.
  case salvaged
}

/// A folder of plain files, without folders inside: on a disk, in memory, or on a fault disk.
///
/// What is written is durable in two steps: a file's bytes when the file has been synced, its name
/// (made, changed or removed) when the folder has been. Threads: any.
package final class Folder: Sendable {
  private enum Backing {
    case system(Directory)
    case memory(MemoryFolder)
    case faulty(FaultDisk)
  }

  static let memoryPath = "memory"

  private let backing: Backing
  /// Where the folder is, for messages; `memory` when it is nowhere.
  package let path: String
  package let reading: FileReading
  package let locking: FolderLocking

  private init(
    _ backing: Backing, path: String, reading: FileReading = .mapped,
    locking: FolderLocking = .required
  ) {
    self.backing = backing
    self.path = path
    self.reading = reading
    self.locking = locking
  }

  /// Opens a folder of the file system; `create` makes it and what is missing above it.
  package static func open(
    path: String, create: Bool, reading: FileReading = .mapped,
    locking: FolderLocking = .required
  ) throws(StorageError) -> Folder {
    if reading == .guarded { try BusGuard.install(for: path) }
    let directory = try Directory(path: path, create: create)
    return Folder(.system(directory), path: path, reading: reading, locking: locking)
  }

  /// An empty folder in memory, which is gone with its last reference.
  package static func inMemory() -> Folder {
    Folder(.memory(MemoryFolder()), path: memoryPath)
  }

  /// The folder of a fault disk; several of them show the same files.
  package static func faulty(_ disk: FaultDisk) -> Folder {
    Folder(.faulty(disk), path: memoryPath)
  }

  /// The names in the folder, sorted by their bytes.
  package func list() throws(StorageError) -> [String] {
    let names =
      switch backing {
      case .system(let folder): try folder.list()
      case .memory(let folder): folder.list()
      case .faulty(let disk): try disk.list()
      }
    return names.map(\.text)
  }

  /// Whether there is such a file; false for what cannot be a name.
  package func exists(_ name: String) -> Bool {
    guard let plain = try? PlainName(name, for: "stat", in: path) else { return false }
    return switch backing {
    case .system(let folder): folder.exists(plain)
    case .memory(let folder): folder.open(plain) != nil
    case .faulty(let disk): disk.exists(plain)
    }
  }

  package func size(of name: String) throws(StorageError) -> Int {
    let plain = try PlainName(name, for: "stat", in: path)
    if case .system(let folder) = backing { return try folder.size(of: plain) }
    return try open(plain, for: "stat").size()
  }

  /// The bytes of a whole file: a map of it, or a copy where the folder's `reading` says so.
  package func map(_ name: String) throws(StorageError) -> MappedBytes {
    let file = try open(try PlainName(name, for: "open", in: path), for: "open")
    guard case .system(let descriptor) = file else { return try file.map() }
    return switch reading {
    case .mapped: try descriptor.map()
    case .guarded: try descriptor.mapGuarded()
    case .copied: try descriptor.copy(skippingUnreadable: false)
    case .salvaged: try descriptor.copy(skippingUnreadable: true)
    }
  }

  /// Reads `count` bytes of a file, or all from the offset on; fewer only where the file ends.
  package func read(
    _ name: String, from offset: Int = 0, count: Int? = nil
  ) throws(StorageError) -> [UInt8] {
    let plain = try PlainName(name, for: "open", in: path)
    guard offset >= 0, count ?? 0 >= 0 else {
      throw StorageError(code: EINVAL, "pread", full(plain))
    }
    return try open(plain, for: "open").read(from: offset, count: count)
  }

  /// Opens a file for reads that go on while it grows.
  package func openReader(_ name: String) throws(StorageError) -> FileReader {
    let plain = try PlainName(name, for: "open", in: path)
    return FileReader(try open(plain, for: "open"), path: full(plain))
  }

  /// Makes a file that must not exist yet.
  package func create(_ name: String) throws(StorageError) -> AppendFile {
    let plain = try PlainName(name, for: "open", in: path)
    let file: OpenFile
    switch backing {
    case .system(let folder): file = .system(try folder.create(plain))
    case .memory(let folder):
      guard let made = folder.create(plain) else {
        throw StorageError(code: EEXIST, "open", full(plain))
      }
      file = .memory(made)
    case .faulty(let disk): file = .faulty(try disk.create(plain))
    }
    return AppendFile(file, path: full(plain), size: 0)
  }

  /// Opens a file that exists to append to it.
  ///
  /// What it holds need not be durable: a writer that failed may have left it in the page cache
  /// only, and no sync would bring it to the disk. Trust what was known to be synced.
  package func reopen(_ name: String) throws(StorageError) -> AppendFile {
    let plain = try PlainName(name, for: "open", in: path)
    let file = try open(plain, for: "open", writing: true)
    return AppendFile(file, path: full(plain), size: try file.size())
  }

  /// Removes a name; whoever has the file open or mapped keeps it.
  package func remove(_ name: String) throws(StorageError) {
    let plain = try PlainName(name, for: "unlink", in: path)
    switch backing {
    case .system(let folder): try folder.remove(plain)
    case .memory(let folder):
      guard folder.remove(plain) else { throw StorageError(code: ENOENT, "unlink", full(plain)) }
    case .faulty(let disk): try disk.remove(plain)
    }
  }

  /// Gives a file another name, in place of the file that had it, in one step.
  package func rename(_ old: String, _ new: String) throws(StorageError) {
    let from = try PlainName(old, for: "rename", in: path)
    let to = try PlainName(new, for: "rename", in: path)
    switch backing {
    case .system(let folder): try folder.rename(from, to: to)
    case .memory(let folder):
      guard folder.rename(from, to: to) else {
        throw StorageError(code: ENOENT, "rename", full(from))
      }
    case .faulty(let disk): try disk.rename(from, to: to)
    }
  }

  /// Makes the names durable as they are now.
  package func sync() throws(StorageError) {
    switch backing {
    case .system(let folder): try folder.sync()
    case .memory: break
    case .faulty(let disk): try disk.syncFolder()
    }
  }

  /// Locks a file of the folder, which is made when missing, against every other thread and process.
  ///
  /// Waits for at most so many milliseconds, then throws `.locked` with the process that holds it.
  package func lock(_ name: String, waiting milliseconds: Int) throws(StorageError) -> FolderLock {
    let plain = try PlainName(name, for: "lock", in: path)
    let limit = UInt64(min(max(milliseconds, 0), Clock.longestMilliseconds)) * 1_000_000
    let start = Clock.monotonicNanoseconds()
    var rest = 1
    while true {
      let attempt =
        switch backing {
        case .system(let folder): try folder.tryLock(plain, locking)
        case .memory(let folder): folder.tryLock(plain)
        case .faulty(let disk): try disk.tryLock(plain)
        }
      switch attempt {
      case .held(let lock): return lock
      case .again: continue
      case .busy(let holder):
        let waited = Clock.monotonicNanoseconds() - start
        guard waited < limit else {
          throw StorageError(.locked, "lock", full(plain), code: EAGAIN, holder: holder)
        }
        Clock.sleep(milliseconds: min(rest, Int((limit - waited) / 1_000_000) + 1))
        // A short wait is noticed at once, a long one costs the processor nothing.
        rest = min(rest * 2, 50)
      }
    }
  }

  private func full(_ name: PlainName) -> String { path + "/" + name.text }

  private func open(
    _ name: PlainName, for operation: String, writing: Bool = false
  ) throws(StorageError) -> OpenFile {
    switch backing {
    case .system(let folder): return .system(try folder.open(name, writing: writing))
    case .memory(let folder):
      guard let file = folder.open(name) else {
        throw StorageError(code: ENOENT, operation, full(name))
      }
      return .memory(file)
    case .faulty(let disk): return .faulty(try disk.open(name, for: operation))
    }
  }
}
