// When the record of a change is brought to the disk.

/// Whether a change waits until its record is on disk.
///
/// Records are written, applied and synced in one order: a sync covers everything before it, so what a
/// power cut takes is always the end of what was acknowledged.
package enum ChangeSync: Sendable {
  /// Before the change returns.
  case now
  /// Within a second, by a thread of the engine.
  case soon
  /// With the next change that waits, or the next checkpoint.
  case later
}
