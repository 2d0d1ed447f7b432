// The thread that syncs the journal for changes that do not wait for it.

internal import LimelightSnapshots
internal import LimelightStorage

/// Syncs the journal half a second after the first change that no sync has covered.
///
/// The time runs from the first of them and no later one puts it off, so that half a second is left of
/// the second within which a change is to be on disk, for the disk to do it. A sync that fails poisons
/// the journal; the next change reports it. Threads: any; none of its own before the first change.
final class JournalSyncer: @unchecked Sendable {
  private let index: IndexFolder
  private let delay: UInt64
  private let lock = Lock()
  private let changed = Condition()
  /// When to sync, in nanoseconds of the monotonic clock; nil while everything is on disk.
  private var due: UInt64?
  private var isStopping = false
  private var thread: WorkerThread?

  /// How long the first change waits.
  static let delayMilliseconds = 500

  init(_ index: IndexFolder, delayMilliseconds: Int) {
    self.index = index
    delay = UInt64(max(delayMilliseconds, 0)) * 1_000_000
  }

  /// Starts the thread if there is none yet; to be called before a change that relies on it.
  func start() throws(StorageError) {
    try lock.withLock { () throws(StorageError) in
      guard thread == nil, !isStopping else { return }
      thread = try WorkerThread(name: "limelight-sync") { [self] in run() }
    }
  }

  /// Says that a record was appended; after that, so that a sync that begins meanwhile may cover it,
  /// and never the other way round.
  func note() {
    lock.withLock {
      guard due == nil else { return }
      due = Clock.monotonicNanoseconds() &+ delay
      changed.signal()
    }
  }

  /// Ends the thread after the sync at hand; safe to call twice.
  ///
  /// Syncs nothing itself.
  func stop() {
    let running = lock.withLock {
      isStopping = true
      changed.signal()
      let running = thread
      thread = nil
      return running
    }
    running?.join()
  }

  /// Syncs if a change waits for it, whenever it is due; for tests, which do not go by the clock.
  func syncNow() {
    lock.withLock {
      guard due != nil else { return }
      due = nil
      sync()
    }
  }

  private func run() {
    lock.lock()
    defer { lock.unlock() }
    while !isStopping {
      guard let due else {
        changed.wait(on: lock)
        continue
      }
      let now = Clock.monotonicNanoseconds()
      guard now >= due else {
        _ = changed.wait(on: lock, milliseconds: Int(clamping: (due - now) / 1_000_000) + 1)
        continue
      }
      self.due = nil
      lock.unlock()
      sync()
      lock.lock()
    }
  }

  /// A failure is kept by the journal, and every later change throws it.
  private func sync() { _ = try? index.syncAppended() }
}
