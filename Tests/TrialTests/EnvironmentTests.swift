// Disks that are full or cannot be written, few descriptors, clocks set back, folders that move or go.

import Foundation
import Limelight
import Testing

struct EnvironmentTests {
  private func item(_ id: String) -> Item { Item(id: id, attributes: [.title: .text("all \(id)")]) }

  private func code(_ step: () throws -> Void) -> LimelightError.Code? {
    do {
      try step()
      return nil
    } catch {
      return (error as? LimelightError)?.code
    }
  }

  // MARK: Disks

  @Test(
    "S04, full disk: at any step it costs only the change that does not fit, and is got over",
    .enabled(if: TrialProcess.maySetMounts, TrialProcess.noMounts))
  func aDiskThatIsFullAtAnyStepCostsOnlyTheChangeThatDidNotFit() throws {
    let folder = try TrialFolder()
    print(
      try folder.run("full", mounting: "mount -t tmpfs -o size=3m limelight \(folder.path)"))
    #expect(try TrialFolder.files(folder.path).isEmpty)
  }

  /// Read as it stands, though its writer was not closed, and though it never had a file to lock.
  @Test(.enabled(if: TrialProcess.maySetMounts, TrialProcess.noMounts), arguments: [true, false])
  func mediaThatCannotBeWrittenCanBeRead(_ hasLock: Bool) throws {
    let folder = try TrialFolder()
    let index = try Index(folder.path + "/original")
    try index.put((0..<20).map { item("i\($0)") })
    try index.commit()
    try index.put([item("behind")])
    try FileManager.default.copyItem(atPath: folder.path + "/original", toPath: folder.index)
    if !hasLock { try FileManager.default.removeItem(atPath: folder.index + "/lock") }
    let before = try TrialFolder.files(folder.index)
    let mount = "mount --bind \(folder.index) \(folder.index)"
    let child = try TrialProcess(
      ["look", folder.index], mounting: "\(mount) && mount -o remount,bind,ro \(folder.index)")
    #expect(try child.end() == "look: 21 items")
    #expect(try TrialFolder.files(folder.index) == before)
    try index.close()
  }

  // MARK: The process

  @Test func aProcessWithoutDescriptorsLosesNothing() throws {
    print(try TrialFolder().run("descriptors"))
  }

  @Test func aClockThatIsSetBackChangesOnlyWhatExpires() throws {
    #expect(try TrialFolder().run("clock") == "clock: set six times")
  }

  @Test func aRelativePathIsTakenWhenTheIndexIsOpened() throws {
    #expect(try TrialFolder().run("wander") == "wander: 4 items")
  }

  // MARK: The folder

  @Test func aFolderThatIsMovedIsFollowed() throws {
    let folder = try TrialFolder()
    let moved = folder.path + "/elsewhere"
    let index = try Index(folder.index)
    try index.put([item("a")])
    let reader = try Index(folder.index, access: .readOnly)
    try FileManager.default.moveItem(atPath: folder.index, toPath: moved)
    try index.put([item("b")])
    try index.commit()
    try index.put([item("c")])
    try index.merge()
    #expect(try reader.ids() == ["a", "b", "c"])
    #expect(try Index(moved, access: .readOnly).ids() == ["a", "b", "c"])
    #expect(code { _ = try Index(moved) } == .locked)
    #expect(code { _ = try Index(folder.index, access: .readOnly) } == .notFound)
    // A new index takes the old place, and neither knows of the other.
    let other = try Index(folder.index)
    try other.put([item("z")])
    #expect(try index.ids() == ["a", "b", "c"])
    #expect(try reader.ids() == ["a", "b", "c"])
    try other.close()
    try index.close()
    #expect(try Index(moved).ids() == ["a", "b", "c"])
  }

