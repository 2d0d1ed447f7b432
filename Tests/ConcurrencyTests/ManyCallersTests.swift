// Many threads put one item after the other: all of it is there, and segments do not pile up.

import Foundation
import Limelight
import LimelightStorage
import Testing

@Suite(.serialized) struct ManyCallersTests {
  private static let callers = 24
  private static let puts = 250

  @Test(arguments: Durability.allCases)
  func segmentsStayFewWhoeverPuts(_ durability: Durability) throws {
    let path = FileManager.default.temporaryDirectory.path + "/limelight-callers-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let index = try Index(path, options: IndexConfiguration(durability: durability))
    let board = CallersBoard()
    let threads = try (0..<Self.callers).map { caller in
      try WorkerThread(name: "caller", stackSize: 4 << 20) {
        do {
          for number in 0..<Self.puts {
            // Every third replaces an item of this caller's own, in whatever segment that is by now.
            let id = number % 3 == 2 ? number / 2 : number
            let receipt = try index.put([
              Item(id: "\(caller)/\(id)", attributes: [.title: .text("one of v\(number)")])
            ])
            guard receipt.put == 1, durability != .full || receipt.isDurable else {
              return board.fail("\(receipt)")
            }
            if number % 50 == 49 { board.note(segments: try index.stats().segments.count) }
          }
        } catch {
          board.fail("\(error)")
        }
      }
    }
    // A checkpoint freezes segments, and those that come meanwhile are merged all the same.
    while board.isAtWork(Self.callers * Self.puts / 50) {
      try index.commit()
      Clock.sleep(milliseconds: 5)
    }
    for thread in threads { thread.join() }
    #expect(board.failures.isEmpty, "\(board.failures)")
    // 128 in a row at most, one more for each caller that is under way, twice for those that a checkpoint
    // has frozen; the rest are files.
    #expect(board.mostSegments <= 2 * (128 + Self.callers) + 60, "\(board.mostSegments)")

    var expected: Set<String> = []
    for caller in 0..<Self.callers {
      for number in 0..<Self.puts where number % 3 != 2 { expected.insert("\(caller)/\(number)") }
      for number in stride(from: 2, to: Self.puts, by: 3) {
        expected.insert("\(caller)/\(number / 2)")
      }
    }
    let last = UInt64(Self.callers * Self.puts)
    #expect(try index.flush() == last)
    #expect(try Set(index.ids()) == expected)
    #expect(try index.count("one") == expected.count)
    #expect(try index.verify().isEmpty)
    try index.close()
    let again = try Index(path)
    #expect(try Set(again.ids()) == expected)
    #expect(try again.count("one") == expected.count)
    try again.close()
  }
}

/// What the callers say.
private final class CallersBoard: @unchecked Sendable {
  private let lock = Lock()
  private var failed: [String] = []
  private var most = 0
  private var notes = 0

  var failures: [String] { lock.withLock { failed } }
  var mostSegments: Int { lock.withLock { most } }

  func fail(_ text: String) { lock.withLock { failed.append(text) } }

  func note(segments: Int) {
    lock.withLock {
      most = max(most, segments)
      notes += 1
    }
  }

  /// Whether fewer than so many notes have come, and no failure.
  func isAtWork(_ count: Int) -> Bool { lock.withLock { notes < count && failed.isEmpty } }
}
