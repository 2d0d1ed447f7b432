// The one writer of an index: changes go through the journal, then become visible.

package import LimelightAnalysis
package import LimelightItems
internal import LimelightSegments
package import LimelightSnapshots
package import LimelightStorage
internal import Synchronization

/// Changes an index: puts, deletes, commits and merges.
///
/// A change is checked and analysed in the caller's thread, appended to the journal, made durable by a
/// sync that all waiting callers share, applied in the journal's order, and published as a new root; then
/// the call returns. One that does not wait for the sync is applied at once, with all that stand before
/// it. A background thread merges small segments and writes checkpoints. Threads: any.
package final class IndexWriter: @unchecked Sendable {
  let index: IndexFolder
  let files: SegmentFiles
  let pool: BuilderPool
  package let options: IndexOptions
  package let analyzer: Analyzer

  private let forkCount = ForkCount.current
  /// Held by whoever merges or writes a checkpoint; taken before `lock`.
  let maintenance = Lock()
  /// Held by whoever merges in memory; taken before `lock` and behind `maintenance`.
  let memoryMerging = Lock()
  /// Guards everything below.
  let lock = Lock()
  var state: IndexState
  var pending: [PendingRecord] = []
  /// The registry with the attributes of records that are appended but not applied yet; set with both
  /// `lock` and `rootLock`, read with either.
  private(set) var admitted: AttributeRegistry
  /// Why nothing can be changed any more.
  var failure: IndexingError?
  private let memorySegments = Atomic<UInt64>(0)
  /// How many segments in memory wait to be merged, as of the last root.
  let looseSegments = Atomic<Int>(0)
  /// Set when closing begins: no change does any more, those that wait are made durable.
  var isClosing = false
  var isClosed = false
  private var sizes = SizeWatch()
  /// Guards the dictionary of stored items, which is made once.
  let dictionaryLock = Lock()
  var dictionary: StoredDictionary?
  var dictionaryFile: UInt64?
  /// Guards the root alone, so that a search never waits for a change.
  private let rootLock = Lock()
  private var current: IndexRoot
  /// The address of `current`, which stands for it while anybody holds it.
  private let currentAddress = Atomic<UInt>(0)
  var background: Background?
  /// When changes are synced that do not say so themselves.
  let usualSync: ChangeSync
  let syncer: JournalSyncer

  /// A record in the journal that is not applied yet.
  struct PendingRecord {
    let sequence: UInt64
    let operations: [JournalOperation]
    let prepared: PreparedPut?
    let result: PendingResult
  }

  /// Where whoever applies a record leaves its result for the caller that waits.
  final class PendingResult {
    var deleted = 0
    var isApplied = false
  }

  /// Opens an index for writing, or makes one of these options where there is none.
  ///
  /// Replays the journal: afterwards everything that was ever acknowledged is there. `sync` holds for
  /// changes that do not say when to sync; those of `.soon` are synced after `syncDelay` milliseconds.
  /// `spillBound` is how much of each section of a file that is being written stays in memory.
  package init(
    _ folder: Folder, creating options: IndexOptions?, waiting milliseconds: Int,
    sync: ChangeSync = .now, syncDelay: Int? = nil, spillBound: Int = SpillFile.standardBound
  ) throws(IndexingError) {
    let index = try indexing {
      try IndexFolder.openForWriting(folder, creating: options, waiting: milliseconds)
    }
    self.index = index
    usualSync = sync
    syncer = JournalSyncer(
      index, delayMilliseconds: syncDelay ?? JournalSyncer.delayMilliseconds)
    files = SegmentFiles(index: index, spillBound: spillBound)
    let manifest = index.manifest
    self.options = manifest.options
    analyzer = try Analyzer(manifest.options)
    pool = BuilderPool(analyzer: analyzer, storesItems: manifest.options.storesItems)
    do throws(IndexingError) {
      dictionary = try files.dictionary(manifest)
      dictionaryFile = manifest.dictionary
      state = try IndexState(
        manifest, segments: try files.segments(manifest, dictionary: dictionary), folder: folder)
      let follower = try indexing { try index.follow() }
      var replay = Replay(state, pool)
      PhaseHook.reached(.replay)
      _ = try replay.catchUp(follower)
      memorySegments.store(replay.segmentCount, ordering: .relaxed)
    } catch {
      index.close()
      throw error
    }
    admitted = state.registry
    current = state.root()
    currentAddress.store(Self.address(current), ordering: .releasing)
    background = try indexing { try Background(self) }
  }

  deinit {
    // In a forked child there is no thread to stop, and its lock may have been held.
    if ForkCount.current == forkCount {
      background?.stop()
      syncer.stop()
    }
    index.close()
  }

  /// The index as it is now.
  package var root: IndexRoot {
    rootLock.lock()
    defer { rootLock.unlock() }
    return current
  }

  /// Whether a root that the caller holds is the index as it is now.
  package func isNewest(_ root: IndexRoot) -> Bool {
    currentAddress.load(ordering: .acquiring) == Self.address(root)
  }

  private static func address(_ root: IndexRoot) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(root).toOpaque())
  }

  /// Swaps in a root that shows the state; called with `lock`.
  func publish() {
    let root = state.root()
    looseSegments.store(state.looseCount, ordering: .relaxed)
    // What the old root alone held goes behind the lock for which searches wait.
    let old = rootLock.withLock {
      let old = current
      current = root
      currentAddress.store(Self.address(root), ordering: .releasing)
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// All custom attributes that the journal knows.
  var admittedRegistry: AttributeRegistry { rootLock.withLock { admitted } }

  /// Adds what a record that was appended brings; called with `lock`.
  func admit(_ registry: AttributeRegistry) {
    guard registry.custom.count > admitted.custom.count else { return }
    rootLock.withLock { admitted = registry }
  }

  /// A name and id for a segment in memory; called with `lock` or not.
  func takeMemoryID() -> UInt64 {
    MemorySegment.id(memorySegments.wrappingAdd(1, ordering: .relaxed).newValue)
  }

  // MARK: Changes

  /// Adds items, each replacing the one of its id.
  ///
  /// A bad item is refused by itself; the others are taken, together or not at all.
  package func put(
    _ batch: [Item], sync: ChangeSync? = nil
  ) throws(IndexingError) -> ChangeOutcome {
    try checkProcess()
    while true {
      let known = admittedRegistry
      let checked = CheckedBatch(batch, registry: known)
      var outcome = ChangeOutcome()
      outcome.refused = checked.refused
      outcome.madeIDs = checked.madeIDs
      outcome.put = checked.items.count
      guard !checked.items.isEmpty else {
        try settleNothing(&outcome, root, sync)
        return outcome
      }
      try checkSize(checked)
      try probe(checked.items.lazy.map(\.id))
      let prepared = try prepare(checked)
      var operations: [JournalOperation] = []
      if checked.registry.custom.count > known.custom.count {
        var bytes: [UInt8] = []
        checked.registry.encode(from: known.custom.count, into: &bytes)
        operations.append(.declare(bytes))
      }
      operations.append(.put(checked.items))
      // Another put may have brought custom attributes meanwhile: then numbers are taken, check anew.
      let isNew = checked.registry.custom.count > known.custom.count
      let done = try commit(
        operations, prepared: prepared, admitting: checked.registry, sync: sync
      ) {
        !isNew || admitted.custom.count == known.custom.count
      }
      guard let done else { continue }
      outcome.generation = done.generation
      outcome.isDurable = done.isDurable
      return outcome
    }
  }

  /// Refuses a batch that no journal record can hold.
  private func checkSize(_ checked: CheckedBatch) throws(IndexingError) {
    var bytes = 0
    for item in checked.items {
      bytes += item.thumbnail?.count ?? 0
      for (_, value) in item.values { bytes += value.byteCount }
    }
    guard bytes <= SnapshotFormat.recordBytes / 2 else {
      throw .snapshot(
        SnapshotError(
          .tooLarge, file: "",
          "a batch of \(bytes) bytes is more than one change can hold: put it in parts"))
    }
  }

  /// Looks items up in files before a change of them is journaled: damage that would keep the change from
  /// being applied must not get into the journal.
  func probe(_ ids: some Sequence<String>) throws(IndexingError) {
    let views = root.snapshot.views.filter { $0.segment.segmentID & MemorySegment.bit == 0 }
    guard !views.isEmpty else { return }
    let due: [LiveSegment] = lock.withLock { sizes.isDue ? state.segments : [] }
    if !due.isEmpty {
      try files.checkSizes(due)
      lock.withLock { sizes.looked() }
    }
    try indexing {
      for id in ids {
        for view in views { _ = try view.segment.ids()?.find(id) }
      }
      for view in views { try view.segment.checkMap() }
    }
  }

  /// Throws in a process that was forked from the one that opened the index.
  package func checkProcess() throws(IndexingError) {
    guard ForkCount.current == forkCount else {
      throw .snapshot(
        SnapshotError(
          .forked, file: "", "the index was opened by the process that this one was forked from"))
    }
  }

  private func prepare(_ checked: CheckedBatch) throws(IndexingError) -> PreparedPut {
    let builder = pool.take()
    defer { pool.giveBack(builder) }
    for item in checked.items { builder.add(item, registry: checked.registry) }
    let id = takeMemoryID()
    let built = builder.finish(uuid: options.uuid, segmentID: id, compressesItems: false)
    let segment = try LiveSegment.inMemory(built, name: MemorySegment.name(id))
    return PreparedPut(segment: segment, ids: checked.items.map(\.id))
  }

  /// Deletes items by id; ids that are not there are passed over.
  package func delete(
    ids: [String], sync: ChangeSync? = nil
  ) throws(IndexingError) -> ChangeOutcome {
    try checkProcess()
    try probe(ids)
    return try change(.delete(ids: ids), sync)
  }

  /// Deletes everything, the client state included.
  package func deleteAll(sync: ChangeSync? = nil) throws(IndexingError) -> ChangeOutcome {
    try change(.deleteAll, sync)
  }

  /// Replaces the host's own state of at most 250 bytes.
  package func setClientState(
    _ bytes: [UInt8]?, sync: ChangeSync? = nil
  ) throws(IndexingError) -> ChangeOutcome {
    try change(.clientState(bytes), sync)
  }

  /// Fixes kind and search class of a custom attribute before its first value.
  package func declare(
    _ name: String, kind: AttributeKind, searchClass: SearchClass?
  ) throws(IndexingError) -> ItemError? {
    while true {
      let known = admittedRegistry
      var registry = known
      do throws(ItemError) {
        try registry.declare(name, kind: kind, searchClass: searchClass)
      } catch {
        return error
      }
      guard registry.custom.count > known.custom.count else { return nil }
      var bytes: [UInt8] = []
      registry.encode(from: known.custom.count, into: &bytes)
      let done = try commit([.declare(bytes)], admitting: registry) {
        admitted.custom.count == known.custom.count
      }
      if done != nil { return nil }
    }
  }

  private func change(
    _ operation: JournalOperation, _ sync: ChangeSync?
  ) throws(IndexingError) -> ChangeOutcome {
    try commit([operation], sync: sync) ?? ChangeOutcome()
  }

  /// Throws if the index was closed or cannot be changed any more; called with `lock`.
  ///
  /// Only the last checkpoint goes on while the index is being closed.
  func check(whileClosing: Bool = false) throws(IndexingError) {
    if let failure { throw failure }
    if isClosed || isClosing && !whileClosing {
      throw .snapshot(SnapshotError(.notWritable, file: "", "the index was closed"))
    }
  }

  /// Applies records in the journal's order and publishes what they make; called with `lock`.
  func applyPending(through sequence: UInt64) throws(IndexingError) {
    if let failure { throw failure }
    var applied = 0
    defer { pending.removeFirst(applied) }
    while applied < pending.count, pending[applied].sequence <= sequence {
      let record = pending[applied]
      do throws(IndexingError) {
        for operation in record.operations {
          record.result.deleted += try state.apply(
            operation, prepared: record.prepared, record: record.sequence)
        }
        try files.checkMaps(state.segments)
      } catch {
        // The journal has the record, the state in memory only a part of it: opening anew mends that.
        failure = error
        throw error
      }
      state.finish(record: record.sequence)
      record.result.isApplied = true
      applied += 1
    }
    if applied > 0 { publish() }
  }
}

/// Names and ids of segments that are in memory only.
enum MemorySegment {
  /// Files count up from 1; the top bit keeps the two kinds apart.
  static let bit: UInt64 = 1 << 63

  static func id(_ number: UInt64) -> UInt64 { number | bit }

  static func name(_ id: UInt64) -> String { "memory.\(id & ~bit)" }
}

extension Analyzer {
  /// The analyser with which an index was made.
  init(_ options: IndexOptions) throws(IndexingError) {
    guard let analyzer = Analyzer(rawValue: options.analyzerName),
      analyzer.version == options.analyzerVersion
    else { throw .analyzer(name: options.analyzerName, version: options.analyzerVersion) }
    self = analyzer
  }
}
