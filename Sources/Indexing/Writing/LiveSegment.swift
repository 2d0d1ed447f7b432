// A segment as the writer knows it: with its live items, its place on disk and what is not in it.

internal import LimelightSegments
internal import LimelightSnapshots

/// A segment of the current state.
///
/// Changed only by whoever holds the lock of the state; snapshots take copies of `live`.
final class LiveSegment {
  let segment: Segment
  var live: LiveDocs
  /// The N of its `segment.N`; nil while it is in memory only.
  let file: UInt64?
  /// The journal number of the put that brought its items; 0 where a column of the segment says so, or
  /// where they came by a bulk load.
  var sequence: UInt64
  /// Thumbnails of a segment in memory, by document; those of files stand in files of their own.
  let thumbnails: [UInt32: [UInt8]]
  /// The view of the last root; most of them are those of the root before.
  private var shown: SegmentView?
  /// Whether a checkpoint or a merge into a file works on it: merges in memory leave it alone then.
  var isFrozen = false

  init(
    _ segment: Segment, live: LiveDocs? = nil, file: UInt64? = nil, sequence: UInt64 = 0,
    thumbnails: [UInt32: [UInt8]] = [:]
  ) {
    self.segment = segment
    self.live = live ?? LiveDocs(count: segment.documentCount)
    self.file = file
    self.sequence = sequence
    self.thumbnails = thumbnails
  }

  var isInMemory: Bool { file == nil }
  /// Whether a merge in memory may take it.
  var isLoose: Bool { file == nil && !isFrozen }

  /// The segment as it is now, behind so many documents of others.
  ///
  /// A root is made for every group of changes, so what has not changed is not made anew. Documents only
  /// ever die, so equal numbers of live ones mean the same live ones.
  func view(at base: UInt64) -> SegmentView {
    if let shown, shown.base == base, shown.live.liveCount == live.liveCount { return shown }
    let view = SegmentView(segment, live: live, base: base)
    shown = view
    return view
  }

  /// Goes back to live documents of before.
  ///
  /// A view that was made since could have as many as one to come, and other ones.
  func restore(_ before: LiveDocs) {
    live = before
    shown = nil
  }

  /// Opens a segment that was just built, as the same bytes in memory.
  static func inMemory(
    _ built: BuiltSegment, name: String, sequence: UInt64 = 0
  ) throws(IndexingError) -> LiveSegment {
    let segment = try indexing {
      try Segment.open(built.image.mappedBytes(), name: name, verified: true)
    }
    var thumbnails: [UInt32: [UInt8]] = [:]
    for (document, bytes) in built.thumbnails { thumbnails[document] = bytes }
    return LiveSegment(segment, sequence: sequence, thumbnails: thumbnails)
  }
}

/// A segment with its live items as they were at one moment: what a merge reads.
struct FrozenSegment {
  let source: LiveSegment
  let live: LiveDocs

  init(_ source: LiveSegment) {
    self.source = source
    live = source.live
  }

  var view: SegmentView { SegmentView(source.segment, live: live) }
}
