// Calls that are cancelled: at every moment at which they look, and with the index sound after it.

import Limelight
import LimelightIndexing
import LimelightItems
import LimelightSegments
import LimelightSnapshots
import LimelightStorage
import Synchronization
import Testing

/// Says that a call is cancelled once it has been asked so often.
private final class Countdown: Sendable {
  private let left: Atomic<Int>

  init(_ questions: Int) { left = Atomic(questions) }

  var isOver: Bool { left.subtract(1, ordering: .relaxed).newValue < 0 }
}

@Suite struct CancellationTests {
  private static let options = IndexOptions(
    analyzerName: "words", analyzerVersion: 1, uuid: Array(repeating: 0x5A, count: 16))

  /// How often to be asked before the answer is yes: dense at first, then wider and wider.
  private static let moments = Array(0..<40) + (6...24).map { 1 << $0 }

  private func items(_ count: Int, from first: Int = 0) -> [Item] {
    (first..<first + count).map {
      Item(
        id: "\($0)", domain: "d\($0 % 3)", thumbnail: $0 % 50 == 0 ? [1, 2, 3] : nil,
        attributes: [
          .title: .text("leaf w\($0 % 97) w\($0 % 151) w\($0 * 7919 % 4999)"),
          .rating: .number(Double($0)),
        ])
    }
  }

  /// The files but for the dictionary of stored items: once it is made it waits for the next merge.
  private static func names(_ folder: Folder) throws -> Set<String> {
    Set(try folder.list()).filter { !$0.hasPrefix("dictionary.") }
  }

  private func checkWhole(_ writer: IndexWriter, _ count: Int) throws {
    let snapshot = writer.root.snapshot
    #expect(snapshot.liveCount == count)
    for view in snapshot.views { #expect(view.segment.verify().isEmpty) }
  }

  @Test func aMergeThatIsCancelledChangesNothing() throws {
    let folder = Folder.inMemory()
    let writer = try IndexWriter(folder, creating: Self.options, waiting: 0)
    for part in 0..<4 {
      _ = try writer.put(items(600, from: part * 500))
      try writer.checkpoint()
    }
    let names = try Self.names(folder)
    let segments = writer.root.snapshot.views.count
    #expect(segments > 1)
    var cancelled = 0
    for moment in Self.moments {
      let countdown = Countdown(moment)
      do {
        try writer.merge(into: 1) { countdown.isOver }
        break
      } catch .cancelled {
        cancelled += 1
        #expect(writer.root.snapshot.views.count == segments)
        #expect(try Self.names(folder) == names, "after \(moment) questions")
        try checkWhole(writer, 2100)
      }
    }
    #expect(cancelled > 40)
    #expect(writer.root.snapshot.views.count == 1)
    try checkWhole(writer, 2100)
    try writer.close()
  }

  @Test(arguments: [1, 3])
  func aLoadThatIsCancelledKeepsWhatItTells(threads: Int) throws {
    for moment in Self.moments {
      let folder = Folder.inMemory()
      let writer = try IndexWriter(folder, creating: Self.options, waiting: 0)
      _ = try writer.put([Item(id: "before")])
      var part = 0
      let countdown = Countdown(moment)
      let outcome = try writer.load(
        threads: threads, memoryBudget: 1 << 20, isCancelled: { countdown.isOver },
        next: {
          part += 1
          return part > 20 ? nil : .items(items(200, from: part * 200), firstPosition: part * 200)
        }, progress: { _ in true })
      #expect(outcome.read == outcome.put)
      #expect(outcome.isCancelled || outcome.put == 4000)
      try checkWhole(writer, outcome.put + 1)
      try writer.close()
      // What is there is durable, and the index goes on.
      let again = try IndexWriter(folder, creating: nil, waiting: 0)
      try checkWhole(again, outcome.put + 1)
      _ = try again.put([Item(id: "after")])
      try checkWhole(again, outcome.put + 2)
      try again.close()
      if !outcome.isCancelled { return }
    }
    Issue.record("no load went to its end")
  }

  @Test func aVerificationEndsWhenItIsToldTo() throws {
    let writer = try IndexWriter(.inMemory(), creating: Self.options, waiting: 0)
    _ = try writer.put(items(2000))
    try writer.checkpoint()
    let view = try #require(writer.root.snapshot.views.first)
    var asked = 0
    _ = view.segment.verify {
      asked += 1
      return false
    }
    #expect(asked > 2000, "asked for every term")
    for moment in [0, 1, 5, 100, 2000] {
      var count = 0
      #expect(
        view.segment.verify {
          count += 1
          return count > moment
        }.isEmpty)
      #expect(count < moment + 20, "it went on")
    }
    try writer.close()
  }

  @Test func whatWasCancelledBeforeDoesNothing() throws {
    let index = try Index.inMemory()
    try index.put(items(100))
    try index.commit()
    try index.put(items(100, from: 100))
    let cancellation = Cancellation()
    cancellation.cancel()
    let before = try index.stats()
    let calls: [(Index) throws -> Void] = [
      { try $0.merge(cancellation: cancellation) },
      { try $0.merge(options: .compact, cancellation: cancellation) },
      { _ = try $0.verify(cancellation: cancellation) },
      { try $0.delete(matching: .everything, cancellation: cancellation) },
      { try $0.load(cancellation: cancellation, next: { .items([Item(id: "no")]) }) },
      { _ = try $0.search("leaf", options: SearchOptions(cancellation: cancellation)) },
      { _ = try $0.count(.everything, cancellation: cancellation) },
    ]
    for call in calls {
      let error = #expect(throws: LimelightError.self) { try call(index) }
      #expect(error?.code == .cancelled)
    }
    let after = try index.stats()
    #expect(after.generation == before.generation)
    #expect(after.segments.count == before.segments.count)
    #expect(after.items == 200)
    let fresh = Cancellation()
    try index.merge(cancellation: fresh)
    #expect(try index.stats().segments.count == 1)
    try index.merge(options: .compact, cancellation: fresh)
    let refusal = #expect(throws: LimelightError.self) {
      try index.merge(into: 2, options: .compact)
    }
    #expect(refusal?.code == .invalidArgument)
    #expect(try index.verify(cancellation: fresh).isEmpty)
    #expect(try index.delete(matching: .term("leaf"), cancellation: fresh).deleted == 200)
  }

  @Test(arguments: [1, 3])
  func aLoadCancelledFromWithinTellsProgressLast(threads: Int) throws {
    let index = try Index.inMemory()
    let cancellation = Cancellation()
    var told = 0
    var parts = 0
    let error = #expect(throws: LimelightError.self) {
      try index.load(
        threads: threads, memoryBudget: 1 << 20, cancellation: cancellation,
        next: {
          parts += 1
          if parts == 5 { cancellation.cancel() }
          return .items(items(300, from: parts * 300))
        },
        progress: {
          told = $0.put
          return true
        })
    }
    #expect(error?.code == .cancelled)
    #expect(parts == 5)
    #expect(try index.count == told)
    #expect(told <= 1500)
  }

  @Test func aDeleteByAQueryThatCannotBeAskedSaysWhy() throws {
    let index = try Index.inMemory()
    try index.put(items(3))
    var query = Query.term("leaf")
    for _ in 0..<Query.maximumDepth { query = .not(query) }
    let error = #expect(throws: LimelightError.self) { try index.delete(matching: query) }
    #expect(error?.code == .invalidArgument)
    #expect(try index.count == 3)
  }
}
