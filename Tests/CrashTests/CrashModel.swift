// What an index must hold after a crash, worked out from what its child was told.

import Limelight
import LimelightCrashChild

/// The items of an index by id.
struct CrashModel {
  private(set) var items: [String: Item] = [:]

  init(_ items: [String: Item] = [:]) { self.items = items }

  mutating func apply(_ change: CrashChange) {
    switch change {
    case .put(let batch), .load(let batch): for item in batch { items[item.id] = item }
    case .delete(let ids): for id in ids { items[id] = nil }
    case .deleteDomain(let domain):
      items = items.filter { $0.value.domain != domain && !isBelow($0.value.domain, domain) }
    case .deleteAll: items = [:]
    case .commit, .merge: break
    }
  }

  private func isBelow(_ domain: String?, _ above: String) -> Bool {
    domain?.hasPrefix(above + ".") ?? false
  }

  /// The items of one thread.
  func part(of thread: Int) -> [String: Item] {
    let prefix = CrashPlan.prefix(thread: thread)
    return items.filter { $0.key.hasPrefix(prefix) }
  }
}

/// What a child was told and has said, against what is found afterwards.
struct CrashVerdict {
  /// The index as it was when the child began.
  let before: CrashModel
  let plan: CrashPlan
  /// For each thread how many changes were acknowledged.
  private(set) var acknowledged: [Int]
  /// For each thread how many changes were begun: one more than acknowledged, or as many.
  private(set) var begun: [Int]
  private(set) var generation: UInt64 = 0

  init(before: CrashModel, plan: CrashPlan, messages: [CrashMessage]) throws {
    self.before = before
    self.plan = plan
    acknowledged = Array(repeating: 0, count: plan.threads)
    begun = acknowledged
    for message in messages {
      switch message.kind {
      case .began:
        guard message.number == begun[message.thread] else {
          throw CrashFailure("the child's messages are out of order")
        }
        begun[message.thread] += 1
      case .ended:
        acknowledged[message.thread] += 1
        generation = max(generation, message.generation)
      case .opened, .reached, .closed: break
      }
    }
  }

  /// Finds the possible state that was found: every acknowledged change whole, one that was not
  /// acknowledged whole or not at all.
  func match(_ found: [String: Item]) throws -> CrashModel {
    // One thread: the change under way may concern everything.
    if plan.threads == 1 {
      for count in Set([acknowledged[0], begun[0]]).sorted() {
        let model = state(ofThread: 0, after: count)
        if model.items == found { return model }
      }
      throw mismatch(found, state(ofThread: 0, after: acknowledged[0]).items, 0)
    }
    var all: [String: Item] = [:]
    var rest = found
    for thread in 0..<plan.threads {
      let part = CrashModel(found).part(of: thread)
      let states = Set([acknowledged[thread], begun[thread]]).sorted()
        .map { state(ofThread: thread, after: $0).part(of: thread) }
      guard states.contains(part) else { throw mismatch(part, states[0], thread) }
      all.merge(part) { first, _ in first }
      for id in part.keys { rest[id] = nil }
    }
    // Threads that do not run have lost nothing, and nobody else has items.
    for thread in plan.threads..<3 {
      let part = before.part(of: thread)
      guard CrashModel(rest).part(of: thread) == part else {
        throw mismatch(CrashModel(rest).part(of: thread), part, thread)
      }
      all.merge(part) { first, _ in first }
      for id in part.keys { rest[id] = nil }
    }
    guard rest.isEmpty else { throw CrashFailure("ghosts: \(rest.keys.sorted())") }
    return CrashModel(all)
  }

  private func state(ofThread thread: Int, after count: Int) -> CrashModel {
    var model = before
    for number in 0..<count { model.apply(plan.change(thread: thread, number: number)) }
    return model
  }

  private func mismatch(
    _ found: [String: Item], _ expected: [String: Item], _ thread: Int
  ) -> CrashFailure {
    let missing = expected.keys.filter { found[$0] == nil }.sorted()
    let ghosts = found.keys.filter { expected[$0] == nil }.sorted()
    let other = expected.keys.filter { found[$0] != nil && found[$0] != expected[$0] }.sorted()
    return CrashFailure(
      "thread \(thread), \(acknowledged) of \(begun) changes acknowledged: missing \(missing), "
        + "ghosts \(ghosts), different \(other)")
  }
}
