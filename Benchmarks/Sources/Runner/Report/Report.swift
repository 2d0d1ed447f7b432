// A report on any number of runs: tables, charts, and all figures as JSON.

/// Runs in one report.
///
/// Indexing runs that differ in their number of items only give a chart of cost by number of items;
/// query runs of the same queries on indexes of several sizes one of latency by number of items.
struct Report {
  /// A file of the report.
  struct File {
    var name: String
    var text: String
  }

  let runs: [RunResult]

  /// The indexing runs, small corpora first.
  private var indexRuns: [IndexResult] {
    runs.compactMap(\.index).sorted { $0.items < $1.items }
  }

  /// The query runs, small indexes first.
  private var queryRuns: [QueryResult] {
    runs.compactMap(\.query).sorted { $0.items < $1.items }
  }

  /// All files: `report.md`, `report.json` and the charts.
  func files() throws -> [File] {
    let charts = charts()
    return [
      File(name: "report.md", text: markdown(charts)),
      File(name: "report.json", text: String(decoding: try ResultFile.encode(runs), as: UTF8.self)),
    ] + charts.map(\.file)
  }

  private typealias Chart = (caption: String, file: File)

  private func markdown(_ charts: [Chart]) -> String {
    var text = "# Measured with limelight-bench\n\n"
    if indexRuns.count > 1 {
      text += "## Indexing\n\n" + ResultText.indexTable(indexRuns).text + "\n"
    }
    for command in SearchCommand.allCases {
      if let table = Self.scalingTable(queryRuns, command) {
        text += "## \(command.rawValue): median / p99 in µs by number of items\n\n"
        text += table.text + "\n"
      }
    }
    for chart in charts { text += "![\(chart.caption)](\(chart.file.name))\n\n" }
    for run in runs { text += ResultText.text(run) + "\n" }
    return text
  }

  /// Median and p99 by kind, a column for each size; nil unless there are two sizes at least.
  static func scalingTable(_ runs: [QueryResult], _ command: SearchCommand) -> MarkdownTable? {
    let measured = runs.compactMap { run in
      run.commands.first { $0.command == command }.map { (items: run.items, kinds: $0.kinds) }
    }
    guard Set(measured.map(\.items)).count > 1 else { return nil }
    var order: [String] = []
    for run in measured {
      for kind in run.kinds where !order.contains(kind.kind) { order.append(kind.kind) }
    }
    var table = MarkdownTable(["kind"] + measured.map { Figures.magnitude($0.items) })
    table.rows = order.map { name in
      [name]
        + measured.map { run in
          run.kinds.first { $0.kind == name }
            .map { "\(Figures.short($0.median)) / \(Figures.short($0.p99))" } ?? "-"
        }
    }
    return table
  }

  private func charts() -> [Chart] {
    var charts: [Chart] = []
    if !indexRuns.isEmpty {
      let name =
        indexRuns.count == 1 ? indexRuns[0].corpus : "indexes of \(indexRuns.count) sizes"
      let chart = SizeChart(
        title: "Index size by section", subtitle: name,
        bars: indexRuns.map { (Figures.magnitude($0.items), $0) })
      charts.append(("Index size by section", File(name: "size.svg", text: chart.svg())))
    }
    if Set(indexRuns.map(\.items)).count > 1 { charts.append(costChart()) }
    charts += scalingCharts()
    for (number, run) in queryRuns.enumerated() {
      for command in run.commands {
        let caption = "\(command.command.rawValue), \(Figures.magnitude(run.items)) items"
        let same = queryRuns.filter { $0.items == run.items }.count
        let name = [
          "latency", "\(run.items)", command.command.rawValue.lowercased(),
          same > 1 ? "\(number + 1)" : "",
        ].filter { !$0.isEmpty }.joined(separator: "-")
        let chart = LatencyChart(
          title: "\(command.command.rawValue): \(command.command.meaning)",
          subtitle: "\(Figures.grouped(run.items)) items; queries: \(run.queries); "
            + "best of \(run.passes) passes, \(Figures.count(run.threads, "thread"))",
          kinds: command.kinds)
        charts.append((caption, File(name: name + ".svg", text: chart.svg())))
      }
    }
    return charts
  }

