// The form of the sources: size, first lines, and words that have no place in them.

import Foundation
import Testing

/// What holds of every file.
struct FormTests {
  private static let lineLimit = 400

  private func swiftFiles(_ folders: [String]) throws -> [TextFile] {
    try Tree.files(folders, endings: ["swift"])
  }

  @Test func filesAreOneIdea() throws {
    for file in try swiftFiles(["Sources", "Tests", "Benchmarks"]) {
      #expect(
        file.lines.count <= Self.lineLimit,
        "\(file.path) has \(file.lines.count) lines: cut it along an idea")
    }
  }

  @Test func filesOpenWithTheirDuty() throws {
    for file in try swiftFiles(["Sources", "Tests", "Benchmarks"]) {
      let first = file.lines.first ?? ""
      // A manifest has to name its version first.
      if first.hasPrefix("// swift-tools-version") { continue }
      #expect(Self.isDuty(first), "\(file.path) does not open with its duty: \(first)")
    }
  }

  /// Whether a line is a comment of a few words.
  private static func isDuty(_ line: Substring) -> Bool {
    guard line.hasPrefix("// "), let word = line.dropFirst(3).first, word.isLetter || word.isNumber
    else { return false }
    return line.dropFirst(3).split(separator: " ").count >= 3
  }

  @Test func foldersHaveAFileThatSpeaksForThem() throws {
    for folder in try Tree.folders(in: "Sources") {
      if Tree.exists("Sources/\(folder)/module.modulemap") { continue }
      let path = "Sources/\(folder)/\(folder).swift"
      guard Tree.exists(path) else {
        Issue.record("\(path) is missing")
        continue
      }
      let first = try TextFile(path: path).lines.first ?? ""
      #expect(Self.isDuty(first), "\(path) does not open with the duty of its module")
    }
  }

  @Test(arguments: ["fatalError(", "preconditionFailure(", "try!", "as!"])
  func sourcesNeverTrap(word: String) throws {
    for (path, code) in try Tree.code(in: "Sources") {
      for line in code.lines(with: word) { Issue.record("\(path):\(line) holds \(word)") }
    }
  }

  @Test func nothingIsLeftToDo() throws {
    let files = try Tree.files(["Sources"], endings: ["swift", "h", "md", "modulemap"])
    // Put together, so that a search for the words does not find this line.
    for word in ["TO" + "DO", "FIX" + "ME", "XX" + "X:"] {
      for file in files where file.text.contains(word) { Issue.record("\(file.path): \(word)") }
    }
  }

  @Test func noPathOfAMachineIsInTheSources() throws {
    let files = try Tree.files(["Sources", "Tests"], endings: ["swift", "h", "md", "modulemap"])
    let places = ["home", "root", "Users", "mnt", "private"].map { "/" + $0 + "/" }
    for file in files {
      for (number, line) in file.lines.enumerated() {
        for place in places where Self.holds(line, path: place) {
          Issue.record("\(file.path):\(number + 1) holds a path of a machine: \(line)")
        }
      }
    }
  }

  /// Whether an absolute path that starts so stands in a line; one within a folder is none.
  private static func holds(_ line: Substring, path: String) -> Bool {
    var rest = line
    while let range = rest.firstRange(of: path) {
      let before =
        range.lowerBound > line.startIndex ? line[line.index(before: range.lowerBound)] : " "
      if !(before.isLetter || before.isNumber || before == "." || before == "_") { return true }
      rest = rest[range.upperBound...]
    }
    return false
  }
}
