// Searches that end without an answer, and bytes that are not what they should be.

import LimelightItems
import LimelightSearch
import LimelightSegments
import LimelightSnapshots
import LimelightStorage
import Testing

@Suite struct SearchErrorTests {
  private func searcher(_ shape: ModelShape = ModelShape()) throws -> Searcher {
    try Searcher(
      try ModelIndex(shape, seed: 11).snapshot(),
      now: Timestamp(microseconds: ModelIndex.now))
  }

  /// A flag that is set ends searches of every kind, and no longer than that.
  @Test func cancelledSearches() throws {
    let searcher = try searcher()
    let flag = CancellationFlag()
    let query = Query.any([.term(modelWord(0)), .prefix("a")])
    #expect(try searcher.topDocs(query, limit: 5, cancellation: flag).hits.count == 5)
    flag.cancel()
    #expect(throws: SearchError.cancelled) {
      try searcher.topDocs(query, limit: 5, cancellation: flag)
    }
    #expect(throws: SearchError.cancelled) { try searcher.count(query, cancellation: flag) }
    #expect(throws: SearchError.cancelled) {
      try searcher.matchingDocs(query, view: 0, cancellation: flag)
    }
    #expect(try searcher.count(query) > 0)
  }

  /// Queries that are nested too deeply are refused.
  @Test func deepQueries() throws {
    let searcher = try searcher()
    var query = Query.term(modelWord(0))
    for _ in 1..<Query.maximumDepth { query = .not(query) }
    _ = try searcher.count(query)
    #expect(throws: SearchError.tooDeep) { try searcher.count(.not(query)) }
  }

  /// An index whose analyser is unknown is not searched with another one.
  @Test func unknownAnalyzers() throws {
    let options = IndexOptions(analyzerName: "stems", analyzerVersion: 1)
    let snapshot = Snapshot([], generation: 0, registry: AttributeRegistry(), options: options)
    #expect(throws: SearchError.self) {
      try Searcher(snapshot, now: Timestamp(microseconds: 0))
    }
  }

  /// An index without segments, limits of nothing, offsets behind the end.
  @Test func emptyAnswers() throws {
    let empty = Snapshot(
      [], generation: 0, registry: AttributeRegistry(),
      options: IndexOptions(analyzerName: "words", analyzerVersion: 1))
    let nobody = try Searcher(empty, now: Timestamp(microseconds: 0))
    let none = try nobody.topDocs(.everything, limit: 10, counting: true)
    #expect(none.hits.isEmpty && none.count == 0 && none.countIsExact)

    let searcher = try searcher()
    let all = try searcher.count(.everything)
    #expect(all == 300)
    let counted = try searcher.topDocs(.everything, limit: 0, counting: true)
    #expect(counted.hits.isEmpty && counted.count == all && counted.countIsExact)
    #expect(try searcher.topDocs(.everything, limit: 10, offset: 1_000).hits.isEmpty)
    #expect(try searcher.topDocs(.everything, limit: .max, offset: 290).hits.count == 10)
    #expect(try searcher.topDocs(.term("?!"), limit: 3).hits.isEmpty)
  }

  /// Changing the weights between searches changes the scores, and back again.
  @Test func weightsOfEachSearch() throws {
    let searcher = try searcher()
    let query = Query.term(modelWord(0))
    let first = try searcher.topDocs(query, limit: 20)
    let plain = try searcher.topDocs(query, limit: 20, weights: Weights())
    let again = try searcher.topDocs(query, limit: 20)
    #expect(first.hits == again.hits)
    #expect(first.hits != plain.hits)
    #expect(plain.hits.allSatisfy { hit in hit.score < first.hits[0].score })
  }

  /// Every byte of the lists turned over: an answer or a typed error, never a trap.
  ///
  /// The segments are opened as if they had been checked, so that the damage reaches the loops.
  @Test func damagedLists() throws {
    var shape = ModelShape()
    shape.documents = 2_000
    shape.segments = 1
    shape.vocabulary = 40
    shape.standardAttributes = 4
    let index = ModelIndex(shape, seed: 21)
    let good = try index.snapshot().views[0].segment
    let bytes = try ModelSegment(index.documents, knownSets: 6).bytes()
    var random = SeededRandom(9)
    var maker = QueryMaker(random: SeededRandom(10), shape: shape)
    var answers = 0
    var errors = 0
    for _ in 0..<400 {
      var damaged = bytes
      for _ in 0..<(1 + random.below(4)) {
        damaged[random.below(damaged.count - 4_096)] = UInt8(random.below(256))
      }
      let mapped = try #require(Self.copy(damaged))
      guard let segment = try? Segment.open(mapped, name: "damaged", verified: true) else {
        continue
      }
      guard segment.documentCount == good.documentCount else { continue }
      let snapshot = Snapshot(
        [(segment, LiveDocs(count: segment.documentCount))], generation: 1,
        registry: AttributeRegistry(),
        options: IndexOptions(analyzerName: "runs", analyzerVersion: 1))
      let searcher = try Searcher(snapshot, now: Timestamp(microseconds: 0))
      for depth in 0..<6 {
        let query = maker.query(depth: depth % 3)
        do {
          answers += try searcher.topDocs(query, limit: 10, counting: true).hits.isEmpty ? 0 : 1
          _ = try searcher.matchingDocs(query, view: 0)
        } catch {
          guard case .corrupt = error else {
            Issue.record("\(error)")
            return
          }
          errors += 1
        }
      }
    }
    #expect(answers > 100)
    #expect(errors > 10)
  }

  private static func copy(_ bytes: [UInt8]) -> MappedBytes? {
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 64)
    buffer.copyMemory(from: bytes, byteCount: bytes.count)
    return MappedBytes.owning(buffer, count: bytes.count)
  }
}
