// AppendFile: all or nothing, poison, and a disk that is really full.
import Glibc
import LimelightStorage
import Testing

@Suite struct AppendFileTests {
  @Test(arguments: TestBacking.allCases) func onlyShortens(_ backing: TestBacking) throws {
    let test = try TestFolder(backing)
    let file = try test.folder.create("data")
    try file.append([1, 2, 3])
    #expect(failure { try file.truncate(to: 4) }?.kind == .invalid)
    #expect(failure { try file.truncate(to: -1) }?.kind == .invalid)
    try file.truncate(to: 3)
    let map = try test.folder.map("data")
    try file.truncate(to: 1)
    try file.append([8])
    #expect(file.size == 2)
    #expect(try test.folder.read("data") == [1, 8])
    if backing != .system { #expect(map.bytes == [1, 2, 3]) }
  }

  @Test(arguments: TestBacking.allCases) func closedFilesRefuse(_ backing: TestBacking) throws {
    let test = try TestFolder(backing)
    let file = try test.folder.create("data")
    try file.append([1])
    file.close()
    file.close()
    for error in [
      failure { try file.append([2]) }, failure { try file.sync() },
      failure { try file.truncate(to: 0) },
    ] {
      #expect(error?.kind == .invalid)
      #expect(error?.code == EBADF)
    }
    #expect(try test.folder.read("data") == [1])
  }

  @Test func failedSyncPoisons() throws {
    let disk = FaultDisk()
    disk.fail(.dataSync, number: 2, code: EIO)
    let folder = Folder.faulty(disk)
    let file = try folder.create("data")
    try file.append([1])
    try file.sync()
    try file.append([2])
    let error = try #require(failure { try file.sync() })
    #expect(error.kind == .io)
    #expect(error.operation == "fdatasync")
    for error in [
      failure { try file.append([3]) }, failure { try file.sync() },
      failure { try file.truncate(to: 0) },
    ] {
      #expect(error?.kind == .poisoned)
    }
    #expect(disk.count(of: .dataSync) == 2, "a poisoned file asks nothing of the disk")
    file.close()
    #expect(failure { try file.sync() }?.kind == .invalid)
  }

  @Test func fullDiskLeavesNothingOfAnAppend() throws {
    for seed in 0..<20 as Range<UInt64> {
      let disk = FaultDisk(seed: seed)
      disk.fail(.append, number: 2, code: ENOSPC)
      let folder = Folder.faulty(disk)
      let file = try folder.create("data")
      try file.append([1, 2, 3])
      let error = try #require(failure { try file.append([4, 5, 6, 7, 8, 9]) })
      #expect(error.kind == .noSpace)
      #expect(error.description == "pwrite memory/data: No space left on device")
      #expect(file.size == 3)
      #expect(try folder.read("data") == [1, 2, 3])
      try file.append([7])
      try file.sync()
      #expect(try folder.read("data") == [1, 2, 3, 7])
    }
  }

  @Test func failedRollbackPoisons() throws {
    let disk = FaultDisk()
    disk.fail(.append, number: 1, code: ENOSPC)
    disk.fail(.truncate, number: 1, code: EIO)
    let file = try Folder.faulty(disk).create("data")
    #expect(failure { try file.append([1, 2]) }?.kind == .noSpace)
    #expect(failure { try file.append([1, 2]) }?.kind == .poisoned)
  }

  /// The kernel writes what fits under the limit, then refuses: a short write and an error in one.
  @Test func systemLimitLeavesNothingOfAnAppend() throws {
    let test = try TestFolder(.system)
    let file = try test.folder.create("data")
    let bytes = [UInt8](repeating: 5, count: 6000)
    try file.append(bytes)
    let child = try Child {
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 10_000, rlim_max: 10_000)
      guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { return 1 }
      guard let error = failure({ try file.append(bytes) }) else { return 2 }
      guard error.kind == .noSpace, error.code == EFBIG else { return 3 }
      guard file.size == 6000, (try? test.folder.size(of: "data")) == 6000 else { return 4 }
      guard failure({ try file.append([1, 2]) }) == nil else { return 5 }
      return failure { try file.sync() } == nil ? 0 : 6
    }
    #expect(child.wait() == 0)
    #expect(try test.folder.size(of: "data") == 6002)
  }

  /// Appends from one thread while another syncs all the time.
  @Test(arguments: TestBacking.allCases) func appendsDuringSyncs(_ backing: TestBacking) throws {
    let test = try TestFolder(backing)
    let file = try test.folder.create("data")
    let worker = try WorkerThread(name: "append") {
      for number in 0..<500 {
        _ = failure { try file.append([UInt8(truncatingIfNeeded: number), 1, 2]) }
      }
    }
    for _ in 0..<20 { try file.sync() }
    worker.join()
    try file.sync()
    let bytes = try test.folder.read("data")
    #expect(bytes.count == 1500)
    #expect((0..<500).allSatisfy { bytes[$0 * 3] == UInt8(truncatingIfNeeded: $0) })
  }
}
