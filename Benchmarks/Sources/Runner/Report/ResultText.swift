// One run's results as Markdown.

/// The tables of a run.
enum ResultText {
  static func text(_ run: RunResult) -> String {
    switch run.figures {
    case .index(let result): text(result) + origin(run)
    case .query(let result): text(result) + origin(run)
    case .put(let result): text(result) + origin(run)
    }
  }

  /// Machine, day and call.
  static func origin(_ run: RunResult) -> String {
    "\n\(run.date), \(run.machine.line): `\(run.call)`\n"
  }

  private static func text(_ result: IndexResult) -> String {
    var text = "## Indexing: \(result.corpus)\n\n"
    text += indexTable([result]).text
    text += "\nAnalyser \(result.analyzer), "
    text += result.storesItems ? "items stored, " : "items not stored, "
    text += "\(Figures.count(result.threads, "thread")), "
    text += "memory budget \(Figures.size(result.memoryBudget)). Reading or making the lines took "
    text += "\(Figures.short(result.inputSeconds)) s of the load"
    text += result.threads > 1 ? ", beside the threads that index. " : ". "
    text += "\(Figures.count(result.loadedSegments, "segment")) after the load, "
    text += "\(result.segments) in the end."
    if result.refused > 0 {
      text += " \(Figures.count(result.refused, "line")) \(result.refused == 1 ? "was" : "were")"
      text += " refused."
    }
    text += "\n\n" + sizeTable(result).text
    return text
  }

  /// Runs of indexing, a row each.
  static func indexTable(_ results: [IndexResult]) -> MarkdownTable {
    var table = MarkdownTable([
      "items", "text", "load", "items/s", "MB/s", "merge", "peak memory, load", "merge",
      "peak resident", "index", "of the text",
    ])
    table.rows = results.map { result in
      [
        Figures.grouped(result.items), Figures.size(result.textBytes),
        "\(Figures.short(result.loadSeconds)) s",
        Figures.grouped(Int(result.itemsPerSecond.rounded())),
        Figures.short(result.megabytesPerSecond),
        result.mergeSeconds.map { "\(Figures.short($0)) s" } ?? "-",
        Figures.size(result.loadPeakAnonymous * 1_024),
        result.mergePeakAnonymous.map { Figures.size($0 * 1_024) } ?? "-",
        Figures.size(result.peakResident * 1_024), Figures.size(result.indexBytes),
        "\(Figures.decimal(100 * result.sizeShare, digits: 1)) %",
      ]
    }
    return table
  }

  /// The parts of an index: the groups, and the sections in each.
  static func sizeTable(_ result: IndexResult) -> MarkdownTable {
    var table = MarkdownTable(["part", "bytes", "share", "bytes/item", "sections"])
    table.rows = result.groups.filter { $0.bytes > 0 }.map { group, bytes in
      let sections = result.sections.filter {
        SectionGroup(section: $0.name) == group && $0.bytes > 0
      }
      return [
        group.rawValue, Figures.grouped(bytes),
        "\(Figures.decimal(100 * Double(bytes) / Double(max(1, result.indexBytes)), digits: 1)) %",
        Figures.decimal(Double(bytes) / Double(max(1, result.items)), digits: 2),
        sections.map { "\($0.name) \(Figures.grouped($0.bytes))" }.joined(separator: ", "),
      ]
    }
    table.rows.append([
      "all files", Figures.grouped(result.indexBytes), "100 %",
      Figures.decimal(Double(result.indexBytes) / Double(max(1, result.items)), digits: 2), "",
    ])
    return table
  }

  private static func text(_ result: QueryResult) -> String {
    var text = "## Queries: \(result.queries), \(Figures.grouped(result.items)) items\n\n"
    text += "\(Figures.count(result.segments, "segment")), \(Figures.size(result.indexBytes)); "
    text +=
      "opened \(result.isReadOnly ? "to read only " : "")in \(Figures.time(result.openTime)); \(Figures.count(result.threads, "thread"));"
    text += " best of \(result.passes) passes after \(result.warmUp) to warm up; "
    text += "peak memory \(Figures.size(result.peakAnonymous * 1_024)), with mapped files "
    text += "\(Figures.size(result.peakResident * 1_024)).\n"
    if !result.unsupported.isEmpty {
      let kinds = result.unsupported.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
      text += "\nNot asked, as Limelight has nothing like them: "
      text += kinds.joined(separator: ", ") + ".\n"
    }
    for command in result.commands {
      text += "\n### \(command.command.rawValue): \(command.command.meaning)\n\n"
      text += latencyTable(command).text
      text += "\n\(Figures.short(command.queriesPerSecond)) queries/s over all.\n"
    }
    return text
  }

  private static func text(_ result: PutResult) -> String {
    var text = "## Puts of one item each\n\n" + putTable(result).text
    text += "\nMade items of seed \(result.seed). The disk alone takes "
    text +=
      "\(Figures.grouped(Int(result.bareSyncsPerSecond.rounded()))) appends a second, each with a "
    text += "sync.\n"
    return text
  }

  /// The runs of puts, a row each; times are in microseconds.
  static func putTable(_ result: PutResult) -> MarkdownTable {
    var table = MarkdownTable([
      "durability", "callers", "puts", "puts/s", "median µs", "p99", "segments",
    ])
    table.rows = result.runs.map { run in
      [
        run.durability, "\(run.threads)", Figures.grouped(run.puts),
        Figures.grouped(Int(run.putsPerSecond.rounded())), Figures.short(run.median),
        Figures.short(run.p99), "\(run.segments)",
      ]
    }
    return table
  }

  /// The kinds of a command, a row each; times are in microseconds.
  static func latencyTable(_ command: QueryResult.Command) -> MarkdownTable {
    var table = MarkdownTable([
      "kind", "queries", "answers", "median µs", "p90", "p99", "mean", "slowest", "its query",
    ])
    table.rows = command.kinds.map { kind in
      [
        kind.kind, Figures.grouped(kind.queries), Figures.grouped(kind.answers),
        Figures.short(kind.median), Figures.short(kind.p90), Figures.short(kind.p99),
        Figures.short(kind.mean), Figures.short(kind.slowestTime), "`\(kind.slowest)`",
      ]
    }
    return table
  }
}
