// How many puts a second several callers get, each durable when it returns.

import Limelight
import LimelightStorage

/// Arguments: folder, number of threads, seconds.
enum GroupTrial {
  static func run(_ arguments: [String]) throws {
    guard arguments.count == 3, let threads = Int(arguments[1]), let seconds = UInt64(arguments[2])
    else { throw TrialFailure("folder, threads, seconds") }
    let index = try Index(arguments[0])
    let board = Board()
    let start = Clock.monotonicNanoseconds()
    let end = start + seconds * 1_000_000_000
    let workers = try (0..<threads).map { thread in
      try WorkerThread(name: "put", stackSize: 4 << 20) {
        var number = 0
        while Clock.monotonicNanoseconds() < end {
          do {
            try index.put([
              Item(
                id: "t\(thread)/\(number)", domain: "d\(thread)",
                attributes: [
                  .title: .text("note \(number) of \(thread)"),
                  .textContent: "Some words that a note may have, a line or two of them.",
                ])
            ])
            number += 1
          } catch {
            board.fail("\(error)")
            return
          }
        }
        board.add(number)
      }
    }
    for worker in workers { worker.join() }
    let time = Double(Clock.monotonicNanoseconds() - start) / 1e9
    let (puts, failures) = board.result
    guard failures.isEmpty, try index.count == puts else { throw TrialFailure("\(failures)") }
    try index.close()
    tell("group: \(threads) threads, \(Int(Double(puts) / time)) puts/s (\(puts) in \(time) s)")
  }

  private final class Board: @unchecked Sendable {
    private let lock = Lock()
    private var puts = 0
    private var failures: [String] = []

    func add(_ count: Int) { lock.withLock { puts += count } }
    func fail(_ text: String) { lock.withLock { failures.append(text) } }
    var result: (Int, [String]) { lock.withLock { (puts, failures) } }
  }
}
