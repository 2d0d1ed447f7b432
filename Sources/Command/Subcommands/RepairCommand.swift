// limelight repair: what is whole of a damaged index becomes an index again.

internal import Limelight

enum RepairCommand: Subcommand {
  private static let dryRun = Option("dry-run", "change nothing, tell what would be lost")
  private static let output = Option(
    "output", takes: .value("DIR"), "make the repaired index there, and leave INDEX as it is")

  static let manual = Manual(
    name: "repair", summary: "make an index of what is whole in a damaged one",
    operands: [.index], options: [dryRun, output, .soleWriter, .json],
    details: """
      Reads all files of the index and writes what is whole to a new index: sound segments as they
      are, the whole items of damaged ones, and what the journal holds. Then the two folders are
      swapped in one step, and the old files are in a folder beside, INDEX.before-repair, which
      nothing ever removes. Flipped bits are flipped back by the checksums. What is lost is listed
      by id, or counted where the ids are lost as well. Needs as much free disk as the index takes.
      An index that is whole is left alone; one that is open for writing is not touched.
      The exit status is 1 when something is lost.
      """,
    examples: [
      ("limelight repair --dry-run notes.index", "see what a repair would lose"),
      ("limelight repair notes.index", "repair an index, and keep its old files"),
    ])

  static func run(_ arguments: Arguments, _ output: Output) throws -> ExitCode {
    let path = arguments.operands[0]
    let isDry = arguments.has(dryRun)
    let progress = ProgressBar(isDry ? "reading" : "repairing", total: nil)
    progress.show(path)
    defer { progress.clear() }
    let report = try Index.repair(
      path, output: arguments.value(of: Self.output), dryRun: isDry,
      soleWriter: arguments.has(.soleWriter))
    progress.clear()
    if arguments.has(.json) {
      try output.write(json(report).line)
    } else {
      try write(report, isDry: isDry, to: output)
    }
    return report.isComplete ? .done : .partial
  }

  private static func write(
    _ report: RepairReport, isDry: Bool, to output: Output
  ) throws(Failure) {
    guard !report.problems.isEmpty else { return try output.line("no problem found") }
    for problem in report.problems { try output.line(problem.line) }
    for id in report.lost { try output.line("lost: \(id)") }
    for loss in report.unidentified {
      try output.line(
        "lost: \(Figures.count(loss.items, "item")) of \(loss.file), whose ids are lost as well")
    }
    for id in report.withoutThumbnail { try output.line("without its thumbnail: \(id)") }
    if report.lostChanges > 0 {
      try output.line("lost: \(Figures.count(report.lostChanges, "change")) in the journal")
    }
    if report.isComplete { try output.line("nothing is lost") }
    if report.rescued > 0 {
      let items = Figures.count(report.rescued, "item")
      try output.line("\(items) of damaged segments \(isDry ? "can be" : "were") kept")
    }
    if let path = report.path { try output.line("the repaired index is \(path)") }
    if let original = report.original { try output.line("the old files are in \(original)") }
  }

  private static func json(_ report: RepairReport) -> JSONText {
    var json = JSONText()
    json.object { json in
      json.key("problems")
      json.array(of: report.problems) { $0.problem($1) }
      json.key("rescued")
      json.number(report.rescued)
      json.key("lost")
      json.array(of: report.lost) { $0.text($1) }
      json.key("unidentified")
      json.array(of: report.unidentified) { json, loss in
        json.object { json in
          json.key("file")
          json.text(loss.file)
          json.key("items")
          json.number(loss.items)
        }
      }
      json.key("withoutThumbnail")
      json.array(of: report.withoutThumbnail) { $0.text($1) }
      json.key("lostChanges")
      json.number(report.lostChanges)
      json.key("path")
      json.text(report.path)
      json.key("original")
      json.text(report.original)
    }
    return json
  }
}
