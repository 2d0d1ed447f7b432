// Prefixes whose documents are kept in the segment, against the oracle.

import Limelight
import Testing

/// 6,000 items of words with few beginnings, searched before and after merges and deletes.
@Suite struct KeptPrefixesTests {
  private static let size = 6_000
  private static let beginnings = ["a", "ab", "abc", "abcd", "b", "ba", "é", "漢", "漢字", "c9"]

  private var random = RandomSource(seed: RandomSettings.seed)
  private let oracle = Oracle(.words)

  private mutating func word() -> String {
    let beginning = Self.beginnings[random.skewed(Self.beginnings.count)]
    switch random.below(10) {
    case 0: return beginning
    case 1..<6: return beginning + String(random.skewed(60_000), radix: 26)
    default: return beginning + random.pick(["d", "e", "dare", "ease", "t1"])
    }
  }

  private mutating func text(_ longest: Int) -> String {
    (0..<random.number(1...longest)).map { _ in word() }.joined(separator: " ")
  }

  private mutating func items(_ range: Range<Int>, expiring: Int = 0) -> [Item] {
    range.map { number in
      var item = Item(id: "i\(number)")
      item.attributes[.title] = .text(text(4))
      item.attributes[.textContent] = .text(text(12))
      item.attributes[.fileSize] = .number(Double(number % 100))
      if random.chance(expiring) {
        item.expirationDate = Timestamp(microseconds: random.chance(50) ? 1 : .max / 2)
      }
      return item
    }
  }

  private mutating func query() -> Query {
    let typed = word()
    let prefix = Query.prefix(String(typed.prefix(random.number(1...5))))
    switch random.below(10) {
    case 0..<4: return prefix
    case 4, 5: return .all([.term(word()), prefix])
    case 6: return .all([prefix, .prefix(String(word().prefix(2)))])
    case 7: return .boolean(must: [prefix], should: [.term(word())], not: [.term(word())])
    case 8: return .all([prefix, .below(.fileSize, .number(50))])
    default: return .prefix(String(typed.prefix(random.number(1...2))), in: .title)
    }
  }

  /// Compares what is found and counted; scores too, if nothing that is gone counts for them.
  private mutating func compare(_ index: Index, _ what: String, isClean: Bool) throws {
    for _ in 0..<40 {
      let query = query()
      let expected = oracle.search(query)
      let limit = random.pick([1, 10, 100, Self.size])
      #expect(try index.count(query) == expected.count, "\(what): \(query)")
      let all = try index.search(query, limit: 2 * Self.size).map { OracleHit(try $0.id, $0.score) }
      if isClean {
        #expect(all == expected, "\(what): \(query)")
      } else {
        #expect(Set(all.map(\.id)) == Set(expected.map(\.id)), "\(what): \(query)")
      }
      for countsAll in [true, false] {
        let options = SearchOptions(countsAll: countsAll)
        let results = try index.search(query, limit: limit, options: options)
        let hits = try results.map { OracleHit(try $0.id, $0.score) }
        #expect(hits == Array(all.prefix(limit)), "\(what): \(query), limit \(limit)")
        if results.totalIsExact { #expect(results.total == expected.count, "\(what): \(query)") }
      }
    }
  }

  private func keepsPrefixes(_ index: Index) throws -> [Bool] {
    try index.stats().segments.map { $0.sections.contains { $0.name == "prefixLists" } }
  }

  @Test mutating func keptAndUnitedPrefixesAnswerAsTheOracle() throws {
    print("kept prefixes: LIMELIGHT_SEED=\(RandomSettings.seed)")
    let folder = TestFolder()
    let index = try Index(folder.path)
    for start in stride(from: 0, to: Self.size, by: 1_500) {
      let batch = items(start..<(start + 1_500))
      try index.put(batch)
      oracle.put(batch)
    }
    try compare(index, "small segments", isClean: true)
    try index.merge()
    #expect(try keepsPrefixes(index) == [true])
    try compare(index, "one segment", isClean: true)

    // A segment with lists beside one without, and items that are gone.
    let more = items(Self.size..<(Self.size + 400))
    try index.put(more)
    oracle.put(more)
    try compare(index, "two segments", isClean: true)
    let gone = (0..<Self.size).filter { _ in random.chance(20) }.map { "i\($0)" }
    #expect(try index.delete(ids: gone).deleted == oracle.delete(ids: gone))
    try compare(index, "deleted", isClean: false)
    try index.merge()
    #expect(try keepsPrefixes(index) == [true])
    try compare(index, "merged", isClean: true)
    #expect(try index.verify().isEmpty)

    let expiring = items(Self.size..<(Self.size + 500), expiring: 60)
    try index.put(expiring)
    oracle.put(expiring)
    try index.merge()
    try compare(index, "expired", isClean: false)
    try index.close()
    let reopened = try Index(folder.path, access: .readOnly)
    try compare(reopened, "opened again", isClean: false)
    try reopened.close()
  }

  /// A bulk load writes lists as a merge does.
  @Test mutating func aBulkLoadKeepsPrefixes() throws {
    let folder = TestFolder()
    let index = try Index(folder.path)
    let batch = items(0..<Self.size)
    var isGiven = false
    try index.load(threads: 1, memoryBudget: 256 << 20) {
      defer { isGiven = true }
      return isGiven ? nil : .items(batch)
    }
    oracle.put(batch)
    #expect(try keepsPrefixes(index).contains(true))
    try compare(index, "loaded", isClean: true)
    try index.close()
  }
}
