// Threads put, delete, merge and search at once: what a search sees is always one snapshot.

import Foundation
import Limelight
import LimelightStorage
import Testing

@Suite(.serialized) struct OneSnapshotTests {
  /// `LIMELIGHT_STRESS_SECONDS`: how long each test goes on.
  private static let seconds =
    ProcessInfo.processInfo.environment["LIMELIGHT_STRESS_SECONDS"].flatMap { Double($0) } ?? 4

  @Test(arguments: Durability.allCases)
  func searchesSeeWholeBatchesInFolders(_ durability: Durability) throws {
    let path = FileManager.default.temporaryDirectory.path + "/limelight-stress-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let index = try Index(path, options: IndexConfiguration(durability: durability))
    // A handle that reads follows the files as another process would.
    let reader = try Index(path, access: .readOnly)
    let board = try stress(index, searching: [index, reader])
    try check(reader, board)
    try index.close()
    try check(try Index(path), board)
  }

  @Test func searchesSeeWholeBatchesInMemory() throws {
    let index = try Index.inMemory()
    let board = try stress(index, searching: [index])
    try check(index, board)
  }

  /// Runs writers, searchers and one that commits and merges, until the time is over.
  private func stress(_ index: Index, searching handles: [Index]) throws -> StressBoard {
    let board = StressBoard(seconds: Self.seconds)
    var threads: [WorkerThread] = []
    func start(_ name: String, _ body: @escaping @Sendable () throws -> Void) throws {
      threads.append(
        try WorkerThread(name: name, stackSize: 4 << 20) {
          do { try body() } catch { board.fail("\(name): \(error)") }
        })
    }
    for writer in 0..<StressBoard.writers {
      try start("writer \(writer)") { try StressWriter(index, board, writer).run() }
    }
    for number in 0..<4 {
      let handle = handles[number % handles.count]
      try start("searcher \(number)") { try StressSearcher(handle, board, number).run() }
    }
    try start("keeper") {
      while !board.isOver {
        try index.commit()
        for count in [3, 2, 1] {
          try index.merge(into: count)
          board.note(.merges)
          Clock.sleep(milliseconds: 3)
        }
      }
    }
    for thread in threads { thread.join() }
    print("stress: \(board.report)")
    #expect(board.failures.isEmpty, "\(board.failures)")
    #expect(board.hasDoneEnough)
    return board
  }

  /// When all is quiet, everything is as the last change of each writer has left it.
  private func check(_ index: Index, _ board: StressBoard) throws {
    var expected = 0
    for writer in 0..<StressBoard.writers {
      let change = board.acknowledged(writer)
      let seen = try StressView(index, writer)
      #expect(seen.change == (StressBoard.isDeletion(change) ? nil : change))
      expected += seen.change == nil ? 0 : StressBoard.batchSize
    }
    #expect(try index.count == expected)
    #expect(try index.verify().isEmpty)
  }
}
