// Real kills of a process that writes an index: nothing acknowledged is lost, nothing is there in part.

import Foundation
import LimelightCrashChild
import LimelightStorage
import Testing

struct CrashTests {
  /// How many children die in each step; `LIMELIGHT_KILLS` sets another number.
  private static let kills =
    ProcessInfo.processInfo.environment["LIMELIGHT_KILLS"].flatMap { Int($0) } ?? 50
  /// `LIMELIGHT_SEED`, or another one each time.
  private static let seed =
    ProcessInfo.processInfo.environment["LIMELIGHT_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 1...999_999)

  /// A folder in memory where there is one: a kill takes nothing from it that a disk would keep.
  private static func scratch() throws -> String {
    let parent =
      FileManager.default.isWritableFile(atPath: "/dev/shm")
      ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    let path = parent + "/limelight-crash-\(getpid())"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  @Test func whateverTheStepAtWhichTheWriterIsKilledNothingAcknowledgedIsLost() throws {
    let scratch = try Self.scratch()
    let board = CrashBoard(CrashTarget.all.count)
    let lanes = try (0..<2).map { _ in
      try WorkerThread(name: "crash", stackSize: 8 << 20) {
        while let number = board.take() {
          do {
            let lane = try CrashLane(
              CrashTarget.all[number], seed: Self.seed * 100 + UInt64(number), scratch: scratch)
            defer { board.put(lane, number) }
            try lane.run(kills: Self.kills)
          } catch {
            board.fail("\(error)")
          }
        }
      }
    }
    for lane in lanes { lane.join() }
    print(board.report(seed: Self.seed))
    #expect(board.failures.isEmpty)
    for (number, target) in CrashTarget.all.enumerated() {
      #expect(board.kills[number] >= Self.kills, "\(target.name)")
    }
    #expect(board.followed > 0)
    if board.failures.isEmpty { try FileManager.default.removeItem(atPath: scratch) }
  }
}

/// What the lanes share; for any thread.
final class CrashBoard: @unchecked Sendable {
  private let lock = Lock()
  private var next = 0
  private(set) var kills: [Int]
  private(set) var failures: [String] = []
  private var places: [CrashPlace: Int] = [:]
  private var rounds = 0
  private(set) var followed = 0

  init(_ count: Int) { kills = Array(repeating: 0, count: count) }

  /// The next target, or nil at their end.
  func take() -> Int? {
    lock.withLock {
      guard next < kills.count else { return nil }
      next += 1
      return next - 1
    }
  }

  func put(_ lane: CrashLane, _ number: Int) {
    lock.withLock {
      kills[number] = lane.kills
      places.merge(lane.places) { $0 + $1 }
      rounds += lane.rounds
      followed += lane.followed
    }
  }

  func fail(_ text: String) {
    lock.withLock { failures.append(text) }
  }

  /// How many children died where: by target, and all threads by the step that they had reached.
  func report(seed: UInt64) -> String {
    let targets = zip(CrashTarget.all, kills).map { "\($0.name) \($1)" }.joined(separator: "; ")
    var phases: [Phase: Int] = [:]
    var operations: [CrashOperation: Int] = [:]
    for (place, count) in places {
      phases[place.phase, default: 0] += count
      operations[place.operation, default: 0] += count
    }
    let steps = Phase.allCases.map { "\($0) \(phases[$0, default: 0])" }.joined(separator: "; ")
    let all = CrashOperation.allCases.map { "\($0) \(operations[$0, default: 0])" }
      .joined(separator: "; ")
    return """
      crash, seed \(seed), \(rounds) children, followed \(followed) times. Kills: \(targets).
      Steps: \(steps).
      Operations: \(all).
      """
  }
}
