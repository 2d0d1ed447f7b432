// IndexFolder: the folder of one index, and the order in which its files come and go.
internal import LimelightCodecs
package import LimelightStorage
internal import Synchronization

/// An index's files, open for one writer or for a reader.
///
/// The newest manifest names all files that count. To publish a state, the writer syncs the new
/// journal (`rotate`) and the segment files, then the folder; writes the manifest beside, syncs it,
/// renames it and syncs the folder; only then the files go that it does without. So at every moment
/// the newest manifest is whole, and so is all that it names.
///
/// A sync that fails leaves the index in doubt: every later change throws `.poisoned` until the
/// index is opened again, which writes anew what it cannot be sure of. Threads: any.
package final class IndexFolder: @unchecked Sendable {
  /// What only a writer has.
  struct Writing {
    let lock: FolderLock
    let journal: GroupCommit
  }

  package let folder: Folder
  private let writing: Writing?
  private let isClosed = Atomic<Bool>(false)
  /// Held while a manifest is published: one at a time.
  private let publishing = Lock()
  /// Guards what follows.
  private let state = Lock()
  private var current: Manifest
  private var nextFile: UInt64
  /// Files that were named once and may still be there.
  private var known: Set<FileName>

  init(
    _ folder: Folder, _ manifest: Manifest, writing: Writing? = nil, nextFile: UInt64 = 0,
    known: Set<FileName> = []
  ) {
    self.folder = folder
    self.writing = writing
    current = manifest
    self.nextFile = nextFile
    self.known = known
  }

  /// The newest manifest that this object has published or read.
  package var manifest: Manifest { state.withLock { current } }

  /// Whether a newer manifest stands in the folder; costs two looks at a name.
  package var isOutdated: Bool { manifest.isOutdated(in: folder) }

  /// Reads the newest manifest, for a reader whose own one is outdated.
  package func reload() throws(SnapshotError) -> Manifest {
    let newest = try Manifest.newest(in: folder)
    guard newest.options.uuid == manifest.options.uuid else {
      throw SnapshotError(
        .wrongIndex, file: FileNames.manifest(newest.number),
        "another index has taken the folder's place")
    }
    state.withLock { if newest.number > current.number { current = newest } }
    return newest
  }

  /// The records behind the manifest, and those to come.
  package func follow() throws(SnapshotError) -> JournalFollower {
    try JournalFollower(folder, behind: manifest)
  }

  // MARK: Writing

  /// Appends a record and returns its number; it is durable when `sync(through:)` returns.
  package func append(_ record: EncodedRecord) throws(SnapshotError) -> UInt64 {
    try journal().append(record)
  }

  /// Returns when record `sequence` and all before it are on disk.
  package func sync(through sequence: UInt64) throws(SnapshotError) {
    try journal().sync(through: sequence)
  }

  /// Returns when every record appended so far is on disk, and the number of the last of them.
  package func syncAppended() throws(SnapshotError) -> UInt64 {
    let journal = try journal()
    let sequence = journal.appendedSequence
    try journal.sync(through: sequence)
    return sequence
  }

  /// The last record appended; 0 for a reader.
  package var appendedSequence: UInt64 { writing?.journal.appendedSequence ?? 0 }

  /// The last record on disk; 0 for a reader.
  package var syncedSequence: UInt64 { writing?.journal.syncedSequence ?? 0 }

  /// Makes a file that a later manifest will name; the caller syncs it before that.
  package func create(
    _ kind: FileKind
  ) throws(SnapshotError) -> (number: UInt64, file: AppendFile) {
    _ = try journal()
    let number = takeNumber()
    let name = FileNames.name(kind, number)
    let file = try storing(name) { () throws(StorageError) in try folder.create(name) }
    return (number, file)
  }

  /// Removes a file made by `create` that no manifest will name; what stays goes at the next open.
  ///
  /// A poisoned index keeps it: a manifest that names it may have been published after all.
  package func discard(_ kind: FileKind, _ number: UInt64) {
    guard let writing, (try? writing.journal.check()) != nil else { return }
    try? folder.remove(FileNames.name(kind, number))
  }

  /// Begins a checkpoint: the journal ends behind the last record, and another goes on.
  ///
  /// The manifest of the checkpoint names that journal and that record's number, and shows the state
  /// as it was then. Does nothing but tell them while the journal is empty. Appends wait meanwhile;
  /// between this and `publish` they go on, to the new journal.
  package func rotate() throws(SnapshotError) -> (journal: UInt64, sequence: UInt64) {
    let journal = try journal()
    let rotation = try journal.rotate(to: takeNumber(), in: folder)
    state.withLock { _ = known.insert(FileName(.journal, rotation.journal)) }
    return rotation
  }

  /// Publishes a state whose files are synced, then removes the files that it does without.
  ///
  /// Sets the manifest's number, next file and synced record; the rest is the caller's. Gives the
  /// manifest as it was published. When it throws, the old manifest stands, unless the error is
  /// `.poisoned`: then either may.
  @discardableResult
  package func publish(_ manifest: Manifest) throws(SnapshotError) -> Manifest {
    let journal = try journal()
    return try publishing.withLock { () throws(SnapshotError) in
      try journal.check()
      try checkPromise(journal)
      if let state = manifest.clientState, state.count > SnapshotFormat.clientStateBytes {
        throw SnapshotError(.tooLarge, file: "", "the client state has \(state.count) bytes")
      }
      var manifest = manifest
      manifest.synced = max(journal.syncedSequence, manifest.sequence)
      state.withLock {
        manifest.number = current.number + 1
        manifest.nextFile = nextFile
      }
      try syncNames(journal)
      try write(manifest, journal)
      try syncNames(journal)
      let obsolete = state.withLock {
        current = manifest
        known.formUnion(manifest.files)
        return known.subtracting(manifest.files).filter {
          // A journal begun meanwhile is reached from the one that the manifest names.
          $0.kind != .journal || $0.number < manifest.journal
        }
      }
      PhaseHook.reached(.fileRemoval)
      let removed = remove(obsolete)
      state.withLock { known.subtract(removed) }
      return manifest
    }
  }

  /// Ends writing and gives up the lock; later changes throw.
  ///
  /// Syncs nothing: what was not acknowledged is not made durable here.
  package func close() {
    guard let writing, !isClosed.exchange(true, ordering: .acquiringAndReleasing),
      writing.lock.isHeldByThisProcess
    else { return }
    writing.journal.close()
    writing.lock.unlock()
  }

  deinit { close() }

  /// Whether this process may write here; takes no lock that a fork could have left closed.
  private func journal() throws(SnapshotError) -> GroupCommit {
    guard let writing, !isClosed.load(ordering: .acquiring) else {
      throw SnapshotError(.notWritable, file: "", "the index is not open for writing")
    }
    guard writing.lock.isHeldByThisProcess else {
      throw SnapshotError(
        .forked, file: "", "the index was opened by the process that this one was forked from")
    }
    return writing.journal
  }

  /// Where no lock keeps others from writing, notices that one has: its manifest must not be replaced.
  private func checkPromise(_ journal: GroupCommit) throws(SnapshotError) {
    guard folder.locking == .promised else { return }
    let manifest = manifest
    guard manifest.number > 0, manifest.isOutdated(in: folder) else { return }
    journal.poison(
      SnapshotError(
        .locked, file: FileNames.manifest(manifest.number + 1),
        "somebody else has written the index, which was opened by its sole writer"))
    try journal.check()
  }

  private func takeNumber() -> UInt64 {
    state.withLock {
      nextFile += 1
      return nextFile - 1
    }
  }

  /// Writes the manifest beside, syncs it, and gives it its name.
  private func write(_ manifest: Manifest, _ journal: GroupCommit) throws(SnapshotError) {
    let name = FileNames.manifest(manifest.number)
    let partial = FileNames.partialManifest(manifest.number)
    let bytes = manifest.encode()
    // What is written from does not keep the writer: it is kept to the end.
    defer { withExtendedLifetime(bytes) {} }
    do throws(StorageError) {
      PhaseHook.reached(.manifestWrite)
      let file = try folder.create(partial)
      defer { file.close() }
      try file.append(bytes.written)
      try file.sync()
      PhaseHook.reached(.manifestRename)
      try folder.rename(partial, name)
      PhaseHook.reached(.manifestPublished)
    } catch {
      let failure = SnapshotError(error, file: name)
      // A rename that fails has not happened; should it have, nobody can tell what is durable.
      if folder.exists(name) {
        journal.poison(failure)
        try journal.check()
      }
      try? folder.remove(partial)
      throw failure
    }
  }

  private func syncNames(_ journal: GroupCommit) throws(SnapshotError) {
    do throws(StorageError) {
      try folder.sync()
    } catch {
      journal.poison(SnapshotError(error, file: ""))
      try journal.check()
    }
  }

  /// Removes files and returns those that are gone; the others are tried again the next time.
  private func remove(_ files: Set<FileName>) -> Set<FileName> {
    var removed: Set<FileName> = []
    // Oldest first, and no further than the first that stays: see `Manifest.isOutdated`.
    for file in files.filter({ $0.kind == .manifest }).sorted(by: { $0.number < $1.number }) {
      guard isGone(file) else { break }
      removed.insert(file)
    }
    for file in files where file.kind != .manifest && isGone(file) { removed.insert(file) }
    return removed
  }

  private func isGone(_ file: FileName) -> Bool {
    do throws(StorageError) {
      try folder.remove(file.description)
      return true
    } catch {
      return error.kind == .notFound
    }
  }
}
