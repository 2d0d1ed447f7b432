// The state of an index in a process: its segments and how journal records change them.

internal import LimelightAnalysis
internal import LimelightItems
internal import LimelightSegments
internal import LimelightSnapshots
internal import LimelightStorage

/// Segments, custom attributes and client state after one journal record.
///
/// The same functions apply a record when it is made, when the journal is replayed at opening, and
/// when a reader follows a writer in another process. Guarded by the lock of its owner.
final class IndexState {
  let options: IndexOptions
  private let folder: Folder
  private(set) var segments: [LiveSegment] = []
  private(set) var registry = AttributeRegistry()
  private(set) var clientState: [UInt8]?
  /// The last record that is in here.
  private(set) var sequence: UInt64 = 0
  /// Where the items of memory segments are, so that replacing one costs one look-up.
  private var memoryItems: [String: (segment: LiveSegment, document: UInt32)] = [:]

  init(_ manifest: Manifest, segments: [LiveSegment], folder: Folder) throws(IndexingError) {
    options = manifest.options
    self.folder = folder
    self.segments = segments
    clientState = manifest.clientState
    sequence = manifest.sequence
    do throws(ItemDecodingError) {
      registry = try Self.registry(adding: manifest.registry, to: registry)
    } catch {
      throw .snapshot(
        .damaged(
          FileNames.manifest(manifest.number), at: error.offset, "\(error.what)"))
    }
  }

  private static func registry(
    adding bytes: [UInt8], to registry: AttributeRegistry
  ) throws(ItemDecodingError) -> AttributeRegistry {
    var next = registry
    var failure: ItemDecodingError?
    bytes.withUnsafeBytes { bytes in
      do throws(ItemDecodingError) { try next.append(decoding: bytes) } catch { failure = error }
    }
    if let failure { throw failure }
    return next
  }

  /// The root that shows this state.
  func root() -> IndexRoot {
    var thumbnails: [UInt64: [UInt32: [UInt8]]] = [:]
    var views: [SegmentView] = []
    views.reserveCapacity(segments.count)
    var documents: UInt64 = 0
    for segment in segments {
      views.append(segment.view(at: documents))
      documents += UInt64(segment.live.count)
      if !segment.thumbnails.isEmpty {
        thumbnails[segment.segment.segmentID] = segment.thumbnails
      }
    }
    let snapshot = Snapshot(
      views: views, generation: sequence, registry: registry, options: options,
      clientState: clientState)
    return IndexRoot(snapshot, folder: folder, thumbnails: thumbnails)
  }

  /// The memory that segments in memory take.
  var memoryBytes: Int {
    segments.reduce(0) { $0 + ($1.isInMemory ? $1.segment.byteCount : 0) }
  }

  /// How many of the newest segments are in memory and nobody works on them, counted to a limit.
  var looseCount: Int {
    var count = 0
    for segment in segments.reversed() {
      guard segment.isLoose, count < MemoryMerge.limit else { break }
      count += 1
    }
    return count
  }

  // MARK: Records

  /// Applies an operation of a record; `prepared` is the segment of a put.
  ///
  /// Returns the number of items deleted by it.
  @discardableResult
  func apply(
    _ operation: JournalOperation, prepared: PreparedPut?, record: UInt64
  ) throws(IndexingError) -> Int {
    switch operation {
    case .put:
      if let prepared {
        prepared.segment.sequence = record
        try append(prepared)
      }
      return 0
    case .delete(let ids):
      var deleted = 0
      for id in ids where try delete(id) { deleted += 1 }
      return deleted
    case .deleteAll:
      let count = segments.reduce(0) { $0 + $1.live.liveCount }
      segments = []
      memoryItems = [:]
      clientState = nil
      return count
    case .declare(let bytes):
      do throws(ItemDecodingError) {
        registry = try Self.registry(adding: bytes, to: registry)
      } catch {
        throw .snapshot(.damaged("journal", at: error.offset, "\(error.what)"))
      }
      return 0
    case .clientState(let bytes):
      clientState = bytes
      return 0
    }
  }

  /// Says that all operations of a record were applied.
  func finish(record: UInt64) { sequence = record }

  /// Adds the segment of a put; items of the same id elsewhere, or earlier in it, are gone.
  private func append(_ put: PreparedPut) throws(IndexingError) {
    for (document, id) in put.ids.enumerated() {
      _ = try delete(id)
      memoryItems[id] = (put.segment, UInt32(truncatingIfNeeded: document))
    }
    segments.append(put.segment)
  }

