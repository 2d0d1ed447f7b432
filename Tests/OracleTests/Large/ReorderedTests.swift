// Searches over reordered segments: the same hits in the same order as before, ties and all.

import Limelight
import Testing

@Suite struct ReorderedTests {
  /// Few different texts, so that most scores are shared by many items.
  private static func item(_ number: Int, _ random: inout RandomSource) -> Item {
    var item = Item(id: "i\(number)", domain: "d.\(number % 3)")
    let topic = random.below(5)
    let words = (0..<random.number(1...9)).map { _ in "t\(topic)w\(random.below(12))" }
    item.attributes[.title] = .text(
      (words + [random.chance(50) ? "common" : "usual"]).joined(separator: " "))
    item.attributes[.rating] = .number(Double(random.below(4)))
    if random.chance(20) { item.attributes[.textContent] = .text("common t\(topic)w1 rare") }
    return item
  }

  private static let queries: [Query] = {
    var queries: [Query] = [
      .everything, .term("common"), .term("usual"), .term("rare"), .prefix("t1"), .prefix("t"),
      .prefix("common"), .domain("d.1"), .fuzzy("comon", distance: 1),
      .any([.term("common"), .term("t1w1")]), .any([.term("t0w1"), .term("t1w1"), .term("rare")]),
      .any([.prefix("t2"), .term("usual")]), .all([.term("common"), .prefix("t3w")]),
      .all([.term("usual"), .domain("d.2")]), .phrase("t4w1 t4w2"),
      .boolean(must: [.term("common")], should: [.term("t1w3")], not: [.term("rare")]),
      .range(.rating, lower: .included(.number(1)), upper: .included(.number(2))),
      .any((0..<12).map { .term("t1w\($0)") }),
    ]
    for word in ["t0w0", "t1w5", "t4w11"] {
      queries += [.term(word), .any([.term(word), .term("common"), .term("usual")])]
    }
    return queries
  }()

  private struct Answer: Equatable {
    let ids: [String]
    let scores: [Float]
    let total: Int
  }

  private func answers(_ index: Index) throws -> [Answer] {
    var answers: [Answer] = []
    for query in Self.queries {
      for (limit, offset) in [(1, 0), (10, 0), (10, 7), (100, 0), (3000, 0), (40_000, 0)] {
        for counts in [false, true] {
          let hits = try index.search(
            query, limit: limit, offset: offset, options: SearchOptions(countsAll: counts))
          answers.append(
            Answer(
              ids: try hits.map { try $0.id }, scores: hits.map { $0.score },
              total: counts ? hits.total : 0))
        }
      }
    }
    for after in [nil, "i3", "i6000", "i11999"] {
      answers.append(
        Answer(ids: try index.ids(after: after, limit: 500), scores: [], total: 0))
    }
    answers.append(Answer(ids: try index.ids(domain: "d.2"), scores: [], total: 0))
    return answers
  }

  private func expectSame(_ index: Index, _ other: Index, _ what: String) throws {
    for (place, pair) in zip(try answers(index), try answers(other)).enumerated()
    where pair.0 != pair.1 {
      Issue.record("\(what): answer \(place) differs")
    }
  }

  /// Two indexes live alike; one is reordered.
  @Test func hitsKeepTheirOrder() throws {
    var random = RandomSource(seed: 5)
    let items = (0..<12_000).map { Self.item($0, &random) }
    let plain = try Index.inMemory()
    let other = try Index.inMemory()
    func both(_ body: (Index) throws -> Void) throws {
      try body(plain)
      try body(other)
    }
    // An older segment, a reordered one that is the only one, and younger ones.
    try both { try $0.put(Array(items[..<9000])) }
    try plain.merge()
    try other.merge(options: .reorder)
    try expectSame(plain, other, "reordered")
    #expect(try other.verify().isEmpty)
    try both {
      try $0.put(Array(items[9000..<10_500]))
      try $0.put(Array(items[10_500...]))
    }
    try expectSame(plain, other, "with younger items")
    try both { try $0.delete(ids: (0..<2000).map { "i\($0 * 5)" }) }
    try expectSame(plain, other, "with deleted items")
    try plain.merge()
    try other.merge(options: [.reorder, .compact])
    try expectSame(plain, other, "reordered again")
    try both { try $0.put(Array(items[..<100])) }
    try both { try $0.merge() }
    try expectSame(plain, other, "in the order of arrival again")
  }
}
