// limelight verify: every byte of an index, checked.

internal import Limelight

enum VerifyCommand: Subcommand {
  static let manual = Manual(
    name: "verify", summary: "check every byte of an index",
    operands: [.index], options: [.json],
    details: """
      Reads all files of the index, checks all checksums and walks through every structure. It
      changes nothing, and may run while another process writes.
      The exit status is 3 when something is damaged.
      """,
    examples: [("limelight verify notes.index", "check an index")])

  static func run(_ arguments: Arguments, _ output: Output) throws -> ExitCode {
    let path = arguments.operands[0]
    let progress = ProgressBar("verifying", total: nil)
    progress.show(path)
    defer { progress.clear() }
    let problems = try Index.verify(path)
    progress.clear()

    if arguments.has(.json) {
      try output.write(json(problems).line)
    } else if problems.isEmpty {
      try output.line("no problem found")
    } else {
      for problem in problems { try output.line(problem.line) }
    }
    return problems.isEmpty ? .done : .index
  }

  private static func json(_ problems: [Problem]) -> JSONText {
    var json = JSONText()
    json.object { json in
      json.key("ok")
      json.bool(problems.isEmpty)
      json.key("problems")
      json.array(of: problems) { $0.problem($1) }
    }
    return json
  }
}
