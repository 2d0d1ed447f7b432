// Merges that give items another order, and those that take it back.

import LimelightAnalysis
import LimelightIndexing
import LimelightItems
import LimelightSegments
import LimelightSnapshots
import LimelightStorage
import Testing

struct ReorderTests {
  private static let options = IndexOptions(
    analyzerName: Analyzer.words.rawValue, analyzerVersion: Analyzer.words.version,
    uuid: [UInt8](repeating: 3, count: 16))

  /// Items of four topics in turn, with every kind of column and values of their own.
  private func item(_ number: Int) -> Item {
    var item = Item(id: "id/\((number &* 7919) % 2003)", domain: "a.b\(number % 7)")
    item.contentType = number % 3 == 0 ? "public.note" : nil
    if number % 5 == 0 { item.expirationDate = Timestamp(microseconds: 1 << 55 - Int64(number)) }
    if number % 9 == 0 { item.thumbnail = [1, 2, UInt8(truncatingIfNeeded: number)] }
    let topic = number % 4
    item.attributes = [
      .title: .text("Title \(number % 400) of \(number % 3 == 0 ? "THIS" : "this")"),
      .textContent: .text(
        (0..<60).map { "t\(topic)w\((number &* 7919 &+ $0 &* $0 &* 31) % 90)" }
          .joined(separator: " ")),
      .authorNames: .texts(["Author \(number % 90)", "Zoë \(number % 11)", "Author 1"]),
      .rating: .number(Double(number % 50) / 4),
      .contentCreationDate: .date(Timestamp(microseconds: Int64(number) * 1_000_003)),
    ]
    return item
  }

  /// An index of several segments, some items gone.
  private func index(spillBound: Int = .max, _ count: Int = 2000) throws -> IndexWriter {
    let writer = try IndexWriter(
      .inMemory(), creating: Self.options, waiting: 0, spillBound: spillBound)
    for start in stride(from: 0, to: count, by: 500) {
      _ = try writer.put((start..<min(start + 500, count)).map(item))
      try writer.checkpoint()
    }
    _ = try writer.delete(ids: (0..<100).map { "id/\($0 * 3)" })
    return writer
  }

  private func segment(_ writer: IndexWriter) throws -> Segment {
    let views = writer.root.snapshot.views
    #expect(views.count == 1)
    return try #require(views.first?.segment)
  }

  private func bytes(_ segment: Segment, _ kind: SectionKind) -> [UInt8]? {
    segment.section(kind).map {
      Array(UnsafeRawBufferPointer(start: $0.base, count: $0.count))
    }
  }

  private func expectSame(_ a: Segment, _ b: Segment, _ what: String) {
    for kind in SectionKind.allCases {
      let isEqual = bytes(a, kind) == bytes(b, kind)
      #expect(isEqual, "\(kind), \(what)")
    }
  }

  /// The topic of the words of a stored item.
  private func topicOf(_ record: [UInt8]) throws -> Int {
    let places = record.indices.dropLast(2).filter {
      record[$0] == UInt8(ascii: "t") && record[$0 + 2] == UInt8(ascii: "w")
        && (48..<52).contains(record[$0 + 1])
    }
    return Int(record[try #require(places.first) + 1]) - 48
  }

  @Test func itemsOfATopicStandTogetherAndListsAreSmaller() throws {
    let writer = try index()
    try writer.merge(into: 1)
    let before = try segment(writer)
    try writer.merge(into: 1, form: MergeForm(isReordered: true))
    let after = try segment(writer)
    #expect(after.verify() == [])
    #expect(before.section(.order) == nil)
    let order = try #require(try after.arrivalOrder())
    let documents = order.documents()
    #expect(documents != documents.sorted())
    let (old, new) = (try #require(try before.ids()), try #require(try after.ids()))
    var changes = 0
    var topic = -1
    var record: [UInt8] = []
    let (was, stored) = (try before.storedItems(), try after.storedItems())
    for document in 0..<UInt32(after.documentCount) {
      let rank = order.rank(of: document)
      #expect(documents[Int(rank)] == document)
      #expect(try old.id(of: rank) == new.id(of: document))
      try was?.record(of: rank, into: &record)
      let expected = record
      try stored?.record(of: document, into: &record)
      #expect(record == expected)
      let found = try topicOf(record)
      if found != topic { changes += 1 }
      topic = found
    }
    // In the order of arrival every item is of another topic than the one before it.
    #expect(changes < after.documentCount / 4, "\(changes)")
    let sizes = try [before, after].map { try #require($0.section(.postings)).count }
    #expect(sizes[1] < sizes[0])
    try writer.close()
  }

  /// Whatever was reordered is, taken up by another merge, as if it had never been.
  @Test(arguments: [0, 700, Int.max]) func anotherMergeRestoresTheOrder(spillBound: Int) throws {
    let plain = try index(spillBound: spillBound)
    // Twice as well: the first merge of several segments numbers the sets of attributes by estimates.
    for _ in 0..<2 { try plain.merge(into: 1, form: MergeForm(isCompact: true)) }
    let expected = try segment(plain)
    let writer = try index(spillBound: spillBound)
    try writer.merge(into: 1, form: MergeForm(isCompact: true, isReordered: true))
    #expect(try segment(writer).section(.order) != nil)
    #expect(try segment(writer).verify() == [])
    try writer.merge(into: 1, form: MergeForm(isCompact: true))
    expectSame(try segment(writer), expected, "restored")

    // Together with items that came before and after it, and after items of it went.
    for each in [plain, writer] {
      try each.merge(into: 1, form: MergeForm(isCompact: true, isReordered: each === writer))
      _ = try each.put((2000..<2300).map(item))
      _ = try each.delete(ids: (0..<50).map { "id/\($0 * 7 + 1)" })
      try each.merge(into: 1, form: MergeForm(isCompact: true))
    }
    #expect(try segment(writer).section(.order) == nil)
    expectSame(try segment(writer), try segment(plain), "merged with others")

    // Reordered again, it is the same again.
    for each in [plain, writer] { try each.merge(into: 1, form: MergeForm(isReordered: true)) }
    expectSame(try segment(writer), try segment(plain), "reordered")
    try plain.close()
    try writer.close()
  }

  @Test(arguments: [0, 1, 2, 40]) func smallIndexesAreReordered(count: Int) throws {
    let writer = try IndexWriter(.inMemory(), creating: Self.options, waiting: 0)
    _ = try writer.put((0..<count).map(item))
    try writer.merge(into: 1, form: MergeForm(isReordered: true))
    #expect(writer.root.snapshot.liveCount == count)
    for view in writer.root.snapshot.views { #expect(view.segment.verify() == []) }
    try writer.close()
  }

  @Test func reorderingEndsWhenItIsToldTo() throws {
    let writer = try index()
    var total = 0
    try writer.merge(into: 1, form: MergeForm(isReordered: true)) {
      total += 1
      return false
    }
    for moment in [1, 10, 100, total / 3, total / 2, total - 2] {
      let again = try index()
      let before = again.root.snapshot.views.count
      var asked = 0
      let error = #expect(throws: IndexingError.self) {
        try again.merge(into: 1, form: MergeForm(isReordered: true)) {
          asked += 1
          return asked > moment
        }
      }
      if case .cancelled? = error {} else { Issue.record("\(error as Any)") }
      #expect(again.root.snapshot.views.count == before)
      try again.close()
    }
    try writer.close()
  }
}
