// One index that is changed, searched and reopened in this process, beside a model of it.

import Foundation
import Limelight
import LimelightCrashChild

/// A long life of an index without a crash.
final class SoakSession {
  private let path: String
  private let plan: CrashPlan
  private var chance: CrashChance
  private var index: Index
  /// A second handle, which follows the first one as another process would.
  private var reader: Index
  private var model = CrashModel()
  private(set) var changes = 0
  private(set) var searches = 0
  private(set) var reopenings = 0
  private(set) var merges = 0

  init(path: String, seed: UInt64) throws {
    self.path = path
    plan = CrashPlan(seed: seed + 77, threads: 1, style: .mixed)
    chance = CrashChance(seed)
    index = try Index(path)
    reader = try Index(path, access: .readOnly)
  }

  func run(until end: Date) throws {
    while end.timeIntervalSinceNow > 0 {
      let change = plan.change(thread: 0, number: changes)
      _ = try change.make(in: index)
      changes += 1
      if case .merge = change { merges += 1 }
      model.apply(change)
      for _ in 0..<2 { try compare(chance.below(2) == 0 ? index : reader) }
      if chance.below(40) == 0 { try checkAll() }
      if chance.below(120) == 0 { try reopen() }
    }
  }

  /// The last look: everything, then once more after opening.
  func finish() throws {
    try checkAll()
    try reopen()
    try checkAll()
    try index.close()
  }

  private func reopen() throws {
    try index.close()
    index = try Index(path)
    // Now and then the reader stays as it is, over the change of writers.
    if chance.below(2) == 0 { reader = try Index(path, access: .readOnly) }
    reopenings += 1
  }

  private func checkAll() throws {
    for handle in [index, reader] {
      var found: [String: Item] = [:]
      for id in try handle.ids() { found[id] = try handle.get(id) }
      guard found == model.items else {
        throw CrashFailure("soak, seed \(plan.seed), change \(changes): other items than put")
      }
      let problems = try handle.verify()
      guard problems.isEmpty else { throw CrashFailure("soak: \(problems)") }
    }
  }

  // MARK: Searches

  /// Asks a random question and counts the answer by hand.
  private func compare(_ handle: Index) throws {
    let (query, matches) = question()
    let expected = Set(model.items.values.lazy.filter(matches).map(\.id))
    let found = try handle.search(query, limit: 100)
    let ids = Set(try found.map { try $0.id })
    let count = try handle.count(query)
    guard ids == expected, count == expected.count, found.total == count else {
      throw CrashFailure(
        "soak, seed \(plan.seed), change \(changes): \(query) finds \(ids.sorted()), \(count), "
          + "not \(expected.sorted())")
    }
    searches += 1
  }

  private func question() -> (Query, (Item) -> Bool) {
    let word = "w\(chance.below(200))"
    let other = "w\(chance.below(200))"
    let low = Double(chance.below(1000))
    let domain = CrashPlan.prefix(thread: 0) + ["mail", "mail.inbox", "notes"][chance.below(3)]
    switch chance.below(7) {
    case 0: return (.term(word), { Self.words($0).contains(word) })
    case 1:
      return (
        .term(word) | .term(other),
        { !Self.words($0).isDisjoint(with: [word, other]) }
      )
    case 2:
      return (
        .all([.term(word), .not(.term(other))]),
        { Self.words($0).contains(word) && !Self.words($0).contains(other) }
      )
    case 3: return (.prefix("w1"), { Self.words($0).contains { $0.hasPrefix("w1") } })
    case 4:
      return (
        .between(.pageCount, .number(low), .number(low + 200)),
        {
          guard case .number(let pages)? = $0.attributes[.pageCount] else { return false }
          return pages >= low && pages <= low + 200
        }
      )
    case 5:
      return (
        .domain(domain), { $0.domain == domain || $0.domain?.hasPrefix(domain + ".") ?? false }
      )
    default: return (.everything, { _ in true })
    }
  }

  /// The words of an item's texts, which are all plain.
  private static func words(_ item: Item) -> Set<String> {
    var words: Set<String> = []
    for attribute in [Attribute.title, .textContent, .keywords] {
      switch item.attributes[attribute] {
      case .text(let text): words.formUnion(text.split(separator: " ").map(String.init))
      case .texts(let texts): words.formUnion(texts)
      default: break
      }
    }
    return words
  }
}
