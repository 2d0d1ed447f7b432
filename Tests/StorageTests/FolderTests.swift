// Folder: one suite for every backing, and what only folders of the system have.
import Foundation
import Glibc
import LimelightStorage
import Testing

@Suite struct FolderTests {
  @Test(arguments: TestBacking.allCases) func keepsWhatIsAppended(_ backing: TestBacking) throws {
    let test = try TestFolder(backing)
    let file = try test.folder.create("data")
    try file.append(Array("one ".utf8))
    try file.append([])
    try file.append(Array("two".utf8))
    #expect(file.size == 7)
    #expect(try test.folder.size(of: "data") == 7)
    #expect(try test.folder.read("data") == Array("one two".utf8))
    #expect(try test.folder.read("data", from: 4, count: 2) == Array("tw".utf8))
    #expect(try test.folder.read("data", from: 4, count: 1 << 50) == Array("two".utf8))
    #expect(try test.folder.read("data", from: 7, count: 1) == [])
    #expect(try test.folder.read("data", from: 1 << 50, count: 1) == [])
    #expect(try test.folder.read("data", from: 2, count: 0) == [])
    #expect(failure { try test.folder.read("data", from: -1) }?.kind == .invalid)
    #expect(failure { try test.folder.read("data", from: 0, count: -1) }?.kind == .invalid)
  }

  @Test(arguments: TestBacking.allCases) func mapsWholeFiles(_ backing: TestBacking) throws {
    let test = try TestFolder(backing)
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    try test.write("data", bytes)
    let map = try test.folder.map("data")
    #expect(map.count == bytes.count)
    #expect(map.bytes == bytes)
    try test.folder.remove("data")
    #expect(map.bytes == bytes, "a map outlives the name")
  }

  @Test(arguments: TestBacking.allCases) func mapsEmptyFiles(_ backing: TestBacking) throws {
    let test = try TestFolder(backing)
    try test.write("empty", [])
    let map = try test.folder.map("empty")
    #expect(map.count == 0)
    let word = withExtendedLifetime(map) { map.base.load(as: UInt64.self) }
    #expect(word == 0, "the base of no bytes can be read")
    #expect(try test.folder.read("empty") == [])
  }

  @Test(arguments: TestBacking.allCases) func mapStaysWhileFileGrows(
    _ backing: TestBacking
  ) throws {
    let test = try TestFolder(backing)
    let file = try test.folder.create("data")
    try file.append([1, 2, 3])
    let map = try test.folder.map("data")
    for _ in 0..<2000 { try file.append([9, 9, 9, 9, 9]) }
    #expect(map.count == 3)
    #expect(map.bytes == [1, 2, 3])
    #expect(try test.folder.map("data").count == 10_003)
  }

