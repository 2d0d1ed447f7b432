// How the segment of a merge is written.

/// What a merge does to its segment beyond leaving out what is deleted.
package struct MergeForm: Equatable, Sendable {
  /// Compresses stored items harder.
  package var isCompact: Bool
  /// Gives the items an order in which those with the same words stand together.
  package var isReordered: Bool

  package init(isCompact: Bool = false, isReordered: Bool = false) {
    self.isCompact = isCompact
    self.isReordered = isReordered
  }

  /// What merges by policy do.
  package static let plain = MergeForm()
}
