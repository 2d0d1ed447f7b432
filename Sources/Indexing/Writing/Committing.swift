// How a change becomes durable and visible: journaled, synced with others, applied in order.

internal import LimelightItems
internal import LimelightSnapshots
internal import LimelightStorage

extension IndexWriter {
  /// Journals operations, waits until they are durable, if that is asked for, and applies them.
  ///
  /// `registry` is the one with the custom attributes that they bring. Nil, and nothing is done, if
  /// `isCurrent`, asked with the lock, says that what they were worked out from has changed.
  func commit(
    _ operations: [JournalOperation], prepared: PreparedPut? = nil,
    admitting registry: AttributeRegistry? = nil, sync: ChangeSync? = nil,
    if isCurrent: () -> Bool = { true }
  ) throws(IndexingError) -> ChangeOutcome? {
    try checkProcess()
    let sync = sync ?? usualSync
    try prepare(sync)
    let record = try indexing { try EncodedRecord(operations) }
    let appended = try lock.withLock { () throws(IndexingError) -> PendingRecord? in
      try check()
      guard isCurrent() else { return nil }
      let appended = try append(record, operations, prepared)
      if let registry { admit(registry) }
      try applyAtOnce(appended, sync)
      return appended
    }
    guard let appended else { return nil }
    return try finish(appended, sync)
  }

  /// Makes sure that what a change relies on for its sync is there, before there is a change.
  func prepare(_ sync: ChangeSync) throws(IndexingError) {
    if sync == .soon { try indexing { try syncer.start() } }
  }

  /// Applies a change that does not wait for its sync, and those before it; called with `lock`.
  func applyAtOnce(_ appended: PendingRecord, _ sync: ChangeSync) throws(IndexingError) {
    guard sync != .now else { return }
    PhaseHook.reached(.journalAppended)
    if sync == .soon { syncer.note() }
    try applyPending(through: appended.sequence)
  }

  /// The outcome of a call that had nothing to do in the index as `root` shows it.
  func settleNothing(
    _ outcome: inout ChangeOutcome, _ root: IndexRoot, _ sync: ChangeSync?
  ) throws(IndexingError) {
    let generation = root.snapshot.generation
    outcome.generation = generation
    // Who waits for what he sees to be durable need not have changed anything.
    if sync ?? usualSync == .now, index.syncedSequence < generation {
      try indexing { try index.sync(through: generation) }
    }
    outcome.isDurable = index.syncedSequence >= generation
  }

  /// Returns when every change that has returned is durable, and the number of the last of them.
  package func flush() throws(IndexingError) -> UInt64 {
    try checkProcess()
    try lock.withLock { () throws(IndexingError) in try check() }
    return try indexing { try index.syncAppended() }
  }

  /// Does what the thread that syncs does when a change has waited long enough; for tests.
  package func syncNow() { syncer.syncNow() }

  /// The last change that is durable.
  package var durableGeneration: UInt64 { index.syncedSequence }

  /// Appends a record to the journal and to what waits to be applied; called with `lock`.
  func append(
    _ record: EncodedRecord, _ operations: [JournalOperation], _ prepared: PreparedPut? = nil
  ) throws(IndexingError) -> PendingRecord {
    let sequence = try indexing { try index.append(record) }
    let appended = PendingRecord(
      sequence: sequence, operations: operations, prepared: prepared, result: PendingResult())
    pending.append(appended)
    return appended
  }

  /// Waits until an appended record is durable, if it is to be, and applied.
  func finish(
    _ appended: PendingRecord, _ sync: ChangeSync
  ) throws(IndexingError) -> ChangeOutcome {
    if sync == .now { try makeDurable(appended) }
    background?.wake()
    mergeMemoryIfCrowded()
    var outcome = ChangeOutcome()
    outcome.generation = appended.sequence
    outcome.deleted = appended.result.deleted
    outcome.isDurable = sync == .now || index.syncedSequence >= appended.sequence
    return outcome
  }

  private func makeDurable(_ appended: PendingRecord) throws(IndexingError) {
    PhaseHook.reached(.journalAppended)
    do {
      try index.sync(through: appended.sequence)
    } catch {
      // Closing has made it durable and applied it, then ended the journal. That it is applied is not
      // enough: a change that did not wait for its sync may have seen to that.
      guard index.syncedSequence >= appended.sequence,
        lock.withLock({ appended.result.isApplied })
      else { throw IndexingError(error) }
    }
    PhaseHook.reached(.journalSynced)
    try lock.withLock { () throws(IndexingError) in
      try applyPending(through: index.syncedSequence)
      if !appended.result.isApplied, let failure { throw failure }
    }
  }
}
