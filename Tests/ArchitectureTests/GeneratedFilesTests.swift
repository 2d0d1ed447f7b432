// Generated files against what their generators make today.

import Foundation
import Testing

/// What a script wrote, nobody edits.
struct GeneratedFilesTests {
  /// Whether there is a Python to run generators with.
  static let hasPython = (try? run(["python3", "--version"], in: Tree.root)) == 0

  /// Whether the system has the tables of Unicode 15.0 from which ours are made.
  static let hasUnicodeTables: Bool = {
    let path = "/usr/share/unicode/DerivedCoreProperties.txt"
    let text = try? String(contentsOfFile: path, encoding: .utf8)
    return text?.hasPrefix("# DerivedCoreProperties-15.0.0.txt") ?? false
  }()

  /// Runs a program to its end; its exit status.
  private static func run(_ words: [String], in folder: URL) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.currentDirectoryURL = folder
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  @Test(.enabled(if: hasPython)) func attributesAreThoseOfTheTable() throws {
    let script = Tree.root.appendingPathComponent("Tools/attributes.py").path
    #expect(
      try Self.run(["python3", script, "--check"], in: Tree.root) == 0,
      "run Tools/attributes.py: Sources/Items/Generated is not what Tools/attributes.tsv says")
  }

  /// The script writes below the folder that it is run in: here, one of its own.
  @Test(.enabled(if: hasPython && hasUnicodeTables)) func unicodeTablesAreThoseOfTheSystem() throws
  {
    let scratch = FileManager.default.temporaryDirectory
      .appendingPathComponent("limelight-tables-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: scratch) }
    let folders = ["Sources/Analysis/Tables", "Tests/AnalysisTests/Fixtures"]
    for folder in folders {
      try FileManager.default.createDirectory(
        at: scratch.appendingPathComponent(folder), withIntermediateDirectories: true)
    }
    let script = Tree.root.appendingPathComponent("Tools/unicode-tables.py").path
    try #require(try Self.run(["python3", script], in: scratch) == 0, "the generator fails")
    for folder in folders {
      let made = scratch.appendingPathComponent(folder)
      let names = try FileManager.default.contentsOfDirectory(atPath: made.path).sorted()
      #expect(!names.isEmpty)
      for name in names {
        let new = try String(contentsOf: made.appendingPathComponent(name), encoding: .utf8)
        let known = try TextFile(path: "\(folder)/\(name)").text
        #expect(new == known, "\(folder)/\(name) is not what Tools/unicode-tables.py makes")
      }
    }
    let tables = try FileManager.default.contentsOfDirectory(
      atPath: Tree.root.appendingPathComponent(folders[0]).path)
    for name in tables {
      let made = scratch.appendingPathComponent("\(folders[0])/\(name)").path
      #expect(FileManager.default.fileExists(atPath: made), "nothing makes \(folders[0])/\(name)")
    }
  }
}
