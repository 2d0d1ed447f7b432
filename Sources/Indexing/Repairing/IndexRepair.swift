// Finds out what of a damaged index is whole, and puts it together as another one.

internal import LimelightCodecs
internal import LimelightItems
internal import LimelightSegments
internal import LimelightSnapshots
package import LimelightStorage

/// One repair of the index in a folder, in which nothing is changed.
///
/// `examine` reads everything; `write` makes an index of what is whole in another folder, which has
/// to be empty. The folder's lock is held meanwhile, so that no writer is at work. For one thread.
package final class IndexRepair {
  private let folder: Folder
  private let isCancelled: () -> Bool
  private let lock: FolderLock?
  private let found: SalvagedManifest
  private let dictionary: StoredDictionary?
  private var segments: [ExaminedSegment] = []
  /// What was found; after `write`, what was done.
  package private(set) var outcome = RepairOutcome()

  private var manifest: Manifest { found.manifest }

  /// Begins with the manifest and the dictionary of an index.
  ///
  /// With `writesNothing` a folder that cannot be locked for want of permission, or that no writer has
  /// ever locked, is read all the same.
  package init(
    _ folder: Folder, writesNothing: Bool, isCancelled: @escaping () -> Bool = { false }
  ) throws(IndexingError) {
    self.folder = folder
    self.isCancelled = isCancelled
    // Looked at first: what is no index gets no lock file.
    _ = try indexing { try SalvagedManifest.newest(in: folder) }
    lock = try Self.lock(folder, writesNothing: writesNothing)
    do throws(IndexingError) {
      found = try indexing { try SalvagedManifest.newest(in: folder) }
      outcome.damages = found.damages.map { Damage($0) }
      var damage: Damage?
      dictionary = try Self.dictionary(found.manifest, in: folder, &damage)
      if let damage { outcome.damages.append(damage) }
    } catch {
      lock?.unlock()
      throw error
    }
  }

  deinit { lock?.unlock() }

  private static func lock(
    _ folder: Folder, writesNothing: Bool
  ) throws(IndexingError) -> FolderLock? {
    if writesNothing, !folder.exists(FileNames.lock) { return nil }
    do throws(StorageError) {
      return try folder.lock(FileNames.lock, waiting: 0)
    } catch {
      guard writesNothing, error.kind == .permission || error.kind == .readOnly else {
        throw .storage(error)
      }
      return nil
    }
  }

  private static func dictionary(
    _ manifest: Manifest, in folder: Folder, _ damage: inout Damage?
  ) throws(IndexingError) -> StoredDictionary? {
    guard let number = manifest.dictionary else { return nil }
    let name = FileNames.dictionary(number)
    do {
      let file = try named(name) { () throws(StorageError) in try folder.read(name) }
      let frame = SideFile(.dictionary, number, uuid: manifest.options.uuid)
      let salvaged = try frame.salvagedDictionary(in: file)
      damage = salvaged.damage.map { Damage($0) }
      return StoredDictionary(salvaged.bytes)
    } catch {
      let error = IndexingError(error)
      if error.isOfAnotherVersion { throw error }
      damage = Damage(error, file: name)
      return nil
    }
  }

  // MARK: Examining

  /// Reads every byte of the segments, and all that stands in the journals.
  ///
  /// The outcome then says what a repair would lose.
  package func examine() throws(IndexingError) {
    for entry in manifest.segments {
      let examiner = SegmentExaminer(
        folder: folder, dictionary: dictionary, options: manifest.options,
        isCancelled: isCancelled)
      let segment = try examiner.examine(entry)
      segments.append(segment)
      for damage in segment.damages where !outcome.damages.contains(damage) {
        outcome.damages.append(damage)
      }
    }
    var salvage = salvage()
    while salvage.next() != nil { try checkCancelled() }
    salvage.add(to: &outcome)
    var changes = try changes()
    while try changes.next(&outcome) != nil { try checkCancelled() }
    changes.add(to: &outcome)
  }

  private func checkCancelled() throws(IndexingError) {
    if isCancelled() { throw .cancelled }
  }

  private func salvage() -> ItemSalvage {
    ItemSalvage(segments.filter { !$0.isWhole }, manifest.options, folder: folder)
  }

  private func changes() throws(IndexingError) -> ChangeSalvage {
    try ChangeSalvage(folder, manifest)
  }

  // MARK: Writing

  /// Makes an index of all that is whole in an empty folder, and reads it once more.
  package func write(to target: Folder) throws(IndexingError) {
    let damages = outcome.damages
    outcome = RepairOutcome()
    outcome.damages = damages
    try indexing { try copy(to: target) }
    let writer = try IndexWriter(target, creating: nil, waiting: 0)
    do throws(IndexingError) {
      try rescue(into: writer)
      try replay(into: writer)
    } catch {
      try? writer.close()
      throw error
    }
    try writer.close()
    try check(target)
  }

  /// Writes what can be taken over as it is, and a manifest that names it.
  private func copy(to target: Folder) throws {
    var copy = Manifest(options: manifest.options)
    copy.number = found.highestNumber + 1
    copy.nextFile = found.nextFile + 1
    copy.journal = found.nextFile
    copy.registry = manifest.registry
    copy.clientState = manifest.clientState
    copy.revisions = manifest.revisions
    // Numbers of changes that were lost are not used again.
    let journal = try JournalSalvage(folder, behind: manifest)
    while try journal.next() != nil {}
    copy.sequence = max(journal.sequence, manifest.synced)
    copy.synced = copy.sequence
    let writer = FolderWriter(target)
    for segment in segments where segment.isWhole {
      try checkCancelled()
      try writer.write(try segment.bytes ?? folder.map(segment.file), to: segment.file)
      copy.segments.append(segment.entry)
      copy.thumbnails = Array(Set(copy.thumbnails).union(segment.thumbnails)).sorted()
    }
    for number in copy.thumbnails {
      let name = FileNames.thumbnails(number)
      try writer.write(try folder.map(name), to: name)
    }
    if let number = manifest.dictionary, let dictionary {
      let frame = SideFile(.dictionary, number, uuid: manifest.options.uuid)
      let bytes = frame.header(of: dictionary.bytes) + dictionary.bytes
      try writer.write(bytes, to: FileNames.dictionary(number))
      copy.dictionary = number
    }
    let empty = try JournalWriter.create(
      in: target, number: copy.journal, uuid: copy.options.uuid,
      firstSequence: copy.sequence + 1)
    defer { empty.close() }
    try empty.sync()
    try writer.write(copy.encode().asArray(), to: FileNames.manifest(copy.number))
    try target.sync()
  }

  /// Loads the items of damaged segments.
  private func rescue(into writer: IndexWriter) throws(IndexingError) {
    var salvage = salvage()
    let registry = writer.root.snapshot.registry
    var count = 0
    let loaded = try indexing {
      try writer.load(
        threads: 1, memoryBudget: 64 << 20, isCancelled: { false },
        next: {
          try checkCancelled()
          var batch: [Item] = []
          while batch.count < 256, let item = salvage.next() {
            batch.append(item.item(registry: registry))
          }
          defer { count += batch.count }
          return batch.isEmpty ? nil : .items(batch, firstPosition: count)
        }, progress: { _ in true })
    }
    salvage.add(to: &outcome)
    outcome.rescued = loaded.put
    for refused in loaded.refused {
      if let id = refused.id { outcome.lost.insert(id) }
    }
  }

  /// Applies what the journals hold.
  private func replay(into writer: IndexWriter) throws(IndexingError) {
    var changes = try changes()
    while let change = try changes.next(&outcome) {
      try checkCancelled()
      switch change {
      case .put(let items):
        for refused in try writer.put(items).refused { outcome.lost.insert(refused.id) }
      case .delete(let ids): _ = try writer.delete(ids: ids)
      case .deleteAll: _ = try writer.deleteAll()
      case .clientState(let bytes): _ = try writer.setClientState(bytes)
      case .declare(let attribute):
        _ = try writer.declare(
          attribute.name, kind: attribute.kind, searchClass: attribute.searchClass)
      }
    }
    changes.add(to: &outcome)
  }

  /// Reads the new index: a repair that is damaged itself is none.
  private func check(_ target: Folder) throws(IndexingError) {
    let root = try IndexFollower(target).refresh()
    for view in root.snapshot.views {
      if let error = view.segment.verify(isCancelled: isCancelled).first { throw .corrupt(error) }
      try checkCancelled()
    }
  }
}

/// Writes whole files into a folder, each synced.
private struct FolderWriter {
  private let folder: Folder

  init(_ folder: Folder) { self.folder = folder }

  func write(_ bytes: MappedBytes, to name: String) throws(StorageError) {
    try bytes.withBytes { (bytes) throws(StorageError) in try write(bytes, to: name) }
  }

  func write(_ bytes: [UInt8], to name: String) throws(StorageError) {
    let file = try folder.create(name)
    defer { file.close() }
    try file.append(bytes)
    try file.sync()
  }

  private func write(_ bytes: UnsafeRawBufferPointer, to name: String) throws(StorageError) {
    let file = try folder.create(name)
    defer { file.close() }
    try file.append(bytes)
    try file.sync()
  }
}
