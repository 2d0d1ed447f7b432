// Checkpoints: what is in memory becomes files, and a manifest says so.

internal import LimelightItems
internal import LimelightSegments
internal import LimelightSnapshots
internal import LimelightStorage

extension IndexWriter {
  /// Writes all that is in memory to files and publishes a manifest that names them.
  ///
  /// Puts go on meanwhile, into a new journal. Afterwards opening the index replays nothing older.
  package func checkpoint() throws(IndexingError) {
    try maintenance.withLock { () throws(IndexingError) in try writeCheckpoint() }
  }

  /// The same for whoever holds `maintenance`.
  func writeCheckpoint() throws(IndexingError) {
    try files.checkSizes(lock.withLock { state.segments })
    guard let frozen = try freezeAll() else { return }
    defer { thaw(frozen.segments) }
    let merged = try publish(frozen)
    try lock.withLock { () throws(IndexingError) in try adopt(merged) }
  }

  /// Makes the state follow what a checkpoint has written; called with `lock`.
  func adopt(_ merged: [MergedFile]) throws(IndexingError) {
    for merge in merged { _ = try state.replace(merge.inputs, by: merge.output, rows: merge.rows) }
    publish()
  }

  /// Writes what is in memory of a state and publishes a manifest that names all of it; what became of
  /// the segments in memory.
  func publish(_ frozen: Frozen) throws(IndexingError) -> [MergedFile] {
    var merged: [MergedFile] = []
    do throws(IndexingError) {
      let entries = try writeMemory(of: frozen, into: &merged)
      var manifest = Manifest(options: options)
      manifest.sequence = frozen.sequence
      manifest.journal = frozen.journal
      manifest.segments = entries
      manifest.dictionary = dictionaryLock.withLock { dictionaryFile }
      frozen.registry.encode(into: &manifest.registry)
      manifest.clientState = frozen.clientState
      manifest.thumbnails = try thumbnailFiles(of: frozen, merged.compactMap(\.output))
      // Which items are live was found out by reading these files.
      try files.checkMaps(frozen.segments.map(\.source))
      _ = try indexing { try index.publish(manifest) }
      return merged
    } catch {
      // The next attempt writes them anew: a full disk must not be filled further.
      for file in merged { discard(file) }
      throw error
    }
  }

  /// Writes what is in memory to files, a run of neighbours each; gives all segments as files.
  private func writeMemory(
    of frozen: Frozen, into merged: inout [MergedFile]
  ) throws(IndexingError) -> [Manifest.Segment] {
    var entries: [Manifest.Segment] = []
    for run in MemoryRuns(frozen.segments).runs {
      if run.isInMemory {
        let file = try mergeToFile(run.segments)
        merged.append(file)
        if let output = file.output, let number = output.file {
          entries.append(
            Manifest.Segment(
              file: number, segmentID: output.segment.segmentID, live: output.live))
        }
      } else {
        for segment in run.segments where segment.live.liveCount > 0 {
          guard let file = segment.source.file else { continue }
          entries.append(
            Manifest.Segment(
              file: file, segmentID: segment.source.segment.segmentID, live: segment.live))
        }
        for segment in run.segments where segment.live.liveCount == 0 {
          merged.append(MergedFile(inputs: [segment], rows: [[]]))
        }
      }
    }
    return entries
  }

  /// A state at the end of a journal.
  struct Frozen {
    let segments: [FrozenSegment]
    let registry: AttributeRegistry
    let clientState: [UInt8]?
    let sequence: UInt64
    let journal: UInt64

    /// A state as it is behind a record, the last one of the journal before `journal`.
    init(_ state: IndexState, sequence: UInt64, journal: UInt64) {
      segments = state.segments.map(FrozenSegment.init)
      (registry, clientState) = (state.registry, state.clientState)
      (self.sequence, self.journal) = (sequence, journal)
    }
  }

  /// Ends the journal and takes the state as it is then; nil if the manifest shows it already.
  private func freezeAll() throws(IndexingError) -> Frozen? {
    var state: Frozen?
    _ = try freeze { () throws(IndexingError) in
      state = try frozenState()
      return state?.segments
    }
    return state
  }

  /// The same for whoever holds `lock`.
  private func frozenState() throws(IndexingError) -> Frozen? {
    try check(whileClosing: true)
    let manifest = index.manifest
    let files = state.segments.map { $0.file ?? 0 }
    let hasDropped = try state.dropExpired(now: Clock.wallMicroseconds())
    if hasDropped { publish() }
    let isShown =
      !hasDropped && index.syncedSequence <= manifest.sequence
      && state.sequence == manifest.sequence
      && files == manifest.segments.map(\.file)
    guard !isShown else { return nil }
    let rotation = try indexing { try index.rotate() }
    try applyPending(through: rotation.sequence)
    return Frozen(state, sequence: rotation.sequence, journal: rotation.journal)
  }

