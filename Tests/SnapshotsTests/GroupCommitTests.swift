// Group commit: one sync serves all who wait, and one that fails ends everything.
import Glibc
import LimelightSnapshots
import LimelightStorage
import Testing

struct GroupCommitTests {
  private func commit(_ disk: FaultDisk) throws -> GroupCommit {
    let writer = try JournalWriter.create(
      in: .faulty(disk), number: 1, uuid: testOptions.uuid, firstSequence: 1)
    try writer.sync()
    return GroupCommit(writer)
  }

  private func numbers(on disk: FaultDisk) throws -> [UInt64] {
    var manifest = Manifest(options: testOptions)
    (manifest.number, manifest.journal) = (1, 1)
    let follower = try JournalFollower(.faulty(disk), behind: manifest)
    return try drain(follower).map(\.sequence)
  }

  @Test func aLonePutCostsExactlyOneSync() throws {
    let disk = FaultDisk()
    let commit = try commit(disk)
    for number in 1...20 {
      let before = disk.count(of: .dataSync)
      let appends = disk.count(of: .append)
      let sequence = try commit.append(try put("\(number)"))
      #expect(sequence == UInt64(number))
      try commit.sync(through: sequence)
      try commit.sync(through: sequence)
      #expect(disk.count(of: .dataSync) == before + 1)
      // The record, and the proof that it was synced.
      #expect(disk.count(of: .append) == appends + 2)
    }
  }

  /// Runs `body` in so many threads at once and waits for all of them.
  private func inThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) throws {
    let threads = try (0..<count).map { number in
      try WorkerThread(name: "group", body: { body(number) })
    }
    for thread in threads { thread.join() }
  }

  @Test func oneSyncServesAllWhoWait() throws {
    let disk = FaultDisk()
    let commit = try commit(disk)
    let before = disk.count(of: .dataSync)
    let meeting = Meeting(16)
    let failures = Counter()
    try inThreads(16) { number in
      for round in 0..<25 {
        do {
          let sequence = try commit.append(try put("\(number).\(round)"))
          meeting.wait()
          try commit.sync(through: sequence)
        } catch {
          failures.add()
        }
        meeting.wait()
      }
    }
    #expect(failures.value == 0)
    #expect(disk.count(of: .dataSync) - before == 25)
    #expect(try numbers(on: disk) == Array(1...400))
  }

  @Test func whateverTheThreadsDoEveryAcknowledgedRecordIsOnDisk() throws {
    let disk = FaultDisk(seed: 5)
    let commit = try commit(disk)
    let acknowledged = Counter()
    try disk.syncedFolder()
    try inThreads(16) { number in
      for round in 0..<40 {
        guard let record = try? put("\(number).\(round)"),
          let sequence = try? commit.append(record),
          (try? commit.sync(through: sequence)) != nil
        else { return }
        acknowledged.raise(to: Int(sequence))
        if acknowledged.add() == 300 { disk.cut(number: disk.count() + 3) }
      }
    }
    #expect(disk.isCut && acknowledged.value >= 300)
    for seed: UInt64 in 0..<40 {
      let found = try numbers(on: disk.powerCut(seed: seed))
      #expect(found == Array(1..<UInt64(found.count + 1)))
      #expect(found.count >= acknowledged.highest)
    }
  }

  @Test func aFailedSyncPoisonsAllWhoWaitAndAllWhoCome() throws {
    let disk = FaultDisk()
    let commit = try commit(disk)
    let first = try commit.append(try put("a"))
    try commit.sync(through: first)
    disk.fail(.dataSync, number: disk.count(of: .dataSync) + 1)
    let meeting = Meeting(8)
    let poisoned = Counter()
    try inThreads(8) { number in
      let sequence = try? commit.append(try put("\(number)"))
      meeting.wait()
      if failure({ try commit.sync(through: sequence ?? 0) })?.kind == .poisoned { poisoned.add() }
    }
    #expect(poisoned.value == 8)
    #expect(failure { _ = try commit.append(try put("z")) }?.kind == .poisoned)
    #expect(failure { _ = try commit.rotate(to: 2, in: .faulty(disk)) }?.kind == .poisoned)
    try commit.sync(through: first)
  }

  @Test func aFullDiskRefusesOneRecordAndTheNextOneIsTaken() throws {
    let disk = FaultDisk(seed: 9)
    let commit = try commit(disk)
    try disk.syncedFolder()
    for number in 0..<30 {
      disk.fail(.append, number: disk.count(of: .append) + 1, code: ENOSPC)
      let text = String(repeating: "x", count: number * 400)
      let error = failure { _ = try commit.append(try put("refused", text)) }
      #expect(error?.storage?.kind == .noSpace)
      let sequence = try commit.append(try put("taken"))
      #expect(sequence == UInt64(number + 1))
      try commit.sync(through: sequence)
    }
    #expect(try numbers(on: disk.powerCut()) == Array(1...30))
  }
}

extension FaultDisk {
  /// Makes the names that there are durable.
  func syncedFolder() throws { try Folder.faulty(self).sync() }
}

/// A place where so many threads wait for each other, again and again.
final class Meeting: @unchecked Sendable {
  private let lock = Lock()
  private let complete = Condition()
  private let size: Int
  private var present = 0
  private var round = 0

  init(_ size: Int) { self.size = size }

  func wait() {
    lock.withLock {
      present += 1
      let mine = round
      if present == size {
        (present, round) = (0, round + 1)
        complete.broadcast()
      }
      while round == mine { complete.wait(on: lock) }
    }
  }
}

/// A number that threads count up.
final class Counter: @unchecked Sendable {
  private let lock = Lock()
  private var count = 0
  private var top = 0

  var value: Int { lock.withLock { count } }
  var highest: Int { lock.withLock { top } }

  @discardableResult
  func add() -> Int {
    lock.withLock {
      count += 1
      return count
    }
  }

  func raise(to value: Int) { lock.withLock { top = max(top, value) } }
}
