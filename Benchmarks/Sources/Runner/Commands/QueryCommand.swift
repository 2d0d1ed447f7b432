// limelight-bench query: asks the queries of a file and says how long they took, by kind.

/// Measures searching.
enum QueryCommand: BenchmarkCommand {
  static let manual = Manual(
    name: "query", summary: "ask queries: median, p90 and p99 by kind",
    operands: [Operand(name: "DIR"), Operand(name: "QUERIES", isOptional: true)],
    options: [
      Option(
        name: "generated", value: nil, meaning: "queries for a made corpus instead of QUERIES"),
      Option(
        name: "seed", value: "S", meaning: "with --generated: the corpus' seed; 1 if not given"),
      Option(
        name: "commands", value: "LIST",
        meaning: "of COUNT,TOP_10,TOP_100,TOP_10_COUNT,DOCS_10; all if not given"),
      Option(
        name: "kinds", value: "LIST", meaning: "only queries of these kinds, commas between"),
      Option(name: "passes", value: "N", meaning: "timed passes over the queries; 9 if not given"),
      Option(
        name: "warm-up", value: "N", meaning: "passes before these; 1 if not given, 0 for none"),
      Option(
        name: "threads", value: "N", meaning: "threads that ask at the same time; 1 if not given"),
      Option(
        name: "read-only", value: nil,
        meaning: "open as a reader beside a writer: each search looks for changes"),
      Option(
        name: "json", value: "FILE", meaning: "write the figures as JSON as well; - for only that"),
    ],
    details: """
      QUERIES holds a query in each line, as search-benchmark-game writes them,
      {"query":"+griffith +observatory","tags":["intersection"]}, or as luceneutil does,
      'AndHighHigh: +state +south # freq=77492'. The kind is the last tag, or what stands before the
      colon. A query is made of clauses: +must, -must not, should; a word, "a phrase", a prefix*, a
      near word~1 or ~2. What Limelight has nothing like (facets, sorting, spans, slop, wildcards,
      suggestions) is counted and left out.

      COUNT gives the exact number of matches, TOP_10 and TOP_100 the best hits, TOP_10_COUNT both,
      DOCS_10 the best ten with all their attributes. The best pass of each query counts; of these the
      percentiles are taken over the queries of a kind, in each thread for itself.
      """,
    example: "limelight-bench query corpus.index --generated --commands TOP_10,COUNT")

  static func run(_ arguments: Arguments) throws {
    let operands = arguments.operands
    guard (operands.count == 2) != arguments.has("generated") else {
      throw arguments.misuse("either QUERIES or --generated is needed")
    }
    guard arguments.has("generated") || !arguments.has("seed") else {
      throw arguments.misuse("--seed goes with --generated")
    }
    let commands = try arguments.commands()
    let passes = try arguments.number("passes", to: 100_000) ?? 9
    let warmUp = try arguments.number("warm-up", from: 0, to: 100_000) ?? 1
    let threads = try arguments.number("threads", to: 1_024) ?? 1
    var set =
      arguments.has("generated")
      ? try GeneratedQueries.make(seed: try arguments.seed()) : try QueryFile.read(operands[1])
    if let kinds = arguments.value("kinds") {
      set = try set.limited(to: kinds.split(separator: ",").map(String.init))
    }
    let run = QueryRun(
      folder: operands[0], set: set, commands: commands, passes: passes, warmUp: warmUp,
      threads: threads, isReadOnly: arguments.has("read-only"))
    try Commands.finish(.query(try run.run()), arguments)
  }
}
