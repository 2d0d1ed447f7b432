// Random operations by the thousand beside a model: the index always answers as the model does.

import Limelight
import LimelightStorage

/// One index, one model, and operations drawn by a seed.
///
/// Arguments: folder, seed, number of operations. An operation is one call that changes the index, or its
/// reopening; after each one, something is compared.
final class RandomTrial {
  /// The ids in use: few enough that most puts replace something, once as many were put.
  private static let idCount = 3000
  /// Frequent and rare words: the number of a word is drawn twice and the smaller one taken.
  private static let wordCount = 400

  private let path: String
  private var chance: TrialChance
  private var index: Index
  /// A handle that follows the first one as another process would.
  private var reader: Index
  private var model = TrialModel()
  private var counts: [String: Int] = [:]
  private var comparisons = 0

  static func run(_ arguments: [String]) throws {
    guard arguments.count == 3, let seed = UInt64(arguments[1]), let count = Int(arguments[2])
    else { throw TrialFailure("folder, seed, operations") }
    let trial = try RandomTrial(arguments[0], seed)
    let start = Clock.monotonicNanoseconds()
    for number in 0..<count {
      do {
        try trial.step(number)
      } catch {
        throw TrialFailure("seed \(seed), operation \(number): \(error)")
      }
    }
    try trial.finish()
    let seconds = Double(Clock.monotonicNanoseconds() - start) / 1e9
    let kinds = trial.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    tell(
      "random: seed \(seed), \(count) operations in \(Int(seconds.rounded())) s "
        + "(\(kinds.joined(separator: ", "))), \(trial.comparisons) comparisons, "
        + "\(trial.model.count) items left")
  }

  private init(_ path: String, _ seed: UInt64) throws {
    self.path = path
    chance = TrialChance(seed)
    index = try Index(path)
    reader = try Index(path, access: .readOnly)
  }

  // MARK: Operations

  private func step(_ number: Int) throws {
    switch chance.below(20_000) {
    case 0:
      try change("delete all") {
        try index.deleteAll()
      } then: {
        $0.removeAll()
      }
    case 1..<21: try reopen()
    case 21..<71: try count("merge") { try index.merge(into: 1 + chance.below(4)) }
    case 71..<171: try count("commit") { try index.commit() }
    case 171..<231: try load(number)
    case 231..<400: try deleteDomain()
    case 400..<700: try deleteWord()
    case 700..<3500:
      let ids = (0..<1 + chance.below(3)).map { _ in id() }
      try change("delete") {
        try index.delete(ids: ids)
      } then: {
        $0.remove(ids)
      }
    default:
      let batch = (0..<1 + chance.below(2) * chance.below(3)).map { _ in item(number) }
      try change("put") {
        try index.put(batch.map(\.item))
      } then: {
        $0.put(batch)
      }
    }
    try compare(number)
  }

  private func count(_ name: String, _ step: () throws -> Void) throws {
    counts[name, default: 0] += 1
    try step()
  }

  private func change(
    _ name: String, _ step: () throws -> Receipt, then apply: (inout TrialModel) -> Void
  ) throws {
    try count(name) {
      let before = model.count
      let receipt = try step()
      apply(&model)
      guard receipt.refused.isEmpty, receipt.put > 0 || receipt.deleted == before - model.count
      else { throw TrialFailure("\(name): \(receipt)") }
    }
  }

  private func load(_ number: Int) throws {
    let batch = (0..<30).map { _ in item(number) }
    try count("load") {
      var rest: [Item]? = batch.map(\.item)
      let report = try index.load {
        defer { rest = nil }
        return rest.map { .items($0) }
      }
      guard report.put == batch.count else { throw TrialFailure("load: \(report)") }
      model.put(batch)
    }
  }

  private func deleteDomain() throws {
    // Seldom a domain with others below it: these take a tenth of all items.
    let domain = chance.below(20) == 0 ? "a\(chance.below(10))" : domain()
    let ids = model.ids(domain: domain)
    try change("delete domain") {
      try index.delete(domain: domain)
    } then: {
      $0.remove(ids)
    }
  }

  private func deleteWord() throws {
    let word = "w\(100 + chance.below(Self.wordCount - 100))"
    let ids = model.ids(word: word)
    try change("delete by query") {
      try index.delete(matching: .term(word))
    } then: {
      $0.remove(ids)
    }
  }

  private func reopen() throws {
    try count("reopen") {
      try index.close()
      try TrialModel.checkFiles(path)
      index = try Index(path)
      // Half of the time the reader stays as it is, over the change of writers.
      if chance.below(2) == 0 { reader = try Index(path, access: .readOnly) }
    }
  }

  // MARK: Items

  private func id() -> String { "i\(chance.below(Self.idCount))" }

  private func domain() -> String { "a\(chance.below(10)).b\(chance.below(8))" }

  private func word() -> String {
    "w\(min(chance.below(Self.wordCount), chance.below(Self.wordCount)))"
  }

  private func item(_ number: Int) -> TrialItem {
    TrialItem(
      id: id(), domain: domain(), words: (0..<2 + chance.below(6)).map { _ in word() },
      number: number, thumbnail: chance.below(40) == 0 ? 20 + chance.below(100) : 0)
  }

  // MARK: Comparisons

  private func compare(_ number: Int) throws {
    let handle = chance.below(8) == 0 ? reader : index
    comparisons += 1
    switch number % 32 {
    case 5, 21: try model.check(handle, word: word())
    case 13:
      let (one, other) = (word(), word())
      let (first, second) = (model.ids(word: one), model.ids(word: other))
      try model.check(handle, .term(one) & .term(other), first.intersection(second))
      try model.check(handle, .term(one) & !.term(other), first.subtracting(second))
    case 29:
      let domain = chance.below(4) == 0 ? "a\(chance.below(10))" : domain()
      try model.check(handle, .domain(domain), model.ids(domain: domain))
    default: try model.check(handle, id: id())
    }
    if number % 5000 == 4999 { for handle in [index, reader] { try model.checkAll(handle) } }
  }

  private func finish() throws {
    for handle in [index, reader] { try model.checkAll(handle) }
    try index.merge()
    try reopen()
    for handle in [index, reader] { try model.checkAll(handle) }
    try index.close()
  }
}