  /// What is acknowledged is durable: a journal without a name is not.
  @Test(arguments: [true, false])
  func aFolderThatIsRemovedTakesNoMoreChanges(_ hasSegments: Bool) throws {
    let folder = try TrialFolder()
    let index = try Index(folder.index)
    try index.put([item("a")])
    if hasSegments { try index.commit() }
    let reader = try Index(folder.index, access: .readOnly)
    let kept = try index.search("all")
    try FileManager.default.removeItem(atPath: folder.index)
    #expect(code { try index.put([item("b")]) } == .poisoned)
    #expect(code { try index.delete(ids: ["a"]) } == .poisoned)
    // In files of its own, all of it was written before.
    #expect(code { try index.commit() } == (hasSegments ? nil : .poisoned))
    // What was found before is still there to be read.
    #expect(try index.ids() == ["a"])
    #expect(try kept.map { try $0.item() } == [item("a")])
    #expect([nil, .damaged, .notFound].contains(code { _ = try reader.ids() }))
    #expect(code { try index.close() } == (hasSegments ? nil : .poisoned))
    #expect(code { _ = try Index(folder.index, access: .readOnly) } == .notFound)
    // The place can be used for a new one.
    let again = try Index(folder.index)
    try again.put([item("c")])
    #expect(try again.ids() == ["c"])
    try again.close()
  }

  @Test(arguments: [
    "café", "cafe\u{301}", "日本語", "👩‍👩‍👧 index", "a b\n\tc", "-rf", "'\"\\$(x)", "%s%n", "lock",
    String(repeating: "é", count: 127),
  ])
  func anyNameThatTheSystemTakesWillDo(_ name: String) throws {
    let folder = try TrialFolder()
    let path = folder.path + "/" + name
    let index = try Index(path)
    try index.put([item("a")])
    try index.commit()
    #expect(try Index(path, access: .readOnly).ids() == ["a"])
    #expect(code { _ = try Index(path) } == .locked)
    try index.close()
    // Byte for byte: the other form of the same letters is another folder.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    if name.utf8.elementsEqual("café".utf8) {
      #expect(code { _ = try Index(folder.path + "/cafe\u{301}", access: .readOnly) } == .notFound)
    }
    #expect(try Index(path).ids() == ["a"])
  }

  @Test func pathsOfAllLengthsWorkOrAreRefused() throws {
    let folder = try TrialFolder()
    let part = "/" + String(repeating: "x", count: 200)
    // The longest path that the system takes has 4,095 bytes.
    for length in [1000, 3000, 4000, 4095] {
      var path = folder.path
      while path.utf8.count + part.utf8.count < length - 1 { path += part }
      path += "/" + String(repeating: "y", count: length - path.utf8.count - 1)
      let index = try Index(path)
      try index.put([item("a")])
      try index.commit()
      try index.merge()
      #expect(try Index(path, access: .readOnly).ids() == ["a"])
      try index.close()
      #expect(try Index(path).ids() == ["a"])
    }
    for path in [
      folder.path + String(repeating: "/x", count: 3000), folder.path + "/a\0b",
      folder.path + "/" + String(repeating: "x", count: 256),
    ] {
      #expect(code { _ = try Index(path) } == .invalidArgument)
      #expect(code { _ = try Index(path, access: .readOnly) } == .invalidArgument)
    }
    #expect(code { _ = try Index("") } == .notFound)
  }

  @Test func aLinkToAFolderIsTheFolder() throws {
    let folder = try TrialFolder()
    let link = folder.path + "/link"
    try FileManager.default.createDirectory(
      atPath: folder.index, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "index")
    let index = try Index(link)
    try index.put([item("a")])
    #expect(code { _ = try Index(folder.index) } == .locked)
    #expect(try Index(folder.index, access: .readOnly).ids() == ["a"])
    // The folder is held, not the way to it.
    try FileManager.default.removeItem(atPath: link)
    try index.commit()
    try index.put([item("b")])
    try index.close()
    #expect(try Index(folder.index).ids() == ["a", "b"])

    for (name, target) in [("circle", "circle"), ("dangling", "nowhere"), ("file", "index/lock")] {
      let path = folder.path + "/" + name
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
      #expect([.notFound, .invalidArgument].contains(code { _ = try Index(path) }), "\(name)")
    }
  }
}
