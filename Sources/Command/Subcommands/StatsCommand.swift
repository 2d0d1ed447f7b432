// limelight stats: what an index holds and what it costs.

internal import Limelight

enum StatsCommand: Subcommand {
  static let manual = Manual(
    name: "stats", summary: "say what an index holds and how large its parts are",
    operands: [.index], options: [.json],
    details: """
      Items and deleted items, the domains with their items, the segments with their sections in
      bytes, and the attributes with their words and values.
      """,
    examples: [("limelight stats notes.index", "show the figures of an index")])

  static func run(_ arguments: Arguments, _ output: Output) throws -> ExitCode {
    let index = try openForReading(arguments.operands[0])
    let statistics = try index.stats()
    if arguments.has(.json) {
      var json = JSONText()
      json.statistics(statistics, of: index)
      try output.write(json.line)
    } else {
      try output.write(text(statistics, index))
    }
    return .done
  }

  private static func text(_ statistics: Statistics, _ index: Index) -> String {
    var text = "\(Figures.count(statistics.items, "item"))"
    text += ", \(Figures.grouped(statistics.deleted)) deleted but not yet merged away"
    text += "; analyzer \(index.analyzer.rawValue)"
    text += index.storesItems ? "\n" : "; items are not stored\n"
    let bytes = statistics.segments.reduce(0) { $0 + $1.bytes }
    text += "\n\(Figures.count(statistics.segments.count, "segment")) of \(Figures.size(bytes))\n"
    text += table(
      statistics.segments.map {
        [
          $0.name + ($0.isInMemory ? " (in memory)" : ""), Figures.grouped($0.items) + " items",
          Figures.size($0.bytes),
        ]
      })
    text += "\nSections of all segments\n"
    text += table(
      sections(statistics).map {
        [$0.name, Figures.size($0.bytes), percent($0.bytes, of: bytes)]
      })
    text += "\nDomains\n"
    text += table(statistics.domains.map { [$0.domain, Figures.grouped($0.items) + " items"] })
    text += "\nAttributes\n"
    text += table(
      statistics.attributes.map {
        [$0.name, Figures.grouped($0.tokens) + " words", Figures.grouped($0.values) + " values"]
      })
    return text
  }

  /// The sections by name, summed over the segments, the largest first.
  private static func sections(_ statistics: Statistics) -> [(name: String, bytes: Int)] {
    var sums: [String: Int] = [:]
    for segment in statistics.segments {
      for section in segment.sections { sums[section.name, default: 0] += section.bytes }
    }
    return sums.map { (name: $0.key, bytes: $0.value) }
      .sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
  }

  private static func percent(_ part: Int, of whole: Int) -> String {
    whole == 0 ? "" : Figures.decimal(100 * Double(part) / Double(whole), digits: 1) + " %"
  }

  /// Rows in columns, the first to the left, the others to the right.
  private static func table(_ rows: [[String]]) -> String {
    let count = rows.first?.count ?? 0
    let widths = (0..<count).map { column in rows.map { $0[column].count }.max() ?? 0 }
    var text = ""
    for row in rows {
      text += "  "
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        let cell = TextPainter.harmless(cell)
        text += column == 0 ? cell + padding : "  " + padding + cell
      }
      text += "\n"
    }
    return text
  }
}
