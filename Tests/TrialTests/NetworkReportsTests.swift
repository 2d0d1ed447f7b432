// A public report on network file systems, tried over a file system that is another process.

import Foundation
import Limelight
import Testing

/// A file system in user space that shows one folder as another, until it is let go.
private final class UserSpaceMount {
  static let program = ["/usr/bin/bindfs", "/usr/local/bin/bindfs"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
  static let isPossible =
    program != nil && TrialProcess.maySetMounts
    && FileManager.default.fileExists(atPath: "/dev/fuse")

  private let process = Process()
  let below: String
  let over: String

  init(in folder: TrialFolder) throws {
    (below, over) = (folder.path + "/below", folder.path + "/over")
    for path in [below, over] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
    try Data("there".utf8).write(to: URL(fileURLWithPath: below + "/sign"))
    process.executableURL = URL(fileURLWithPath: try #require(Self.program))
    process.arguments = ["-f", below, over]
    try process.run()
    let end = Date(timeIntervalSinceNow: 20)
    while !FileManager.default.fileExists(atPath: over + "/sign") {
      try #require(end.timeIntervalSinceNow > 0 && process.isRunning, "nothing was mounted")
      usleep(10_000)
    }
  }

  /// Takes the mount away; the process ends with it.
  func end() throws {
    let unmount = Process()
    unmount.executableURL = URL(fileURLWithPath: "/bin/umount")
    unmount.arguments = ["-l", over]
    try unmount.run()
    unmount.waitUntilExit()
    process.terminate()
    process.waitUntilExit()
  }
}

struct NetworkReportsTests {
  @Test(
    "S05, network file systems: over one in user space nothing is lost when a writer dies",
    .enabled(if: UserSpaceMount.isPossible, "bindfs and the right to mount are needed"))
  func userSpace() throws {
    let folder = try TrialFolder()
    let mount = try UserSpaceMount(in: folder)
    defer { try? mount.end() }
    let path = mount.over + "/index"
    var least = 0
    for round in 0..<5 {
      let child = try TrialProcess(["hold", path])
      _ = try child.wait(lines: 10)
      if round == 0 {
        // Locks hold over it.
        let error = #expect(throws: LimelightError.self) { try Index(path) }
        #expect(error?.code == .locked)
        #expect(try Index(path, access: .readOnly).count >= 9)
      }
      try child.kill()
      least += child.lines.count - 1
      for place in [path, mount.below + "/index"] {
        let count = try Index(place, access: .readOnly).count
        #expect(count >= least)
        #expect(try Index.verify(place).isEmpty)
      }
      least = try Index(path, access: .readOnly).count
    }
    #expect(least >= 45)
    // What is written over it is read over it, merged, and is what stands below.
    let index = try Index(path)
    #expect(try index.count == least)
    try index.delete(ids: ["i0"])
    try index.merge()
    #expect(try index.verify().isEmpty)
    try index.close()
    let below = try Index(mount.below + "/index", access: .readOnly)
    #expect(try below.count == least - 1)
    #expect(try !below.contains("i0"))
  }
}
