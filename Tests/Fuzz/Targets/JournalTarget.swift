// A journal of any bytes behind an empty index: a reader follows it, a writer recovers it.

internal import LimelightCodecs
internal import LimelightIndexing
internal import LimelightItems
internal import LimelightSearch
internal import LimelightSegments
internal import LimelightSnapshots
internal import LimelightStorage

enum JournalTarget {
  static func run(_ bytes: [UInt8]) throws {
    let seen = try? follow(bytes)
    if let seen {
      FuzzReach.note(.opened)
      FuzzReach.note(.records, Int(clamping: seen.snapshot.generation))
      FuzzReach.note(.items, seen.snapshot.liveCount)
      FuzzQueries.ask(seen.snapshot)
    } else {
      FuzzReach.note(.refused)
    }
    // A writer costs a thread and two more files: for one input in four.
    if bytes.reduce(0, { $0 &+ $1 }) & 3 == 0 { try recover(bytes, seen) }
  }

  private static func folder(_ journal: [UInt8]) throws -> Folder {
    let folder = Folder.inMemory()
    try folder.create(FileNames.manifest(1)).append(FileSeeds.emptyManifest().encode().asArray())
    try folder.create(FileNames.journal(FileSeeds.journalNumber)).append(journal)
    return folder
  }

  private static func follow(_ journal: [UInt8]) throws -> IndexRoot {
    let follower = try IndexFollower(folder(journal))
    let root = try follower.refresh()
    for id in ["r1", "p1", "p2"] { _ = try root.find(id) }
    return root
  }

  /// A writer must find what a reader saw, and leave an index that opens.
  private static func recover(_ journal: [UInt8], _ seen: IndexRoot?) throws {
    let folder = try folder(journal)
    let writer: IndexWriter
    do {
      writer = try IndexWriter(folder, creating: nil, waiting: 0)
    } catch {
      return
    }
    let found = writer.root.snapshot
    if let seen {
      try FuzzFailure.unless(
        found.liveCount == seen.snapshot.liveCount
          && found.generation == seen.snapshot.generation,
        "a reader sees \(seen.snapshot.liveCount) items, a writer \(found.liveCount)")
    }
    FuzzReach.note(.merges)
    // Merges drop what has expired: what is left is what a search finds now.
    let now = Timestamp(microseconds: Clock.wallMicroseconds())
    let known = try writer.root.find("added") != nil
    let before = try Searcher(found, now: now).count(.everything)
    let outcome = try writer.put([Item(id: "added", attributes: [.title: "added common"])])
    try FuzzFailure.unless(outcome.put == 1, "an item is refused: \(outcome.refused)")
    try writer.checkpoint()
    try writer.merge(into: 1)
    try writer.close()
    let again = try IndexFollower(folder).refresh().snapshot
    let after = try Searcher(again, now: now).count(.everything)
    try FuzzFailure.unless(
      known || after == before + 1, "\(after) items are left of \(before) and one more")
    for view in again.views {
      try FuzzFailure.unless(
        view.segment.verify().isEmpty, "a journal's items make a segment that is damaged")
    }
  }
}
