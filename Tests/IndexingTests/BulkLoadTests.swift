// Bulk loads: nothing is lost between files, and no file is left that no manifest names.

import LimelightAnalysis
import LimelightIndexing
import LimelightItems
import LimelightSnapshots
import LimelightStorage
import Testing

@Suite struct BulkLoadTests {
  private static let options = IndexOptions(
    analyzerName: Analyzer.runs.rawValue, analyzerVersion: Analyzer.runs.version)

  /// An item of about 8 KB of words that stand in few others.
  private static func item(_ number: Int) -> Item {
    let words = (0..<900).map { "w\((number &* 7919 &+ $0 &* 104_729) % 400_000)" }
    return Item(
      id: "item/\(number)", thumbnail: number % 50 == 0 ? [UInt8](repeating: 7, count: 100) : nil,
      attributes: [
        .title: .text("number\(number)"), .textContent: .text(words.joined(separator: " ")),
      ])
  }

  private static func load(_ writer: IndexWriter, _ count: Int, threads: Int) throws -> LoadOutcome
  {
    var next = 0
    return try writer.load(
      threads: threads, memoryBudget: 1 << 20,
      next: {
        guard next < count else { return nil }
        defer { next += 20 }
        return .items((next..<next + 20).map(item), firstPosition: next)
      }, progress: { _ in true })
  }

  /// The files of the folder are those of the manifest, and the lock.
  private static func expectNoFileLeft(_ folder: Folder) throws {
    let manifest = try IndexFolder.openForReading(folder).manifest
    let named = Set(manifest.files.map(\.description)).union([FileNames.lock])
    #expect(Set(try folder.list()) == named)
  }

  @Test(arguments: [1, 3]) func mergedFilesGo(threads: Int) throws {
    let folder = Folder.inMemory()
    let writer = try IndexWriter(folder, creating: Self.options, waiting: 0)
    let outcome = try Self.load(writer, 600, threads: threads)
    #expect(outcome.put == 600 && outcome.refused.isEmpty)
    let snapshot = writer.root.snapshot
    #expect(snapshot.liveCount == 600)
    // More than eight files were written and merged before any manifest named them.
    #expect(snapshot.views.count < 8)
    try Self.expectNoFileLeft(folder)
    for number in stride(from: 0, to: 600, by: 37) {
      let place = try writer.root.find("item/\(number)")
      #expect(place != nil)
    }
    // Some items again: the older ones are dead, and nothing is there twice.
    _ = try Self.load(writer, 100, threads: threads)
    #expect(writer.root.snapshot.liveCount == 600)
    try writer.merge(into: 1)
    #expect(writer.root.snapshot.documentCount == 600)
    try Self.expectNoFileLeft(folder)
    let place = try #require(try writer.root.find("item/550"))
    #expect(try writer.root.thumbnail(view: place.view, document: place.document)?.count == 100)
    try writer.close()
  }

  @Test func anUnknownAnalyserIsRefused() throws {
    let folder = Folder.inMemory()
    let options = IndexOptions(analyzerName: "runs", analyzerVersion: 99)
    #expect(throws: IndexingError.self) {
      _ = try IndexWriter(folder, creating: options, waiting: 0)
    }
    #expect(throws: IndexingError.self) { _ = try IndexFollower(folder) }
    do {
      _ = try IndexFollower(folder)
    } catch IndexingError.analyzer(let name, let version) {
      #expect(name == "runs" && version == 99)
    }
  }
}
