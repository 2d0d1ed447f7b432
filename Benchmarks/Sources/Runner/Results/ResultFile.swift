// Results as JSON, with the machine, the day and the call that gave them.

internal import FoundationEssentials
internal import Glibc

/// One run's results and where they come from.
struct RunResult: Codable, Equatable {
  /// What was measured.
  enum Figures: Codable, Equatable {
    case index(IndexResult)
    case query(QueryResult)
    case put(PutResult)
  }

  /// The form of the file; a reader refuses another one.
  var format: Int = RunResult.currentFormat
  var machine: Machine
  /// The day in UTC: 2026-01-31.
  var date: String
  /// The command line.
  var call: String
  var figures: Figures

  static let currentFormat = 1

  /// Results of this process.
  init(_ figures: Figures, machine: Machine, date: String, call: String) {
    self.machine = machine
    self.date = date
    self.call = call
    self.figures = figures
  }

  var index: IndexResult? {
    if case .index(let result) = figures { return result }
    return nil
  }

  var query: QueryResult? {
    if case .query(let result) = figures { return result }
    return nil
  }
}

/// Files of results: each holds a list of runs.
enum ResultFile {
  /// The runs as JSON, with members in alphabetical order.
  static func encode(_ runs: [RunResult]) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(runs)) + [UInt8(ascii: "\n")]
  }

  /// The runs of a file's bytes; `name` is for the error.
  static func decode(_ bytes: [UInt8], name: String) throws -> [RunResult] {
    let runs: [RunResult]
    do {
      runs = try JSONDecoder().decode([RunResult].self, from: Data(bytes))
    } catch {
      throw BenchmarkError("\(name) holds no results of limelight-bench: \(error)")
    }
    for run in runs where run.format != RunResult.currentFormat {
      throw BenchmarkError(
        "\(name) is of form \(run.format), but only form \(RunResult.currentFormat) can be read")
    }
    return runs
  }

  static func read(_ path: String) throws -> [RunResult] {
    try decode(try TextFile.read(path), name: path)
  }

  /// Writes runs to a file; `-` is the standard output.
  static func write(_ runs: [RunResult], to path: String) throws {
    try TextFile.write(try encode(runs), to: path)
  }
}
