// Writes the fixture of a version of the file format: an index that nobody closed, and its answers.

import Foundation

/// Arguments: the folder to write, which must not be there.
@main
enum FormatFixture {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 2 else {
      FileHandle.standardError.write(Data("usage: LimelightFormatFixture FOLDER\n".utf8))
      exit(2)
    }
    let target = arguments[1]
    for _ in 0..<10 {
      guard try write(to: target + "/index") else { continue }
      let lines = try FixtureAnswers.lines(ofIndexIn: target + "/index")
      let text = lines.joined(separator: "\n") + "\n"
      try Data(text.utf8).write(to: URL(fileURLWithPath: target + "/answers.txt"))
      return
    }
    FileHandle.standardError.write(Data("a checkpoint came in between, each time\n".utf8))
    exit(1)
  }

  /// Builds the index beside and copies its files; false if a checkpoint came in between.
  private static func write(to target: String) throws -> Bool {
    let manager = FileManager.default
    let place = manager.temporaryDirectory.path + "/limelight-format-\(getpid())"
    try manager.createDirectory(atPath: place, withIntermediateDirectories: false)
    defer { try? manager.removeItem(atPath: place) }
    try? manager.removeItem(atPath: target)
    try manager.createDirectory(atPath: target, withIntermediateDirectories: true)
    var isWhole = false
    try FixtureIndex.build(in: place) {
      let before = Set(try manager.contentsOfDirectory(atPath: place))
      for name in before where name != "lock" {
        try manager.copyItem(atPath: place + "/" + name, toPath: target + "/" + name)
      }
      let isSame = Set(try manager.contentsOfDirectory(atPath: place)) == before
      isWhole = isSame && before.filter { $0.hasPrefix("segment.") }.count == 2
    }
    return isWhole
  }
}
