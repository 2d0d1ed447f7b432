// Results for tests, with round figures.

@testable import BenchmarkRunner

/// Results that were not measured.
enum Samples {
  static let machine = Machine(
    processor: "Test", cores: 2, memory: 8_000_000_000, system: "Linux, kernel 6.1")

  static func run(_ figures: RunResult.Figures) -> RunResult {
    RunResult(figures, machine: machine, date: "2026-01-31", call: "limelight-bench test")
  }

  static func index(items: Int) -> IndexResult {
    IndexResult(
      corpus: "sample", analyzer: "words", storesItems: true, threads: 1,
      memoryBudget: 256 << 20, items: items, refused: 0, textBytes: items * 300,
      inputSeconds: 0.1, loadSeconds: Double(items) / 50_000,
      mergeSeconds: Double(items) / 200_000, loadedSegments: 4, segments: 1,
      loadPeakAnonymous: 100_000 + items / 10, mergePeakAnonymous: 50_000, peakResident: 300_000,
      indexBytes: items * 200,
      sections: [
        .init(name: "stored", bytes: items * 90), .init(name: "postings", bytes: items * 40),
        .init(name: "termPages", bytes: items * 20), .init(name: "termIndex", bytes: items * 5),
        .init(name: "positions", bytes: items * 15), .init(name: "columns", bytes: items * 10),
        .init(name: "idPages", bytes: items * 10), .init(name: "norms", bytes: items),
        .init(name: "somethingNew", bytes: items * 2),
      ])
  }

  static func kind(_ name: String, _ median: Double) -> QueryResult.Kind {
    QueryResult.Kind(
      kind: name, queries: 100, answers: 1_000, median: median, p90: median * 3,
      p99: median * 10, mean: median * 1.5, slowest: "a <query> & \"more\" | 🔦",
      slowestTime: median * 11)
  }

  static func query(items: Int, kinds: [String], commands: [SearchCommand]) -> QueryResult {
    QueryResult(
      queries: "sample set", items: items, segments: 1, indexBytes: items * 200, threads: 1,
      isReadOnly: false, passes: 9, warmUp: 1, openTime: 500, peakAnonymous: 12_000,
      peakResident: 250_000, unsupported: [:],
      commands: commands.map { command in
        QueryResult.Command(
          command: command, queriesPerSecond: 1_000,
          kinds: kinds.enumerated().map { place, name in
            kind(name, Double((place + 1) * (place + 1)) * Double(items) / 10_000)
          })
      })
  }
}
