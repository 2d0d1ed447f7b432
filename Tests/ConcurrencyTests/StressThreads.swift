// The threads of a stress: writers that replace their items, searchers that check what they see.

import Limelight

/// Replaces and deletes the items of one domain.
struct StressWriter {
  private let index: Index
  private let board: StressBoard
  private let writer: Int

  init(_ index: Index, _ board: StressBoard, _ writer: Int) {
    self.index = index
    self.board = board
    self.writer = writer
  }

  static func domain(_ writer: Int) -> String { "stress.d\(writer)" }

  /// A word that the items of one change have and no others.
  static func tag(_ writer: Int, _ change: Int) -> String { "g\(writer)x\(change)" }

  func run() throws {
    while !board.isOver {
      let change = board.begin(writer)
      if StressBoard.isDeletion(change) {
        try index.delete(domain: Self.domain(writer))
      } else {
        let receipt = try index.put((0..<StressBoard.batchSize).map { item($0, change) })
        guard receipt.put == StressBoard.batchSize else { throw StressFailure("\(receipt)") }
      }
      board.acknowledge(writer)
    }
  }

  private func item(_ number: Int, _ change: Int) -> Item {
    let tag = Self.tag(writer, change)
    return Item(
      id: "\(writer)/\(number)", domain: Self.domain(writer),
      attributes: [
        .title: .text("shared \(tag) number\(number)"),
        .textContent: .text("some words that all share, and \(tag) again"),
        .pageCount: .number(Double(change)),
      ])
  }
}

/// The items of one writer as a search sees them: all of one change, or none.
struct StressView {
  /// The change whose items are there; nil when there are none.
  let change: Int?
  /// What was found; holds its snapshot.
  let results: Results

  init(_ index: Index, _ writer: Int) throws {
    results = try index.search(
      "shared", limit: 1000, domain: StressWriter.domain(writer))
    change = try Self.read(results, writer)
  }

  /// Reads all hits whole; throws unless they are those of one change.
  static func read(_ results: Results, _ writer: Int) throws -> Int? {
    guard results.total == results.count, results.totalIsExact else {
      throw StressFailure("\(results.count) hits of \(results.total)")
    }
    guard let first = try results.first?.item() else { return nil }
    guard case .number(let number)? = first.attributes[.pageCount],
      results.count == StressBoard.batchSize
    else { throw StressFailure("\(results.count) items of writer \(writer)") }
    let change = Int(number)
    let tag = StressWriter.tag(writer, change)
    var ids: Set<String> = []
    for hit in results {
      let item = try hit.item()
      guard case .text(let title)? = item.attributes[.title], title.contains(" \(tag) "),
        try hit.domain == StressWriter.domain(writer), try hit.id == item.id
      else { throw StressFailure("\(item) among the items of \(tag)") }
      guard try hit.highlights().count >= 1 else {
        throw StressFailure("\(item.id) was found and shows nothing")
      }
      ids.insert(item.id)
    }
    guard ids.count == StressBoard.batchSize else { throw StressFailure("items twice: \(ids)") }
    return change
  }
}

/// Searches and checks.
struct StressSearcher {
  private let index: Index
  private let board: StressBoard
  private let number: Int

  init(_ index: Index, _ board: StressBoard, _ number: Int) {
    self.index = index
    self.board = board
    self.number = number
  }

  func run() throws {
    var latest = [Int](repeating: 0, count: StressBoard.writers)
    var kept: (view: StressView, writer: Int)?
    var round = number
    while !board.isOver {
      round += 1
      let writer = round % StressBoard.writers
      let before = max(board.acknowledged(writer), latest[writer])
      let view = try StressView(index, writer)
      let after = board.begun(writer)
      latest[writer] = try check(view.change, before...after, writer)
      board.note(.searches)
      board.note(view.change == nil ? .emptyDomains : .hits, max(view.results.count, 1))
      try checkWords(writer)
      if round % 5 == 0 { try checkAll() }
      // What was found stays as it was, whatever was merged or deleted since.
      if let (view, writer) = kept {
        guard try StressView.read(view.results, writer) == view.change else {
          throw StressFailure("results have changed")
        }
        board.note(.rereadings)
      }
      if round % 4 == 0 { kept = (view, writer) }
    }
  }

  /// The state seen must be the one after a change of the range; gives the earliest such change.
  private func check(_ change: Int?, _ possible: ClosedRange<Int>, _ writer: Int) throws -> Int {
    if let change {
      guard possible.contains(change), !StressBoard.isDeletion(change) else {
        throw StressFailure("writer \(writer): change \(change) is seen, possible \(possible)")
      }
      return change
    }
    guard let deletion = possible.first(where: { $0 == 0 || StressBoard.isDeletion($0) }) else {
      throw StressFailure("writer \(writer): nothing is seen, possible \(possible)")
    }
    return deletion
  }

  /// The word of a change is found in all of its items or in none.
  private func checkWords(_ writer: Int) throws {
    let tag = StressWriter.tag(writer, max(board.acknowledged(writer), 1))
    let count = try index.count(.term(tag))
    guard count == 0 || count == StressBoard.batchSize else {
      throw StressFailure("\(tag) is found in \(count) items")
    }
  }

  /// One search over all writers sees each one's items whole.
  private func checkAll() throws {
    let found = try index.search(.term("shared") | .everything, limit: 1000)
    var changes: [String: Set<Int>] = [:]
    var counts: [String: Int] = [:]
    for hit in found {
      let item = try hit.item()
      guard let domain = item.domain, case .number(let change)? = item.attributes[.pageCount]
      else { throw StressFailure("\(item)") }
      changes[domain, default: []].insert(Int(change))
      counts[domain, default: 0] += 1
    }
    guard changes.values.allSatisfy({ $0.count == 1 }),
      counts.values.allSatisfy({ $0 == StressBoard.batchSize }), found.total == found.count
    else { throw StressFailure("one search sees \(counts) of changes \(changes)") }
    let all = try index.count
    guard all % StressBoard.batchSize == 0 else { throw StressFailure("\(all) items are counted") }
    let stats = try index.stats()
    guard stats.domains.allSatisfy({ $0.items % StressBoard.batchSize == 0 }) else {
      throw StressFailure("\(stats.domains)")
    }
  }
}
