// The command `limelight`: arguments in, one subcommand run, an exit status out.

internal import Glibc
internal import Limelight

@main
enum Command {
  static let version = "0.1"

  static func main() {
    let output = Output(descriptor: STDOUT_FILENO)
    exit(outcome(Array(CommandLine.arguments.dropFirst()), output).rawValue)
  }

  /// Runs, and says what went wrong if something did.
  private static func outcome(_ words: [String], _ output: Output) -> ExitCode {
    do {
      let code = try run(words, output)
      try output.flush()
      return code
    } catch let failure as Failure {
      return report(failure, output)
    } catch let error as LimelightError {
      return report(Failure(error), output)
    } catch {
      return report(.inputOutput("\(error)"), output)
    }
  }

  private static func run(_ words: [String], _ output: Output) throws -> ExitCode {
    guard let name = words.first else {
      writeError(Help.overview)
      return .usage
    }
    let rest = Array(words.dropFirst())
    switch name {
    case "help", "--help", "-h":
      try output.write(Help.page(rest.first))
      return .done
    case "version", "--version":
      try output.line("limelight \(version)")
      return .done
    default:
      break
    }
    guard let subcommand = Subcommands.all.first(where: { $0.manual.name == name }) else {
      throw unknown(name)
    }
    let arguments = try ArgumentParser(manual: subcommand.manual).parse(rest)
    if arguments.has(.help) {
      try output.write(subcommand.manual.page)
      return .done
    }
    return try subcommand.run(arguments, output)
  }

  private static func unknown(_ name: String) -> Failure {
    let names = Subcommands.names + ["help"]
    return .usage(
      "there is no subcommand '\(name)'\(Spelling.question(about: name, in: names))",
      hint: "there are: \(names.joined(separator: ", "))")
  }

  /// Says what went wrong, after what was already answered.
  private static func report(_ failure: Failure, _ output: Output) -> ExitCode {
    try? output.flush()
    var text = "limelight: \(failure.message)\n"
    if let hint = failure.hint { text += hint + "\n" }
    writeError(TextPainter.harmlessLines(text))
    return failure.code
  }
}
