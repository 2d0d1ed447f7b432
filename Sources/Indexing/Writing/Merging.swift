// Merges of segments of the current state: in memory by eights, files by policy, all on demand.

internal import LimelightSegments
internal import LimelightSnapshots
internal import LimelightStorage
internal import Synchronization

extension IndexWriter {
  /// Merges neighbours in memory, if there are eight of a size; true if it did.
  ///
  /// Goes on beside checkpoints and merges of files, and leaves alone what they work on.
  func mergeMemoryOnce() throws(IndexingError) -> Bool {
    try memoryMerging.withLock { () throws(IndexingError) in try mergeChosenMemory() }
  }

  /// The same for a caller who has put while many segments are in memory.
  ///
  /// One thread for maintenance falls behind many that put, and every search and every root pays for each
  /// segment. So one of the callers merges; and when segments gather all the same, since the others
  /// take the processor from it, they wait for it. What goes wrong, the background thread meets as well;
  /// the change itself is done.
  func mergeMemoryIfCrowded() {
    let loose = looseSegments.load(ordering: .relaxed)
    guard loose >= MemoryMerge.crowd else { return }
    if loose >= MemoryMerge.limit {
      memoryMerging.lock()
    } else if !memoryMerging.tryLock() {
      return
    }
    defer { memoryMerging.unlock() }
    // Somebody else may have merged them while this thread waited.
    guard looseSegments.load(ordering: .relaxed) >= MemoryMerge.crowd else { return }
    _ = try? mergeChosenMemory()
  }

  /// Called with `memoryMerging`.
  private func mergeChosenMemory() throws(IndexingError) -> Bool {
    let inputs: [FrozenSegment]? = lock.withLock {
      guard !isClosed else { return nil }
      return MemoryMerge.choose(state.segments)
    }
    guard let inputs else { return false }
    let id = takeMemoryID()
    PhaseHook.reached(.memoryMerge)
    let (output, rows) = try MemoryMerge.merge(inputs, id: id, uuid: options.uuid)
    try lock.withLock { () throws(IndexingError) in
      if try state.replace(inputs, by: output, rows: rows) { publish() }
    }
    return true
  }

  /// Chooses what to work on and keeps merges in memory from it until it is `thaw`ed.
  func freeze(
    _ choose: () throws(IndexingError) -> [FrozenSegment]?
  ) throws(IndexingError) -> [FrozenSegment]? {
    try memoryMerging.withLock { () throws(IndexingError) in
      try lock.withLock { () throws(IndexingError) in
        let chosen = try choose()
        for segment in chosen ?? [] { segment.source.isFrozen = true }
        return chosen
      }
    }
  }

  /// Gives back what `freeze` has chosen.
  func thaw(_ segments: [FrozenSegment]) {
    lock.withLock { for segment in segments { segment.source.isFrozen = false } }
  }

  /// Merges files that the policy chooses; true if it did.
  ///
  /// They reach the disk's manifest with the next checkpoint. When `isCancelled` says so, all is left as
  /// it is and the answer is no.
  func mergeFilesOnce(isCancelled: () -> Bool = { false }) throws(IndexingError) -> Bool {
    try maintenance.withLock { () throws(IndexingError) in
      let inputs = try freeze { isClosed ? nil : FileMerge.choose(state.segments) }
      guard let inputs else { return false }
      do throws(IndexingError) {
        try replaceByFile(inputs, .plain, isCancelled)
      } catch .cancelled {
        return false
      }
      return true
    }
  }

  /// Merges until at most `count` segments are left, all in files, without deleted items if it is 1.
  ///
  /// A `form` that is not plain makes one segment of all that is there now, whatever its form was; what
  /// is put meanwhile stays in segments of its own.
  ///
  /// Throws `cancelled` soon after `isCancelled` says so, and the merge at hand leaves nothing behind.
  package func merge(
    into count: Int, form: MergeForm = .plain, isCancelled: () -> Bool = { false }
  ) throws(IndexingError) {
    try maintenance.withLock { () throws(IndexingError) in
      if isCancelled() { throw .cancelled }
      try writeCheckpoint()
      if form != .plain {
        if let inputs = try freeze({ FileMerge.all(state.segments) }) {
          try replaceByFile(inputs, form, isCancelled)
        }
      } else {
        while let inputs = try freeze({ FileMerge.choose(state.segments, leaving: max(count, 1)) })
        {
          try replaceByFile(inputs, .plain, isCancelled)
        }
      }
      try writeCheckpoint()
    }
  }

  private func replaceByFile(
    _ inputs: [FrozenSegment], _ form: MergeForm, _ isCancelled: () -> Bool
  ) throws(IndexingError) {
    defer { thaw(inputs) }
    PhaseHook.reached(.fileMerge)
    try files.checkSizes(inputs.map(\.source))
    let merged = try mergeToFile(inputs, form: form, isCancelled: isCancelled)
    let isReplaced = try lock.withLock { () throws(IndexingError) in
      let isReplaced = try state.replace(merged.inputs, by: merged.output, rows: merged.rows)
      if isReplaced { publish() }
      return isReplaced
    }
    if isReplaced { discardUnnamed(inputs) } else { discard(merged) }
  }

