// FolderPaths: swapping two folders, names beside a folder.

import LimelightStorage
import Testing

struct FolderPathsTests {
  private func write(_ text: String, in folder: Folder) throws {
    let file = try folder.create("text")
    try file.append(Array(text.utf8))
    file.close()
  }

  @Test func foldersAreSwapped() throws {
    let place = try TestFolder(.system)
    let (first, second) = (place.folder.path + "/first", place.folder.path + "/second")
    let one = try Folder.open(path: first, create: true)
    let two = try Folder.open(path: second, create: true)
    try write("one", in: one)
    try write("two", in: two)
    try FolderPaths.exchange(first, second)
    #expect(try Folder.open(path: first, create: false).read("text") == Array("two".utf8))
    #expect(try Folder.open(path: second, create: false).read("text") == Array("one".utf8))
    // Who had a folder open has the same one under its new name.
    #expect(try one.read("text") == Array("one".utf8))

    let none = place.folder.path + "/none"
    #expect(failure { try FolderPaths.exchange(first, none) }?.kind == .notFound)
    #expect(try Folder.open(path: first, create: false).read("text") == Array("two".utf8))
    #expect(FolderPaths.exists(first) && !FolderPaths.exists(none))
    for (path, folder) in [(first, two), (second, one)] {
      #expect(throws: StorageError.self) { try FolderPaths.removeEmpty(path) }
      try folder.remove("text")
      try FolderPaths.removeEmpty(path)
      #expect(!FolderPaths.exists(path))
    }
  }

  @Test func siblingsStandBeside() {
    #expect(FolderPaths.sibling(of: "a/b", suffix: ".x") == "a/b.x")
    #expect(FolderPaths.sibling(of: "/a/b//", suffix: ".x") == "/a/b.x")
    #expect(FolderPaths.sibling(of: "b", suffix: ".x") == "b.x")
    for path in ["", "/", ".", "..", "a/..", "./"] {
      #expect(FolderPaths.sibling(of: path, suffix: ".x") == nil, "\(path)")
    }
  }
}
