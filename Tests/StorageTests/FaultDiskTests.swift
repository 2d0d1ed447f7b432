// FaultDisk: what it counts, how it fails, and what a power cut leaves.
import Glibc
import LimelightStorage
import Testing

@Suite struct FaultDiskTests {
  private func bytes(_ count: Int, _ value: UInt8 = 7) -> [UInt8] {
    [UInt8](repeating: value, count: count)
  }

  @Test func countsOperations() throws {
    let disk = FaultDisk()
    let folder = Folder.faulty(disk)
    let file = try folder.create("a")
    try file.append([1])
    try file.append([2])
    try file.truncate(to: 1)
    try file.sync()
    try folder.sync()
    _ = try folder.map("a")
    _ = try folder.read("a")
    _ = try folder.list()
    _ = try folder.size(of: "a")
    try folder.rename("a", "b")
    try folder.remove("b")
    let counts = FaultDisk.Operation.allCases.map { disk.count(of: $0) }
    #expect(counts == [1, 2, 1, 1, 1, 1, 1, 1, 1])
    #expect(disk.count() == 10)
    #expect(failure { try folder.remove("b") }?.kind == .notFound)
    #expect(disk.count() == 10, "what the folder refuses is no operation of the disk")
  }

  @Test func failsTheChosenOperation() throws {
    let disk = FaultDisk()
    disk.fail(number: 3, code: EACCES)
    disk.fail(.rename, number: 1, code: EROFS, times: 2)
    let folder = Folder.faulty(disk)
    let file = try folder.create("a")
    try file.append([1])
    #expect(failure { try folder.map("a") }?.kind == .permission)
    #expect(try folder.map("a").count == 1)
    for _ in 0..<2 { #expect(failure { try folder.rename("a", "b") }?.kind == .readOnly) }
    #expect(try folder.list() == ["a"])
    try folder.rename("a", "b")
    #expect(try folder.list() == ["b"])
    disk.fail(.read, number: 1)
    #expect(failure { try folder.read("b") }?.kind == .io)
    disk.fail(.remove, number: 1)
    #expect(failure { try folder.remove("b") }?.code == EIO)
    disk.fail(.create, number: 2, code: ENOSPC)
    #expect(failure { try folder.create("c") }?.kind == .noSpace)
    #expect(try folder.list() == ["b"])
  }

  @Test func everythingFailsAfterACut() throws {
    let disk = FaultDisk()
    let folder = Folder.faulty(disk)
    let file = try folder.create("a")
    let reader = try folder.openReader("a")
    try file.append([1])
    disk.cut(number: 3)
    #expect(failure { try file.sync() }?.kind == .io)
    #expect(disk.isCut)
    #expect(!folder.exists("a"))
    let errors = [
      failure { try folder.list() }, failure { try folder.create("b") },
      failure { try folder.map("a") }, failure { try folder.read("a") },
      failure { try folder.rename("a", "b") }, failure { try folder.remove("a") },
      failure { try folder.sync() }, failure { try folder.size(of: "a") },
      failure { try folder.lock("lock", waiting: 0) }, failure { try reader.size() },
      failure { try reader.read(from: 0, count: 1) },
    ]
    for error in errors { #expect(error?.kind == .io) }
    #expect(failure { try file.sync() }?.kind == .poisoned)
    #expect(!disk.powerCut().isCut)
  }

  @Test func keepsWhatWasSynced() throws {
    let disk = FaultDisk()
    let folder = Folder.faulty(disk)
    let file = try folder.create("a")
    try file.append([1, 2, 3])
    try file.sync()
    try folder.sync()
    for seed in 0..<50 as Range<UInt64> {
      let after = Folder.faulty(disk.powerCut(seed: seed))
      #expect(try after.list() == ["a"])
      #expect(try after.read("a") == [1, 2, 3])
      _ = try after.lock("lock", waiting: 0)
    }
  }

  /// Every way of losing bytes that were not synced comes up among the seeds.
  @Test func losesWhatWasNotSynced() throws {
    let disk = FaultDisk()
    let folder = Folder.faulty(disk)
    let file = try folder.create("a")
    try file.append(bytes(10, 1))
    try file.sync()
    try folder.sync()
    for value in 2..<6 as Range<UInt8> { try file.append(bytes(5000, value)) }
    var seen: Set<String> = []
    for seed in 0..<300 as Range<UInt64> {
      let left = try Folder.faulty(disk.powerCut(seed: seed)).read("a")
      #expect(left.starts(with: bytes(10, 1)))
      let holes = left.count { $0 == 0 }
      switch (left.count, holes) {
      case (10, _): seen.insert("nothing")
      case (20_010, 0): seen.insert("everything")
      case (20_010, 20_000): seen.insert("size only")
      case (_, 0): seen.insert((left.count - 10) % 5000 == 0 ? "some writes" : "torn")
      default: seen.insert("holes")
      }
    }
    #expect(seen.isSuperset(of: ["nothing", "everything", "torn", "holes"]), "\(seen)")
  }

  @Test func losesNamesThatWereNotSynced() throws {
    var seen: Set<[String]> = []
    for seed in 0..<200 as Range<UInt64> {
      let disk = FaultDisk()
      let folder = Folder.faulty(disk)
      try folder.create("kept").append([0])
      try folder.create("old").append([0])
      try folder.sync()
      let file = try folder.create("temporary")
      try file.append([5])
      try file.sync()
      try folder.rename("temporary", "new")
      try folder.remove("old")
      let after = Folder.faulty(disk.powerCut(seed: seed))
      let names = try after.list()
      seen.insert(names)
      #expect(names.contains("kept"))
      for name in ["temporary", "new"] where names.contains(name) {
        #expect(try after.read(name) == [5], "synced bytes are there when the name is")
      }
      #expect(!(names.contains("temporary") && names.contains("new")), "a rename moves")
    }
    #expect(seen.contains(["kept", "old"]))
    #expect(seen.contains(["kept", "new"]))
    #expect(seen.contains(["kept", "new", "old"]))
    #expect(seen.contains(["kept", "old", "temporary"]))
    #expect(seen.contains(["kept"]), "the removal of the old without the new")
  }

  @Test func renameIsOldOrNewNeverNeither() throws {
    var seen: Set<[UInt8]> = []
    for seed in 0..<40 as Range<UInt64> {
      let disk = FaultDisk()
      let folder = Folder.faulty(disk)
      for (name, value) in [("manifest", 1), ("next", 2)] as [(String, UInt8)] {
        let file = try folder.create(name)
        try file.append([value])
        try file.sync()
      }
      try folder.sync()
      disk.cut(.rename, number: 1)
      #expect(failure { try folder.rename("next", "manifest") }?.kind == .io)
      seen.insert(try Folder.faulty(disk.powerCut(seed: seed)).read("manifest"))
    }
    #expect(seen == [[1], [2]])
  }

  /// After a failed sync readers see what the disk has lost, and no later sync saves it.
  @Test func failedSyncIsNotMadeGoodByALaterOne() throws {
    var isLost = false
    for seed in 0..<40 as Range<UInt64> {
      let disk = FaultDisk(seed: seed)
      let folder = Folder.faulty(disk)
      let file = try folder.create("a")
      try folder.sync()
      disk.fail(.dataSync, number: 1)
      try file.append([1, 2, 3])
      #expect(failure { try file.sync() } != nil)
      let again = try folder.reopen("a")
      #expect(try folder.read("a") == [1, 2, 3])
      try again.append([4])
      try again.sync()
      let left = try Folder.faulty(disk.powerCut()).read("a")
      #expect(left.count == 4)
      #expect(left.last == 4)
      if left != [1, 2, 3, 4] { isLost = true }
    }
    #expect(isLost)
  }

  @Test func failedFolderSyncIsNotMadeGoodByALaterOne() throws {
    var outcomes: Set<[String]> = []
    for seed in 0..<40 as Range<UInt64> {
      let disk = FaultDisk(seed: seed)
      let folder = Folder.faulty(disk)
      _ = try folder.create("a")
      disk.fail(.folderSync, number: 1)
      #expect(failure { try folder.sync() }?.operation == "fsync")
      #expect(try folder.list() == ["a"])
      try folder.sync()
      outcomes.insert(try Folder.faulty(disk.powerCut()).list())
    }
    #expect(outcomes == [[], ["a"]])
  }

  @Test func equalSeedsGiveEqualDisks() throws {
    func run(_ seed: UInt64) throws -> [[UInt8]] {
      let disk = FaultDisk(seed: seed)
      let folder = Folder.faulty(disk)
      for number in 0..<20 {
        let file = try folder.create("file \(number)")
        for value in 0..<5 as Range<UInt8> { try file.append(bytes(3000, value)) }
      }
      let after = Folder.faulty(disk.powerCut())
      return try after.list().map { try Array($0.utf8) + after.read($0) }
    }
    #expect(try run(3) == run(3))
    #expect(try Set((0..<10).map { try run($0) }).count > 1)
  }
}
