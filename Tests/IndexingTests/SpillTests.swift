// Files that are written with little in memory are those that are written with much.

import LimelightAnalysis
import LimelightIndexing
import LimelightItems
import LimelightSegments
import LimelightSnapshots
import LimelightStorage
import Testing

struct SpillTests {
  private static let options = IndexOptions(
    analyzerName: Analyzer.words.rawValue, analyzerVersion: Analyzer.words.version,
    uuid: [UInt8](repeating: 3, count: 16))

  /// Some hundred items with every kind of column, some again, some gone; then one segment of them.
  private func index(spillBound: Int) throws -> IndexWriter {
    let writer = try IndexWriter(
      .inMemory(), creating: Self.options, waiting: 0, spillBound: spillBound)
    var next = 0
    _ = try writer.load(
      threads: 1, memoryBudget: 1 << 20,
      next: {
        guard next < 1500 else { return nil }
        defer { next += 50 }
        return .items((next..<next + 50).map { item($0 % 1100, $0) }, firstPosition: next)
      }, progress: { _ in true })
    _ = try writer.delete(ids: (0..<300).map { "id/\($0 * 3)" })
    _ = try writer.put((0..<40).map { item($0, 9000 + $0) })
    try writer.merge(into: 1)
    return writer
  }

  private func item(_ number: Int, _ version: Int) -> Item {
    var item = Item(id: "id/\(number)", domain: "a.b\(version % 7)")
    item.contentType = version % 3 == 0 ? "public.note" : nil
    if version % 5 == 0 { item.expirationDate = Timestamp(microseconds: 1 << 55 + Int64(version)) }
    item.attributes = [
      .title: .text("Title \(version % 400) of \(version % 3 == 0 ? "THIS" : "this")"),
      .textContent: .text(
        (0..<120).map { "w\((version &* 7919 &+ $0 &* $0 &* 31) % 5000)" }
          .joined(separator: " ")),
      .authorNames: .texts(["Author \(version % 90)", "Zoë \(version % 11)"]),
      .rating: .number(Double(version % 50) / 4),
      .contentCreationDate: .date(Timestamp(microseconds: Int64(version) * 1_000_003)),
    ]
    return item
  }

  @Test func aMergedFileHasTheSameSections() throws {
    let whole = try index(spillBound: .max)
    let expected = whole.root.snapshot
    #expect(expected.views.count == 1 && expected.documentCount == expected.liveCount)
    for bound in [0, 700] {
      let writer = try index(spillBound: bound)
      let snapshot = writer.root.snapshot
      #expect(snapshot.documentCount == expected.documentCount)
      for kind in SectionKind.allCases {
        let isEqual = bytes(snapshot, kind) == bytes(expected, kind)
        #expect(isEqual, "\(kind) with \(bound) bytes in memory")
      }
      #expect(snapshot.views[0].segment.verify() == [])
      try writer.close()
    }
    try whole.close()
  }

  private func bytes(_ snapshot: Snapshot, _ kind: SectionKind) -> [UInt8]? {
    snapshot.views[0].segment.section(kind).map {
      Array(UnsafeRawBufferPointer(start: $0.base, count: $0.count))
    }
  }

  /// Loads whose items replace each other, within a file and over several, beside items in memory.
  @Test(arguments: [1, 2]) func theLastOfEachIDStays(threads: Int) throws {
    let writer = try IndexWriter(.inMemory(), creating: Self.options, waiting: 0)
    var newest: [String: Int] = [:]
    var version = 0
    func items(_ count: Int, _ range: Int) -> [Item] {
      (0..<count).map { _ in
        version += 1
        let item = item(version &* 7919 % range, version)
        newest[item.id] = version
        return item
      }
    }
    for round in 0..<3 {
      _ = try writer.put(items(30, 700))
      var batches = 30
      _ = try writer.load(
        threads: threads, memoryBudget: 1 << 20,
        next: {
          guard batches > 0 else { return nil }
          batches -= 1
          return .items(items(20, 200 + 250 * round), firstPosition: (29 - batches) * 20)
        }, progress: { _ in true })
      try check(writer.root, newest)
    }
    try writer.merge(into: 1)
    try check(writer.root, newest)
    try writer.close()
  }

  private func check(_ root: IndexRoot, _ newest: [String: Int]) throws {
    #expect(root.snapshot.liveCount == newest.count)
    for (id, version) in newest {
      let place = try #require(try root.find(id))
      let view = root.snapshot.views[place.view]
      let stored = try #require(try view.segment.storedItems())
      let item = try ItemCodec.decode(try stored.record(of: place.document))
        .item(registry: root.snapshot.registry)
      #expect(
        item.attributes[.contentCreationDate]
          == .date(Timestamp(microseconds: Int64(version) * 1_000_003)))
    }
  }
}
