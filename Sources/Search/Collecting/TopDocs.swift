// What a ranked search finds.

/// The best documents of a snapshot for a query, best first.
package struct TopDocs: Sendable {
  /// A document that matches.
  package struct Hit: Hashable, Sendable {
    /// The index of its segment among the snapshot's views.
    package let view: Int
    /// Its number in there.
    package let document: UInt32
    package let score: Float

    package init(view: Int, document: UInt32, score: Float) {
      self.view = view
      self.document = document
      self.score = score
    }
  }

  /// Best first; of the same score, the older first.
  package let hits: [Hit]
  /// How many documents match; if not exact, at least so many.
  package let count: Int
  package let countIsExact: Bool
}