  /// Merges segments into one file, or none if no item is live; throws `cancelled`, and leaves no file,
  /// soon after `isCancelled` says so.
  func mergeToFile(
    _ inputs: [FrozenSegment], form: MergeForm = .plain, isCancelled: () -> Bool = { false }
  ) throws(IndexingError) -> MergedFile {
    let views = inputs.map(\.view)
    let (thumbnails, references) = try writeThumbnails(inputs)
    var merged = MergedFile(inputs: inputs, rows: [], thumbnails: thumbnails)
    do throws(IndexingError) {
      let merger = try indexing {
        var merger = try SegmentMerger(
          views, sequences: inputs.map(\.source.sequence), thumbnails: references)
        if form.isReordered { try merger.reorder(isCancelled: isCancelled) }
        return merger
      }
      if isCancelled() { throw IndexingError.cancelled }
      merged.rows = merger.documentRows
      guard merger.documentCount > 0 else { return merged }
      try makeDictionary(views)
      let dictionary = knownDictionary
      let (number, file) = try indexing { try index.create(.segment) }
      do throws(IndexingError) {
        let writer = SegmentWriter(
          uuid: options.uuid, segmentID: number, dictionary: dictionary, compressesItems: true,
          compactsItems: form.isCompact, spill: files.spill())
        try indexing { try merger.write(to: writer, isCancelled: isCancelled) }
        // An image that was given up is not whole.
        if isCancelled() { throw IndexingError.cancelled }
        try files.checkMaps(inputs.map(\.source))
        merged.output = try files.write(writer.finish(), to: file, number, dictionary, options.uuid)
        return merged
      } catch {
        file.close()
        index.discard(.segment, number)
        throw error
      }
    } catch {
      discard(merged)
      throw error
    }
  }

  /// Removes the files of a merge that no manifest will name.
  func discard(_ merged: MergedFile) {
    if let file = merged.output?.file { index.discard(.segment, file) }
    if let file = merged.thumbnails { index.discard(.thumbnails, file) }
  }

  /// Writes the thumbnails of live items in memory; for each input the places of its own.
  private func writeThumbnails(
    _ inputs: [FrozenSegment]
  ) throws(IndexingError) -> (
    file: UInt64?, references: [[(document: UInt32, reference: ThumbnailReference)]]
  ) {
    var bytes: [(document: UInt32, bytes: [UInt8])] = []
    var counts: [Int] = []
    for input in inputs {
      let live = input.source.thumbnails.filter { input.live.isLive($0.key) }
        .sorted { $0.key < $1.key }
      counts.append(live.count)
      for (document, thumbnail) in live { bytes.append((document, thumbnail)) }
    }
    guard let places = try files.writeThumbnails(bytes, options.uuid) else {
      return (nil, inputs.map { _ in [] })
    }
    var start = 0
    let references = counts.map { count in
      defer { start += count }
      return Array(places.references[start..<(start + count)])
    }
    return (places.file, references)
  }

  /// Makes the dictionary of stored items once there is enough of them.
  private func makeDictionary(_ views: [SegmentView]) throws(IndexingError) {
    guard options.storesItems, knownDictionary == nil else { return }
    var sample: [UInt8] = []
    var total = 0
    let documents = views.reduce(0) { $0 + $1.segment.documentCount }
    let share = max(DictionarySample.size / max(documents, 1), 512)
    try indexing {
      for view in views {
        try view.segment.storedItems()?.forEachRecord { _, record in
          total += record.count
          guard sample.count < DictionarySample.size else { return }
          sample.append(contentsOf: record.prefix(share))
        }
      }
    }
    guard total >= DictionarySample.worthwhile else { return }
    try adoptDictionary(Array(sample.suffix(DictionarySample.size)))
  }

  private var knownDictionary: StoredDictionary? {
    dictionaryLock.withLock { () -> StoredDictionary? in dictionary }
  }

  /// Writes the dictionary and uses it from now on.
  private func adoptDictionary(_ sample: [UInt8]) throws(IndexingError) {
    try dictionaryLock.withLock { () throws(IndexingError) in
      guard dictionary == nil else { return }
      let (file, made) = try files.writeDictionary(sample, options.uuid)
      dictionary = made
      dictionaryFile = file
    }
  }

  /// The dictionary of the index, made from what builders hold if there is none yet and it is enough.
  func dictionary(orFrom items: SegmentAssembly) throws(IndexingError) -> StoredDictionary? {
    if let known = knownDictionary { return known }
    guard options.storesItems, items.storedBytes >= DictionarySample.worthwhile else {
      return nil
    }
    try adoptDictionary(items.storedSample(DictionarySample.size))
    return knownDictionary
  }

  /// The thumbnail files to which any segment of the state refers.
  private func thumbnailFiles(
    of frozen: Frozen, _ outputs: [LiveSegment]
  ) throws(IndexingError) -> [UInt64] {
    var used: Set<UInt64> = []
    let sources = frozen.segments.filter { !$0.source.isInMemory }.map(\.source) + outputs
    try indexing {
      for segment in sources {
        guard let reader = try segment.segment.thumbnails() else { continue }
        for place in 0..<reader.count {
          used.insert(UInt64(try reader.entry(place).reference.file))
        }
      }
    }
    return used.sorted()
  }
}

/// What a merge to a file has made, until a manifest names it.
struct MergedFile {
  let inputs: [FrozenSegment]
  /// Where each document of each input went.
  var rows: [[UInt32]]
  /// The N of the file with the thumbnails that were in memory.
  var thumbnails: UInt64?
  /// Nil if no item is live.
  var output: LiveSegment?
}

/// Runs of neighbours that are in memory, and runs of files.
struct MemoryRuns {
  let runs: [(isInMemory: Bool, segments: [FrozenSegment])]

  init(_ segments: [FrozenSegment]) {
    var runs: [(isInMemory: Bool, segments: [FrozenSegment])] = []
    for segment in segments {
      if let last = runs.last, last.isInMemory == segment.source.isInMemory {
        runs[runs.count - 1].segments.append(segment)
      } else {
        runs.append((segment.source.isInMemory, [segment]))
      }
    }
    self.runs = runs
  }
}
