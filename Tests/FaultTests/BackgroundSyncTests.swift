// The sync that comes after changes have returned: when it comes, and what its failure means.

import Glibc
import LimelightIndexing
import LimelightItems
import LimelightSnapshots
import LimelightStorage
import Testing

struct BackgroundSyncTests {
  private static let options = IndexOptions(analyzerName: "words", analyzerVersion: 1)

  private func writer(
    _ disk: FaultDisk, _ sync: ChangeSync, delay: Int? = nil
  ) throws -> IndexWriter {
    try IndexWriter(
      .faulty(disk), creating: Self.options, waiting: 2000, sync: sync, syncDelay: delay)
  }

  private func wait(_ milliseconds: Int, until isDone: () -> Bool) -> Bool {
    let end = Clock.monotonicNanoseconds() + UInt64(milliseconds) * 1_000_000
    while !isDone() {
      guard Clock.monotonicNanoseconds() < end else { return false }
      Clock.sleep(milliseconds: 2)
    }
    return true
  }

  @Test(arguments: [ChangeSync.soon, .later])
  func aChangeThatDoesNotWaitCostsNoSyncAndIsSeenByAllReaders(_ sync: ChangeSync) throws {
    let disk = FaultDisk()
    let writer = try writer(disk, sync, delay: 3_600_000)
    let follower = try IndexFollower(.faulty(disk))
    for number in 0..<20 {
      let before = disk.count(of: .dataSync)
      let outcome = try writer.put([FaultStep.item("i\(number % 7)", number)])
      #expect(!outcome.isDurable && outcome.generation == UInt64(number + 1))
      #expect(disk.count(of: .dataSync) == before)
      #expect(writer.root.snapshot.generation == outcome.generation)
      #expect(try follower.refresh().snapshot.generation == outcome.generation)
    }
    #expect(writer.durableGeneration == 0)
    let before = disk.count(of: .dataSync)
    #expect(try writer.flush() == 20)
    #expect(try writer.flush() == 20)
    #expect(disk.count(of: .dataSync) == before + 1)
    #expect(writer.durableGeneration == 20)
    // What is durable stays so; who has nothing to do is told so.
    #expect(try writer.put([]).isDurable)
    try writer.close()
  }

  @Test func aChangeThatWaitsMakesThoseBeforeItDurable() throws {
    let disk = FaultDisk()
    let writer = try writer(disk, .later)
    let first = try writer.put([FaultStep.item("a", 1)])
    let second = try writer.delete(ids: ["a"], sync: .soon)
    #expect(!first.isDurable && !second.isDurable)
    let before = disk.count(of: .dataSync)
    #expect(try writer.put([FaultStep.item("b", 1)], sync: .now).isDurable)
    #expect(disk.count(of: .dataSync) == before + 1)
    #expect(writer.durableGeneration == 3)
    // One that has nothing to do, but waits, waits for what it sees.
    #expect(!(try writer.setClientState([1]).isDurable))
    #expect(!(try writer.put([]).isDurable))
    #expect(try writer.put([], sync: .now).isDurable)
    #expect(writer.durableGeneration == 4)
    try writer.close()
  }

  /// The time runs from the first change: those that keep coming do not put the sync off.
  @Test func syncsComeInTimeHoweverManyChangesCome() throws {
    let disk = FaultDisk()
    let writer = try writer(disk, .soon, delay: 60)
    let before = disk.count(of: .dataSync)
    let end = Clock.monotonicNanoseconds() + 1_200_000_000
    var number = 0
    while Clock.monotonicNanoseconds() < end {
      number += 1
      _ = try writer.put([FaultStep.item("a", number)])
      Clock.sleep(milliseconds: 3)
    }
    let syncs = disk.count(of: .dataSync) - before
    // Twenty on an idle machine; a timer that every change sets anew would come to none.
    #expect(syncs >= 3 && syncs <= 25, "\(syncs)")
    let last = writer.root.snapshot.generation
    #expect(wait(5000) { writer.durableGeneration >= last })
    try writer.close()
  }

  @Test func withTheUsualDelayAChangeIsOnDiskWithinASecond() throws {
    let writer = try writer(FaultDisk(), .soon)
    let start = Clock.monotonicNanoseconds()
    let outcome = try writer.put([FaultStep.item("a", 1)])
    #expect(!outcome.isDurable)
    #expect(wait(5000) { writer.durableGeneration == 1 })
    let nanoseconds = Clock.monotonicNanoseconds() - start
    // A machine that is busy may be late; the engine's own part is half a second.
    #expect(nanoseconds >= 400_000_000 && nanoseconds < 3_000_000_000, "\(nanoseconds)")
    try writer.close()
  }

