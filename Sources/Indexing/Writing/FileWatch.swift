// Notices segment files that something else has cut short, before bytes that are gone are touched.

package import LimelightSegments
internal import LimelightSnapshots
internal import LimelightStorage

extension SegmentFiles {
  /// Throws damage if the file of a segment is shorter than it was when it was mapped.
  ///
  /// To touch what is missing would end the process, unless maps are guarded. Costs a look at each file.
  func checkSizes(_ segments: some Sequence<LiveSegment>) throws(IndexingError) {
    switch index.folder.reading {
    case .mapped: break
    case .guarded: return try checkMaps(segments)
    case .copied, .salvaged: return
    }
    for segment in segments {
      guard let file = segment.file else { continue }
      let name = FileNames.segment(file)
      // A name that is gone, because a writer has merged the segment, leaves the map as it is.
      guard let size = try? index.folder.size(of: name), size < segment.segment.byteCount else {
        continue
      }
      throw .snapshot(
        .damaged(
          name, at: size,
          "the file was cut short from \(segment.segment.byteCount) bytes to \(size)"))
    }
  }

  /// Throws damage if one of the guarded maps has lost bytes: asked when they were read, before what came
  /// of it is used.
  func checkMaps(_ segments: some Sequence<LiveSegment>) throws(IndexingError) {
    for segment in segments {
      do throws(CorruptionError) { try segment.segment.checkMap() } catch { throw .corrupt(error) }
    }
  }
}

/// When to look at the sizes of files again.
struct SizeWatch {
  /// A file that something else cuts short is noticed after at most so long.
  private static let nanoseconds: UInt64 = 1_000_000_000

  private var next: UInt64 = 0

  /// Whether the last look that found nothing is a second ago.
  var isDue: Bool { Clock.monotonicNanoseconds() >= next }

  /// Says that a look has found nothing.
  mutating func looked() { next = Clock.monotonicNanoseconds() + Self.nanoseconds }
}

extension IndexRoot {
  /// Throws damage if one of the guarded maps has lost bytes: asked when they were read, before an answer
  /// is given.
  package func checkMaps() throws(CorruptionError) {
    for view in snapshot.views { try view.segment.checkMap() }
  }

  /// The same for one of the segments.
  package func checkMap(of view: Int) throws(CorruptionError) {
    try snapshot.views[view].segment.checkMap()
  }
}
