// Asks the queries of a set again and again and keeps each one's best time.

internal import Limelight

/// How queries are measured.
struct QueryRun {
  /// The folder of the index.
  var folder: String
  var set: QuerySet
  /// Nil: all that the index can do.
  var commands: [SearchCommand]?
  var passes: Int
  var warmUp: Int
  var threads: Int
  /// Whether the index is opened as a reader beside a writer opens it, which looks for changes before
  /// each search.
  var isReadOnly: Bool

  /// The best times of a thread, in nanoseconds, and the answers, query by query.
  private struct Times: Sendable {
    var best: [UInt64]
    var answers: [Int]
    /// The time of all timed passes.
    var spent: UInt64
  }

  /// Opens the index and measures.
  func run() throws -> QueryResult {
    guard !set.queries.isEmpty else {
      throw BenchmarkError("\(set.name) holds no query that Limelight can answer")
    }
    let watch = try MemoryWatch()
    defer { watch.stop() }
    // To read first: opened to be changed, an index that is missing would be made.
    try Index(folder, access: .readOnly).close()
    let start = nanoseconds()
    let index = try Index(folder, access: isReadOnly ? .readOnly : .readWrite)
    let opened = nanoseconds()
    let commands =
      self.commands ?? SearchCommand.allCases.filter { !$0.needsStoredItems || index.storesItems }
    for command in commands where command.needsStoredItems && !index.storesItems {
      throw BenchmarkError("\(command.rawValue) needs an index that stores its items")
    }
    let results = try commands.map { try measure($0, index) }
    let statistics = try index.stats()
    return QueryResult(
      queries: set.name, items: statistics.items, segments: statistics.segments.count,
      indexBytes: statistics.segments.reduce(0) { $0 + $1.bytes }, threads: threads,
      isReadOnly: isReadOnly,
      passes: passes, warmUp: warmUp, openTime: Double(opened - start) / 1e3,
      peakAnonymous: watch.take(), peakResident: Memory.peakResident(),
      unsupported: set.unsupported, commands: results)
  }

  private func measure(_ command: SearchCommand, _ index: Index) throws -> QueryResult.Command {
    let queries = set.queries
    let (passes, warmUp, threads) = (passes, warmUp, threads)
    let times = try BenchmarkThread.together(threads) { thread in
      // Each thread begins elsewhere, so that they do not ask the same at the same time.
      let first = queries.count * thread / threads
      let order = Array(queries.indices[first...]) + Array(queries.indices[..<first])
      var times = Times(
        best: Array(repeating: .max, count: queries.count),
        answers: Array(repeating: 0, count: queries.count), spent: 0)
      for _ in 0..<warmUp {
        for place in order { _ = try command.ask(queries[place], of: index) }
      }
      let start = nanoseconds()
      for _ in 0..<passes {
        for place in order {
          let start = nanoseconds()
          times.answers[place] = try command.ask(queries[place], of: index)
          times.best[place] = min(times.best[place], nanoseconds() - start)
        }
      }
      times.spent = nanoseconds() - start
      return times
    }
    let asked = Double(queries.count * passes)
    return QueryResult.Command(
      command: command,
      queriesPerSecond: times.reduce(0) { $0 + asked / (Double(max(1, $1.spent)) / 1e9) },
      kinds: kinds(times))
  }

  /// The figures by kind, in the order in which the kinds first appear; the threads' times together.
  private func kinds(_ times: [Times]) -> [QueryResult.Kind] {
    var order: [String] = []
    var places: [String: [Int]] = [:]
    for (place, query) in set.queries.enumerated() {
      if places[query.kind] == nil { order.append(query.kind) }
      places[query.kind, default: []].append(place)
    }
    return order.compactMap { kind in
      guard let places = places[kind] else { return nil }
      let measured = times.flatMap { times in
        places.map { (place: $0, time: Double(times.best[$0]) / 1e3) }
      }
      let distribution = Distribution(measured.map(\.time))
      guard let slowest = measured.max(by: { $0.time < $1.time }),
        let median = distribution.percentile(0.5), let p90 = distribution.percentile(0.9),
        let p99 = distribution.percentile(0.99), let mean = distribution.mean
      else { return nil }
      return QueryResult.Kind(
        kind: kind, queries: places.count,
        answers: places.reduce(0) { $0 + times[0].answers[$1] }, median: median, p90: p90,
        p99: p99, mean: mean, slowest: set.queries[slowest.place].text, slowestTime: slowest.time)
    }
  }
}
