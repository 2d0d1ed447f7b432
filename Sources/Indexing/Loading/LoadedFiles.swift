// The files of a load, which become part of the index all at once or not at all.

internal import LimelightSegments
internal import LimelightSnapshots
internal import LimelightStorage

/// The segment files that a load has written, in the order of the input.
///
/// They are no part of the state until the load is at its end, so nobody sees them and no manifest names
/// them. For one thread.
final class LoadedFiles {
  private(set) var segments: [LiveSegment] = []

  /// Adds files; of items with one id the last one stays live.
  func add(_ files: [LiveSegment]) throws(IndexingError) {
    for file in files {
      let older = segments
      segments.append(file)
      try indexing {
        guard let ids = try file.segment.ids() else { return }
        try ids.forEachSuperseded { _ = file.live.delete($0) }
        for other in older where other.live.liveCount > 0 {
          guard let known = try other.segment.ids() else { continue }
          try ids.forEachShared(with: known) { _, document in _ = other.live.delete(document) }
        }
      }
    }
  }

  /// The documents of a segment that files replace; they may be told more than once.
  static func replaced(
    by files: [LiveSegment], in segment: Segment
  ) throws(IndexingError) -> [UInt32] {
    var documents: [UInt32] = []
    try indexing {
      guard let known = try segment.ids() else { return }
      for file in files {
        try file.segment.ids()?.forEachShared(with: known) { _, document in
          documents.append(document)
        }
      }
    }
    return documents
  }
}

extension IndexWriter {
  /// Makes files part of the index: durable and visible in one step, or not at all.
  ///
  /// Gives the number of the journal record that stands for it. Changes wait while the manifest is
  /// written; what there is to look up is looked up before, and what is in memory written. When it throws,
  /// the state is as it was; only after `poisoned` an index that is opened again may have the files.
  func join(_ files: LoadedFiles) throws(IndexingError) -> UInt64 {
    let record = try indexing { try EncodedRecord([]) }
    return try maintenance.withLock { () throws(IndexingError) in
      try writeCheckpoint()
      // Kept to the end: a segment that goes could leave its identity to another one.
      let snapshot = root.snapshot
      defer { withExtendedLifetime(snapshot) {} }
      var replaced: [ObjectIdentifier: [UInt32]] = [:]
      for view in snapshot.views where view.live.liveCount > 0 {
        replaced[ObjectIdentifier(view.segment)] = try LoadedFiles.replaced(
          by: files.segments, in: view.segment)
      }
      return try lock.withLock { () throws(IndexingError) in
        try check()
        let sequence = try append(record, []).sequence
        let rotation = try indexing { try index.rotate() }
        try applyPending(through: rotation.sequence)
        let before = state.mark
        do throws(IndexingError) {
          try state.append(files: files.segments, replacing: replaced)
          let merged = try publish(
            Frozen(state, sequence: rotation.sequence, journal: rotation.journal))
          try adopt(merged)
        } catch {
          state.restore(before)
          throw error
        }
        return sequence
      }
    }
  }

  /// Removes the files of a load that was not joined.
  func discard(_ files: LoadedFiles) {
    for file in files.segments {
      if let reader = try? file.segment.thumbnails() {
        let thumbnails = Set(
          (0..<reader.count).compactMap { (try? reader.entry($0)).map { $0.reference.file } })
        for number in thumbnails { index.discard(.thumbnails, UInt64(number)) }
      }
      if let number = file.file { index.discard(.segment, number) }
    }
  }
}
