// A reader of an index that another process may be writing.

package import LimelightAnalysis
internal import LimelightItems
internal import LimelightSegments
package import LimelightSnapshots
package import LimelightStorage

/// Reads an index without a lock and without writing, and follows its writer.
///
/// `refresh` costs one look at the journal's file when nothing is new, and once a second a look at two
/// names; otherwise it applies the new records to segments in this process's memory, or takes the newest
/// manifest. So every change that a writer has acknowledged is seen by the next refresh. Threads: any.
package final class IndexFollower: @unchecked Sendable {
  private let forkCount = ForkCount.current
  private let lock = Lock()
  private let index: IndexFolder
  private let files: SegmentFiles
  private let pool: BuilderPool
  private var state: IndexState
  private var follower: JournalFollower
  private var segmentCount: UInt64 = 0
  private var current: IndexRoot
  private let skipsDamaged: Bool
  private var skipped: [SkippedSegment]
  private var sizes = SizeWatch()
  package let options: IndexOptions
  package let analyzer: Analyzer

  /// Opens an index for reading; there must be one.
  ///
  /// With `skipsDamaged`, segments that are damaged stay out; all others are read once then.
  package init(_ folder: Folder, skipsDamaged: Bool = false) throws(IndexingError) {
    self.skipsDamaged = skipsDamaged
    index = try indexing { try IndexFolder.openForReading(folder) }
    files = SegmentFiles(index: index)
    options = index.manifest.options
    analyzer = try Analyzer(options)
    pool = BuilderPool(analyzer: analyzer, storesItems: options.storesItems)
    (state, follower, skipped) = try Self.load(
      index, files, first: index.manifest, open: [:], skipsDamaged)
    current = state.root()
    try catchUp()
  }

  /// Loads the newest manifest, which may be at hand: files that go while they are opened mean that there
  /// is a newer one.
  private static func load(
    _ index: IndexFolder, _ files: SegmentFiles, first: Manifest? = nil, open: [UInt64: Segment],
    _ skipsDamaged: Bool
  ) throws(IndexingError) -> (IndexState, JournalFollower, [SkippedSegment]) {
    var attempts = 0
    var known = first
    while true {
      do throws(IndexingError) {
        let manifest = if let known { known } else { try indexing { try index.reload() } }
        known = nil
        let (segments, skipped) =
          skipsDamaged
          ? try files.wholeSegments(manifest, open: open)
          : (
            try files.segments(manifest, dictionary: try files.dictionary(manifest), open: open), []
          )
        let state = try IndexState(manifest, segments: segments, folder: index.folder)
        return (state, try indexing { try index.follow() }, skipped)
      } catch {
        // Files go only once a newer manifest does without them: one that is missing else is damage.
        attempts += 1
        guard error.isVanishedFile, index.isOutdated, attempts < 100 else { throw error }
      }
    }
  }

  /// The index as of the last change that was acknowledged before this call.
  ///
  /// With `inItsFiles` also in the segments of the newest manifest: files that a merge has replaced may be
  /// gone, and what is read by name, such as the thumbnails of items that are dead, with them.
  package func refresh(inItsFiles: Bool = false) throws(IndexingError) -> IndexRoot {
    guard ForkCount.current == forkCount else {
      throw .snapshot(
        SnapshotError(
          .forked, file: "", "the index was opened by the process that this one was forked from"))
    }
    return try lock.withLock { () throws(IndexingError) in
      // Once a second names and sizes are looked at in any case: files that a merge has replaced are to
      // go, and a file that something else has cut short is to be noticed.
      let isDue = sizes.isDue
      if !isDue, !inItsFiles, follower.isAtRest { return current }
      try catchUp()
      if isDue {
        // To touch what is missing would end the process; guarded maps are looked at behind each answer.
        if index.folder.reading == .mapped { try files.checkSizes(state.segments) }
        sizes.looked()
      }
      return current
    }
  }

  /// The segments that are left out as of now; none unless damaged ones may be.
  package func skippedSegments() throws(IndexingError) -> [SkippedSegment] {
    _ = try refresh()
    return lock.withLock { skipped }
  }

  /// Applies what is new and makes `current` show it; called with the lock.
  private func catchUp() throws(IndexingError) {
    var isNew = false
    while true {
      do throws(IndexingError) {
        var look = follower.look()
        if index.isOutdated {
          var open: [UInt64: Segment] = [:]
          for segment in state.segments {
            if let file = segment.file { open[file] = segment.segment }
          }
          (state, follower, skipped) = try Self.load(index, files, open: open, skipsDamaged)
          look = follower.look()
          isNew = true
        }
        var replay = Replay(state, pool, segmentCount: segmentCount)
        defer { segmentCount = replay.segmentCount }
        if try replay.catchUp(follower) { isNew = true }
        try mergeMemory()
        follower.settle(since: look)
        if isNew { current = state.root() }
        return
      } catch {
        guard error.isVanishedFile, index.isOutdated else { throw error }
      }
    }
  }

  /// Merges by eights what following has left in memory.
  private func mergeMemory() throws(IndexingError) {
    while let inputs = MemoryMerge.choose(state.segments) {
      segmentCount += 1
      let (output, rows) = try MemoryMerge.merge(
        inputs, id: MemorySegment.id(segmentCount), uuid: options.uuid)
      _ = try state.replace(inputs, by: output, rows: rows)
    }
  }
}

extension IndexingError {
  /// Whether a file was not there, as happens when a newer manifest does without it.
  fileprivate var isVanishedFile: Bool {
    switch self {
    case .snapshot(let error): error.kind == .vanished || error.storage?.kind == .notFound
    case .storage(let error): error.kind == .notFound
    case .corrupt, .segment, .analyzer, .cancelled: false
    }
  }
}
