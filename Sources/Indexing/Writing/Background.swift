// The thread that merges and writes checkpoints while nobody waits for it.

internal import LimelightSnapshots
internal import LimelightStorage

/// Runs an index's maintenance: memory merges as soon as there are eight of a size, a checkpoint at
/// 8 MiB in memory or after a second of rest, merges of files by policy.
///
/// Holds the writer weakly between rounds, so that an index that is let go ends. A failure is kept and
/// the work tried again at the next change; what was acknowledged stands in the journal meanwhile.
final class Background: @unchecked Sendable {
  private let lock = Lock()
  private let changed = Condition()
  private weak var writer: IndexWriter?
  /// Whether the thread is to look for work now.
  private var hasWork = false
  /// Changes since it has looked.
  private var changes = 0
  /// Whether it waits for nothing but a change.
  private var isResting = true
  private var isStopping = false
  private var thread: WorkerThread?

  /// Bytes in memory at which a checkpoint is written.
  static let checkpointBytes = 8 << 20
  /// Rest after which one is written anyway.
  static let restMilliseconds = 1000

  init(_ writer: IndexWriter) throws(StorageError) {
    self.writer = writer
    thread = try WorkerThread(name: "limelight") { [self] in run() }
  }

  /// Says that there was a change.
  ///
  /// The thread is woken by the first after a rest, which must be followed by a checkpoint, and when
  /// there may be enough to merge; for each, it would take the processor from those who put.
  func wake() {
    lock.withLock {
      changes += 1
      guard !hasWork, isResting || changes >= MergePolicy.fanIn else { return }
      hasWork = true
      changed.signal()
    }
  }

  /// Ends the thread after the step at hand; safe to call twice.
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

  private func run() {
    while true {
      lock.lock()
      PhaseHook.reached(.idle)
      while !hasWork && !isStopping {
        if isResting {
          changed.wait(on: lock)
        } else if !changed.wait(on: lock, milliseconds: Self.restMilliseconds) {
          break
        }
      }
      // Few changes do not wake the thread, but they put off the checkpoint that follows a rest.
      let rested = !hasWork && changes == 0
      hasWork = false
      changes = 0
      isResting = false
      let isDone = isStopping
      lock.unlock()
      if isDone { return }
      guard let writer else { return }
      let isIdle = work(writer, rested: rested)
      lock.withLock { isResting = isIdle && changes == 0 }
    }
  }

  /// One round; true if nothing is left to do until the next change.
  private func work(_ writer: IndexWriter, rested: Bool) -> Bool {
    do throws(IndexingError) {
      while try writer.mergeMemoryOnce() { if isAsked { return false } }
      let bytes = writer.lock.withLock { writer.state.memoryBytes }
      if rested || bytes >= Self.checkpointBytes {
        try writer.checkpoint()
        while try writer.mergeFilesOnce() { if isAsked { return false } }
        try writer.checkpoint()
      }
      return rested
    } catch {
      // Tried again with the next change; `commit` and `close` report what keeps failing.
      return true
    }
  }

  private var isAsked: Bool { lock.withLock { isStopping } }
}

extension IndexWriter {
  /// Writes a checkpoint, ends the background threads and gives up the lock.
  ///
  /// Safe to call twice. A change that another thread has begun is either made durable by this and returns
  /// as if it had come before, or has done nothing and throws that the index is closed.
  ///
  /// In a forked child, whose parent goes on with the index, nothing is touched.
  package func close() throws(IndexingError) {
    guard (try? checkProcess()) != nil else { return }
    background?.stop()
    syncer.stop()
    try maintenance.withLock { () throws(IndexingError) in
      guard !lock.withLock({ isClosed }) else { return }
      lock.withLock { isClosing = true }
      defer {
        lock.withLock { isClosed = true }
        index.close()
      }
      // A change that is in the journal comes before the end, whether or not there is more to write.
      if lock.withLock({ !pending.isEmpty }) { try? settle() }
      do throws(IndexingError) {
        try writeCheckpoint()
      } catch {
        // A checkpoint that finds no room must not cost what was acknowledged.
        try? settle()
        throw error
      }
    }
  }

  /// Makes durable and applies all that is in the journal.
  private func settle() throws(IndexingError) {
    let sequence = try indexing { try index.syncAppended() }
    try lock.withLock { () throws(IndexingError) in try applyPending(through: sequence) }
  }
}
