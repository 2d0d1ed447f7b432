// Command lines: what they say, and what is said of wrong ones.

import Testing

@testable import BenchmarkRunner

struct ArgumentsTests {
  private let manual = Manual(
    name: "test", summary: "", operands: [Operand(name: "DIR")],
    options: [
      Option(name: "items", value: "N", meaning: ""),
      Option(name: "merge", value: nil, meaning: ""),
      Option(name: "map", value: "A=B", meaning: "", repeats: true),
      Option(name: "seed", value: "S", meaning: ""),
      Option(name: "commands", value: "LIST", meaning: ""),
    ], details: "", example: "")

  @Test func optionsStandAnywhere() throws {
    let arguments = try Arguments(
      ["--items", "5", "--merge", "folder", "--map=a=b", "--map", "c=d"], manual)
    #expect(arguments.operands == ["folder"])
    #expect(try arguments.number("items") == 5)
    #expect(arguments.has("merge"))
    #expect(arguments.values("map") == ["a=b", "c=d"])
    #expect(try arguments.seed() == 1)
    #expect(try arguments.commands() == nil)
    #expect(try Arguments(["--", "--merge"], manual).operands == ["--merge"])
    #expect(try Arguments(["-"], manual).operands == ["-"])
    #expect(try Arguments(["--help"], manual).has("help"))
  }

  @Test(arguments: [
    ["x", "--nothing"], ["x", "-j"], [], ["x", "y"], ["x", "--items"], ["x", "--merge=1"],
    ["x", "--items", "1", "--items", "2"],
  ])
  func wrongWordsAreMisuse(words: [String]) {
    let error = #expect(throws: BenchmarkError.self) { try Arguments(words, manual) }
    #expect(error?.isMisuse == true)
    #expect(error?.description.contains("usage: limelight-bench test DIR [OPTIONS]") == true)
  }

  @Test func wrongValuesAreMisuse() throws {
    let arguments = try Arguments(
      ["x", "--items", "0", "--seed", "-1", "--commands", "COUNT,TOP"], manual)
    for error in [
      #expect(throws: BenchmarkError.self) { _ = try arguments.number("items") },
      #expect(throws: BenchmarkError.self) { _ = try arguments.seed() },
      #expect(throws: BenchmarkError.self) { _ = try arguments.commands() },
    ] { #expect(error?.isMisuse == true) }
    let commands = try Arguments(["x", "--commands", "TOP_10,COUNT"], manual)
    #expect(try commands.commands() == [.top10, .count])
  }

  /// The exit status of calls that can mean nothing; none of them does anything.
  @Test(arguments: [
    [], ["nothing"], ["help", "nothing"], ["generate"], ["generate", "--items", "many"],
    ["generate", "--items", "1", "file"], ["index", "a"], ["index", "a", "b", "--seed", "1"],
    ["index", "--generate", "5", "a", "b"], ["index", "a", "b", "--analyzer", "none"],
    ["index", "a", "b", "--map", "x"], ["index", "a", "b", "--threads", "0"], ["query", "a"],
    ["query", "a", "b", "--generated"], ["query", "a", "b", "--seed", "1"],
    ["query", "a", "b", "--commands", "all"], ["query", "a", "b", "--passes", "0"], ["report"],
    ["report", "a"], ["scale"], ["scale", "--output", "x"],
    ["scale", "--output", "x", "--sizes", "10,,20"], ["scale", "--output", "x", "--sizes", "0"],
  ])
  func misuseEndsWithTwo(words: [String]) { #expect(Commands.run(words) == 2) }

  @Test(arguments: [
    ["index", "no/such/corpus", "no/such/folder"], ["query", "no/such/index", "no/such/file"],
    ["query", "no/such/index", "--generated"], ["report", "no/such/file", "--output", "x"],
  ])
  func whatCannotBeDoneEndsWithOne(words: [String]) { #expect(Commands.run(words) == 1) }

  @Test func everyOptionIsReadByItsCommand() {
    for name in ["generate", "index", "query", "report", "scale"] {
      #expect(Commands.run([name, "--help"]) == 0)
      #expect(Commands.run(["help", name]) == 0)
    }
  }
}
