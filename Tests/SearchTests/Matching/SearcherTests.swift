// Searches against the reference: ids, counts, order, and scores to the last bit.

import LimelightItems
import LimelightSearch
import LimelightSegments
import LimelightSnapshots
import Testing

/// Random queries over a model's words.
struct QueryMaker {
  var random: SeededRandom
  let shape: ModelShape

  mutating func word() -> String { modelWord(random.skewed(shape.vocabulary + 2, power: 2)) }

  mutating func attribute() -> Attribute? {
    switch random.below(6) {
    case 0, 1:
      Attribute(
        ModelAttributes.standard[
          random.below(min(shape.standardAttributes + 1, ModelAttributes.standard.count))
        ].name)
    case 2: ModelAttributes.named.first.map { Attribute($0.name) }
    default: random.oneIn(20) ? Attribute("nobodyKnows") : nil
    }
  }

  mutating func leaf() -> Query {
    switch random.below(12) {
    case 0...4: return .term(word(), in: attribute())
    case 5: return .prefix(String(word().prefix(1 + random.below(3))), in: attribute())
    case 6: return .phrase(word() + " " + word(), in: attribute())
    case 7: return .phrase((0..<(2 + random.below(3))).map { _ in word() }.joined(separator: " "))
    case 8: return .fuzzy(word(), distance: random.below(3), in: attribute())
    case 9: return filter()
    case 10: return random.oneIn(2) ? .prefix(word()) : .prefix(word() + " " + word().prefix(1))
    default: return .term(word())
    }
  }

  mutating func filter() -> Query {
    switch random.below(5) {
    case 0: return .domain(["a", "a.b", "c", "c.d", "x"][random.below(5)])
    case 1:
      guard let date = ModelAttributes.date else { return .everything }
      return .between(
        Attribute(date.name), .date(Timestamp(microseconds: Int64(random.below(50)))),
        .date(Timestamp(microseconds: Int64(random.below(100)))))
    case 2:
      guard let label = ModelIndex.labelAttribute else { return .everything }
      let texts = ["Red", "red", "RED", "Réd", "blue", "green"]
      return .range(
        Attribute(label.name), lower: bound(.string(texts[random.below(6)])),
        upper: bound(.string(texts[random.below(6)])))
    default:
      guard let number = ModelAttributes.number else { return .everything }
      return .range(
        Attribute(number.name), lower: bound(.number(Double(random.below(10)) - 4)),
        upper: bound(.number(Double(random.below(10)) - 3)))
    }
  }

  private mutating func bound(_ value: RangeValue) -> RangeBound {
    [.open, .included(value), .excluded(value)][random.below(3)]
  }

  mutating func query(depth: Int) -> Query {
    guard depth > 0, !random.oneIn(3) else { return leaf() }
    func several(_ limit: Int) -> [Query] {
      (0..<random.below(limit + 1)).map { _ in query(depth: depth - 1) }
    }
    switch random.below(8) {
    case 0, 1: return .all(several(4))
    case 2, 3: return .any(several(5))
    case 4: return .not(query(depth: depth - 1))
    case 5: return .any((0..<(2 + random.below(4))).map { _ in .term(word()) })
    default: return .boolean(must: several(2), should: several(3), not: several(1))
    }
  }
}

/// Compares all that a searcher says about a query with the reference.
struct Comparison {
  let searcher: Searcher
  let snapshot: Snapshot
  let oracle: ModelOracle
  let weights: Weights

  init(_ index: ModelIndex, weights: Weights = .standard) throws {
    snapshot = try index.snapshot()
    searcher = try Searcher(snapshot, now: Timestamp(microseconds: ModelIndex.now))
    oracle = ModelOracle(index, weights: weights)
    self.weights = weights
  }

  func place(_ hit: TopDocs.Hit) -> Int {
    Int(snapshot.views[hit.view].base) + Int(hit.document)
  }

  /// Runs a query in all ways; false, with the difference on record, if one of them is wrong.
  func check(_ query: Query, limits: [Int], _ comment: String) throws -> Bool {
    let expected = oracle.answers(query)
    var isRight = true
    func expect(_ condition: Bool, _ what: String) {
      guard !condition else { return }
      isRight = false
      Issue.record("\(comment): \(what) of \(query)")
    }
    expect(try searcher.count(query) == expected.count, "count")
    for limit in limits {
      for prunes in [true, false] {
        searcher.prunes = prunes
        let counting = limit % 2 == 0
        let found = try searcher.topDocs(
          query, limit: limit, counting: counting, weights: weights)
        let wanted = expected.prefix(limit)
        expect(
          found.hits.map { place($0) } == wanted.map { $0.document },
          "ids \(limit), pruned \(prunes): \(found.hits.map { place($0) }) not \(wanted)")
        expect(
          found.hits.map { $0.score.bitPattern } == wanted.map { $0.score.bitPattern },
          "scores \(limit), pruned \(prunes): \(found.hits) not \(wanted)")
        if counting {
          expect(found.countIsExact && found.count == expected.count, "count with hits")
        }
        expect(found.count <= expected.count, "a count too high")
        if found.countIsExact { expect(found.count == expected.count, "a count said to be exact") }
      }
    }
    searcher.prunes = true
    let offset = try searcher.topDocs(query, limit: 3, offset: 2, weights: weights)
    expect(
      offset.hits.map { place($0) } == expected.dropFirst(2).prefix(3).map { $0.document },
      "ids with an offset")
    for view in snapshot.views.indices {
      let words = try searcher.matchingDocs(query, view: view)
      let base = Int(snapshot.views[view].base)
      var documents: [Int] = []
      for (word, bits) in words.enumerated() {
        for bit in 0..<64 where bits >> UInt64(bit) & 1 == 1 {
          documents.append(base + word * 64 + bit)
        }
      }
      let end = base + snapshot.views[view].documentCount
      let wanted = expected.map { $0.document }.filter { $0 >= base && $0 < end }.sorted()
      expect(documents == wanted, "the set of matches in view \(view)")
    }
    return isRight
  }
}

@Suite struct SearcherTests {
  /// Compares many random queries over small random indexes.
  @Test(arguments: 0..<40)
  func randomQueriesOverSmallIndexes(seed: Int) throws {
    var random = SeededRandom(UInt64(seed) + 1_000)
    var shape = ModelShape()
    shape.documents = [1, 40, 300, 700][random.below(4)]
    shape.segments = 1 + random.below(4)
    shape.vocabulary = [3, 20, 80, 400][random.below(4)]
    shape.standardAttributes = [1, 3, 12, 30][random.below(4)]
    shape.knownSets = [0, 3, 60][random.below(3)]
    shape.chanceOfDeath = [0, 2, 10][random.below(3)]
    shape.chanceOfExpiry = [0, 6][random.below(2)]
    shape.isUniform = random.oneIn(5)
    let weights: Weights = random.oneIn(4) ? Weights() : .standard
    let comparison = try Comparison(ModelIndex(shape, seed: UInt64(seed)), weights: weights)
    var maker = QueryMaker(random: random, shape: shape)
    for number in 0..<60 {
      let query = maker.query(depth: number % 4)
      guard try comparison.check(query, limits: [1, 4, 1_000], "seed \(seed), query \(number)")
      else { return }
    }
  }
}
