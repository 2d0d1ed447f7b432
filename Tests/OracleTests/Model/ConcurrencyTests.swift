// Many threads change and search one index: what a call acknowledged is found from then on.

import Foundation
import Limelight
import Synchronization
import Testing

@Suite struct ConcurrencyTests {
  private static let threads = 4

  /// Runs a body in several threads and waits for all; the first error is thrown.
  private func inThreads(_ body: @escaping @Sendable (Int) throws -> Void) throws {
    let state = ThreadState()
    for number in 0..<Self.threads {
      let thread = Thread {
        do {
          try body(number)
        } catch {
          state.fail("\(error)")
        }
        state.end()
      }
      thread.start()
    }
    if let failure = state.wait(for: Self.threads) {
      throw ConcurrencyFailure(description: failure)
    }
  }

  private func item(_ thread: Int, _ number: Int, _ version: Int) -> Item {
    Item(
      id: "\(thread)/\(number)", domain: "thread\(thread)",
      attributes: [.title: .text("shared version\(version) number\(number) thread\(thread)")])
  }

  /// Each thread puts, replaces, deletes and searches its own items, while others do the same; then
  /// everything is as the oracle has it, in the order of arrival that the index tells.
  @Test func acknowledgedChangesAreFoundAtOnce() throws {
    let folder = TestFolder()
    let index = try Index(folder.path)
    let reader = try Index(folder.path, access: .readOnly)
    try inThreads { thread in
      for round in 0..<25 {
        let batch = (0..<4).map { item(thread, (round * 3 + $0) % 40, round) }
        try index.put(batch)
        let query = Query.all([.term("version\(round)"), .domain("thread\(thread)")])
        for place in [index, reader] {
          let found = try place.search(query, limit: 100).map { try $0.id }
          guard Set(found) == Set(batch.map(\.id)) else {
            throw ConcurrencyFailure(description: "put \(batch.map(\.id)), found \(found)")
          }
        }
        if round % 5 == 4 {
          let gone = [batch[0].id, batch[2].id]
          guard try index.delete(ids: gone).deleted == 2 else {
            throw ConcurrencyFailure(description: "did not delete \(gone)")
          }
          guard try !index.contains(gone[0]), try !reader.contains(gone[1]) else {
            throw ConcurrencyFailure(description: "\(gone) are still there")
          }
        }
        if round % 9 == 8 { try index.commit() }
        if thread == 0, round % 10 == 9 { try index.merge(into: 2) }
      }
    }
    try index.merge()
    let oracle = Oracle(.words)
    for id in try index.ids() { oracle.put([try #require(try index.get(id))]) }
    for query: Query in [.term("shared"), .prefix("version1"), .term("number7"), .everything] {
      let hits = try index.search(query, limit: 1000).map { OracleHit(try $0.id, $0.score) }
      #expect(hits == oracle.search(query))
      let others = try reader.search(query, limit: 1000).map { OracleHit(try $0.id, $0.score) }
      #expect(Set(others.map(\.id)) == Set(hits.map(\.id)))
    }
    #expect(try index.verify().isEmpty)
  }

  /// An item that moves to another domain while its old domain is deleted is not lost.
  @Test func deletingADomainTakesNothingThatHasLeftIt() throws {
    let index = try Index.inMemory()
    let rounds = 400
    // Enough others that a domain takes a while to look up.
    try index.put((0..<5000).map { Item(id: "other \($0)", domain: "other\($0 % 7)") })
    let moved = Counter()
    try inThreads { thread in
      if thread == 0 {
        for round in 0..<rounds {
          try index.put([Item(id: "x\(round)", domain: "old")])
          try index.put([Item(id: "x\(round)", domain: "new")])
          moved.add()
        }
      } else if thread == 1 {
        while moved.value < rounds { try index.delete(domain: "old") }
      }
    }
    #expect(moved.value == rounds)
    let kept = try index.ids(domain: "new").count
    #expect(kept == rounds, "\(rounds - kept) items were deleted after they had left the domain")
  }
}

/// A number that threads share.
private final class Counter: Sendable {
  private let number = Atomic<Int>(0)

  var value: Int { number.load(ordering: .acquiring) }

  func add() { number.add(1, ordering: .acquiringAndReleasing) }
}

/// How many threads have ended, and the first failure.
private final class ThreadState: Sendable {
  private let ended = DispatchSemaphore(value: 0)
  private let failure = Mutex<String?>(nil)

  func fail(_ message: String) { failure.withLock { $0 = $0 ?? message } }

  func end() { ended.signal() }

  func wait(for threads: Int) -> String? {
    for _ in 0..<threads { ended.wait() }
    return failure.withLock { $0 }
  }
}

/// What a thread found wrong.
struct ConcurrencyFailure: Error, CustomStringConvertible {
  let description: String
}
