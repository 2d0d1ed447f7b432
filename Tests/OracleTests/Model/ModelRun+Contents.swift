// What an index says of its contents, against the oracle's items.

import Limelight

extension ModelRun {
  /// Compares counts after each change, and now and then everything.
  func checkContents() throws {
    let visible = oracle.visible
    try expect(visible.count, try index.count, "the number of items")
    if let reader {
      try expect(visible.count, try reader.count, "the number of items in the reader")
    }
    guard random.chance(15) else { return }
    for index in [index] + (reader.map { [$0] } ?? []) {
      try checkIDs(index, visible)
      try checkItems(index)
    }
    try checkStatistics()
    let problems = try index.verify()
    guard problems.isEmpty else { throw Disagreement(self, "verify finds \(problems)") }
  }

  private func expect<T: Equatable>(_ wanted: T, _ found: T, _ what: String) throws {
    guard wanted == found else {
      throw Disagreement(self, "\(what): expected \(wanted), found \(found)")
    }
  }

  private func checkIDs(_ index: Index, _ visible: [OracleItem]) throws {
    let ids = visible.map(\.item.id)
    try expect(ids, try index.ids(), "the ids")
    let domain = random.pick(RandomItems.domains)
    try expect(
      visible.filter { $0.isIn(domain: domain) }.map(\.item.id), try index.ids(domain: domain),
      "the ids of \(domain)")
    guard !ids.isEmpty else { return }
    let place = random.below(ids.count)
    let limit = random.below(20)
    try expect(
      Array(ids[(place + 1)...].prefix(limit)), try index.ids(after: ids[place], limit: limit),
      "the ids behind \(ids[place])")
  }

  private func checkItems(_ index: Index) throws {
    try expect(false, try index.contains("no such item"), "whether an unknown id is there")
    for item in oracle.items where random.chance(10) {
      let id = item.item.id
      try expect(!item.isExpired, try index.contains(id), "whether \(id) is there")
      if shape.storesItems {
        try expect(item.isExpired ? nil : item.item, try index.get(id), "the item \(id)")
      } else if !item.isExpired {
        do {
          _ = try index.get(id)
          throw Disagreement(self, "an index without items returns one")
        } catch let error as LimelightError where error.code == .notStored {
          continue
        }
      }
    }
  }

  private func checkStatistics() throws {
    let stats = try index.stats()
    guard shape.style.expiring == 0 else { return }
    try expect(oracle.items.count, stats.items, "the items of the statistics")
    var domains: [String: Int] = [:]
    for item in oracle.items {
      if let domain = item.item.domain { domains[domain, default: 0] += 1 }
    }
    try expect(
      domains.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" },
      stats.domains.map { "\($0.domain) \($0.items)" }, "the domains")
    guard stats.deleted == 0 else { return }
    var tokens: [String: Int] = [:]
    for item in oracle.items {
      for field in [item.standard] + Array(item.named.values) {
        for (slot, words) in field.values {
          tokens[oracle.words.attributes[slot].name, default: 0] += words.count
        }
      }
    }
    try expect(
      tokens.filter { $0.value > 0 },
      Dictionary(
        uniqueKeysWithValues: stats.attributes.filter { $0.tokens > 0 }.map { ($0.name, $0.tokens) }
      ),
      "the tokens by attribute")
  }
}
