// The commands of limelight-bench: a call in, an exit status out.

internal import Glibc
internal import Limelight

/// One of the things that limelight-bench does.
protocol BenchmarkCommand: SendableMetatype {
  static var manual: Manual { get }

  static func run(_ arguments: Arguments) throws
}

/// All commands.
package enum Commands {
  private static let all: [any BenchmarkCommand.Type] = [
    GenerateCommand.self, IndexCommand.self, QueryCommand.self, PutCommand.self,
    ReportCommand.self, ScaleCommand.self,
  ]

  /// Does what the words say; the exit status: 0, 1 when it could not be done, 2 for wrong use.
  ///
  /// - Parameter words: The command line without the program's name.
  package static func run(_ words: [String]) -> Int32 {
    do {
      try runChecked(words)
      fflush(nil)
      return 0
    } catch let error as BenchmarkError {
      return end(error.description, error.isMisuse ? 2 : 1)
    } catch let error as LimelightError {
      return end(error.description, 1)
    } catch {
      return end("\(error)", 1)
    }
  }

  private static func runChecked(_ words: [String]) throws {
    guard let name = words.first else {
      throw BenchmarkError.misuse("what is to be done?\n\(overview)")
    }
    if ["help", "--help", "-h"].contains(name) {
      guard words.count > 1 else { return print(overview, terminator: "") }
      return print(try command(words[1]).manual.page, terminator: "")
    }
    let command = try command(name)
    let arguments = try Arguments(Array(words.dropFirst()), command.manual)
    if arguments.has("help") { return print(command.manual.page, terminator: "") }
    try command.run(arguments)
  }

  private static func command(_ name: String) throws -> any BenchmarkCommand.Type {
    guard let command = all.first(where: { $0.manual.name == name }) else {
      let names = all.map { $0.manual.name } + ["driver"]
      throw BenchmarkError.misuse(
        "there is no command '\(name)'; there are: \(names.joined(separator: ", "))")
    }
    return command
  }

  private static func end(_ message: String, _ status: Int32) -> Int32 {
    fflush(nil)
    let text = "limelight-bench: \(message)\n"
    _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    return status
  }

  static var overview: String {
    """
    limelight-bench measures Limelight through its public Swift API.

    \(Manual.columns(all.map { ($0.manual.name, $0.manual.summary) } + [
      ("driver", "answer the side-by-side harness (Peers/PROTOCOL.md)")
    ]))
    'limelight-bench NAME --help' says more on each.

    Exit status: 0 done, 1 not done, 2 wrong use.

    """
  }

  /// This call, as results note it.
  static var call: String {
    (["limelight-bench"] + CommandLine.arguments.dropFirst()).joined(separator: " ")
  }

  /// Prints a run as Markdown and writes it as JSON where `--json` says.
  static func finish(_ figures: RunResult.Figures, _ arguments: Arguments) throws {
    let run = RunResult(
      figures, machine: .current(), date: Machine.today(), call: call)
    if let path = arguments.value("json") {
      try ResultFile.write([run], to: path)
      if path == "-" { return }
    }
    print(ResultText.text(run), terminator: "")
  }
}