  @Test func aFailedSyncInTheBackgroundPoisonsTheIndexUntilItIsOpenedAgain() throws {
    var losses = 0
    for seed in 0..<20 as Range<UInt64> {
      let disk = FaultDisk(seed: seed)
      let writer = try writer(disk, .soon, delay: 1)
      var states = [try FaultRun.contents(writer.root)]
      disk.fail(.dataSync, number: disk.count(of: .dataSync) + 1)
      // The first that comes after the failed sync is told so.
      var failure: IndexingError?
      for number in 0..<2000 where failure == nil {
        do throws(IndexingError) {
          _ = try writer.put([FaultStep.item("i\(number)", 1, thumbnail: 200)])
          states.append(try FaultRun.contents(writer.root))
        } catch {
          failure = error
        }
        Clock.sleep(milliseconds: 1)
      }
      guard case .snapshot(let reason)? = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
      #expect(reason.kind == .poisoned && reason.message.contains("in doubt"), "\(reason)")
      #expect(throws: IndexingError.self) { _ = try writer.flush() }
      #expect(throws: IndexingError.self) { _ = try writer.delete(ids: ["i0"]) }
      #expect(throws: IndexingError.self) { try writer.checkpoint() }
      // What was acknowledged can still be searched.
      #expect(try FaultRun.contents(writer.root) == states.last)
      #expect(throws: IndexingError.self) { try writer.close() }
      for disk in [disk.powerCut(seed: seed), disk] {
        let again = try self.writer(disk, .now)
        let found = try FaultRun.contents(again.root)
        #expect(states.contains(found))
        if found != states.last { losses += 1 }
        #expect(try again.put([FaultStep.item("z", 2)]).isDurable)
        #expect(try FaultRun.contents(again.root).count == found.count + 1)
        try again.close()
      }
    }
    #expect(losses > 0)
  }

  @Test func closingWithoutRoomForACheckpointLosesNothing() throws {
    for sync in [ChangeSync.soon, .later] {
      let disk = FaultDisk(seed: 3)
      let writer = try writer(disk, sync, delay: 3_600_000)
      for number in 0..<5 { _ = try writer.put([FaultStep.item("i\(number)", number)]) }
      let items = try FaultRun.contents(writer.root)
      disk.fail(.create, number: disk.count(of: .create) + 1, code: ENOSPC, times: 100)
      #expect(throws: IndexingError.self) { try writer.close() }
      for seed in 0..<10 as Range<UInt64> {
        let again = try self.writer(disk.powerCut(seed: seed), .now)
        #expect(try FaultRun.contents(again.root) == items)
        try again.close()
      }
    }
  }

  /// What is refused because the index was closed meanwhile has not happened.
  @Test func closingWhileOthersPutLeavesWhatWasAcknowledgedAndNothingElse() throws {
    var refused = 0
    for round in 0..<240 {
      let level = [ChangeSync.now, .soon, .later][round % 3]
      let disk = FaultDisk(seed: UInt64(round))
      let writer = try writer(disk, level)
      let board = Board()
      let threads = try (0..<3).map { thread in
        try WorkerThread(name: "put", stackSize: 4 << 20) {
          for number in 0..<2 {
            let id = "t\(thread).\(number)"
            guard let outcome = try? writer.put([FaultStep.item(id, number)]) else { return }
            board.add(id, outcome.generation)
          }
        }
      }
      if round % 4 > 0 { Clock.sleep(milliseconds: round % 4) }
      try writer.close()
      for thread in threads { thread.join() }
      let again = try self.writer(disk, .now)
      let found = Set(try FaultRun.contents(again.root).keys)
      #expect(found == board.ids, "round \(round)")
      if found.count < 6 { refused += 1 }
      try again.close()
    }
    #expect(refused > 0)
  }

  @Test func callersOfAllLevelsAtOnceGetWhatTheyWereTold() throws {
    let disk = FaultDisk(seed: 11)
    let writer = try writer(disk, .now, delay: 5)
    let board = Board()
    let levels: [ChangeSync] = [.now, .soon, .later, .now, .soon, .later]
    let threads = try levels.enumerated().map { thread, level in
      try WorkerThread(name: "put", stackSize: 4 << 20) {
        for number in 0..<60 {
          guard
            let outcome = try? writer.put(
              [FaultStep.item("t\(thread).\(number)", number)], sync: level)
          else { return }
          if outcome.isDurable { board.add("t\(thread).\(number)", outcome.generation) }
          if level == .now { #expect(outcome.isDurable) }
          if thread == 0, number == 40 { disk.cut(number: disk.count() + 5) }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(disk.isCut)
    for seed in 0..<20 as Range<UInt64> {
      let found = try IndexFollower(.faulty(disk.powerCut(seed: seed))).refresh()
      let ids = Set(try FaultRun.contents(found).keys)
      #expect(board.ids.isSubset(of: ids))
      #expect(found.snapshot.generation >= board.generation)
      // Every put brings one item: a prefix of the journal is as many items as it has records.
      #expect(UInt64(ids.count) == found.snapshot.generation)
    }
  }
}

/// What threads were told to be durable.
private final class Board: @unchecked Sendable {
  private let lock = Lock()
  private var told: Set<String> = []
  private var last: UInt64 = 0

  var ids: Set<String> { lock.withLock { told } }
  var generation: UInt64 { lock.withLock { last } }

  func add(_ id: String, _ generation: UInt64) {
    lock.withLock {
      told.insert(id)
      last = max(last, generation)
    }
  }
}
