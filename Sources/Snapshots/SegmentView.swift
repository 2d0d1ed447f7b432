// SegmentView: one segment as a snapshot shows it.
package import LimelightSegments

/// A segment with the documents of it that are live, at its place in a snapshot.
package final class SegmentView: Sendable {
  package let segment: Segment
  package let live: LiveDocs
  /// The documents of the segments before it: base + doc is a document's place in the snapshot.
  package let base: UInt64

  package init(_ segment: Segment, live: LiveDocs, base: UInt64 = 0) {
    self.segment = segment
    self.live = live
    self.base = base
  }

  /// The documents of the segment, dead ones included.
  package var documentCount: Int { live.count }
  /// The documents that were deleted or replaced.
  package var hiddenCount: Int { live.deadCount }
}
