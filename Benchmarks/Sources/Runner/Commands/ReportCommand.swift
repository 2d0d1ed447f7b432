// limelight-bench report: results of any number of runs as tables and charts.

/// Makes a report.
enum ReportCommand: BenchmarkCommand {
  static let manual = Manual(
    name: "report", summary: "make tables and charts of results",
    operands: [Operand(name: "JSON", repeats: true)],
    options: [
      Option(name: "output", value: "DIR", meaning: "the folder to write to (needed)")
    ],
    details: """
      JSON are files that index, query and scale wrote. Writes report.md, report.json (all runs in one
      file, which report reads again) and charts as SVG: size.svg (size by section), cost.svg (time,
      memory, size and speed by number of items), scaling-COMMAND.svg (median time by number of
      items), latency-ITEMS-COMMAND.svg (median, p90 and p99 by kind). Charts over the number of items
      need runs of at least two sizes.
      """,
    example: "limelight-bench report scale/*.json --output report")

  static func run(_ arguments: Arguments) throws {
    guard let folder = arguments.value("output") else {
      throw arguments.misuse("--output is missing")
    }
    let report = Report(runs: try arguments.operands.flatMap { try ResultFile.read($0) })
    try TextFile.makeFolder(folder)
    for file in try report.files() {
      try TextFile.write(file.text, to: "\(folder)/\(file.name)")
    }
  }
}
