// The exit statuses, and what is said on the standard error.

import Foundation
import Testing

@Suite struct ExitStatusTests {
  private let space: Workspace

  init() throws {
    space = try Workspace()
    try space.importLines(fewItems)
  }

  /// Calls that are wrong, and what their error has to mention.
  static let wrongCalls: [(arguments: [String], mention: String)] = [
    ([], "Subcommands"),
    (["serach"], "did you mean 'search'?"),
    (["search"], "INDEX is missing"),
    (["search", "INDEX"], "WORDS are missing"),
    (["search", "INDEX", "a", "--limt", "3"], "did you mean '--limit'?"),
    (["search", "INDEX", "a", "--limit"], "--limit wants a value"),
    (["search", "INDEX", "a", "--limit", "many"], "not 'many'"),
    (["search", "INDEX", "a", "--limit", "-1"], "whole number"),
    (["search", "INDEX", "a", "--json=yes"], "takes no value"),
    (["search", "INDEX", "a", "--json", "--json"], "stands twice"),
    (["search", "INDEX", "a", "--fuzzy=3"], "from 0 to 2"),
    (["search", "INDEX", "a", "--range", "fileSize"], "NAME:LOW..HIGH"),
    (["search", "INDEX", "a", "--range", "fileSize:big.."], "fileSize"),
    (["search", "INDEX", "a", "--unit", "bytes"], "utf8, utf16, scalars"),
    (["search", "INDEX", "a", "--domain", ""], "domain"),
    (["import", "INDEX"], "FILE is missing"),
    (["import", "INDEX", "-", "--attribute", "age:integer"], "kinds:"),
    (["import", "INDEX", "-", "--analyzer", "letters"], "words and runs"),
    (["import", "INDEX", "-", "--analyzer", "runs"], "cannot be changed"),
    (["import", "INDEX", "-", "--no-store"], "cannot be changed"),
    (["import", "INDEX", "-", "--map", "body"], "NAME=ATTRIBUTE"),
    (["merge", "INDEX", "extra"], "one argument too many"),
    (["stats", "INDEX", "-x"], "unknown option '-x'"),
    (["browse", "INDEX"], "needs a terminal"),
    (["help", "qeury"], "did you mean 'query'?"),
  ]

  @Test(arguments: wrongCalls)
  func wrongUse(_ call: (arguments: [String], mention: String)) throws {
    let result = try space.run(call.arguments.map { $0 == "INDEX" ? space.index : $0 })
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errors.contains(call.mention), "\(result.errors)")
  }

  @Test func nothingFound() throws {
    #expect(try space.run("search", space.index, "absent").status == 1)
    #expect(try space.run("list", space.index, "--domain", "absent").status == 1)
    let got = try space.run("get", space.index, "1", "absent")
    #expect(got.status == 1)
    #expect(got.errors.contains("'absent'"))
    #expect(got.output.hasPrefix("{\"id\":\"1\""))
  }

  @Test(arguments: ["search", "get", "list", "delete", "stats", "merge", "verify", "repair"])
  func missingIndex(_ name: String) throws {
    let absent = space.path("absent.index")
    let operands = ["search": ["a"], "get": ["a"], "delete": ["a"]][name] ?? []
    let result = try space.run([name, absent] + operands)
    #expect(result.status == 3)
    #expect(!result.errors.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: absent))
  }

  @Test func damagedIndex() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: space.index)
    let manifest = try #require(files.first { $0.hasPrefix("manifest.") })
    let path = URL(fileURLWithPath: space.index + "/" + manifest)
    var bytes = try Data(contentsOf: path)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: path)
    for name in ["list", "stats", "merge", "verify"] {
      let result = try space.run(name, space.index)
      #expect(result.status == 3, "\(name): \(result.errors)")
    }
    #expect(try space.run("import", space.index, "-", input: "{}").status == 3)
  }

  @Test func lockedIndex() throws {
    let index = space.path("locked.index")
    let writer = try Workspace.process(["import", index, "-"])
    let input = Pipe()
    writer.standardInput = input
    writer.standardOutput = FileHandle.nullDevice
    try writer.run()
    defer { writer.terminate() }
    // The writer makes the index under its lock, and then waits for lines.
    let deadline = Date().addingTimeInterval(20)
    func isMade() -> Bool {
      let files = try? FileManager.default.contentsOfDirectory(atPath: index)
      return files?.contains { $0.hasPrefix("manifest.") && !$0.contains("new") } ?? false
    }
    while !isMade(), Date() < deadline { Thread.sleep(forTimeInterval: 0.02) }
    try #require(isMade())

    let second = try space.run("import", index, "-", input: "{}")
    #expect(second.status == 4, "\(second.errors)")
    #expect(try space.run("stats", index).status == 0)
    input.fileHandleForWriting.write(Data(#"{"id":"late"}"#.utf8))
    try input.fileHandleForWriting.close()
    writer.waitUntilExit()
    #expect(writer.terminationStatus == 0)
    #expect(try space.run("list", index).output == "late\n")
  }

  @Test func inputAndOutput() throws {
    let absent = try space.run("import", space.index, space.path("absent.ndjson"))
    #expect(absent.status == 5)
    #expect(absent.errors.contains("absent.ndjson"))
    #expect(try space.run("import", space.index, space.folder.path).status == 5)

    let packed = space.path("packed.zst")
    try Data([0x28, 0xB5, 0x2F, 0xFD, 0, 0]).write(to: URL(fileURLWithPath: packed))
    let compressed = try space.run("import", space.index, packed)
    #expect(compressed.status == 5)
    #expect(compressed.errors.contains("zstd -dc"))

    let full = try Workspace.process(["list", space.index])
    full.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
    full.standardError = FileHandle.nullDevice
    try full.run()
    full.waitUntilExit()
    #expect(full.terminationStatus == 5)
  }

  @Test(arguments: [
    "import", "search", "browse", "get", "list", "delete", "stats", "merge", "verify", "repair",
    "items", "attributes", "query",
  ])
  func helpIsThere(_ name: String) throws {
    let page = try space.run("help", name)
    #expect(page.status == 0)
    #expect(page.errors == "")
    #expect(page.output.split(separator: "\n").count > 8)
    #expect(try space.run("help").output.contains("  \(name)"))
    if !["items", "attributes", "query"].contains(name) {
      #expect(try space.run(name, "--help").output == page.output)
      #expect(page.output.contains("Examples:"))
    }
  }
}