  /// Adds the files of a load, whose items may be in older segments too.
  ///
  /// `replaced` has, by segment, the documents that they replace in those that were looked at before. In
  /// the others their ids are compared with those of the segment in their order, which costs a fraction
  /// of looking them up one by one.
  func append(
    files: [LiveSegment], replacing replaced: [ObjectIdentifier: [UInt32]]
  ) throws(IndexingError) {
    for older in segments where older.live.liveCount > 0 {
      var documents = replaced[ObjectIdentifier(older.segment)]
      if documents == nil { documents = try LoadedFiles.replaced(by: files, in: older.segment) }
      for document in documents ?? [] { _ = older.live.delete(document) }
    }
    memoryItems = memoryItems.filter { $0.value.segment.live.isLive($0.value.document) }
    segments += files
  }

  /// What a step that can fail may change: segments, and which of their items are live.
  struct Mark {
    fileprivate let segments: [(segment: LiveSegment, live: LiveDocs)]
    fileprivate let memoryItems: [String: (segment: LiveSegment, document: UInt32)]
  }

  /// What `restore` goes back to; costs a copy of no more than tables.
  var mark: Mark { Mark(segments: segments.map { ($0, $0.live) }, memoryItems: memoryItems) }

  /// Undoes what was done to segments and live items since.
  func restore(_ mark: Mark) {
    segments = mark.segments.map(\.segment)
    for (segment, live) in mark.segments { segment.restore(live) }
    memoryItems = mark.memoryItems
  }

  /// Deletes an item; false if there is none of that id.
  private func delete(_ id: String) throws(IndexingError) -> Bool {
    if let place = memoryItems.removeValue(forKey: id) {
      return place.segment.live.delete(place.document)
    }
    for segment in segments.reversed() where !segment.isInMemory && segment.live.liveCount > 0 {
      guard let document = try indexing({ try segment.segment.ids()?.find(id) }) else { continue }
      if segment.live.isLive(document) { return segment.live.delete(document) }
    }
    return false
  }

  /// Takes expired items out of the live ones; true if there were any.
  ///
  /// Not journaled: a search hides what has expired by the clock, this only lets merges drop it.
  func dropExpired(now: Int64) throws(IndexingError) -> Bool {
    var hasDropped = false
    for segment in segments where segment.live.liveCount > 0 {
      guard let reader = try indexing({ try segment.segment.expiry() }) else { continue }
      try indexing {
        for place in 0..<(try reader.firstIndex(after: now)) {
          if segment.live.delete(try reader.entry(place).document) { hasDropped = true }
        }
      }
    }
    return hasDropped
  }

  // MARK: Merges

  /// Puts a merged segment in the place of its inputs; nil removes them.
  ///
  /// `rows` says where each document went. What was deleted from the inputs since they were frozen is
  /// deleted from the output. False, and nothing is done, if an input is no longer there.
  func replace(
    _ inputs: [FrozenSegment], by output: LiveSegment?, rows: [[UInt32]]
  ) throws(IndexingError) -> Bool {
    guard let first = segments.firstIndex(where: { $0 === inputs.first?.source }),
      first + inputs.count <= segments.count,
      inputs.indices.allSatisfy({ segments[first + $0] === inputs[$0].source })
    else { return false }
    for (input, frozen) in inputs.enumerated() {
      guard let output else { break }
      let now = frozen.source.live
      guard now.liveCount < frozen.live.liveCount else { continue }
      for (document, new) in rows[input].enumerated()
      where new != .max && !now.isLive(UInt32(truncatingIfNeeded: document)) {
        _ = output.live.delete(new)
      }
    }
    try repoint(inputs, to: output)
    if let output {
      segments.replaceSubrange(first..<(first + inputs.count), with: [output])
    } else {
      segments.removeSubrange(first..<(first + inputs.count))
    }
    return true
  }

  /// Makes the map of items in memory follow a merge.
  private func repoint(
    _ inputs: [FrozenSegment], to output: LiveSegment?
  ) throws(IndexingError) {
    guard inputs.contains(where: { $0.source.isInMemory }) else { return }
    guard let output, output.isInMemory else {
      let gone = Set(inputs.map { ObjectIdentifier($0.source) })
      memoryItems = memoryItems.filter { !gone.contains(ObjectIdentifier($0.value.segment)) }
      return
    }
    guard let ids = try indexing({ try output.segment.ids() }) else { return }
    for document in 0..<UInt32(truncatingIfNeeded: output.segment.documentCount)
    where output.live.isLive(document) {
      memoryItems[try indexing { try ids.id(of: document) }] = (output, document)
    }
  }
}

/// A put whose segment is built, ready to be applied.
struct PreparedPut {
  let segment: LiveSegment
  /// The ids of its items, in order.
  let ids: [String]
}
