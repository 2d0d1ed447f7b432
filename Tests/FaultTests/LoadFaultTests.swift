// Bulk loads on a disk that fails, fills up or loses its power at every single operation.

import Glibc
import LimelightIndexing
import LimelightItems
import LimelightStorage
import Testing

struct LoadFaultTests {
  /// Loads between other changes: items that are new, that replace others in files and in memory, that
  /// come twice, with thumbnails and attributes of their own.
  private static let script: [FaultStep] = [
    .put([FaultStep.item("a", 1, thumbnail: 40), FaultStep.item("b", 1)]),
    .load([
      FaultStep.item("b", 2, thumbnail: 30), FaultStep.item("c", 2, custom: "colour"),
      FaultStep.item("d", 2), FaultStep.item("c", 3), FaultStep.item("e", 2, thumbnail: 20),
    ]),
    .put([FaultStep.item("d", 3), FaultStep.item("f", 3, thumbnail: 15)]),
    .delete(["a"]),
    .load([FaultStep.item("a", 4), FaultStep.item("f", 4), FaultStep.item("g", 4, thumbnail: 5)]),
    .reopen,
    .load((0..<6).map { FaultStep.item("h\($0)", 5, thumbnail: $0 * 3) }),
    .abandon,
    .delete(["h1", "b"]),
    .load([FaultStep.item("b", 6), FaultStep.item("h2", 6, custom: "size")]),
    .merge(1),
    .put([FaultStep.item("i", 7)]),
  ]

  private func length() throws -> Int {
    let run = FaultRun(FaultDisk(seed: 1))
    try run.run(Self.script)
    #expect(run.failures == 0)
    try run.checkAfterPowerCut(seed: 2)
    let length = run.disk.count()
    try run.finish()
    return length
  }

  /// The run compares what the writer shows after every step, also after one that has failed.
  @Test(arguments: [ENOSPC, EIO])
  func aLoadThatFailsHasNotHappened(_ code: Int32) throws {
    var failures = 0
    for operation in 1...(try length()) {
      let disk = FaultDisk(seed: UInt64(operation))
      disk.fail(number: operation, code: code)
      let run = FaultRun(disk)
      try attempt("error \(code) at operation \(operation)") {
        try run.run(Self.script)
        try run.checkAfterPowerCut(seed: UInt64(operation))
        try run.finish()
      }
      failures += run.failures
    }
    #expect(failures > 60, "\(failures)")
  }

  /// A full disk stays full for a while: what the failed load wrote must not stay on it.
  @Test func aDiskThatIsFullForAWhileKeepsNothingOfTheLoad() throws {
    let untroubled = FaultDisk()
    try FaultRun(untroubled).run(Self.script)
    for start in 1...untroubled.count(of: .append) {
      let disk = FaultDisk(seed: UInt64(start))
      disk.fail(.append, number: start, code: ENOSPC, times: 1 + start % 11)
      let run = FaultRun(disk)
      try attempt("full from append \(start)") {
        try run.run(Self.script)
        for number in 0..<12 { try run.run([.put([FaultStep.item("m", number)])]) }
        if run.poisonings == 0 {
          try run.run([.merge(1)])
          try run.checkFiles()
        }
        try run.finish()
      }
    }
  }

  @Test func afterAPowerCutALoadIsThereAsAWholeOrNotAtAll() throws {
    for operation in 1...(try length()) {
      let disk = FaultDisk(seed: 500 &+ UInt64(operation))
      disk.cut(number: operation)
      let run = FaultRun(disk)
      try run.run(Self.script)
      try attempt("cut at operation \(operation)") {
        try run.checkAfterPowerCut(seed: UInt64(operation))
      }
    }
  }

  /// Loads by two threads take their operations in an order that nobody knows.
  @Test(arguments: [ENOSPC, EIO])
  func aLoadByTwoThreadsThatFailsHasNotHappened(_ code: Int32) throws {
    let items = (0..<40).map { FaultStep.item("t\($0 % 30)", $0, thumbnail: $0 % 3) }
    let script: [FaultStep] = [
      .put([FaultStep.item("t3", 100), FaultStep.item("u", 100)]), .checkpoint,
      .load(items, threads: 2), .put([FaultStep.item("t4", 101)]), .load(items, threads: 2),
    ]
    var failures = 0
    for operation in 1...60 {
      let disk = FaultDisk(seed: UInt64(operation))
      disk.fail(number: operation, code: code)
      let run = FaultRun(disk)
      try attempt("error \(code) at operation \(operation)") {
        try run.run(script)
        try run.finish()
      }
      failures += run.failures
    }
    #expect(failures > 20, "\(failures)")
  }
}