  private func costChart() -> Chart {
    func line(_ name: String, _ value: (IndexResult) -> Double?) -> LineChart.Series {
      LineChart.Series(
        name: name,
        points: indexRuns.compactMap { run in
          value(run).map { (x: Double(run.items), y: $0) }
        })
    }
    var times = [line("load") { $0.loadSeconds }]
    var peaks = [line("load") { Double($0.loadPeakAnonymous) * 1_024 / 1e6 }]
    if indexRuns.contains(where: { $0.mergeSeconds != nil }) {
      times.append(line("load and merge into one") { $0.totalSeconds })
      peaks.append(line("load and merge into one") { Double($0.peakAnonymous) * 1_024 / 1e6 })
    }
    let seconds: @Sendable (Double) -> String = { LatencyChart.label($0 * 1e6) }
    let megabytes: @Sendable (Double) -> String = {
      $0 >= 999.9 ? "\(SVGCanvas.number($0 / 1e3)) GB" : "\(SVGCanvas.number($0)) MB"
    }
    let sizes = [
      line("text") { Double($0.textBytes) / 1e6 }, line("index") { Double($0.indexBytes) / 1e6 },
    ]
    let svg = LineChart.svg(
      title: "Cost of indexing by number of items",
      subtitle: "both axes are logarithmic",
      [
        LineChart(
          title: "Time", quantity: "time", series: times, label: seconds, showsProportion: true),
        LineChart(
          title: "Peak of anonymous memory", quantity: "memory", series: peaks, label: megabytes),
        LineChart(
          title: "Size", quantity: "size of files", series: sizes, label: megabytes,
          showsProportion: true),
        LineChart(
          title: "Speed", quantity: "items per second",
          series: [line("load") { $0.itemsPerSecond }],
          label: { Figures.magnitude(Int($0.rounded())) }),
      ])
    return ("Cost of indexing by number of items", File(name: "cost.svg", text: svg))
  }

  /// How many lines a chart can hold before they cannot be told apart.
  private static let linesInAChart = 8

  private func scalingCharts() -> [Chart] {
    var sets: [String] = []
    for run in queryRuns where !sets.contains(run.queries) { sets.append(run.queries) }
    return sets.enumerated().flatMap { number, set -> [Chart] in
      let runs = queryRuns.filter { $0.queries == set }
      guard Set(runs.map(\.items)).count > 1 else { return [] }
      return SearchCommand.allCases.compactMap { command -> Chart? in
        let series = Self.series(runs, command)
        guard !series.isEmpty else { return nil }
        let title = "\(command.rawValue): median time by number of items"
        let parts = stride(from: 0, to: series.count, by: Self.linesInAChart).map { start in
          LineChart(
            title: Self.range(series[start..<min(series.count, start + Self.linesInAChart)]),
            quantity: "time per query",
            series: Array(series[start..<min(series.count, start + Self.linesInAChart)]),
            label: LatencyChart.label)
        }
        let suffix = sets.count > 1 ? "-\(number + 1)" : ""
        return (
          title,
          File(
            name: "scaling-\(command.rawValue.lowercased())\(suffix).svg",
            text: LineChart.svg(
              title: title, subtitle: "queries: \(set); both axes are logarithmic", parts))
        )
      }
    }
  }

  /// What a chart of these lines is about.
  private static func range(_ series: ArraySlice<LineChart.Series>) -> String {
    guard let first = series.first, let last = series.last else { return "" }
    return series.count == 1 ? first.name : "from \(first.name) to \(last.name)"
  }

  private static func series(
    _ runs: [QueryResult], _ command: SearchCommand
  ) -> [LineChart.Series] {
    var order: [String] = []
    var points: [String: [(x: Double, y: Double)]] = [:]
    for run in runs {
      for kind in run.commands.first(where: { $0.command == command })?.kinds ?? [] {
        if points[kind.kind] == nil { order.append(kind.kind) }
        points[kind.kind, default: []].append((x: Double(run.items), y: kind.median))
      }
    }
    return order.compactMap { name in
      points[name].map { LineChart.Series(name: name, points: $0) }
    }
  }
}
