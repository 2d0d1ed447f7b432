// Segments that outgrow memory while they are written, on a disk that fails or loses its power.

import Glibc
import LimelightIndexing
import LimelightStorage
import Testing

/// The script again, with the least in memory: checkpoints and merges put their sections into scratch files.
struct SpillTests {
  private static let spillBound = 64

  private func run(_ disk: FaultDisk) -> FaultRun { FaultRun(disk, spillBound: Self.spillBound) }

  /// How many operations the script costs an untroubled disk: more than without scratch files.
  private func length() throws -> Int {
    let (whole, spilling) = (FaultDisk(seed: 1), FaultDisk(seed: 1))
    try FaultRun(whole).run(FaultStep.script)
    let run = run(spilling)
    try run.run(FaultStep.script)
    #expect(run.failures == 0)
    #expect(spilling.count(of: .create) >= whole.count(of: .create) + 5)
    #expect(spilling.count(of: .append) >= whole.count(of: .append) + 30)
    let length = spilling.count()
    try run.finish()
    return length
  }

  @Test func afterAPowerCutAtAnyOperationAllThatWasAcknowledgedIsThere() throws {
    for operation in 1...(try length()) {
      let disk = FaultDisk(seed: UInt64(operation) &* 31)
      disk.cut(number: operation)
      let run = run(disk)
      try run.run(FaultStep.script)
      guard disk.isCut else { continue }
      do {
        try run.checkAfterPowerCut(seed: UInt64(operation))
      } catch {
        Issue.record("cut at operation \(operation): \(error)")
      }
    }
  }

  @Test(arguments: [EIO, ENOSPC])
  func afterAFailureOfAnyOperationTheIndexGoesOn(_ code: Int32) throws {
    for operation in 1...(try length()) {
      let disk = FaultDisk(seed: UInt64(operation))
      disk.fail(number: operation, code: code)
      let run = run(disk)
      do {
        try run.run(FaultStep.script)
        try run.checkAfterPowerCut(seed: UInt64(operation))
        try run.finish()
      } catch {
        Issue.record("error \(code) at operation \(operation): \(error)")
      }
    }
  }
}
