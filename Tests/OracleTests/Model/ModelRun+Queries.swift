// Random searches, against the oracle's answers.

import Limelight

extension ModelRun {
  /// Searches and counts of random trees and typed texts.
  ///
  /// Ids, counts and order are always compared. Scores are compared where the index holds nothing
  /// that is deleted or has expired but still counts for frequencies and lengths; else the order is
  /// checked against the scores that it gives itself.
  func compareRandomQueries(_ count: Int, _ index: Index) throws {
    let isClean = try index.stats().deleted == 0 && !oracle.items.contains(where: \.isExpired)
    for _ in 0..<count {
      try compareRandomQuery(index, isClean: isClean)
      comparisons += 1
      if isClean { scoredComparisons += 1 }
    }
  }

  private func compareRandomQuery(_ index: Index, isClean: Bool) throws {
    let typed = random.chance(25) ? queries.typed(&random) : nil
    let query =
      typed.map { OracleTypedText.query($0, oracle.words.tokenizer) } ?? queries.query(&random)
    var asked = Asked(
      query: query, typed: typed, limit: random.pick([0, 1, 2, 3, 10, 10, 10, 50, 100_000]),
      offset: random.chance(75) ? 0 : random.below(12),
      domain: random.chance(88) ? nil : random.pick(RandomItems.domains))
    asked.options.countsAll = random.chance(70)
    asked.options.weights = weights()
    var expected = oracle.search(query, weights: asked.options.weights)
    if let domain = asked.domain {
      expected.removeAll { !(oracle.item($0.id)?.isIn(domain: domain) ?? false) }
    }
    if expected.count > 1 { fruitfulComparisons += 1 }
    try compare(asked, expected, index, isClean: isClean)
  }

  private func weights() -> Weights {
    if random.chance(60) { return .standard }
    var weights = Weights()
    for _ in 0..<random.below(6) {
      let attribute = random.pick(RandomItems.standard + RandomItems.named + ["field0", "field70"])
      weights[attribute] = Float(random.below(20)) / 7
    }
    return weights
  }

  private func compare(_ asked: Asked, _ expected: [OracleHit], _ index: Index, isClean: Bool)
    throws
  {
    let results = try asked.search(index)
    let hits = try results.map { OracleHit(try $0.id, $0.score) }
    let window = expected.dropFirst(asked.offset).prefix(asked.limit)

    let totalFits =
      results.totalIsExact
      ? results.total == expected.count
      : results.total <= expected.count && results.total >= min(hits.count, expected.count)
    guard totalFits, results.totalIsExact || !asked.options.countsAll else {
      throw Disagreement(
        self,
        "\(asked)\n  total \(results.total), expected \(expected.count)"
          + difference(hits, expected))
    }
    let count = try asked.count(index)
    guard count == expected.count else {
      throw Disagreement(self, "\(asked)\n  counted \(count), expected \(expected.count)")
    }

    if isClean {
      guard hits == Array(window) else {
        throw Disagreement(self, "\(asked)" + difference(hits, Array(window)))
      }
    } else {
      try compareOrder(asked, hits, expected, index)
    }
    try checkHits(results)
  }

  /// Where scores count deleted items: the same items, ordered by the scores they have.
  private func compareOrder(
    _ asked: Asked, _ hits: [OracleHit], _ expected: [OracleHit], _ index: Index
  ) throws {
    var all = asked
    all.limit = 100_000
    all.offset = 0
    let every = try all.search(index).map { OracleHit(try $0.id, $0.score) }
    guard Set(every.map(\.id)) == Set(expected.map(\.id)), every.count == expected.count else {
      throw Disagreement(self, "\(asked)" + difference(every, expected))
    }
    var places: [String: Int] = [:]
    for (place, item) in oracle.items.enumerated() { places[item.item.id] = place }
    for (first, second) in zip(every, every.dropFirst()) {
      let isOrdered =
        first.score != second.score
        ? first.score > second.score : (places[first.id] ?? 0) < (places[second.id] ?? 0)
      guard isOrdered else { throw Disagreement(self, "\(asked)\n  \(first) before \(second)") }
    }
    // A background merge may drop deleted items between two searches; the scores change with it.
    guard hits.map(\.score) == every.dropFirst(asked.offset).prefix(asked.limit).map(\.score) else {
      let now = try asked.search(index).map { OracleHit(try $0.id, $0.score) }
      let again = try all.search(index).map { OracleHit(try $0.id, $0.score) }
      guard now == Array(again.dropFirst(asked.offset).prefix(asked.limit)) else {
        throw Disagreement(self, "\(asked), pruned and whole" + difference(now, again))
      }
      return
    }
  }

  private func checkHits(_ results: Results) throws {
    for hit in results.prefix(2) where random.chance(10) {
      let id = try hit.id
      guard let known = oracle.item(id), try hit.domain == known.item.domain else {
        throw Disagreement(self, "the domain of \(id)")
      }
      guard shape.storesItems else { continue }
      guard try hit.item() == known.item, try hit.attributes() == known.item.attributes else {
        throw Disagreement(self, "the item of the hit \(id): \(try hit.item()), \(known.item)")
      }
      _ = try hit.highlights()
    }
  }

  /// The first places at which two lists differ.
  private func difference(_ found: [OracleHit], _ expected: [OracleHit]) -> String {
    var lines = "\n  \(found.count) hits, \(expected.count) expected"
    let ids = Set(found.map(\.id))
    let wanted = Set(expected.map(\.id))
    for hit in found where !wanted.contains(hit.id) { lines += "\n  not expected: \(hit)" }
    for hit in expected where !ids.contains(hit.id) { lines += "\n  missing: \(hit)" }
    for (place, pair) in zip(found, expected).enumerated() where pair.0 != pair.1 {
      lines += "\n  at \(place): found \(pair.0), expected \(pair.1)"
      if let item = oracle.item(pair.0.id) { lines += "\n  \(item.item)" }
      break
    }
    for id in (ids.symmetricDifference(wanted)).prefix(2) {
      if let item = oracle.item(id) { lines += "\n  \(item.item)" }
    }
    return lines
  }
}

extension OracleHit {
  init(_ id: String, _ score: Float) { self.init(id: id, score: score) }
}

/// One search with all that was asked.
struct Asked: CustomStringConvertible {
  let query: Query
  let typed: String?
  var limit: Int
  var offset: Int
  let domain: String?
  var options = SearchOptions()

  func search(_ index: Index) throws -> Results {
    if let typed {
      return try index.search(
        typed, limit: limit, offset: offset, domain: domain, options: options)
    }
    return try index.search(
      query, limit: limit, offset: offset, domain: domain, options: options)
  }

  func count(_ index: Index) throws -> Int {
    if let typed { return try index.count(typed, domain: domain) }
    return try index.count(query, domain: domain)
  }

  var description: String {
    let what = typed.map { "typed \($0.debugDescription), as \(query)" } ?? "\(query)"
    let weights = options.weights == .standard ? "standard" : "\(options.weights)"
    return
      "\(what)\n  limit \(limit), offset \(offset), domain \(domain ?? "-"), weights \(weights)"
  }
}
