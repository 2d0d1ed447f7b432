// How the segment of a merge is written.

/// What a merge does to its segment beyond leaving out what is deleted.
package struct MergeForm: Equatable, Sendable {
  /// Compresses stored items harder.
  package var isCompact: Bool

  package init(isCompact: Bool = false) {
    self.isCompact = isCompact
  }

  /// What merges by policy do.
  package static let plain = MergeForm()
}
