// A soak of faults: for as long as one likes, random changes on disks that fail and lose their power.

import Foundation
import Glibc
import LimelightIndexing
import LimelightItems
import LimelightSegments
import LimelightSpecimens
import LimelightStorage
import Testing

struct FaultSoakTests {
  /// `LIMELIGHT_SOAK_SECONDS`, as for the soak of kills, which runs beside in a process of its own.
  private static let seconds =
    ProcessInfo.processInfo.environment["LIMELIGHT_SOAK_SECONDS"].flatMap { Double($0) } ?? 0
  private static let seed =
    ProcessInfo.processInfo.environment["LIMELIGHT_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 1...999_999)

  private var chance = SeededGenerator(seed: seed)
  /// Operations of disks that were made to fail.
  private var errors = 0
  private var cuts = 0
  private var steps = 0
  private var lives = 0
  private var merges = 0

  private mutating func below(_ limit: Int) -> Int { Int(chance.next() % UInt64(limit)) }

  @Test(.enabled(if: seconds > 0))
  func nothingIsLostByFaultsAndMemoryStaysFlat() throws {
    var soak = self
    try soak.run()
  }

  private mutating func run() throws {
    let start = Date()
    let end = start.addingTimeInterval(Self.seconds)
    var memory = SoakMemory()
    var looked = Date.distantPast
    while end.timeIntervalSinceNow > 0 {
      do {
        try life()
      } catch {
        Issue.record("seed \(Self.seed), life \(lives): \(error)")
        throw error
      }
      lives += 1
      if looked.timeIntervalSinceNow < -1 {
        looked = Date()
        try memory.note()
      }
    }
    print(
      """
      soak of faults: seed \(Self.seed), \(Int(-start.timeIntervalSinceNow)) s,
        \(steps) operations on \(lives) disks, \(merges) merges, \(errors) failures injected, \
      \(cuts) power cuts, lost 0, ghosts 0
        memory \(memory.report)
      """)
    #expect(errors > lives / 2 && cuts > lives / 4 && merges > 0)
    #expect(memory.isFlat, "\(memory.report)")
  }

  /// One disk from its first file over some faults and a power cut to its end.
  private mutating func life() throws {
    let disk = FaultDisk(seed: chance.next())
    let syncs: [ChangeSync] = [.now, .soon, .later]
    let run = FaultRun(
      disk, sync: syncs[below(3)], spillBound: below(3) == 0 ? 64 : SpillFile.standardBound)
    for _ in 0..<1 + below(3) {
      let code = [EIO, ENOSPC, EDQUOT][below(3)]
      disk.fail(number: disk.count() + 1 + below(120), code: code, times: 1 + below(2) * below(4))
      let before = run.failures
      try run.run(script())
      errors += run.failures - before
      if disk.isCut { break }
    }
    if below(2) == 0 {
      disk.cut(number: disk.count() + 1 + below(60))
      try run.run(script())
    }
    // The power of an idle disk may go as well.
    try run.checkAfterPowerCut(seed: chance.next())
    cuts += 1
  }

  /// Some steps by chance, which put mostly.
  private mutating func script() -> [FaultStep] {
    (0..<6 + below(14)).map { _ in
      steps += 1
      switch below(24) {
      case 0, 1: return .checkpoint
      case 2, 3:
        merges += 1
        return .merge(1 + below(3))
      case 4, 5: return .reopen
      case 6, 7: return .abandon
      case 8: return .flush
      case 9: return .deleteAll
      case 10...13: return .delete((0..<1 + below(3)).map { _ in id() })
      case 14: return .load((0..<1 + below(6)).map { _ in item() }, threads: 1 + below(2))
      case 15: return .putWaiting([item()], [ChangeSync.now, .soon, .later][below(3)])
      default: return .put((0..<1 + below(3)).map { _ in item() })
      }
    }
  }

  private mutating func id() -> String { "i\(below(25))" }

  private mutating func item() -> Item {
    FaultStep.item(
      id(), below(1000), custom: below(20) == 0 ? "custom\(below(5))" : nil,
      thumbnail: below(4) == 0 ? 10 + below(60) : 0)
  }
}
