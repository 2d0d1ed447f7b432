// FolderLock: the lock that makes one writer, in all threads of all processes.
internal import Glibc

/// A lock that this process holds, until `unlock` or the end of the object or of the process.
///
/// Keep it in a property: Swift may end a local object after its last use, and the lock with it.
package final class FolderLock: @unchecked Sendable {
  fileprivate let key: LockKey
  fileprivate let process: pid_t
  /// The locked file; nil when the folder has no files of the system.
  fileprivate let number: Int32?
  /// Keeps what the key names, so that no other object gets the same identity.
  private let kept: AnyObject?
  /// Guarded by the registry.
  fileprivate var isReleased = false

  fileprivate init(key: LockKey, process: pid_t, number: Int32?, keeping kept: AnyObject?) {
    self.key = key
    self.process = process
    self.number = number
    self.kept = kept
  }

  deinit {
    LockRegistry.shared.release(self)
  }

  /// False after `unlock`, and in a child that was forked off while the lock was held.
  package var isHeldByThisProcess: Bool { LockRegistry.shared.holds(self) }

  /// Gives the lock up.
  ///
  /// In a forked child nothing is given up: the lock is the parent's.
  package func unlock() {
    LockRegistry.shared.release(self)
  }
}

/// What makes sure that one writer is at work.
package enum FolderLocking: Sendable {
  /// A lock of the file system; where it has none, nobody writes.
  case required
  /// Where the file system has none, the word of the host that no other process writes.
  ///
  /// In this process a second lock is refused all the same, and so it is where locks do work.
  case promised

  /// Whether the error number of a lock says that the file system has none.
  static func isMissing(_ code: Int32) -> Bool {
    [ENOLCK, EOPNOTSUPP, ENOSYS, EINVAL].contains(code)
  }
}

/// What a lock is on: a file by its identity, whatever its path, or a name in a folder in memory.
enum LockKey: Hashable, Sendable {
  case file(device: UInt, inode: UInt)
  case entry(ObjectIdentifier, PlainName)
}

/// How one attempt ended.
enum LockAttempt {
  case held(FolderLock)
  /// Another holds it: the process, when the kernel tells.
  case busy(Int32?)
  /// The holder or the file itself changed during the attempt, which is to be made again.
  case again
}

/// The locks that this process holds.
///
/// The kernel's record locks end with the process that owns them, whatever happens to it, and tell
/// who that is. But they do not exclude two owners inside of one process, and closing *any*
/// descriptor of the file drops the lock. So the process keeps this list: a second lock is refused
/// here, and a descriptor of a locked file stays open until the lock is released.
///
/// A forked child inherits the list and not the locks: entries carry the process that made them,
/// and those of another process count for nothing. The list is locked during a fork, so that the
/// child does not inherit it half changed or locked for ever.
final class LockRegistry: @unchecked Sendable {
  static let shared = LockRegistry()

  private struct Holder {
    let process: pid_t
    /// Descriptors of the locked file that their owners have done with.
    var unclosed: [Int32] = []
  }

  private let lock = Lock()
  private var holders: [LockKey: Holder] = [:]

  private init() {
    pthread_atfork(
      { LockRegistry.shared.lock.lock() }, { LockRegistry.shared.lock.unlock() },
      { LockRegistry.shared.lock.unlock() })
  }

  /// Tries to lock a file in an open folder.
  func tryLock(
    _ name: PlainName, in folder: Int32, path: String, _ locking: FolderLocking
  ) throws(StorageError) -> LockAttempt {
    try lock.withLock { () throws(StorageError) in
      try tryLock(name.text, in: folder, path: path, locking)
    }
  }

  /// Tries to lock what is no file of the system; `owner` lives as long as the lock.
  func tryLock(_ key: LockKey, keeping owner: AnyObject) -> LockAttempt {
    lock.withLock {
      if isHeld(key) { return .busy(getpid()) }
      return .held(hold(key, number: nil, keeping: owner))
    }
  }

  func holds(_ held: FolderLock) -> Bool {
    lock.withLock { !held.isReleased && held.process == getpid() }
  }

  func release(_ held: FolderLock) {
    lock.withLock {
      guard !held.isReleased else { return }
      held.isReleased = true
      guard held.process == getpid() else {
        if let number = held.number { closeOrKeep(number, of: held.key) }
        return
      }
      let unclosed = holders.removeValue(forKey: held.key)?.unclosed ?? []
      for number in unclosed { Glibc.close(number) }
      // Closing drops the lock with the descriptor.
      if let number = held.number { Glibc.close(number) }
    }
  }

  /// Closes a descriptor of a file, when no lock on the file depends on it.
  func close(_ number: Int32, of key: LockKey) {
    lock.withLock { closeOrKeep(number, of: key) }
  }

  private func tryLock(
    _ name: String, in folder: Int32, path: String, _ locking: FolderLocking
  ) throws(StorageError) -> LockAttempt {
    var status = stat()
    // Looked at before it is opened: what has been opened must be closed.
    if fstatat(folder, name, &status, 0) == 0 {
      let key = LockKey.file(device: status.st_dev, inode: status.st_ino)
      if isHeld(key) { return .busy(getpid()) }
      forget(key)
    }
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK
    let opened = try check(systemCall { openat(folder, name, flags, 0o666) }, "lock", path)
    let number = Int32(truncatingIfNeeded: opened)
    let described = systemCall { fstat(number, &status) }
    let key = LockKey.file(device: status.st_dev, inode: status.st_ino)
    var isKept = false
    defer { if !isKept { closeOrKeep(number, of: key) } }
    try check(described, "lock", path)
    if isHeld(key) { return .busy(getpid()) }

    var request = flock()
    request.l_type = Int16(F_WRLCK)
    request.l_whence = Int16(SEEK_SET)
    let result = systemCall { fcntl(number, F_SETLK, &request) }
    if result == -Int(EAGAIN) || result == -Int(EACCES) {
      try check(systemCall { fcntl(number, F_GETLK, &request) }, "lock", path)
      // Released in between: the next attempt has it.
      if request.l_type == Int16(F_UNLCK) { return .again }
      return .busy(request.l_pid > 0 ? request.l_pid : nil)
    }
    let code = Int32(truncatingIfNeeded: -result)
    if FolderLocking.isMissing(code) {
      guard locking == .promised else { throw StorageError(.io, "lock", path, code: code) }
    } else {
      try check(result, "lock", path)
    }

    // The lock is on the file, not on the name: it is worth something only while they belong
    // together.
    guard fstatat(folder, name, &status, 0) == 0,
      key == .file(device: status.st_dev, inode: status.st_ino)
    else { return .again }
    isKept = true
    return .held(hold(key, number: number, keeping: nil))
  }

  private func isHeld(_ key: LockKey) -> Bool {
    holders[key]?.process == getpid()
  }

  private func hold(_ key: LockKey, number: Int32?, keeping owner: AnyObject?) -> FolderLock {
    let process = getpid()
    holders[key] = Holder(process: process)
    return FolderLock(key: key, process: process, number: number, keeping: owner)
  }

  /// Drops the entry that a forked child inherited, and its copies of the descriptors.
  private func forget(_ key: LockKey) {
    let unclosed = holders.removeValue(forKey: key)?.unclosed ?? []
    for number in unclosed { Glibc.close(number) }
  }

  private func closeOrKeep(_ number: Int32, of key: LockKey) {
    if isHeld(key) {
      holders[key]?.unclosed.append(number)
    } else {
      Glibc.close(number)
    }
  }
}
