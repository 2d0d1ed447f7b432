// How soon a change is safe from a power cut.

internal import LimelightIndexing

/// How soon a change is safe from a power cut.
///
/// A change is in the journal, visible to every later search, here and in other processes, and safe from
/// the end of this process when its call returns, whatever the level: its bytes are the kernel's then. The
/// levels differ in what a power cut, or a crash of the whole system, may take.
///
/// What is taken is always the end: the last changes before the cut, never one from the middle, and never
/// a batch in part. A sync covers every change before it, so one ``full`` change, a ``Index/flush()``, or a
/// checkpoint makes those of the other levels durable as well.
public enum Durability: String, Sendable, CaseIterable {
  /// A change returns when it is on disk. A power cut takes nothing that was acknowledged.
  case full
  /// A change returns when it is written, and is synced within a second: the sync begins half a second
  /// after the first change that none has covered. A power cut takes at most the changes of the last
  /// second, longer only where the disk needs more than half a second for a sync.
  ///
  /// A process that is killed syncs no more: what it had put in its last second is on disk when the kernel
  /// writes it, which takes Linux about half a minute, or when the index is next opened for writing.
  case journaled
  /// A change returns when it is written, and is synced with the next change that waits for its sync, by
  /// ``Index/flush()``, ``Index/commit()``, ``Index/merge(into:cancellation:)`` or ``Index/close()``, and by
  /// the checkpoint that the engine makes at 8 MiB in memory and after a second without changes. A power
  /// cut takes at most the changes since the last of these.
  case relaxed
}

extension ChangeSync {
  init(_ durability: Durability) {
    switch durability {
    case .full: self = .now
    case .journaled: self = .soon
    case .relaxed: self = .later
    }
  }
}

extension Index {
  /// Waits until every change that has returned is durable; the number of the last change that is.
  ///
  /// Costs one sync of the disk, or nothing if all is durable. Writes no segment files, as ``commit()``
  /// does.
  ///
  /// - Throws: ``LimelightError``: `poisoned` if a sync has failed, this one or one in the background.
  @discardableResult
  public func flush() throws(LimelightError) -> UInt64 {
    let writer = try writer()
    return try publicly { try writer.flush() }
  }

  /// The number of the last change that is durable: those of receipts up to it need no waiting.
  ///
  /// - Throws: ``LimelightError``: `readOnly` on a handle that only reads, which cannot know.
  public func durableGeneration() throws(LimelightError) -> UInt64 {
    let writer = try writer()
    try publicly { try writer.checkProcess() }
    return writer.durableGeneration
  }
}
