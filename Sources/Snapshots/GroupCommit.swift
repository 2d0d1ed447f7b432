// GroupCommit: many callers append to the journal, one sync serves all of them.
package import LimelightStorage

/// The journal of a writer, for any number of threads.
///
/// A caller appends its record, and later waits until the record is on disk. The first who waits
/// syncs, for everything appended by then; who comes meanwhile waits for the next sync, which one of
/// them makes. So a lone put costs exactly one sync, and many at once share few.
///
/// A sync that fails poisons the journal: which of the records in doubt are on disk cannot be known,
/// so every call throws until the index is opened again. Threads: any.
package final class GroupCommit: @unchecked Sendable {
  private let lock = Lock()
  private let syncEnded = Condition()
  private var writer: JournalWriter
  private var synced: UInt64
  private var isSyncing = false
  private var failure: SnapshotError?

  /// Takes over a journal whose records so far are on disk.
  package init(_ writer: JournalWriter) {
    self.writer = writer
    synced = writer.nextSequence - 1
  }

  /// The last record on disk.
  package var syncedSequence: UInt64 { lock.withLock { synced } }

  /// The last record appended.
  package var appendedSequence: UInt64 { lock.withLock { writer.nextSequence - 1 } }

  /// Appends a record and returns its number; it is durable when `sync(through:)` returns.
  ///
  /// When it throws, the record is not in the journal and its number is free again.
  package func append(_ record: EncodedRecord) throws(SnapshotError) -> UInt64 {
    try lock.withLock { () throws(SnapshotError) in
      if let failure { throw failure }
      do throws(SnapshotError) {
        return try writer.append(record, synced: synced)
      } catch {
        if error.kind == .poisoned { failPoisoned(error) }
        throw error
      }
    }
  }

  /// Returns when record `sequence` and all before it are on disk.
  package func sync(through sequence: UInt64) throws(SnapshotError) {
    lock.lock()
    defer { lock.unlock() }
    while synced < sequence {
      if let failure { throw failure }
      if isSyncing {
        syncEnded.wait(on: lock)
      } else {
        syncOnce()
      }
    }
  }

  /// Syncs what was appended so far; called with the lock, which is open while the disk works.
  private func syncOnce() {
    isSyncing = true
    let writer = writer
    let target = writer.nextSequence - 1
    lock.unlock()
    var outcome: SnapshotError?
    do throws(SnapshotError) { try writer.sync() } catch { outcome = error }
    lock.lock()
    isSyncing = false
    if let outcome {
      failPoisoned(outcome)
    } else {
      synced = max(synced, target)
      // A record that came meanwhile will say it at no cost; without this proof the last record
      // would pass for a torn tail if it were damaged later. Nothing hangs on its being written.
      if writer.nextSequence == synced + 1 { _ = try? writer.append(.synced(), synced: synced) }
    }
    syncEnded.broadcast()
  }

  /// Ends the journal behind the last record and goes on in `journal.<number>`.
  ///
  /// Order: the new journal is synced, its name is; then the old one says where it goes on, and that
  /// is synced; only then is anything appended to the new one. A crash in between leaves a file that
  /// nothing names. Does nothing while the journal is empty. Appends wait meanwhile.
  ///
  /// Returns the journal that starts behind the last record, and that record's number.
  package func rotate(
    to number: UInt64, in folder: Folder
  ) throws(SnapshotError) -> (journal: UInt64, sequence: UInt64) {
    lock.lock()
    defer { lock.unlock() }
    while isSyncing { syncEnded.wait(on: lock) }
    if let failure { throw failure }
    let sequence = writer.nextSequence - 1
    guard !writer.isEmpty else { return (writer.header.number, sequence) }
    let new = try JournalWriter.create(
      in: folder, number: number, uuid: writer.header.uuid, firstSequence: sequence + 1)
    do throws(SnapshotError) {
      try new.sync()
      try syncNames(of: folder)
      PhaseHook.reached(.journalRotation)
      _ = try writer.append(EncodedRecord(continuesIn: number), synced: synced)
    } catch {
      new.close()
      try? folder.remove(FileNames.journal(number))
      if error.kind == .poisoned { failPoisoned(error) }
      throw error
    }
    do throws(SnapshotError) {
      try writer.sync()
    } catch {
      failPoisoned(error)
      throw failure ?? error
    }
    writer.close()
    writer = new
    synced = sequence
    syncEnded.broadcast()
    return (number, sequence)
  }

  /// Makes every later call throw, when a sync elsewhere has left the index in doubt.
  package func poison(_ error: SnapshotError) {
    lock.withLock {
      failPoisoned(error)
      syncEnded.broadcast()
    }
  }

  /// Throws when the journal is poisoned.
  package func check() throws(SnapshotError) {
    if let failure = lock.withLock({ failure }) { throw failure }
  }

  /// Closes the file; every later call throws.
  package func close() {
    lock.withLock {
      while isSyncing { syncEnded.wait(on: lock) }
      writer.close()
      failure = failure ?? SnapshotError(.notWritable, file: "", "the index was closed")
      syncEnded.broadcast()
    }
  }

  private func syncNames(of folder: Folder) throws(SnapshotError) {
    do throws(StorageError) {
      try folder.sync()
    } catch {
      let error = SnapshotError(error, file: "")
      failPoisoned(error)
      throw failure ?? error
    }
  }

  private func failPoisoned(_ error: SnapshotError) {
    guard failure == nil else { return }
    failure = SnapshotError(
      .poisoned, file: error.file,
      "what was not durable yet is in doubt until the index is opened again: " + error.message,
      storage: error.storage)
  }
}
