// limelight-bench index: indexes a corpus and says what that cost.

internal import Limelight

/// Measures indexing.
enum IndexCommand: BenchmarkCommand {
  static let manual = Manual(
    name: "index", summary: "index a corpus: speed, peak memory, size by section",
    operands: [Operand(name: "CORPUS", isOptional: true), Operand(name: "DIR", isOptional: true)],
    options: [
      Option(name: "generate", value: "N", meaning: "N made items instead of CORPUS"),
      Option(name: "seed", value: "S", meaning: "with --generate: which items; 1 if not given"),
      Option(
        name: "map", value: "A=B", meaning: "read the lines' member A as the attribute B",
        repeats: true),
      Option(name: "analyzer", value: "NAME", meaning: "words (if not given) or runs"),
      Option(name: "no-store", value: nil, meaning: "do not store the items, only index them"),
      Option(name: "threads", value: "N", meaning: "threads that index; 1 if not given"),
      Option(name: "memory", value: "MB", meaning: "memory budget of the load; 256 if not given"),
      Option(name: "merge", value: nil, meaning: "merge into one segment in the end, timed apart"),
      Option(
        name: "json", value: "FILE", meaning: "write the figures as JSON as well; - for only that"),
    ],
    details: """
      CORPUS holds a line of JSON for each item, as 'limelight import' reads them; '-' is the standard
      input, and what ends in .zst goes through the program zstd. DIR is the folder of the new index
      and must not be there yet; it stays.

      Prints items and megabytes a second, the peak of memory (anonymous memory is looked at a hundred
      times a second; the peak of all resident memory, mapped files included, comes from the system),
      and the size of the index by section.
      """,
    example: "limelight-bench index medium.jsonl.zst medium.index --map body=textContent --merge")

  static func run(_ arguments: Arguments) throws {
    let result = try run(from: arguments).run()
    try Commands.finish(.index(result), arguments)
  }

  private static func run(from arguments: Arguments) throws -> IndexRun {
    let operands = arguments.operands
    let made = try arguments.number("generate")
    let source: IndexRun.Source
    if let made {
      guard operands.count == 1 else {
        throw arguments.misuse("with --generate there is one operand, DIR")
      }
      source = .generated(items: made, seed: try arguments.seed())
    } else {
      guard operands.count == 2 else { throw arguments.misuse("CORPUS and DIR are needed") }
      guard !arguments.has("seed") else { throw arguments.misuse("--seed goes with --generate") }
      source = .file(operands[0])
    }
    let name = arguments.value("analyzer") ?? Analyzer.words.rawValue
    guard let analyzer = Analyzer(rawValue: name) else {
      let all = Analyzer.allCases.map(\.rawValue).joined(separator: ", ")
      throw arguments.misuse("there is no analyser '\(name)'; there are: \(all)")
    }
    return IndexRun(
      source: source, folder: operands[operands.count - 1], analyzer: analyzer,
      storesItems: !arguments.has("no-store"),
      threads: try arguments.number("threads", to: 1_024) ?? 1,
      memoryBudget: (try arguments.number("memory", to: 1 << 20) ?? 256) << 20,
      merges: arguments.has("merge"), map: try map(arguments))
  }

  private static func map(_ arguments: Arguments) throws -> [String: String] {
    var map: [String: String] = [:]
    for pair in arguments.values("map") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw arguments.misuse("--map wants MEMBER=ATTRIBUTE, not '\(pair)'")
      }
      map[String(parts[0])] = String(parts[1])
    }
    return map
  }
}
