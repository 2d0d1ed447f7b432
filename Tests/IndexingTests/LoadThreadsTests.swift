// Several threads make the files of a load that one thread makes, byte for byte.

import LimelightAnalysis
import LimelightIndexing
import LimelightItems
import LimelightSegments
import LimelightSnapshots
import LimelightStorage
import Testing

@Suite struct LoadThreadsTests {
  private static func options(storesItems: Bool = true) -> IndexOptions {
    IndexOptions(
      analyzerName: Analyzer.words.rawValue, analyzerVersion: Analyzer.words.version,
      storesItems: storesItems, uuid: [UInt8](repeating: 5, count: 16))
  }

  /// Items with fields, columns of every kind, dates of expiry and thumbnails; some come twice.
  private static func item(_ number: Int) -> Item {
    var item = Item(id: "id/\(number * 7919 % 2600)", domain: "a.b\(number % 7)")
    item.contentType = number % 3 == 0 ? "public.note" : nil
    if number % 5 == 0 {
      item.expirationDate = Timestamp(microseconds: 1 << 55 + Int64(number * 31 % 997))
    }
    if number % 40 == 0 { item.thumbnail = [UInt8](repeating: UInt8(number % 251), count: 90) }
    item.attributes = [
      .title: .text("Title \(number % 400) of \(number % 3 == 0 ? "THIS" : "this")"),
      .textContent: .text(
        (0..<90).map { "w\((number &* 7919 &+ $0 &* $0 &* 31) % 5000) common\($0 % 3)" }
          .joined(separator: " ")),
      .keywords: .texts(number % 4 == 0 ? ["w\(number % 50)", "common1", "rare \(number)"] : []),
      .authorNames: .texts(["Author \(number % 90)", "Zoë \(number % 11)"]),
      .rating: .number(Double(number % 50) / 4),
      .contentCreationDate: .date(Timestamp(microseconds: Int64(number) * 1_000_003)),
    ]
    if number % 9 == 0 {
      item.attributes[Attribute("own\(number % 2)")] = .text("value \(number % 13)")
    }
    return item
  }

  private static func load(
    _ count: Int, threads: Int, storesItems: Bool = true, spillBound: Int = 1 << 20
  ) throws -> IndexWriter {
    let writer = try IndexWriter(
      .inMemory(), creating: options(storesItems: storesItems), waiting: 0, spillBound: spillBound)
    // Threads must not fight for the numbers of attributes: those of one thread are in its order.
    for name in ["own0", "own1"] {
      #expect(try writer.declare(name, kind: .text, searchClass: .standard) == nil)
    }
    var next = 0
    let outcome = try writer.load(
      threads: threads, memoryBudget: 24 << 20,
      next: {
        guard next < count else { return nil }
        defer { next += 23 }
        return .items((next..<min(next + 23, count)).map(item), firstPosition: next)
      }, progress: { _ in true })
    #expect(outcome.put == count && outcome.refused.isEmpty)
    return writer
  }

  private static func sections(_ writer: IndexWriter) throws -> [SectionKind: [UInt8]] {
    let views = writer.root.snapshot.views
    try #require(views.count == 1)
    #expect(views[0].segment.verify() == [])
    var sections: [SectionKind: [UInt8]] = [:]
    for kind in SectionKind.allCases where kind != .checksums && kind != .thumbnails {
      sections[kind] = views[0].segment.section(kind).map {
        Array(UnsafeRawBufferPointer(start: $0.base, count: $0.count))
      }
    }
    return sections
  }

  @Test(arguments: [2, 3, 5]) func theSectionsAreTheSame(threads: Int) throws {
    let alone = try Self.load(3000, threads: 1)
    let expected = try Self.sections(alone)
    #expect(expected[.postings]?.isEmpty == false && expected[.bitSets]?.isEmpty == false)
    #expect(expected[.columns]?.isEmpty == false && expected[.stored]?.isEmpty == false)
    for spillBound in [1 << 20, 500] {
      let together = try Self.load(3000, threads: threads, spillBound: spillBound)
      let sections = try Self.sections(together)
      #expect(Set(sections.keys) == Set(expected.keys))
      for (kind, bytes) in expected {
        let isEqual = sections[kind] == bytes
        #expect(isEqual, "\(kind) by \(threads) threads with \(spillBound) bytes in memory")
      }
      for number in stride(from: 0, to: 2600, by: 40) {
        let id = Self.item(number).id
        let (one, other) = (try alone.root.find(id), try together.root.find(id))
        #expect(one?.document == other?.document)
        guard let document = one?.document else { continue }
        #expect(
          try alone.root.thumbnail(view: 0, document: document)
            == together.root.thumbnail(view: 0, document: document))
      }
      try together.close()
    }
    try alone.close()
  }

  /// Fewer items than threads, one item, and none.
  @Test(arguments: [0, 1, 2, 30]) func fewItemsAreEnough(count: Int) throws {
    let alone = try Self.load(count, threads: 1, storesItems: false)
    let together = try Self.load(count, threads: 4, storesItems: false)
    #expect(together.root.snapshot.liveCount == count)
    if count > 0 {
      let isEqual = try Self.sections(alone) == Self.sections(together)
      #expect(isEqual)
    }
    try alone.close()
    try together.close()
  }

  /// A small budget: file after file, each written by all threads, and the input's order in all.
  @Test(arguments: [2, 3]) func manyFilesKeepTheOrder(threads: Int) throws {
    let writer = try IndexWriter(.inMemory(), creating: Self.options(), waiting: 0)
    var next = 0
    _ = try writer.load(
      threads: threads, memoryBudget: 1 << 20,
      next: {
        guard next < 2600 else { return nil }
        defer { next += 20 }
        return .items((next..<next + 20).map(Self.item), firstPosition: next)
      }, progress: { _ in true })
    let snapshot = writer.root.snapshot
    #expect(snapshot.documentCount == 2600)
    var number = 0
    for view in snapshot.views {
      let ids = try #require(try view.segment.ids())
      for document in 0..<UInt32(view.segment.documentCount) {
        let id = try ids.id(of: document)
        #expect(id == Self.item(number).id)
        number += 1
      }
    }
    try writer.close()
  }
}
