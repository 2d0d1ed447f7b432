// What a child does to its index: every change can be worked out again from the seed.

package import Limelight

/// One change to an index.
package enum CrashChange: Sendable {
  case put([Item])
  /// A load in bulk, which no journal holds: small enough to be one file, so whole or not at all.
  case load([Item])
  case delete([String])
  case deleteDomain(String)
  case deleteAll
  case commit
  case merge(Int)

  package var operation: CrashOperation {
    switch self {
    case .put: .put
    case .load: .load
    case .delete, .deleteDomain, .deleteAll: .delete
    case .commit: .commit
    case .merge: .merge
    }
  }

  /// Makes the change; the number of its journal record, if it has one.
  package func make(in index: Index) throws -> UInt64 {
    switch self {
    case .put(let items):
      let receipt = try index.put(items)
      guard receipt.refused.isEmpty else { throw LimelightError(.invalidItem, "\(receipt)") }
      return receipt.generation
    case .load(let items):
      var rest: [Item]? = items
      let report = try index.load {
        defer { rest = nil }
        return rest.map { .items($0) }
      }
      guard report.put == items.count else { throw LimelightError(.invalidItem, "\(report)") }
    case .delete(let ids): return try index.delete(ids: ids).generation
    case .deleteDomain(let domain): return try index.delete(domain: domain).generation
    case .deleteAll: return try index.deleteAll().generation
    case .commit: try index.commit()
    case .merge(let count): try index.merge(into: count)
    }
    return 0
  }
}

/// The changes of some threads, each a function of seed, thread and number.
///
/// A thread changes only items of its own, whose ids and domains begin with its name, so that what is
/// left of its changes can be told whatever the others did. All items of one batch hold a word that no
/// other batch has.
package struct CrashPlan: Sendable {
  /// Which changes are frequent.
  package enum Style: String, Sendable {
    /// Some of everything.
    case mixed
    /// Small puts only: these fill the memory with segments.
    case puts
    /// Commits after every other change.
    case commits
    /// Merges after every third change.
    case merges
  }

  package let seed: UInt64
  package let threads: Int
  package let style: Style

  package init(seed: UInt64, threads: Int, style: Style) {
    self.seed = seed
    self.threads = threads
    self.style = style
  }

  /// How many ids a thread has.
  private static let idCount = 24

  /// What the ids and domains of a thread begin with.
  package static func prefix(thread: Int) -> String { "t\(thread)." }

  /// The word that the items of a batch have and no others.
  package func token(thread: Int, number: Int) -> String { "b\(seed)x\(thread)x\(number)" }

  /// The `number`-th change of a thread.
  package func change(thread: Int, number: Int) -> CrashChange {
    var chance = CrashChance(seed &* 0x9E37_79B9 &+ UInt64(thread) &* 7919 &+ UInt64(number) << 20)
    switch (style, chance.below(100)) {
    case (.puts, 0..<92), (.mixed, 0..<56), (.commits, 0..<45), (.merges, 0..<50):
      return .put(batch(thread, number, &chance))
    case (.mixed, 56..<62): return .load(batch(thread, number, &chance))
    case (.commits, 45..<92), (.mixed, 62..<70): return .commit
    case (.merges, 50..<92), (.mixed, 70..<78): return .merge(1 + chance.below(3))
    case (_, 98...) where threads == 1: return .deleteAll
    case (_, 95...): return .deleteDomain(Self.domain(thread, &chance))
    default: return .delete((0..<1 + chance.below(5)).map { _ in Self.id(thread, &chance) })
    }
  }

  private static func id(_ thread: Int, _ chance: inout CrashChance) -> String {
    prefix(thread: thread) + "i\(chance.below(idCount))"
  }

  private static func domain(_ thread: Int, _ chance: inout CrashChance) -> String {
    prefix(thread: thread) + ["mail", "mail.inbox", "notes"][chance.below(3)]
  }

  private func batch(_ thread: Int, _ number: Int, _ chance: inout CrashChance) -> [Item] {
    let token = token(thread: thread, number: number)
    return (0..<1 + chance.below(6)).map { place in
      var item = Item(id: Self.id(thread, &chance))
      item.attributes[.title] = .text("\(token) \(Self.text(2, &chance))")
      item.attributes[.textContent] = .text(Self.text(4 + chance.below(30), &chance))
      item.attributes[.pageCount] = .number(Double(chance.below(1000)))
      if chance.below(2) == 0 { item.domain = Self.domain(thread, &chance) }
      if chance.below(4) == 0 { item.attributes[.keywords] = .texts([token, "key\(place)"]) }
      if chance.below(5) == 0 {
        item.attributes[Attribute("custom\(chance.below(6))")] = .bool(chance.below(2) == 0)
      }
      if chance.below(5) == 0 {
        item.thumbnail = (0..<20 + chance.below(400)).map { UInt8(truncatingIfNeeded: $0 ^ place) }
      }
      return item
    }
  }

  private static func text(_ words: Int, _ chance: inout CrashChance) -> String {
    (0..<words).map { _ in "w\(chance.below(200))" }.joined(separator: " ")
  }
}

/// SplitMix64: equal seeds, equal plans, in both processes.
package struct CrashChance {
  private var state: UInt64

  package init(_ seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// A number of `0 ..< bound`.
  package mutating func below(_ bound: Int) -> Int {
    bound > 1 ? Int(truncatingIfNeeded: next() % UInt64(bound)) : 0
  }
}
