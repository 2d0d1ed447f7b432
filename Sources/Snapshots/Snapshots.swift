// LimelightSnapshots: which segments are the index - journal, manifests, live docs, reclaiming.

/// The versions and limits of the files that this module writes.
package enum SnapshotFormat {
  /// The version of manifests and journals.
  package static let version: UInt32 = 1
  /// Most bytes that a host may leave as the state of its own synchronisation.
  package static let clientStateBytes = 250
  /// No file and no record has a number above this one: the next number can always be computed.
  package static let highestNumber: UInt64 = 1 << 62
  /// Most documents of all segments of an index together, dead ones included.
  package static let documentLimit = 1 << 36
  /// Most bytes of operations in one journal record.
  package static let recordBytes = 1 << 30
}
