// FaultDisk: a disk that fails on demand and forgets what was not synced, for tests of crashes.
internal import Glibc

/// A disk in memory with the weaknesses of a real one.
///
/// It keeps apart what was written and what was synced, for the bytes of each file and for the names
/// in the folder. `powerCut` gives the disk that the next start finds: all that was synced, and of
/// the rest what the seed decides (see `FaultFile.survivors`, `FaultEntries.survivors`). Operations
/// are counted, and each can be made to fail or to be the one at which the power goes.
///
/// Equal seeds and equal operations give equal outcomes. Threads: any.
package final class FaultDisk: @unchecked Sendable {
  /// What is counted, and can fail.
  package enum Operation: Int, CaseIterable, Sendable {
    case create, append, dataSync, folderSync, rename, remove, truncate, map, read
  }

  /// A fault to come.
  private struct Plan {
    let operation: Operation?
    let first: Int
    let count: Int
    /// The `errno` to fail with; nil cuts the power.
    let code: Int32?
  }

  /// How one operation goes.
  private enum Outcome {
    case success
    case failure(Int32)
    /// The power goes while the operation is under way: it may or may not reach the disk.
    case cut
  }

  private let lock = Lock()
  private let seed: UInt64
  private var generator: SeededGenerator
  private var entries: FaultEntries
  private var counts = [Int](repeating: 0, count: Operation.allCases.count)
  private var total = 0
  private var plans: [Plan] = []
  private var isOff = false

  package convenience init(seed: UInt64 = 0) {
    self.init(seed: seed, entries: FaultEntries())
  }

  private init(seed: UInt64, entries: FaultEntries) {
    self.seed = seed
    self.entries = entries
    generator = SeededGenerator(seed: seed)
  }

  // MARK: Faults

  /// The operations so far: of one kind, or of all kinds when nil.
  package func count(of operation: Operation? = nil) -> Int {
    lock.withLock { count(operation) }
  }

  /// Makes operation `number` (from 1, in the life of the disk, of one kind or of all) fail.
  ///
  /// `times` makes the ones after it fail too. An append that fails has written a part, as a full
  /// disk does; a sync that fails has lost what the seed decides; others have done nothing.
  package func fail(
    _ operation: Operation? = nil, number: Int, code: Int32 = EIO, times: Int = 1
  ) {
    lock.withLock {
      plans.append(Plan(operation: operation, first: number, count: times, code: code))
    }
  }

  /// Cuts the power at operation `number`: it and every later one fail.
  package func cut(_ operation: Operation? = nil, number: Int) {
    lock.withLock {
      plans.append(Plan(operation: operation, first: number, count: 1, code: nil))
    }
  }

  /// Whether the power has been cut.
  package var isCut: Bool { lock.withLock { isOff } }

  /// The disk as the next start finds it when the power goes now.
  ///
  /// This disk is left as it is, so that one moment can be tried with many seeds. The new disk plans
  /// no faults, counts from 0, and knows nothing of locks.
  package func powerCut(seed other: UInt64? = nil) -> FaultDisk {
    lock.withLock {
      let seed = other ?? self.seed &+ 1
      var generator = SeededGenerator(seed: seed)
      var names: FaultEntries.Names = [:]
      // In the order of the names: a dictionary's own order differs from run to run.
      let survivors = entries.survivors(using: &generator).sorted { $0.key < $1.key }
      for (name, file) in survivors {
        names[name] = FaultFile(durable: file.survivors(using: &generator))
      }
      return FaultDisk(seed: generator.next(), entries: FaultEntries(durable: names))
    }
  }

  // MARK: The folder

  func list() throws(StorageError) -> [PlainName] {
    try locked("readdir") { () throws(StorageError) in entries.shown.keys.sorted() }
  }

  func exists(_ name: PlainName) -> Bool {
    lock.withLock { !isOff && entries.shown[name] != nil }
  }

  func open(_ name: PlainName, for operation: String) throws(StorageError) -> FaultHandle {
    try locked(operation, name) { () throws(StorageError) in
      FaultHandle(self, try file(name, operation), path: FaultDisk.path(name))
    }
  }

  func create(_ name: PlainName) throws(StorageError) -> FaultHandle {
    try locked("open", name) { () throws(StorageError) in
      guard entries.shown[name] == nil else { throw FaultDisk.error(EEXIST, "open", name) }
      let file = FaultFile()
      try perform(.create, "open", name) { entries.enter(file, as: name) }
      return FaultHandle(self, file, path: FaultDisk.path(name))
    }
  }

  func remove(_ name: PlainName) throws(StorageError) {
    try locked("unlink", name) { () throws(StorageError) in
      let file = try file(name, "unlink")
      try perform(.remove, "unlink", name) { entries.remove(file) }
    }
  }

  func rename(_ old: PlainName, to new: PlainName) throws(StorageError) {
    try locked("rename", old) { () throws(StorageError) in
      let file = try file(old, "rename")
      try perform(.rename, "rename", old) { entries.rename(file, to: new) }
    }
  }

  func syncFolder() throws(StorageError) {
    try locked("fsync") { () throws(StorageError) in
      switch next(.folderSync) {
      case .success: entries.sync()
      case .failure(let code):
        entries.loseSync(using: &generator)
        throw FaultDisk.error(code, "fsync", nil)
      case .cut: throw FaultDisk.error(EIO, "fsync", nil)
      }
    }
  }

  func tryLock(_ name: PlainName) throws(StorageError) -> LockAttempt {
    try locked("lock", name) { () throws(StorageError) in
      if entries.shown[name] == nil { entries.enter(FaultFile(), as: name) }
    }
    return LockRegistry.shared.tryLock(.entry(ObjectIdentifier(self), name), keeping: self)
  }

  // MARK: Files

  func size(_ handle: FaultHandle) throws(StorageError) -> Int {
    try access(handle, "fstat", nil).count
  }

  func read(_ handle: FaultHandle, from offset: Int, count: Int?) throws(StorageError) -> [UInt8] {
    let bytes = try access(handle, "pread", .read).dropFirst(offset)
    return Array(count.map { bytes.prefix($0) } ?? bytes)
  }

  /// A copy of what is shown now.
  func map(_ handle: FaultHandle) throws(StorageError) -> MappedBytes {
    let bytes = try access(handle, "mmap", .map)
    guard !bytes.isEmpty else { return .empty() }
    guard let copy = malloc(bytes.count) else {
      throw StorageError(code: ENOMEM, "mmap", handle.path)
    }
    bytes.withUnsafeBytes { source in
      UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyMemory(from: source)
    }
    return .owning(copy, count: bytes.count)
  }

  func write(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, _ handle: FaultHandle
  ) throws(StorageError) {
    try locked("pwrite", handle) { () throws(StorageError) in
      switch next(.append) {
      case .success: handle.file.write(bytes, at: offset)
      case .failure(let code):
        let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(generator.below(bytes.count)))
        handle.file.write(part, at: offset)
        throw StorageError(code: code, "pwrite", handle.path)
      case .cut:
        handle.file.write(bytes, at: offset)
        throw StorageError(code: EIO, "pwrite", handle.path)
      }
    }
  }

  func truncate(to size: Int, _ handle: FaultHandle) throws(StorageError) {
    try locked("ftruncate", handle) { () throws(StorageError) in
      switch next(.truncate) {
      case .success: handle.file.truncate(to: size)
      case .failure(let code): throw StorageError(code: code, "ftruncate", handle.path)
      case .cut:
        handle.file.truncate(to: size)
        throw StorageError(code: EIO, "ftruncate", handle.path)
      }
    }
  }

  func sync(_ handle: FaultHandle) throws(StorageError) {
    try locked("fdatasync", handle) { () throws(StorageError) in
      switch next(.dataSync) {
      case .success: handle.file.sync()
      case .failure(let code):
        handle.file.loseSync(using: &generator)
        throw StorageError(code: code, "fdatasync", handle.path)
      case .cut: throw StorageError(code: EIO, "fdatasync", handle.path)
      }
    }
  }

  // MARK: Steps

  private func count(_ operation: Operation?) -> Int {
    operation.map { counts[$0.rawValue] } ?? total
  }

  /// Counts an operation and finds out how it goes.
  private func next(_ operation: Operation) -> Outcome {
    counts[operation.rawValue] += 1
    total += 1
    let due = plans.filter { plan in
      let number = plan.operation.map { $0 == operation ? count($0) : 0 } ?? total
      return number >= plan.first && number - plan.first < plan.count
    }
    if due.contains(where: { $0.code == nil }) {
      isOff = true
      return .cut
    }
    return due.first?.code.map { .failure($0) } ?? .success
  }

  /// A change of a name: one under way when the power goes may still reach the disk.
  private func perform(
    _ operation: Operation, _ call: String, _ name: PlainName, _ change: () -> Void
  ) throws(StorageError) {
    switch next(operation) {
    case .success: change()
    case .failure(let code): throw FaultDisk.error(code, call, name)
    case .cut:
      change()
      throw FaultDisk.error(EIO, call, name)
    }
  }

  /// The bytes that a file shows, once the operation, if it counts, has succeeded.
  private func access(
    _ handle: FaultHandle, _ call: String, _ operation: Operation?
  ) throws(StorageError) -> [UInt8] {
    try locked(call, handle) { () throws(StorageError) in
      switch operation.map({ next($0) }) ?? .success {
      case .success: return handle.file.shown
      case .failure(let code): throw StorageError(code: code, call, handle.path)
      case .cut: throw StorageError(code: EIO, call, handle.path)
      }
    }
  }

  /// Runs a step under the lock, unless the power is off.
  private func locked<Result>(
    _ call: String, _ name: PlainName? = nil, _ step: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try lock.withLock { () throws(StorageError) in
      guard !isOff else { throw FaultDisk.error(EIO, call, name) }
      return try step()
    }
  }

  private func locked<Result>(
    _ call: String, _ handle: FaultHandle, _ step: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try lock.withLock { () throws(StorageError) in
      guard !isOff else { throw StorageError(code: EIO, call, handle.path) }
      return try step()
    }
  }

  private func file(_ name: PlainName, _ call: String) throws(StorageError) -> FaultFile {
    guard let file = entries.shown[name] else { throw FaultDisk.error(ENOENT, call, name) }
    return file
  }

  private static func path(_ name: PlainName?) -> String {
    Folder.memoryPath + (name.map { "/" + $0.text } ?? "")
  }

  private static func error(_ code: Int32, _ call: String, _ name: PlainName?) -> StorageError {
    StorageError(code: code, call, path(name))
  }
}
