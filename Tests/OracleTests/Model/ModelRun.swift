// A random run: an index and the oracle go through the same changes and must agree after each.

import Limelight

/// One run of one shape.
final class ModelRun {
  let shape: ModelShape
  var random: RandomSource
  private(set) var oracle: Oracle
  private(set) var index: Index
  /// Another handle on the same folder, opened once and never told of any change.
  private(set) var reader: Index?
  private let folder: TestFolder?
  private let words: RandomWords
  private var items: RandomItems
  let queries: RandomQueries
  private(set) var step = 0
  private(set) var history: [String] = []
  /// How many searches and counts agreed.
  var comparisons = 0
  /// How many of them compared scores with the oracle's.
  var scoredComparisons = 0
  /// How many had several answers.
  var fruitfulComparisons = 0

  init(_ shape: ModelShape, seed: UInt64) throws {
    self.shape = shape
    random = RandomSource(seed: seed)
    words = RandomWords(&random)
    items = RandomItems(shape.style, words)
    queries = RandomQueries(words: words, style: shape.style)
    oracle = Oracle(shape.analyzer, RandomItems.declared(shape.style))
    folder = shape.isOnDisk ? TestFolder() : nil
    index = try Self.open(shape, folder)
    if let folder { reader = try Index(folder.path, access: .readOnly) }
  }

  private static func open(_ shape: ModelShape, _ folder: TestFolder?) throws -> Index {
    let options = IndexConfiguration(
      analyzer: shape.analyzer, storesItems: shape.storesItems, lockWait: 1000,
      customAttributes: RandomItems.declared(shape.style))
    guard let folder else { return try Index.inMemory(options: options) }
    return try Index(folder.path, options: options)
  }

  /// Changes and compares until so many queries agreed.
  func run(cases: Int) throws {
    var done = 0
    while done < cases {
      step += 1
      try change()
      try checkContents()
      let count = random.number(10...50)
      try compareRandomQueries(count, index)
      if let reader { try compareRandomQueries(5, reader) }
      done += count
    }
    try compareWithFreshBuild()
    try index.close()
    guard errorCode({ _ = try index.count(.everything) }) == .closed else {
      throw Disagreement(self, "a closed index answers")
    }
  }

  private func errorCode(_ body: () throws -> Void) -> LimelightError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? LimelightError)?.code
    }
  }

  // MARK: Changes

  private func change() throws {
    switch random.below(100) {
    case 0..<52: try put()
    case 52..<57: try load()
    case 57..<66: try deleteIDs()
    case 66..<70: try deleteDomain()
    case 70..<71: try deleteAll()
    case 71..<79: try note("commit") { try index.commit() }
    case 79..<84: try note("merge into 3") { try index.merge(into: 3) }
    case 84..<92: try reopen()
    default: try mergeAll(MergeOptions(rawValue: random.chance(50) ? random.below(4) : 0))
    }
    if shape.deletes, random.chance(50) { try mergeAll() }
  }

  private func note(_ what: String, _ body: () throws -> Void) throws {
    history.append(what)
    try body()
  }

  private func put() throws {
    var batch: [Item] = []
    var bad: [(position: Int, code: ItemError.Code)] = []
    for _ in 0..<random.number(0...shape.batch) {
      if random.chance(3) {
        let (item, code) = items.badItem(&random)
        bad.append((batch.count, code))
        batch.append(item)
      } else {
        batch.append(items.item(&random))
      }
    }
    let unnamed = batch.indices.filter { place in
      !bad.contains { $0.position == place } && random.chance(2)
    }
    for place in unnamed { batch[place].id = "" }
    history.append("put \(batch.count)")
    let receipt = try index.put(batch)
    let refused = receipt.refused.map { "\($0.position) \($0.error.code)" }
    guard refused == bad.map({ "\($0.position) \($0.code)" }) else {
      throw Disagreement(self, "refused \(refused), expected \(bad)")
    }
    guard receipt.madeIDs.map(\.position) == unnamed, receipt.put == batch.count - bad.count else {
      throw Disagreement(self, "receipt \(receipt) of \(batch.count) items, unnamed \(unnamed)")
    }
    for (position, id) in receipt.madeIDs { batch[position].id = id }
    let refusedPlaces = Set(bad.map(\.position))
    oracle.put(batch.enumerated().filter { !refusedPlaces.contains($0.offset) }.map(\.element))
  }

  private func load() throws {
    var batches = (0..<random.number(1...4)).map { _ in
      (0..<random.number(0...shape.batch)).map { _ in items.item(&random) }
    }
    let threads = random.number(1...2)
    history.append("load \(batches.map(\.count)) in \(threads) threads")
    for batch in batches { oracle.put(batch) }
    let count = batches.reduce(0) { $0 + $1.count }
    batches.reverse()
    let report = try index.load(threads: threads, memoryBudget: 1 << 20) {
      batches.popLast().map { .items($0) }
    }
    guard report.put == count, report.refused.isEmpty else {
      throw Disagreement(self, "\(report) of \(count) items")
    }
  }

  private func deleteIDs() throws {
    guard shape.deletes else { return }
    let ids = (0..<random.number(1...8)).map { _ in items.id(&random) }
    history.append("delete \(ids)")
    let receipt = try index.delete(ids: ids)
    let expired = Set(ids).filter { oracle.item($0)?.isExpired == true }.count
    try checkDeleted(receipt, oracle.delete(ids: ids), expired: expired)
  }

  private func deleteDomain() throws {
    guard shape.deletes else { return }
    let domain = random.pick(RandomItems.domains)
    history.append("delete domain \(domain)")
    let receipt = try index.delete(domain: domain)
    let expired = oracle.items.filter { $0.isIn(domain: domain) && $0.isExpired }.count
    try checkDeleted(receipt, oracle.delete(domain: domain), expired: expired)
  }

  /// Expired items may have been dropped before they were deleted.
  private func checkDeleted(_ receipt: Receipt, _ deleted: Int, expired: Int) throws {
    guard (deleted - expired...deleted).contains(receipt.deleted) else {
      throw Disagreement(self, "deleted \(receipt.deleted) items, expected \(deleted)")
    }
  }

  private func deleteAll() throws {
    guard shape.deletes else { return }
    history.append("delete all")
    try index.deleteAll()
    oracle.deleteAll()
  }

  private func reopen() throws {
    guard folder != nil else { return }
    history.append("reopen")
    try index.close()
    index = try Self.open(shape, folder)
  }

  private func mergeAll(_ options: MergeOptions = []) throws {
    history.append("merge into 1, \(options)")
    try index.merge(options: options)
    let stats = try index.stats()
    guard stats.segments.count <= 1, stats.deleted == 0 else {
      throw Disagreement(
        self, "after a full merge: \(stats.segments.count) segments, \(stats.deleted) deleted")
    }
  }

  // MARK: Fresh builds

  /// After a full merge everything is as in an index that was built of the same items at once.
  private func compareWithFreshBuild() throws {
    guard shape.style.expiring == 0 else { return }
    try mergeAll()
    let fresh = try Self.open(shape, nil)
    var rest = oracle.items.map(\.item)[...]
    while !rest.isEmpty {
      let count = random.number(1...rest.count)
      try fresh.put(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    for _ in 0..<60 {
      let query = queries.query(&random)
      let here = try index.search(query, limit: 1000).map { OracleHit(try $0.id, $0.score) }
      let there = try fresh.search(query, limit: 1000).map { OracleHit(try $0.id, $0.score) }
      guard here == there else {
        throw Disagreement(self, "merged and fresh differ on \(query):\n  \(here)\n  \(there)")
      }
      comparisons += 1
    }
  }
}
