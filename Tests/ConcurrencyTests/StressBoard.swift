// What the threads of a stress share: which changes were begun and acknowledged, and what went wrong.

import LimelightStorage

/// The changes of each writer, counted from 1; for any thread.
///
/// A writer's changes replace all items of its domain by new ones, in one batch; every seventh deletes
/// them. So the state after change n is known, and a search that began behind change `a` and ended before
/// change `b` was begun must see the state after one of `a ... b`.
final class StressBoard: @unchecked Sendable {
  enum Event: Int, CaseIterable {
    case searches, hits, emptyDomains, merges, rereadings
  }

  static let writers = 3
  /// The items of a batch.
  static let batchSize = 12

  static func isDeletion(_ change: Int) -> Bool { change % 7 == 0 }

  private let lock = Lock()
  private let end: UInt64
  private var begun = [Int](repeating: 0, count: writers)
  private var ended = [Int](repeating: 0, count: writers)
  private var counts = [Int](repeating: 0, count: Event.allCases.count)
  private var found: [String] = []

  init(seconds: Double) { end = Clock.monotonicNanoseconds() + UInt64(seconds * 1e9) }

  /// Whether the time is over and enough has happened, or something went wrong.
  ///
  /// Under a sanitizer on a busy machine the time alone may bring too little; after two minutes it is over
  /// all the same.
  var isOver: Bool {
    let now = Clock.monotonicNanoseconds()
    return lock.withLock {
      !found.isEmpty || now >= end + 120_000_000_000 || now >= end && isEnough
    }
  }

  /// Whether each part of the stress has had its turns; called with the lock.
  private var isEnough: Bool {
    counts[Event.searches.rawValue] > 20 && counts[Event.hits.rawValue] > 100
      && counts[Event.emptyDomains.rawValue] > 0 && counts[Event.merges.rawValue] > 3
      && ended.allSatisfy { $0 > 7 }
  }

  /// Whether that is so.
  var hasDoneEnough: Bool { lock.withLock { isEnough } }

  /// The number of a writer's next change.
  func begin(_ writer: Int) -> Int {
    lock.withLock {
      begun[writer] += 1
      return begun[writer]
    }
  }

  func acknowledge(_ writer: Int) { lock.withLock { ended[writer] += 1 } }

  func acknowledged(_ writer: Int) -> Int { lock.withLock { ended[writer] } }
  func begun(_ writer: Int) -> Int { lock.withLock { begun[writer] } }

  func note(_ event: Event, _ count: Int = 1) { lock.withLock { counts[event.rawValue] += count } }
  func count(_ event: Event) -> Int { lock.withLock { counts[event.rawValue] } }

  func fail(_ text: String) { lock.withLock { found.append(text) } }
  var failures: [String] { lock.withLock { found } }

  var report: String {
    let changes = (0..<Self.writers).map { acknowledged($0) }
    let events = Event.allCases.map { "\($0) \(count($0))" }.joined(separator: ", ")
    return "changes \(changes), \(events)"
  }
}

/// What a thread found wrong.
struct StressFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