  @Test(arguments: TestBacking.allCases) func listsByBytes(_ backing: TestBacking) throws {
    let test = try TestFolder(backing)
    let composed = "caf\u{E9}"
    let decomposed = "cafe\u{301}"
    for name in ["z", composed, "Ω-file", "a b", decomposed, "10", "9", "日本"] {
      try test.write(name, Array(name.utf8))
    }
    // Both spellings of é are names of their own, though Swift holds the strings for equal.
    let names = try test.folder.list()
    #expect(
      names.map { Array($0.utf8) }
        == ["10", "9", "a b", decomposed, composed, "z", "Ω-file", "日本"].map { Array($0.utf8) })
    #expect(try test.folder.read(composed) == Array(composed.utf8))
    #expect(try test.folder.read(decomposed) == Array(decomposed.utf8))
  }

  @Test(arguments: TestBacking.allCases) func refusesWhatIsNoPlainName(
    _ backing: TestBacking
  ) throws {
    let test = try TestFolder(backing)
    let bad = ["", ".", "..", "a/b", "/a", "a\u{0}b", String(repeating: "é", count: 128)]
    for name in bad {
      #expect(failure { try test.folder.create(name) }?.kind == .invalid, "\(name)")
      #expect(failure { try test.folder.map(name) }?.kind == .invalid)
      #expect(failure { try test.folder.rename(name, "b") }?.kind == .invalid)
      #expect(failure { try test.folder.lock(name, waiting: 0) }?.kind == .invalid)
      #expect(!test.folder.exists(name))
    }
    #expect(try test.folder.list() == [])
    try test.write(String(repeating: "n", count: 255), [1])
  }

  @Test(arguments: TestBacking.allCases) func createIsExclusive(_ backing: TestBacking) throws {
    let test = try TestFolder(backing)
    try test.write("data", [1])
    let error = try #require(failure { try test.folder.create("data") })
    #expect(error.kind == .exists)
    #expect(error.code == EEXIST)
    #expect(error.operation == "open")
    #expect(error.path == test.folder.path + "/data")
    #expect(error.description.hasSuffix("/data: File exists"))
    #expect(try test.folder.read("data") == [1])
  }

  @Test(arguments: TestBacking.allCases) func renameReplaces(_ backing: TestBacking) throws {
    let test = try TestFolder(backing)
    try test.write("old", [1])
    try test.write("new", [2, 2])
    let map = try test.folder.map("new")
    try test.folder.rename("new", "old")
    try test.folder.sync()
    #expect(try test.folder.list() == ["old"])
    #expect(try test.folder.read("old") == [2, 2])
    #expect(map.bytes == [2, 2])
    try test.folder.rename("old", "old")
    #expect(try test.folder.list() == ["old"])
  }

  @Test(arguments: TestBacking.allCases) func missingFilesAreNotFound(
    _ backing: TestBacking
  ) throws {
    let test = try TestFolder(backing)
    let folder = test.folder
    #expect(!folder.exists("no"))
    let errors = [
      failure { try folder.map("no") }, failure { try folder.read("no") },
      failure { try folder.size(of: "no") }, failure { try folder.openReader("no") },
      failure { try folder.remove("no") }, failure { try folder.rename("no", "other") },
      failure { try folder.reopen("no") },
    ]
    for error in errors {
      #expect(error?.kind == .notFound)
      #expect(error?.code == ENOENT)
      #expect(error?.path == folder.path + "/no")
    }
  }

  @Test(arguments: TestBacking.allCases) func readersFollowAFile(_ backing: TestBacking) throws {
    let test = try TestFolder(backing)
    let file = try test.folder.create("journal")
    let reader = try test.folder.openReader("journal")
    #expect(try reader.size() == 0)
    try file.append([1, 2, 3])
    #expect(try reader.size() == 3)
    #expect(try reader.read(from: 1, count: 10) == [2, 3])
    try test.folder.rename("journal", "other")
    try file.append([4])
    try test.folder.remove("other")
    #expect(try reader.read(from: 3, count: 1) == [4])
    #expect(failure { try reader.read(from: -1, count: 1) }?.kind == .invalid)
  }

  @Test(arguments: TestBacking.allCases) func reopensAtTheEnd(_ backing: TestBacking) throws {
    let test = try TestFolder(backing)
    try test.write("data", [1, 2, 3, 4])
    let file = try test.folder.reopen("data")
    #expect(file.size == 4)
    try file.truncate(to: 2)
    try file.append([9])
    try file.sync()
    #expect(try test.folder.read("data") == [1, 2, 9])
  }

  @Test func opensAndMakesPaths() throws {
    let test = try TestFolder(.system)
    let deep = test.folder.path + "/a/b//c/"
    #expect(failure { try Folder.open(path: deep, create: false) }?.kind == .notFound)
    try Folder.open(path: deep, create: true).create("x").append([1])
    #expect(try Folder.open(path: deep, create: false).list() == ["x"])
    #expect(try Folder.open(path: deep, create: true).list() == ["x"])
    #expect(failure { try Folder.open(path: deep + "x", create: true) }?.kind == .invalid)
    #expect(failure { try Folder.open(path: deep + "x/y", create: true) }?.kind == .invalid)
    #expect(failure { try Folder.open(path: "", create: true) }?.kind == .notFound)
    #expect(failure { try Folder.open(path: "a\u{0}b", create: true) }?.kind == .invalid)
    let long = "/" + String(repeating: "a/", count: 4000)
    #expect(failure { try Folder.open(path: long, create: true) }?.code == ENAMETOOLONG)
  }

  @Test func staysTheSameFolderWhenMoved() throws {
    let test = try TestFolder(.system)
    let folder = try Folder.open(path: test.folder.path + "/one", create: true)
    try test.folder.rename("one", "two")
    try folder.create("x").append([7])
    let moved = try Folder.open(path: test.folder.path + "/two", create: false)
    #expect(try moved.read("x") == [7])
  }

  @Test func refusesWhatIsNoRegularFile() throws {
    let test = try TestFolder(.system)
    _ = try Folder.open(path: test.folder.path + "/sub", create: true)
    #expect(mkfifo(test.folder.path + "/pipe", 0o600) == 0)
    #expect(failure { try test.folder.map("sub") }?.kind == .invalid)
    #expect(failure { try test.folder.map("pipe") }?.kind == .invalid)
    #expect(failure { try test.folder.reopen("pipe") }?.kind == .invalid)
    let devices = try Folder.open(path: "/dev", create: false)
    #expect(failure { try devices.read("zero", count: 1) }?.kind == .invalid)
  }

  @Test func descriptorsCloseOnExecAndAreGivenBack() throws {
    let test = try TestFolder(.system)
    try test.write("x", [1])
    let path = test.folder.path
    do {
      let folder = try Folder.open(path: path, create: false)
      let file = try folder.reopen("x")
      let reader = try folder.openReader("x")
      let lock = try folder.lock("lock", waiting: 0)
      _ = try folder.read("lock")
      let map = try folder.map("x")
      let numbers = openNumbers(of: [path, path + "/x", path + "/lock"])
      // Two folders, the file, the reader, the lock, and the lock's file that has been read.
      #expect(numbers.count == 6)
      for number in numbers { #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0) }
      withExtendedLifetime((file, reader, lock, map)) {}
    }
    #expect(openNumbers(of: [path, path + "/x", path + "/lock"]).count == 1)
  }

  /// The descriptors of this process that are open on one of the paths.
  private func openNumbers(of paths: [String]) -> [Int32] {
    (0..<4096 as Range<Int32>).filter { number in
      var opened = stat()
      guard fstat(number, &opened) == 0 else { return false }
      return paths.contains { path in
        var named = stat()
        return stat(path, &named) == 0 && opened.st_ino == named.st_ino
          && opened.st_dev == named.st_dev
      }
    }
  }
}
