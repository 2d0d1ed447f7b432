// Several processes at one index: who writes, who waits, and what readers see while writers die.

import Foundation
import Limelight
import LimelightStorage
import Testing

struct ProcessesTests {
  @Test func aSecondWriterIsToldWhoWrites() throws {
    let folder = try TrialFolder()
    let child = try TrialProcess(["hold", folder.index])
    try #require(try child.wait(lines: 1))
    for wait in [0, 300] {
      let start = Clock.monotonicNanoseconds()
      let error = #expect(throws: LimelightError.self) {
        _ = try Index(folder.index, options: IndexConfiguration(lockWait: wait))
      }
      let milliseconds = Int((Clock.monotonicNanoseconds() - start) / 1_000_000)
      #expect(error?.code == .locked && error?.holder == child.number)
      #expect(error?.message.contains("\(child.number)") == true, "\(error?.message ?? "")")
      #expect(milliseconds >= wait && milliseconds < wait + 20_000)
    }
    try child.kill()
    // The lock has died with its owner.
    try Index(folder.index).close()
  }

  @Test func whoWaitsForAWriterThatDiesComesNext() throws {
    let folder = try TrialFolder()
    let child = try TrialProcess(["hold", folder.index])
    try #require(try child.wait(lines: 5))
    let number = child.number
    let killer = try WorkerThread(name: "killer") {
      Clock.sleep(milliseconds: 200)
      kill(number, SIGKILL)
    }
    let start = Clock.monotonicNanoseconds()
    let index = try Index(folder.index, options: IndexConfiguration(lockWait: 60_000))
    #expect(Clock.monotonicNanoseconds() - start >= 150_000_000)
    killer.join()
    #expect(try index.count >= 4)
    try index.close()
  }

  /// One reader lives on while writers come and are killed at any moment; nobody else opens the index.
  @Test func aReaderSeesWhateverWasAcknowledgedBeforeTheWriterDied() throws {
    let folder = try TrialFolder()
    var reader: Index?
    var expected = 0
    var looks = 0
    for _ in 0..<25 {
      let child = try TrialProcess(["hold", folder.index])
      try #require(try child.wait(lines: 1))
      try #require(child.lines[0] == "open \(expected)", "\(child.lines)")
      let index = try reader ?? Index(folder.index, access: .readOnly)
      reader = index
      let end = Date(timeIntervalSinceNow: Double.random(in: 0.001...0.15))
      while end.timeIntervalSinceNow > 0 {
        try child.read(milliseconds: Int.random(in: 1...5))
        let acknowledged = expected + child.lines.count - 1
        let count = try index.count
        try #require(count >= acknowledged, "\(count) of \(acknowledged)")
        if acknowledged > 0 {
          let last = try #require(try index.get("i\(acknowledged - 1)"))
          #expect(last.attributes[.pageCount] == .number(Double(acknowledged - 1)))
        }
        looks += 1
      }
      try child.kill()
      expected += child.lines.count - 1
      // The put under way may have reached the journal.
      let count = try index.count
      try #require(count == expected || count == expected + 1, "\(count), \(expected)")
      expected = count
      #expect(try index.count(.term("all")) == expected)
      #expect(try index.count(.term("n\(max(expected - 1, 0))")) == min(expected, 1))
      #expect(try index.verify().isEmpty)
    }
    print("follow: 25 writers killed, \(expected) items, \(looks) looks")
    #expect(expected > 25 && looks > 25)
    let ids = try #require(reader).ids()
    #expect(ids == (0..<expected).map { "i\($0)" })
  }

  /// `LIMELIGHT_SHARE_SECONDS`: how long.
  private static let seconds =
    ProcessInfo.processInfo.environment["LIMELIGHT_SHARE_SECONDS"].flatMap { Int($0) } ?? 4

  /// Sixteen threads, in four processes or in one.
  @Test(arguments: [(processes: 4, threads: 4), (processes: 1, threads: 16)])
  func processesOfSeveralThreadsChangeAndReadOneIndex(
    _ shape: (processes: Int, threads: Int)
  ) throws {
    let folder = try TrialFolder()
    let seed = UInt64.random(in: 1...999_999)
    let children = try (0..<shape.processes).map { number in
      try TrialProcess([
        "share", folder.index, "p\(number)", "\(seed + UInt64(number))", "\(Self.seconds)",
        "\(shape.threads)",
      ])
    }
    var items = 0
    for (number, child) in children.enumerated() {
      let line = try child.end()
      print(line)
      let words = line.split(separator: " ")
      try #require(words.count > 2 && words[1] == "p\(number)")
      let own = try #require(Int(words[2]))
      #expect(try Index(folder.index, access: .readOnly).count(.domain("p\(number)")) == own)
      items += own
    }
    let index = try Index(folder.index)
    #expect(try index.count == items && items > 0)
    #expect(try index.verify().isEmpty)
    try index.close()
  }
}

struct RandomTests {
  /// `LIMELIGHT_SOAK_OPERATIONS`: how many; `LIMELIGHT_SEED`: which.
  private static let operations =
    ProcessInfo.processInfo.environment["LIMELIGHT_SOAK_OPERATIONS"] ?? "20000"
  private static let seed =
    ProcessInfo.processInfo.environment["LIMELIGHT_SEED"] ?? "\(UInt64.random(in: 1...999_999))"

  @Test func afterAnyOperationsTheIndexAnswersAsTheModel() throws {
    print(try TrialFolder().run("random", Self.seed, Self.operations))
  }
}
