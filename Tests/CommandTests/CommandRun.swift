// Runs the built command, as a shell would.

import Foundation
import Testing

/// What a run of the command gave.
struct CommandRun {
  let status: Int32
  let output: String
  let errors: String

  /// The output as one JSON value.
  func json() throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
    return try #require(value as? [String: Any])
  }

  /// The output as lines of JSON.
  func jsonLines() throws -> [[String: Any]] {
    try output.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }
}

/// A folder for one test, with an index in it and runs of the command; gone with the last use.
final class Workspace {
  let folder: URL
  /// The path of the index that most calls are about.
  var index: String { path("test.index") }

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("limelight-command-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Writes a file and gives its path.
  func file(_ name: String, _ text: String) throws -> String {
    try text.write(toFile: path(name), atomically: true, encoding: .utf8)
    return path(name)
  }

  /// The command, which is built beside the tests.
  static func executable() throws -> URL {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let command = URL(fileURLWithPath: tests).deletingLastPathComponent()
      .appendingPathComponent("limelight")
    try #require(FileManager.default.isExecutableFile(atPath: command.path))
    return command
  }

  /// A process of the command that is not yet running.
  static func process(_ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = try executable()
    process.arguments = arguments
    return process
  }

  /// Runs the command to its end.
  func run(_ arguments: String..., input: String = "") throws -> CommandRun {
    try run(arguments, input: input)
  }

  func run(_ arguments: [String], input: String = "") throws -> CommandRun {
    // Files instead of pipes: nobody has to read while the other end writes.
    let names = ["input", "output", "errors"].map { path("\($0).\(UUID().uuidString)") }
    defer { for name in names { try? FileManager.default.removeItem(atPath: name) } }
    try input.write(toFile: names[0], atomically: true, encoding: .utf8)
    for name in names.dropFirst() {
      try #require(FileManager.default.createFile(atPath: name, contents: nil))
    }
    let process = try Self.process(arguments)
    process.standardInput = FileHandle(forReadingAtPath: names[0])
    process.standardOutput = FileHandle(forWritingAtPath: names[1])
    process.standardError = FileHandle(forWritingAtPath: names[2])
    try process.run()
    process.waitUntilExit()
    return CommandRun(
      status: process.terminationReason == .exit ? process.terminationStatus : -1,
      output: try String(contentsOfFile: names[1], encoding: .utf8),
      errors: try String(contentsOfFile: names[2], encoding: .utf8))
  }

  /// Imports lines, which all have to be taken.
  func importLines(_ lines: String, _ options: String...) throws {
    let result = try run(["import", index, "-"] + options, input: lines)
    try #require(result.status == 0, "\(result.errors)")
  }
}

/// Items that tests search: two notes, a letter and one without a domain.
let fewItems = """
  {"id":"1","domain":"notes.work","attributes":{"title":"Crème brûlée","textContent":"Cream, eggs and sugar. Serve cold.","keywords":["dessert","french kitchen"],"rating":4}}
  {"id":"2","domain":"notes","attributes":{"title":"Coffee grinder","textContent":"Grind the coffee before you brew it.","rating":2.5}}
  {"id":"3","domain":"mail","attributes":{"title":"Re: coffee","authorNames":["Zoë"],"textContent":"Tea, please: no coffee for me.","contentCreationDate":"2026-03-01T10:00:00Z"}}
  {"id":"4","attributes":{"displayName":"日本語の本","contentDescription":"A book 📚 about coffee"}}

  """
