// PhaseHook: tells a crash test at which step of its work the engine is.
internal import Synchronization

/// The steps between which a crash must lose nothing; the numbers mean nothing outside of a process.
package enum Phase: UInt32, CaseIterable, Sendable {
  /// A thread of the engine that waits for work.
  case idle
  /// A record is in the journal, and no sync has covered it yet.
  case journalAppended
  /// A record is on disk, and not yet applied.
  case journalSynced
  /// Segments in memory are being merged.
  case memoryMerge
  /// A new journal is on disk, and the old one does not name it yet.
  case journalRotation
  /// A checkpoint or a merge is about to write a segment.
  case segmentWrite
  /// A segment is written, and not yet synced.
  case segmentSync
  /// Files are being merged.
  case fileMerge
  /// All files of a state are written, its manifest is not.
  case manifestWrite
  /// The manifest is on disk under another name.
  case manifestRename
  /// The manifest has its name, which may not be on disk yet.
  case manifestPublished
  /// Files that no manifest names any more are about to go.
  case fileRemoval
  /// Opening copies what a writer left in the journal.
  case recovery
  /// Opening applies the journal to the state of the manifest.
  case replay
}

/// Where a test of crashes is told of each step.
///
/// Off unless a test installs a handler: a step then costs one relaxed load. The handler is called
/// in the thread that takes the step, which may hold locks of the engine; it may end the process,
/// or never return. Threads: any.
package enum PhaseHook {
  /// What is called at each step; it takes the raw value of a `Phase`.
  package typealias Handler = @convention(c) (UInt32) -> Void

  /// The handler's address; 0 = none.
  private static let handler = Atomic<UInt>(0)

  /// Has `handler` called at every step from now on.
  package static func install(_ handler: @escaping Handler) {
    self.handler.store(unsafeBitCast(handler, to: UInt.self), ordering: .relaxed)
  }

  /// Says that this thread has reached a step.
  package static func reached(_ phase: Phase) {
    let address = handler.load(ordering: .relaxed)
    if address != 0 { unsafeBitCast(address, to: Handler.self)(phase.rawValue) }
  }
}
