// Long lists: what is passed over must never have been an answer.

import Limelight
import Testing

/// One index of 200,000 items over several segments, searched before and after merges and deletes.
@Suite(.serialized) struct LargeListTests {
  private static let size = 200_000

  @Test func prunedSearchesEqualExhaustiveOnes() throws {
    var random = RandomSource(seed: RandomSettings.seed)
    var corpus = LargeCorpus(seed: RandomSettings.seed)
    let folder = TestFolder()
    let index = try Index(
      folder.path,
      options: IndexConfiguration(
        analyzer: .runs, storesItems: false, customAttributes: LargeCorpus.declared))
    try Self.fill(index, &corpus)
    #expect(corpus.postings[5].items.count > 10_000)
    #expect(try index.stats().segments.count >= 3)
    var isLive = Array(repeating: true, count: corpus.count)

    var oracle = LargeOracle(corpus, isLive: isLive)
    try Self.compare(index, oracle, queries: Self.queries(&random), "several segments", &random)

    try index.merge()
    #expect(try index.stats().segments.count == 1)
    try Self.compare(index, oracle, queries: Self.queries(&random), "one segment", &random)

    // Deleted items, merged away, count no more.
    let gone = (0..<corpus.count).filter { _ in random.chance(20) }
    for place in gone { isLive[place] = false }
    let receipt = try index.delete(ids: gone.map(LargeCorpus.id))
    #expect(receipt.deleted == gone.count)
    oracle = LargeOracle(corpus, isLive: isLive)
    try Self.compareMatches(index, oracle, queries: Self.queries(&random), &random)
    try index.merge()
    try Self.compare(index, oracle, queries: Self.queries(&random), "after deletes", &random)
    #expect(try index.verify().isEmpty)
    try index.close()
  }

  /// Three loads that make a segment or more each, then puts.
  private static func fill(_ index: Index, _ corpus: inout LargeCorpus) throws {
    for _ in 0..<3 {
      var left = size * 3 / 10
      let report = try index.load(threads: 2, memoryBudget: 64 << 20) {
        guard left > 0 else { return nil }
        left -= 5000
        return .items(corpus.next(5000))
      }
      #expect(report.put == size * 3 / 10)
    }
    while corpus.count < size { try index.put(corpus.next(2500)) }
  }

  /// Pairs of all words, single words, and random larger queries.
  private static func queries(_ random: inout RandomSource) -> [LargeQuery] {
    let words = LargeCorpus.words.count
    var queries = (0..<words).map { LargeQuery(words: [$0]) }
    for _ in 0..<12 {
      let pair = [random.below(words), random.below(words)]
      queries.append(LargeQuery(kind: random.chance(50) ? .all : .any, words: pair))
    }
    let plain = (0..<words).filter { !LargeCorpus.words[$0].isMixed }
    for _ in 0..<40 {
      var query = LargeQuery(
        kind: random.chance(60) ? .any : .all,
        words: (0..<random.number(1...5)).map { _ in random.below(words) })
      switch random.below(8) {
      case 0:
        query.kind = .phrase
        query.words = [random.pick(plain), random.pick(plain)].sorted()
      case 1:
        query.kind = .prefix
        query.beginning = random.pick(["a", "al", "s", "sc", "rare", "rarer", "u", "common"])
        query.words = (0..<words).filter {
          LargeCorpus.words[$0].text.hasPrefix(query.beginning)
        }
      default: break
      }
      if random.chance(25) { query.optional = [random.below(words), random.below(words)] }
      if random.chance(20) { query.excluded = [random.below(words)] }
      if query.kind != .phrase, random.chance(20) {
        query.attribute = random.skewed(LargeCorpus.attributes.count)
      }
      if random.chance(20) { query.below = random.below(1000) }
      if random.chance(15) { query.domain = random.pick(["big", "big.three"]) }
      queries.append(query)
    }
    return queries
  }

  private static func compare(
    _ index: Index, _ oracle: LargeOracle, queries: [LargeQuery], _ what: String,
    _ random: inout RandomSource
  ) throws {
    for query in queries {
      let limit = random.pick([1, 10, 10, 100, 1000])
      let expected = oracle.search(query, limit: limit)
      for countsAll in [true, false] {
        let results = try index.search(
          query.query, limit: limit, options: SearchOptions(countsAll: countsAll))
        let hits = try results.map { OracleHit(try $0.id, $0.score) }
        if hits != expected.hits {
          let place = zip(hits, expected.hits).enumerated().first { $0.element.0 != $0.element.1 }
          throw LargeDisagreement(
            "\(what): \(query), limit \(limit): \(hits.count) hits, \(expected.hits.count) "
              + "expected; first difference \(String(describing: place))")
        }
        if results.totalIsExact ? results.total != expected.count : results.total > expected.count {
          throw LargeDisagreement(
            "\(what): \(query): total \(results.total), expected \(expected.count)")
        }
      }
      let count = try index.count(query.query)
      if count != expected.count {
        throw LargeDisagreement("\(what): \(query): counted \(count), expected \(expected.count)")
      }
    }
  }

  /// With deleted items that still count: how many match, and that pruned is the front of whole.
  private static func compareMatches(
    _ index: Index, _ oracle: LargeOracle, queries: [LargeQuery], _ random: inout RandomSource
  ) throws {
    for query in queries {
      let expected = oracle.search(query, limit: 1).count
      let pruned = try index.search(
        query.query, limit: 10, options: SearchOptions(countsAll: false)
      ).map { OracleHit(try $0.id, $0.score) }
      let wide = try index.search(query.query, limit: 2000)
      let front = try wide.prefix(10).map { OracleHit(try $0.id, $0.score) }
      if pruned != front || wide.total != expected {
        throw LargeDisagreement(
          "deleted: \(query): \(wide.total) of \(expected); \(pruned) and \(front)")
      }
    }
  }
}

/// What disagreed on the large corpus.
struct LargeDisagreement: Error, CustomStringConvertible {
  let description: String

  init(_ what: String) { description = "\(what); LIMELIGHT_SEED=\(RandomSettings.seed)" }
}
