// A soak: for as long as one likes, random changes, kills and reopenings, and nothing is ever lost.

import Foundation
import LimelightCrashChild
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

/// The memory of this process that is no file's, over time.
struct SoakMemory {
  /// Kilobytes.
  private var samples: [Int] = []

  mutating func note() throws {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") }),
      let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { throw CrashFailure("the system does not tell how much memory is used") }
    samples.append(kilobytes)
  }

  /// Means of the first third, in which buffers have grown to their sizes, and of the last.
  private var thirds: (first: Int, last: Int) {
    let size = max(samples.count / 3, 1)
    func mean(_ part: ArraySlice<Int>) -> Int { part.reduce(0, +) / max(part.count, 1) }
    return (mean(samples.prefix(size)), mean(samples.suffix(size)))
  }

  /// Whether the last third takes no more than the first, but for a tenth and 2 MB.
  var isFlat: Bool { thirds.last <= thirds.first * 11 / 10 + 2048 }

  var report: String {
    "\(samples.first ?? 0) kB at first, \(samples.last ?? 0) kB at last; \(thirds.first) kB in the first third, \(thirds.last) kB in the last, "
      + "\(samples.max() ?? 0) kB at most"
  }
}
