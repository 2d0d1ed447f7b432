// FolderLock: one holder among threads and processes, also across forks and deaths.
import Glibc
import LimelightStorage
import Testing

@Suite(.serialized) struct FolderLockTests {
  @Test(arguments: TestBacking.allCases) func excludesWithinTheProcess(
    _ backing: TestBacking
  ) throws {
    let test = try TestFolder(backing)
    let lock = try test.folder.lock("lock", waiting: 0)
    #expect(lock.isHeldByThisProcess)
    let error = try #require(failure { try test.folder.lock("lock", waiting: 0) })
    #expect(error.kind == .locked)
    #expect(error.holder == getpid())
    #expect(error.description.hasSuffix("/lock: locked by process \(getpid())"))
    _ = try test.folder.lock("other lock", waiting: 0)
    lock.unlock()
    lock.unlock()
    #expect(!lock.isHeldByThisProcess)
    let second = try test.folder.lock("lock", waiting: 0)
    lock.unlock()
    #expect(second.isHeldByThisProcess, "an old lock gives up nothing")
    #expect(try test.folder.list() == ["lock", "other lock"])
  }

  @Test(arguments: TestBacking.allCases) func endsWithTheObject(_ backing: TestBacking) throws {
    let test = try TestFolder(backing)
    do {
      let lock = try test.folder.lock("lock", waiting: 0)
      #expect(lock.isHeldByThisProcess)
    }
    #expect(try test.folder.lock("lock", waiting: 0).isHeldByThisProcess)
  }

  @Test func isOnTheFileNotOnThePath() throws {
    let test = try TestFolder(.system)
    let lock = try test.folder.lock("lock", waiting: 0)
    let same = try Folder.open(path: test.folder.path + "/../" + lastComponent(test), create: false)
    #expect(failure { try same.lock("lock", waiting: 0) }?.kind == .locked)
    try test.folder.remove("lock")
    #expect(try same.lock("lock", waiting: 0).isHeldByThisProcess, "a new file is a new lock")
    #expect(lock.isHeldByThisProcess)
  }

  private func lastComponent(_ test: TestFolder) -> String {
    test.folder.path.split(separator: "/").last.map(String.init) ?? ""
  }

  @Test(arguments: TestBacking.allCases) func waits(_ backing: TestBacking) throws {
    let test = try TestFolder(backing)
    let folder = test.folder
    let lock = try folder.lock("lock", waiting: 0)
    let start = Clock.monotonicNanoseconds()
    #expect(failure { try folder.lock("lock", waiting: 60) }?.kind == .locked)
    #expect(Clock.monotonicNanoseconds() - start >= 60_000_000)
    let worker = try WorkerThread(name: "unlock") {
      Clock.sleep(milliseconds: 50)
      lock.unlock()
    }
    #expect(try folder.lock("lock", waiting: 10_000).isHeldByThisProcess)
    worker.join()
  }

  /// Tries the lock in a child: 0 when it gets it, 1 when the parent has it, 2 otherwise.
  private func tryInChild(_ folder: Folder) throws -> Int32 {
    let parent = getpid()
    return try Child {
      guard let error = failure({ try folder.lock("lock", waiting: 0) }) else { return 0 }
      return error.kind == .locked && error.holder == parent ? 1 : 2
    }.wait()
  }

  @Test func childHoldsNothing() throws {
    let test = try TestFolder(.system)
    let folder = test.folder
    let lock = try folder.lock("lock", waiting: 0)
    #expect(failure { try folder.lock("lock", waiting: 0) }?.holder == getpid())
    let parent = getpid()
    let child = try Child {
      if lock.isHeldByThisProcess { return 1 }
      guard failure({ try folder.lock("lock", waiting: 0) })?.holder == parent else { return 2 }
      lock.unlock()
      guard failure({ try folder.lock("lock", waiting: 0) })?.holder == parent else { return 3 }
      return 0
    }
    #expect(child.wait() == 0)
    #expect(lock.isHeldByThisProcess)
    #expect(try tryInChild(folder) == 1, "the child's end and its unlock took nothing")
    lock.unlock()
    #expect(try tryInChild(folder) == 0)
  }

  @Test func childTakesOverWhatTheParentGivesUp() throws {
    let test = try TestFolder(.system)
    let folder = test.folder
    let lock = try folder.lock("lock", waiting: 0)
    #expect(failure { try folder.lock("lock", waiting: 2) }?.kind == .locked)
    let child = try Child {
      guard let own = try? folder.lock("lock", waiting: 10_000) else { return 1 }
      // The inherited lock's descriptor is one of the file that the child has locked now.
      lock.unlock()
      guard own.isHeldByThisProcess else { return 2 }
      pause()
      return 3
    }
    Clock.sleep(milliseconds: 30)
    lock.unlock()
    var error: StorageError?
    for _ in 0..<500 where error == nil {
      error = failure { try folder.lock("lock", waiting: 0) }
      Clock.sleep(milliseconds: 10)
    }
    #expect(error?.kind == .locked)
    #expect(error?.holder == child.process)
    Clock.sleep(milliseconds: 50)
    #expect(failure { try folder.lock("lock", waiting: 0) }?.holder == child.process)
    kill(child.process, SIGKILL)
    #expect(child.wait() == -SIGKILL)
    #expect(try folder.lock("lock", waiting: 1000).isHeldByThisProcess, "dies with its owner")
  }

  /// Closing any descriptor of a file drops the process's locks on it: it must not come to that.
  @Test func readingTheFileKeepsTheLock() throws {
    let test = try TestFolder(.system)
    let folder = test.folder
    let early = try folder.create("lock")
    let lock = try folder.lock("lock", waiting: 0)
    early.close()
    #expect(try folder.read("lock") == [])
    #expect(try folder.map("lock").count == 0)
    #expect(try folder.openReader("lock").size() == 0)
    #expect(failure { try folder.lock("lock", waiting: 0) }?.kind == .locked)
    #expect(try tryInChild(folder) == 1)
    lock.unlock()
    #expect(try tryInChild(folder) == 0)
  }

  /// Forks while another thread locks and unlocks: the child's registry must be whole and free.
  @Test func forksAmidLocking() throws {
    let test = try TestFolder(.system)
    let folder = test.folder
    #expect(failure { try folder.lock("lock", waiting: 0) } == nil)
    let stop = Flag()
    let worker = try WorkerThread(name: "locking") {
      while !stop.isSet { _ = failure { try folder.lock("busy", waiting: 0) } }
    }
    defer { worker.join() }
    defer { stop.set() }
    for _ in 0..<20 { #expect(try tryInChild(folder) == 0) }
  }
}

/// A flag that threads share.
final class Flag: @unchecked Sendable {
  private let lock = Lock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }

  func set() { lock.withLock { value = true } }
}