  /// Removes the files of merged segments that no manifest names, as after a bulk load: those that one
  /// names go when the next is published.
  private func discardUnnamed(_ inputs: [FrozenSegment]) {
    let named = Set(index.manifest.segments.map(\.file))
    for input in inputs {
      if let file = input.source.file, !named.contains(file) { index.discard(.segment, file) }
    }
  }
}

/// Merges of segments in memory.
enum MemoryMerge {
  /// The smallest level of a segment in memory: a short item is one of it, eight are one of the next.
  private static let smallest = 2 << 10
  /// So many are merged at once at most.
  private static let most = 64
  /// So many in a row are more than the background thread should leave: by eights, some thirty stay.
  static let crowd = 48
  /// So many in a row are too many.
  static let limit = 128

  /// Neighbours of a size, at least eight, or nil; none that somebody else works on.
  static func choose(_ segments: [LiveSegment]) -> [FrozenSegment]? {
    var start = 0
    while start < segments.count {
      guard segments[start].isLoose else {
        start += 1
        continue
      }
      var end = start
      while end < segments.count && segments[end].isLoose { end += 1 }
      let levels = segments[start..<end].map {
        MergePolicy.level($0.segment.byteCount, smallest: smallest)
      }
      if let run = MergePolicy.run(levels, atMost: most) {
        return segments[(start + run.lowerBound)..<(start + run.upperBound)]
          .map(FrozenSegment.init)
      }
      start = end
    }
    return nil
  }

  /// Merges into one segment in memory; nil if no item is live.
  static func merge(
    _ inputs: [FrozenSegment], id: UInt64, uuid: [UInt8]
  ) throws(IndexingError) -> (output: LiveSegment?, rows: [[UInt32]]) {
    let merger = try indexing {
      try SegmentMerger(
        inputs.map(\.view), sequences: inputs.map(\.source.sequence), thumbnails: [])
    }
    let rows = merger.documentRows
    guard merger.documentCount > 0 else { return (nil, rows) }
    let writer = SegmentWriter(uuid: uuid, segmentID: id, compressesItems: false)
    try indexing { try merger.write(to: writer) }
    var thumbnails: [UInt32: [UInt8]] = [:]
    for (number, input) in inputs.enumerated() {
      for (document, bytes) in input.source.thumbnails where rows[number][Int(document)] != .max {
        thumbnails[rows[number][Int(document)]] = bytes
      }
    }
    let segment = try indexing {
      try Segment.open(
        writer.finish().mappedBytes(), name: MemorySegment.name(id), verified: true)
    }
    return (LiveSegment(segment, thumbnails: thumbnails), rows)
  }
}

/// Which files to merge.
enum FileMerge {
  private static let smallest = 1 << 20

  /// Neighbours that the policy would merge, or one segment that is mostly dead; nil if none.
  static func choose(_ segments: [LiveSegment]) -> [FrozenSegment]? {
    var start = 0
    while start < segments.count {
      guard !segments[start].isInMemory else {
        start += 1
        continue
      }
      var end = start
      while end < segments.count && !segments[end].isInMemory { end += 1 }
      let levels = segments[start..<end].map {
        MergePolicy.level($0.segment.byteCount, smallest: smallest)
      }
      if let run = MergePolicy.run(levels) {
        return segments[(start + run.lowerBound)..<(start + run.upperBound)]
          .map(FrozenSegment.init)
      }
      for segment in segments[start..<end]
      where MergePolicy.isWasteful(documents: segment.live.count, live: segment.live.liveCount) {
        return [FrozenSegment(segment)]
      }
      start = end
    }
    return nil
  }

  /// All segments; nil if there are none.
  static func all(_ segments: [LiveSegment]) -> [FrozenSegment]? {
    segments.isEmpty ? nil : segments.map(FrozenSegment.init)
  }

  /// What to merge so that at most `count` segments are left: the smallest neighbours.
  static func choose(_ segments: [LiveSegment], leaving count: Int) -> [FrozenSegment]? {
    if segments.count <= count {
      // One segment means a clean one.
      guard count == 1, let only = segments.first, only.live.deadCount > 0 || only.isInMemory else {
        return nil
      }
      return [FrozenSegment(only)]
    }
    let take = segments.count - count + 1
    var best = 0
    var least = Int.max
    for start in 0...(segments.count - take) {
      let size = segments[start..<(start + take)].reduce(0) { $0 + $1.segment.byteCount }
      if size < least {
        least = size
        best = start
      }
    }
    return segments[best..<(best + take)].map(FrozenSegment.init)
  }
}
