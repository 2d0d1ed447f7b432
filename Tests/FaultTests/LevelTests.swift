// Changes that do not wait for the disk: what a power cut may take of them, and what it may not.

import Glibc
import LimelightIndexing
import LimelightItems
import LimelightSnapshots
import LimelightStorage
import Testing

struct LevelTests {
  private func run(_ disk: FaultDisk, _ sync: ChangeSync) -> FaultRun { FaultRun(disk, sync: sync) }

  /// How many operations the script costs an untroubled disk.
  private func length(_ sync: ChangeSync) throws -> Int {
    let run = run(FaultDisk(seed: 1), sync)
    try run.run(FaultStep.waitingScript)
    #expect(run.failures == 0)
    return run.disk.count()
  }

  @Test(arguments: [ChangeSync.now, .soon, .later])
  func afterAPowerCutAtAnyOperationThereIsWhatTheLevelPromises(_ sync: ChangeSync) throws {
    var losses = 0
    for operation in 1...(try length(sync)) {
      let disk = FaultDisk(seed: UInt64(operation))
      disk.cut(number: operation)
      let run = run(disk, sync)
      try run.run(FaultStep.waitingScript)
      try #require(disk.isCut)
      for seed in 0..<4 as Range<UInt64> {
        try attempt("\(sync), cut at operation \(operation), seed \(seed)") {
          losses += try run.checkAfterPowerCut(seed: seed &* 77 &+ UInt64(operation))
        }
      }
    }
    // The test must have seen what it allows.
    #expect((losses > 20) == (sync != .now), "\(losses)")
    print("fault: \(sync), \(try length(sync)) operations, \(losses) losses")
  }

  @Test(arguments: [ChangeSync.now, .soon, .later])
  func afterAPowerCutBetweenAnyStepsThereIsWhatTheLevelPromises(_ sync: ChangeSync) throws {
    for count in 1...FaultStep.waitingScript.count {
      let run = run(FaultDisk(seed: UInt64(count)), sync)
      try run.run(Array(FaultStep.waitingScript.prefix(count)))
      for seed in 0..<16 as Range<UInt64> {
        try attempt("\(sync), cut after step \(count), seed \(seed)") {
          try run.checkAfterPowerCut(seed: seed)
        }
      }
    }
  }

  @Test(arguments: [ChangeSync.soon, .later], [EIO, ENOSPC])
  func afterAFailureOfAnyOperationTheIndexGoesOn(_ sync: ChangeSync, _ code: Int32) throws {
    var poisonings = 0
    for operation in 1...(try length(sync)) {
      let disk = FaultDisk(seed: UInt64(operation))
      disk.fail(number: operation, code: code)
      let run = run(disk, sync)
      try attempt("\(sync), error \(code) at operation \(operation)") {
        try run.run(FaultStep.waitingScript)
        try run.checkAfterPowerCut(seed: UInt64(operation))
        try run.finish()
      }
      poisonings += run.poisonings
    }
    #expect(poisonings > 10, "\(poisonings)")
  }
}
