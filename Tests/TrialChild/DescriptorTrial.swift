// Few descriptors: an index keeps a handful however many files it has, and bears it when there are none.

import Glibc
import Limelight

/// Works with only so many descriptors left, from none on.
final class DescriptorTrial {
  /// What an open writer holds: folder, lock, journal, and one more while it goes over to the next.
  private static let mostOfAWriter = 6

  private let path: String
  private var model = TrialModel()
  private var refusals: [String: Int] = [:]
  private var version = 0

  static func run(folder: String) throws {
    try bounded(folder + "/many")
    let trial = DescriptorTrial(path: folder + "/index")
    let index = try Index(trial.path)
    var free = 0
    while try trial.attempt(index, free: free, other: folder + "/other\(free)") > 0 {
      free += 1
      guard free < 40 else { throw TrialFailure("40 descriptors are not enough") }
    }
    try index.close()
    let again = try Index(trial.path)
    try trial.model.checkAll(again)
    try again.close()
    try TrialModel.checkFiles(trial.path)
    let kinds = trial.refusals.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    tell("descriptors: enough with \(free), refused: \(kinds.joined(separator: ", "))")
    for name in ["open", "commit", "reader"] where trial.refusals[name] == nil {
      throw TrialFailure("\(name) never lacked a descriptor")
    }
  }

  private init(path: String) { self.path = path }

  /// Segments, thumbnails and readers by the dozen keep no file open.
  private static func bounded(_ path: String) throws {
    let before = used().count
    let index = try Index(path)
    var readers: [Index] = []
    var results: [Results] = []
    var most = 0
    for number in 0..<30 {
      try index.put([
        TrialItem(
          id: "i\(number)", domain: "d", words: ["all", "n\(number)"], number: number,
          thumbnail: 50
        ).item
      ])
      try index.commit()
      results.append(try index.search(.term("all"), limit: 40))
      if number % 3 == 0 { readers.append(try Index(path, access: .readOnly)) }
      most = max(most, used().count - before - 2 * readers.count)
    }
    guard most <= mostOfAWriter else {
      throw TrialFailure("a writer of 30 commits holds \(most) descriptors")
    }
    for (number, found) in results.enumerated() where found.count != number + 1 {
      throw TrialFailure("\(found.count) hits of \(number + 1)")
    }
    try index.close()
  }

  // MARK: Steps

  /// Runs all steps with so many descriptors free; how many were refused.
  private func attempt(_ index: Index, free: Int, other: String) throws -> Int {
    try Self.limit(free: free)
    var refused = 0
    func item(_ number: Int) -> TrialItem {
      TrialItem(
        id: "i\(number)", domain: "d", words: ["all", "v\(version)"], number: version,
        thumbnail: number % 2 * 40)
    }
    version += 1
    let batch = (0..<4).map(item)
    if try step("put", { try index.put(batch.map(\.item)) }) {
      model.put(batch)
    } else {
      refused += 1
    }
    for (name, body) in [
      ("commit", { try index.commit() }), ("merge", { try index.merge() }),
      ("verify", { _ = try index.verify() }),
      ("reader", { _ = try Index(self.path, access: .readOnly).count }),
      ("open", { try Index(other).close() }),
    ] as [(String, () throws -> Void)] {
      if try !step(name, body) { refused += 1 }
    }
    // What is open can be searched whatever is lacking.
    try model.check(index, word: "all")
    guard try index.count == model.count else { throw TrialFailure("\(try index.count) items") }
    try Self.unlimit()
    try model.checkAll(index)
    return refused
  }

  /// Runs a step; false if it lacked a descriptor.
  private func step(_ name: String, _ body: () throws -> Void) throws -> Bool {
    do {
      try body()
      return true
    } catch let error as LimelightError
      where error.code == .io && error.message.contains("Too many open files")
    {
      refusals[name, default: 0] += 1
      return false
    } catch {
      try Self.unlimit()
      throw TrialFailure("\(name): \(error)")
    }
  }

  // MARK: Descriptors

  private static func used() -> Set<Int32> {
    Set((0..<1024 as Range<Int32>).filter { fcntl($0, F_GETFD) >= 0 })
  }

  /// Lets the process have only so many more descriptors.
  private static func limit(free: Int) throws {
    let used = used()
    var unused = 0
    var bound: Int32 = 0
    while unused < free || used.contains(bound) {
      if !used.contains(bound) { unused += 1 }
      bound += 1
    }
    try set(UInt(bound))
  }

  private static func unlimit() throws { try set(1024) }

  private static func set(_ count: UInt) throws {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { throw TrialFailure("getrlimit: \(errno)") }
    limit.rlim_cur = min(count, limit.rlim_max)
    guard setrlimit(resource, &limit) == 0 else { throw TrialFailure("setrlimit: \(errno)") }
  }
}
