// limelight browse: search-as-you-type on a terminal.

internal import Glibc
internal import Limelight

enum BrowseCommand: Subcommand {
  static let manual = Manual(
    name: "browse", summary: "search as you type, on a terminal",
    operands: [.index, Operand(name: "WORDS", isOptional: true, repeats: true)],
    options: [.domain], takesDashedWords: true,
    details: """
      Every key searches again. The arrows choose a hit and go on to further ones, the return key
      shows all that is known about it, the escape key goes back or quits. Words are read as
      'limelight search' reads them.
      """,
    examples: [("limelight browse debian.index", "look around in an index")])

  static func run(_ arguments: Arguments, _ output: Output) throws -> ExitCode {
    guard let terminal = RawTerminal(), Environment.terminalCanMove else {
      throw Failure.usage(
        "browse needs a terminal", hint: "elsewhere, use: limelight search INDEX WORDS")
    }
    // Before the index is opened: its threads must leave the signals alone, too.
    guard let signals = SignalPipe([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH])
    else { throw Failure.inputOutput("cannot listen to signals: \(systemMessage(errno))") }
    var browser = Browser(
      try openForReading(arguments.operands[0]), domain: arguments.value(of: .domain),
      text: arguments.operands.dropFirst().joined(separator: " "), terminal: terminal,
      signals: signals)
    try browser.run()
    return .done
  }
}
