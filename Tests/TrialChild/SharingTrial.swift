// One of several processes that share an index, each with several threads and items of its own.

import Limelight
import LimelightStorage

/// Takes the lock in turns with the other processes; reads at any time.
///
/// Arguments: folder, name of the process, seed, seconds, threads. A thread changes and reads only items of its own,
/// so it always knows what must be there, in a writer and in a reader alike.
final class SharingTrial: @unchecked Sendable {
  private let path: String
  private let name: String
  private let end: UInt64
  private let lock = Lock()
  private var failures: [String] = []
  private var changes = 0
  private var readings = 0

  static func run(_ arguments: [String]) throws {
    guard arguments.count == 5, let seed = UInt64(arguments[2]), let seconds = UInt64(arguments[3]),
      let threads = Int(arguments[4])
    else { throw TrialFailure("folder, name, seed, seconds, threads") }
    let trial = SharingTrial(arguments[0], arguments[1], seconds)
    try trial.run(seed, threads)
  }

  private init(_ path: String, _ name: String, _ seconds: UInt64) {
    self.path = path
    self.name = name
    end = Clock.monotonicNanoseconds() + seconds * 1_000_000_000
  }

  private func run(_ seed: UInt64, _ threads: Int) throws {
    let parts = (0..<threads).map { thread in
      SharingPart("\(name).t\(thread)", TrialChance(seed &* 100 &+ UInt64(thread)))
    }
    // Made by whoever comes first.
    try Index(path, options: IndexConfiguration(lockWait: 60_000)).close()
    let reader = try Index(path, access: .readOnly)
    var turns = 0
    while Clock.monotonicNanoseconds() < end, lock.withLock({ failures.isEmpty }) {
      let writer = try Index(path, options: IndexConfiguration(lockWait: 60_000))
      turns += 1
      try each(parts) { part in try part.work(writer, reader, changes: 12) }
      try writer.close()
      try each(parts) { part in try part.compare(reader, times: 20) }
    }
    guard failures.isEmpty else { throw TrialFailure("\(failures)") }
    // The last look, while others may still be at work.
    try each(parts) { part in try part.compareAll(reader) }
    guard failures.isEmpty else { throw TrialFailure("\(failures)") }
    let changes = parts.reduce(0) { $0 + $1.changes }
    let readings = parts.reduce(0) { $0 + $1.readings }
    let items = parts.reduce(0) { $0 + $1.model.count }
    tell("share \(name) \(items) items, \(changes) changes in \(turns) turns, \(readings) readings")
  }

  /// Runs a body for each part in a thread of its own.
  private func each(
    _ parts: [SharingPart], _ body: @escaping @Sendable (SharingPart) throws -> Void
  ) throws {
    let threads = try parts.map { part in
      try WorkerThread(name: "share", stackSize: 4 << 20) {
        do {
          try body(part)
        } catch {
          self.lock.withLock { self.failures.append("\(part.name): \(error)") }
        }
      }
    }
    for thread in threads { thread.join() }
  }
}

/// What one thread has put; used by one thread at a time.
private final class SharingPart: @unchecked Sendable {
  let name: String
  private var chance: TrialChance
  private(set) var model = TrialModel()
  private(set) var changes = 0
  private(set) var readings = 0

  init(_ name: String, _ chance: TrialChance) {
    self.name = name
    self.chance = chance
  }

  func work(_ writer: Index, _ reader: Index, changes count: Int) throws {
    for _ in 0..<count {
      changes += 1
      switch chance.below(12) {
      case 0: try writer.commit()
      case 1: try writer.merge(into: 1 + chance.below(3))
      case 2:
        let domain = domain()
        let ids = model.ids(domain: domain)
        try writer.delete(domain: domain)
        model.remove(ids)
      case 3:
        let word = word()
        let ids = model.ids(word: word)
        try writer.delete(matching: .term(word))
        model.remove(ids)
      case 4, 5:
        let ids = [id(), id()]
        try writer.delete(ids: ids)
        model.remove(ids)
      default:
        let batch = (0..<1 + chance.below(4)).map { _ in item() }
        try writer.put(batch.map(\.item))
        model.put(batch)
      }
      try compare(writer, times: 1)
      try compare(reader, times: 1)
    }
  }

  func compare(_ index: Index, times: Int) throws {
    for _ in 0..<times {
      readings += 1
      if chance.below(3) == 0 {
        try model.check(index, word: word())
      } else {
        try model.check(index, id: id())
      }
    }
  }

  /// Compares all items that are this thread's.
  func compareAll(_ index: Index) throws {
    let found = Set(try index.ids(domain: name))
    guard found == Set(model.items.keys) else {
      throw TrialFailure("\(found.symmetricDifference(model.items.keys).sorted())")
    }
    for id in found { try model.check(index, id: id) }
  }

  private func id() -> String { "\(name)/\(chance.below(60))" }
  private func domain() -> String { "\(name).d\(chance.below(6))" }
  /// A word of this thread's items and of no others.
  private func word() -> String {
    "\(name.filter { $0 != "." })w\(chance.below(30))"
  }

  private func item() -> TrialItem {
    TrialItem(
      id: id(), domain: domain(), words: ["all", word(), word()], number: changes,
      thumbnail: chance.below(10) == 0 ? 30 : 0)
  }
}
