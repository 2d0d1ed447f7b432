// A second fault while the first one is being got over.

import Foundation
import Glibc
import LimelightIndexing
import LimelightStorage
import Testing

struct SecondFaultTests {
  /// `LIMELIGHT_SEED`, or another one each time.
  private static let seed =
    ProcessInfo.processInfo.environment["LIMELIGHT_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 1...999_999)
  /// One of so many operations of the script is cut; `LIMELIGHT_ALL_FAULTS` cuts them all.
  private static let stride =
    ProcessInfo.processInfo.environment["LIMELIGHT_ALL_FAULTS"] == nil ? 17 : 1

  /// Runs the script up to a power cut, then `body` with what it left.
  private func afterEachCut(
    _ sync: ChangeSync, _ body: (FaultRun, UInt64) throws -> Int
  ) throws -> Int {
    let script = sync == .now ? FaultStep.script : FaultStep.waitingScript
    let untroubled = FaultRun(FaultDisk(seed: 1), sync: sync)
    try untroubled.run(script)
    let start = 1 + Int(Self.seed % UInt64(Self.stride))
    var faults = 0
    for operation in Swift.stride(from: start, through: untroubled.disk.count(), by: Self.stride) {
      let seed = Self.seed &* 1000 &+ UInt64(operation)
      let disk = FaultDisk(seed: seed)
      disk.cut(number: operation)
      let run = FaultRun(disk, sync: sync)
      try run.run(script)
      try #require(disk.isCut)
      do {
        faults += try body(run, seed)
      } catch {
        Issue.record("cut at operation \(operation), \(sync), seed \(Self.seed): \(error)")
        throw error
      }
    }
    return faults
  }

  @Test(arguments: [ChangeSync.now, .soon, .later])
  func afterAPowerCutAtAnyOperationOfTheRecoveryNothingIsLost(_ sync: ChangeSync) throws {
    let cuts = try afterEachCut(sync) { run, seed in
      let untroubled = run.afterPowerCut(seed: seed)
      try untroubled.run(FaultStep.recovery)
      let length = untroubled.disk.count()
      for operation in 1...length {
        let second = run.afterPowerCut(seed: seed)
        second.disk.cut(number: operation)
        try second.run(FaultStep.recovery)
        try #require(second.disk.isCut, "operation \(operation) of \(length)")
        try second.checkAfterPowerCut(seed: seed &+ UInt64(operation))
      }
      return length
    }
    print("fault: \(cuts) cuts during recovery, seed \(Self.seed)")
    #expect(cuts > 200)
  }

  @Test(arguments: [ChangeSync.now, .soon, .later], [EIO, ENOSPC])
  func afterAFailureOfAnyOperationOfTheRecoveryTheIndexGoesOn(
    _ sync: ChangeSync, _ code: Int32
  ) throws {
    let failures = try afterEachCut(sync) { run, seed in
      let untroubled = run.afterPowerCut(seed: seed)
      try untroubled.run(FaultStep.recovery)
      let length = untroubled.disk.count()
      for operation in Swift.stride(from: 1 + Int(seed % 3), through: length, by: 3) {
        let second = run.afterPowerCut(seed: seed)
        second.disk.fail(number: operation, code: code)
        try second.run(FaultStep.recovery)
        try second.checkAfterPowerCut(seed: seed &+ UInt64(operation))
        try second.finish()
      }
      return length / 3
    }
    print("fault: \(failures) errors \(code) during recovery, seed \(Self.seed)")
    #expect(failures > 60)
  }
}
