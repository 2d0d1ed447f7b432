// A soak: for as long as one likes, random changes, kills and reopenings, and nothing is ever lost.

import Foundation
import LimelightCrashChild
import LimelightSpecimens
import Testing

struct SoakTests {
  /// `LIMELIGHT_SOAK_SECONDS`: how long; `make soak MINUTES=20` and `make test-soak` set it.
  ///
  /// Without it the soak is left out: the memory of a process in which other suites run tells nothing.
  private static let seconds =
    ProcessInfo.processInfo.environment["LIMELIGHT_SOAK_SECONDS"].flatMap { Double($0) } ?? 0
  private static let seed =
    ProcessInfo.processInfo.environment["LIMELIGHT_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 1...999_999)

  @Test(.enabled(if: seconds > 0))
  func nothingIsLostAndMemoryStaysFlat() throws {
    let folder =
      FileManager.default.temporaryDirectory.path + "/limelight-soak-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let start = Date()
    let end = start.addingTimeInterval(Self.seconds)
    let lanes = try [CrashTarget.anyMoment, .anyMomentOfCommits].enumerated().map {
      try CrashLane($1, seed: Self.seed * 10 + UInt64($0), scratch: folder)
    }
    let session = try SoakSession(path: folder + "/session", seed: Self.seed)
    var memory = SoakMemory()
    var turn = 0
    while end.timeIntervalSinceNow > 0 {
      // In turns, so that all goes on until the end: kills here and there, then work without a kill.
      let slice = min(end, Date(timeIntervalSinceNow: 1))
      if turn % 3 < 2 {
        try lanes[turn % 3].run(until: slice)
      } else {
        try session.run(until: slice)
      }
      turn += 1
      if turn % 3 == 0 { try memory.note() }
    }
    try session.finish()
    let commit = ProcessInfo.processInfo.environment["LIMELIGHT_COMMIT"] ?? "unknown"
    let kills = lanes.reduce(0) { $0 + $1.kills }
    let changes = lanes.reduce(session.changes) { $0 + $1.changes }
    // Whatever had been lost, or had come from nowhere, would have ended the test before.
    print(
      """
      soak: commit \(commit), seed \(Self.seed), \(Int(-start.timeIntervalSinceNow)) s,
        \(changes) operations acknowledged, \(kills) kills of \(lanes.reduce(0) { $0 + $1.rounds }) \
      children, \(session.merges) merges, \(session.reopenings) reopenings, \
      \(session.searches) searches compared, \
      followed \(lanes.reduce(0) { $0 + $1.followed }) times, lost 0, ghosts 0
        memory \(memory.report)
      """)
    #expect(kills > Int(Self.seconds / 10) && changes > Int(Self.seconds))
    #expect(session.searches > 0 && session.reopenings > 0 && session.merges > 0)
    #expect(memory.isFlat, "\(memory.report)")
    try FileManager.default.removeItem(atPath: folder)
  }
}
