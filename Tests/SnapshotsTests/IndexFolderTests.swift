// The folder of an index: making, opening, locking, publishing, following.
import Foundation
import LimelightSnapshots
import LimelightStorage
import Testing

struct IndexFolderTests {
  private func open(_ folder: Folder) throws -> IndexFolder {
    try IndexFolder.openForWriting(folder, creating: testOptions)
  }

  /// Appends one record and makes it durable.
  @discardableResult
  private func write(_ id: String, to index: IndexFolder) throws -> UInt64 {
    let sequence = try index.append(try put(id))
    try index.sync(through: sequence)
    return sequence
  }

  /// Publishes a state that says nothing but how far it goes.
  @discardableResult
  private func checkpoint(_ index: IndexFolder) throws -> Manifest {
    let (journal, sequence) = try index.rotate()
    var manifest = index.manifest
    (manifest.journal, manifest.sequence) = (journal, sequence)
    return try index.publish(manifest)
  }

  @Test func anIndexIsMadeWrittenAndOpenedAgain() throws {
    let folder = Folder.inMemory()
    do {
      let index = try open(folder)
      #expect(index.manifest.options == testOptions && index.manifest.sequence == 0)
      for id in ["a", "b"] { try write(id, to: index) }
      index.close()
    }
    let index = try IndexFolder.openForWriting(folder)
    let records = try drain(try index.follow())
    #expect(records.map(\.sequence) == [1, 2])
    #expect(
      records.map(\.operations) == [[.put([item("a", "text")])], [.put([item("b", "text")])]])
    #expect(try write("c", to: index) == 3)
    #expect(try checkpoint(index).sequence == 3)
    #expect(try drain(try index.follow()).isEmpty)
    index.close()
    let names = try folder.list()
    #expect(names.count == 3, "a manifest, a journal and the lock: \(names)")
    // Nothing to bring in order: opening writes nothing.
    let again = try IndexFolder.openForWriting(folder)
    #expect(try folder.list() == names)
    #expect(try write("d", to: again) == 4)
  }

  @Test func whereThereIsNoIndexItSaysSo() throws {
    let folder = Folder.inMemory()
    #expect(failure { _ = try IndexFolder.openForReading(folder) }?.kind == .noIndex)
    #expect(failure { _ = try IndexFolder.openForWriting(folder) }?.kind == .noIndex)
    #expect(failure { _ = try IndexFolder.openForWriting(folder) }?.kind == .noIndex, "unlocked")
  }

  @Test func anIndexThatLostItsManifestIsNotMadeAnew() throws {
    for name in ["segment.4", "thumbnails.2", "dictionary.1"] {
      let folder = try folder([name: [1]])
      let error = failure { _ = try open(folder) }
      #expect(error?.kind == .damaged && error?.file == name)
      #expect(folder.exists(name))
    }
    let source = Folder.inMemory()
    let index = try open(source)
    try write("a", to: index)
    let lost = try files(of: source).filter { !$0.key.hasPrefix("manifest") }
    #expect(failure { _ = try open(try SnapshotsTests.folder(lost)) }?.kind == .damaged)
  }

  @Test func oneWriterAtATime() throws {
    let folder = Folder.inMemory()
    let first = try open(folder)
    let error = failure { _ = try IndexFolder.openForWriting(folder, waiting: 20) }
    #expect(error?.kind == .locked && error?.storage?.kind == .locked && error?.file == "lock")
    first.close()
    _ = try IndexFolder.openForWriting(folder)
  }

  @Test func aClosedIndexAndAReaderRefuseToWrite() throws {
    let folder = Folder.inMemory()
    let closed = try open(folder)
    closed.close()
    let reader = try IndexFolder.openForReading(folder)
    for index in [closed, reader] {
      #expect(failure { _ = try index.append(try put("a")) }?.kind == .notWritable)
      #expect(failure { try index.sync(through: 0) }?.kind == .notWritable)
      #expect(failure { _ = try index.rotate() }?.kind == .notWritable)
      #expect(failure { _ = try index.publish(index.manifest) }?.kind == .notWritable)
      #expect(failure { _ = try index.create(.segment) }?.kind == .notWritable)
    }
  }

  @Test func aReaderTakesNoLockAndWritesNothing() throws {
    let disk = FaultDisk()
    let folder = Folder.faulty(disk)
    let writer = try open(folder)
    try write("a", to: writer)
    let changes: [FaultDisk.Operation] = [
      .create, .append, .dataSync, .folderSync, .rename, .remove, .truncate,
    ]
    let before = changes.map { disk.count(of: $0) }
    let reader = try IndexFolder.openForReading(folder)
    #expect(try drain(try reader.follow()).count == 1)
    #expect(changes.map { disk.count(of: $0) } == before)
  }

  @Test(arguments: [false, true])
  func aReaderFollowsTheWriterThroughJournalsAndManifests(_ onDisk: Bool) throws {
    var (folder, readers) = (Folder.inMemory(), nil as Folder?)
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    if onDisk {
      folder = try Folder.open(path: path, create: true)
      readers = try Folder.open(path: path, create: false)
    }
    let writer = try open(folder)
    let reader = try IndexFolder.openForReading(readers ?? folder)
    var follower = try reader.follow()
    var seen: UInt64 = 0
    var chance = Chance(4)
    var reloads = 0
    for _ in 0..<600 {
      let written = writer.syncedSequence
      switch chance.below(8) {
      case 0: _ = try writer.rotate()
      case 1: try checkpoint(writer)
      case 2...4:
        do {
          seen += UInt64(try drain(follower).count)
        } catch let error as SnapshotError {
          try #require(error.kind == .vanished && reader.isOutdated)
        }
        if reader.isOutdated {
          seen = try reader.reload().sequence
          follower = try reader.follow()
          seen += UInt64(try drain(follower).count)
          reloads += 1
        }
        #expect(seen == written && follower.sequence == written)
      default: try write("x", to: writer)
      }
    }
    #expect(reloads > 20)
  }

  @Test func aReaderBehindAVanishedJournalIsToldToTakeTheNewestManifest() throws {
    let folder = Folder.inMemory()
    let writer = try open(folder)
    let reader = try IndexFolder.openForReading(folder)
    let follower = try reader.follow()
    try write("a", to: writer)
    _ = try writer.rotate()
    try write("b", to: writer)
    try checkpoint(writer)
    // The follower holds the first journal, and the second is gone.
    #expect(try follower.next()?.sequence == 1)
    #expect(failure { _ = try follower.next() }?.kind == .vanished)
    #expect(failure { _ = try reader.follow() }?.kind == .vanished)
    #expect(reader.isOutdated)
    #expect(try reader.reload().sequence == 2)
    #expect(!reader.isOutdated)
    #expect(try drain(try reader.follow()).isEmpty)
  }

  @Test func aReaderNoticesTheWriterThatComesAfterACrash() throws {
    let disk = FaultDisk()
    let folder = Folder.faulty(disk)
    do {
      let writer = try open(folder)
      try write("a", to: writer)
      // It ends without a word: the records stay in its journal.
    }
    let reader = try IndexFolder.openForReading(folder)
    let follower = try reader.follow()
    #expect(try drain(follower).count == 1)
    #expect(!reader.isOutdated)
    let writer = try open(folder)
    try write("b", to: writer)
    #expect(try follower.next() == nil)
    #expect(reader.isOutdated)
    _ = try reader.reload()
    #expect(try drain(try reader.follow()).map(\.sequence) == [1, 2])
  }

  @Test func filesThatNothingNamesGoAndTheirNumbersAreNotUsedAgain() throws {
    let folder = Folder.inMemory()
    let writer = try open(folder)
    let (kept, keptFile) = try writer.create(.segment)
    let (lost, _) = try writer.create(.segment)
    let (thumbnails, _) = try writer.create(.thumbnails)
    try keptFile.sync()
    try write("a", to: writer)
    var manifest = writer.manifest
    (manifest.journal, manifest.sequence) = try writer.rotate()
    manifest.segments = [.init(file: kept, segmentID: kept, live: LiveDocs(count: 1))]
    manifest.thumbnails = [thumbnails]
    try writer.publish(manifest)
    #expect(folder.exists(FileNames.segment(lost)), "it may be meant for a later manifest")
    writer.close()
    _ = try folder.create("manifest.9.partial")
    _ = try folder.create("notes.txt")

    let again = try IndexFolder.openForWriting(folder)
    #expect(!folder.exists(FileNames.segment(lost)) && !folder.exists("manifest.9.partial"))
    #expect(folder.exists(FileNames.segment(kept)) && folder.exists("notes.txt"))
    #expect(try again.create(.segment).number > max(lost, thumbnails))
    var merged = again.manifest
    merged.segments = []
    try again.publish(merged)
    #expect(!folder.exists(FileNames.segment(kept)))
    #expect(folder.exists(FileNames.thumbnails(thumbnails)))
    let discarded = try again.create(.segment).number
    again.discard(.segment, discarded)
    #expect(!folder.exists(FileNames.segment(discarded)))
  }

  @Test func putsGoOnWhileACheckpointIsUnderWay() throws {
    let disk = FaultDisk(seed: 2)
    let folder = Folder.faulty(disk)
    let writer = try open(folder)
    try write("a", to: writer)
    var first = writer.manifest
    (first.journal, first.sequence) = try writer.rotate()
    try write("b", to: writer)
    // A second one overtakes it: the journal between stays until nothing needs it.
    _ = try writer.rotate()
    try write("c", to: writer)
    try writer.publish(first)
    #expect(try drain(try writer.follow()).map(\.sequence) == [2, 3])
    #expect(writer.manifest.sequence == 1 && writer.manifest.synced == 3)
    for seed: UInt64 in 0..<30 {
      let index = try IndexFolder.openForWriting(.faulty(disk.powerCut(seed: seed)))
      #expect(try drain(try index.follow()).map(\.sequence) == [2, 3])
    }
  }

  @Test func clientStateTravelsAndItsLimitHolds() throws {
    let folder = Folder.inMemory()
    let writer = try open(folder)
    var manifest = writer.manifest
    manifest.clientState = Array(repeating: 1, count: 251)
    #expect(failure { try writer.publish(manifest) }?.kind == .tooLarge)
    manifest.clientState?.removeLast()
    try writer.publish(manifest)
    #expect(try IndexFolder.openForReading(folder).manifest.clientState?.count == 250)
  }

  @Test func damageOfTheNewestManifestIsAnErrorAndNotAnOlderState() throws {
    let folder = Folder.inMemory()
    let writer = try open(folder)
    try write("a", to: writer)
    try checkpoint(writer)
    writer.close()
    var contents = try files(of: folder)
    let name = FileNames.manifest(writer.manifest.number)
    contents[name]?[60] ^= 1
    let damaged = try SnapshotsTests.folder(contents)
    for _ in 0..<2 {
      let reading = failure { _ = try IndexFolder.openForReading(damaged) }
      let writing = failure { _ = try IndexFolder.openForWriting(damaged) }
      #expect(reading?.kind == .damaged && reading?.file == name)
      #expect(writing?.kind == .damaged && writing?.file == name)
    }
    contents[name]?[60] ^= 1
    contents[name]?[8] = 9
    let newer = try SnapshotsTests.folder(contents)
    #expect(failure { _ = try IndexFolder.openForReading(newer) }?.kind == .newerFormat)
  }

  @Test func aMissingJournalIsDamage() throws {
    let folder = Folder.inMemory()
    let writer = try open(folder)
    try write("a", to: writer)
    writer.close()
    try folder.remove(FileNames.journal(writer.manifest.journal))
    let error = failure { _ = try IndexFolder.openForWriting(folder) }
    #expect(error?.kind == .damaged && error?.message == "the journal is missing")
    let reader = try IndexFolder.openForReading(folder)
    #expect(failure { _ = try reader.follow() }?.kind == .damaged)
  }
}
