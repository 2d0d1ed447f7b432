// LimelightSnapshots: which segments are the index - journal, manifests, live docs, reclaiming.

/// The versions and limits of the files that this module writes.
package enum SnapshotFormat {
  /// The version of manifests, dictionaries and thumbnails that this code writes.
  package static let version: UInt32 = 1
  /// The version of journals that it writes: since 2 they hold records of kind `synced`.
  package static let journalVersion: UInt32 = 2
  /// The oldest version of each kind of file that it reads.
  package static let oldestVersion: UInt32 = 1
  /// Most bytes that a host may leave as the state of its own synchronisation.
  package static let clientStateBytes = 250
  /// No file and no record has a number above this one: the next number can always be computed.
  package static let highestNumber: UInt64 = 1 << 62
  /// Most documents of all segments of an index together, dead ones included.
  package static let documentLimit = 1 << 36
  /// Most bytes of operations in one journal record.
  package static let recordBytes = 1 << 30
}
