// The whole write path on a disk that fails, or loses its power, at every single operation.

import Glibc
import LimelightIndexing
import LimelightItems
import LimelightSnapshots
import LimelightStorage
import Testing

struct FaultTests {
  /// How many operations the script costs an untroubled disk.
  private func length() throws -> Int {
    let run = FaultRun(FaultDisk(seed: 1))
    try run.run(FaultStep.script)
    #expect(run.failures == 0)
    try run.checkAfterPowerCut(seed: 2)
    let length = run.disk.count()
    try run.finish()
    return length
  }

  @Test(arguments: [UInt64(1), 2])
  func afterAPowerCutAtAnyOperationAllThatWasAcknowledgedIsThere(_ seed: UInt64) throws {
    for operation in 1...(try length()) {
      let disk = FaultDisk(seed: seed &* 1000 &+ UInt64(operation))
      disk.cut(number: operation)
      let run = FaultRun(disk)
      try run.run(FaultStep.script)
      try #require(disk.isCut)
      try attempt("cut at operation \(operation), seed \(seed)") {
        try run.checkAfterPowerCut(seed: seed &* 77 &+ UInt64(operation))
      }
    }
  }

  @Test(arguments: [EIO, ENOSPC])
  func afterAFailureOfAnyOperationTheIndexGoesOn(_ code: Int32) throws {
    var poisonings = 0
    for operation in 1...(try length()) {
      let disk = FaultDisk(seed: UInt64(operation))
      disk.fail(number: operation, code: code)
      let run = FaultRun(disk)
      try attempt("error \(code) at operation \(operation)") {
        try run.run(FaultStep.script)
        try run.checkAfterPowerCut(seed: UInt64(operation))
        try run.finish()
      }
      poisonings += run.poisonings
    }
    #expect(poisonings > 10, "\(poisonings)")
    print("fault: \(try length()) operations, \(poisonings) poisonings")
  }

  @Test func aDiskThatIsFullForAWhileCostsNothingButTheChangesMeanwhile() throws {
    let untroubled = FaultDisk()
    try FaultRun(untroubled).run(FaultStep.script)
    for start in 1...untroubled.count(of: .append) {
      let disk = FaultDisk(seed: UInt64(start))
      disk.fail(.append, number: start, code: ENOSPC, times: 1 + start % 9)
      let run = FaultRun(disk)
      try attempt("full from append \(start)") {
        try run.run(FaultStep.script)
        // There is room again after at most so many attempts.
        for number in 0..<12 { try run.run([.put([FaultStep.item("m", number)])]) }
        try run.finish()
      }
    }
  }

  /// A disk that is full must not be filled further by every new attempt.
  @Test func aCheckpointOrMergeThatFailsLeavesNoFilesBehind() throws {
    var failures = 0
    for number in 1...60 {
      let disk = FaultDisk(seed: UInt64(number))
      let run = FaultRun(disk)
      try run.run(Array(FaultStep.script.prefix(8)))
      for _ in 0..<3 {
        disk.fail(number: disk.count() + number, code: ENOSPC)
        try run.run([.put([FaultStep.item("n", number, thumbnail: 9)]), .checkpoint, .merge(1)])
      }
      failures += run.failures
      guard run.poisonings == 0 else { continue }
      // Behind the last of the faults.
      for number in 0..<30 { try run.run([.put([FaultStep.item("o", number)])]) }
      try run.run([.merge(1)])
      try run.checkFiles()
    }
    #expect(failures > 60, "\(failures)")
  }
}
