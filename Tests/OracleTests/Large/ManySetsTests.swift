// More attribute sets than have codes: what has none is looked up by position.

import Limelight
import Testing

/// 75,000 items that hold a word in random subsets of twenty attributes: more than 65,535 subsets.
@Suite struct ManySetsTests {
  private static let size = 75_000
  private static let fields = (0..<20).map { Attribute("part\($0)") }

  /// The subset of an item's attributes, as bits; never empty.
  private let sets: [UInt32]

  init() {
    var random = RandomSource(seed: RandomSettings.seed)
    sets = (0..<Self.size).map { _ in
      UInt32(truncatingIfNeeded: random.next() >> 44) & 0xF_FFFF | 1 << UInt32(random.below(20))
    }
  }

  private func items(_ range: Range<Int>) -> [Item] {
    range.map { place in
      var item = Item(id: "s\(place)")
      for (bit, field) in Self.fields.enumerated() where sets[place] >> UInt32(bit) & 1 == 1 {
        item.attributes[field] = .text("word")
      }
      return item
    }
  }

  @Test func setsWithoutACodeScoreAndFilterAsOthersDo() throws {
    #expect(Set(sets).count > 65_535)
    let index = try Index.inMemory(
      options: IndexConfiguration(
        analyzer: .runs, storesItems: false,
        customAttributes: Self.fields.map {
          CustomAttribute($0.name, kind: .text, searchClass: .standard)
        }))
    for start in stride(from: 0, to: Self.size, by: 25_000) {
      try index.put(items(start..<(start + 25_000)))
    }
    try check(index)
    try index.merge()
    try check(index)
  }

  private func check(_ index: Index) throws {
    var weights = Weights()
    for (place, field) in Self.fields.enumerated() where place % 3 == 0 {
      weights[field] = Float(place + 1) / 16
    }
    let options = SearchOptions(weights: weights)
    try compare(try index.search(.term("word"), limit: 500, options: options), in: nil, weights)
    for wanted in [0, 9, 10, 19] {
      let query = Query.term("word", in: Self.fields[wanted])
      try compare(try index.search(query, limit: 500, options: options), in: wanted, weights)
    }
    #expect(try index.search(.phrase("word word")).isEmpty)
  }

  private func compare(_ results: Results, in wanted: Int?, _ weights: Weights) throws {
    let tokens = sets.reduce(0) { $0 + $1.nonzeroBitCount }
    let average = Double(tokens) / Double(sets.count)
    let idf = OracleScoring.idf(items: sets.count, holding: sets.count)
    let byField = Self.fields.map { weights[$0] }
    var best = BestHits(limit: 500, prefix: "s")
    var count = 0
    for (place, set) in sets.enumerated() {
      var boost: Float = 0
      if let wanted {
        guard set >> UInt32(wanted) & 1 == 1 else { continue }
        boost = byField[wanted]
      } else {
        for bit in 0..<20 where set >> UInt32(bit) & 1 == 1 { boost = max(boost, byField[bit]) }
      }
      count += 1
      let tf = Float(set.nonzeroBitCount)
      let length = Double(OracleScoring.rounded(set.nonzeroBitCount))
      let factor = Float(1.2 * (1 - 0.75 + 0.75 * length / average))
      best.offer(place, OracleScoring.onGrid(idf * (tf / (tf + factor) + boost)))
    }
    #expect(results.total == count)
    let hits = try results.map { OracleHit(try $0.id, $0.score) }
    #expect(
      hits == best.hits, "in \(String(describing: wanted)), LIMELIGHT_SEED=\(RandomSettings.seed)")
  }
}
