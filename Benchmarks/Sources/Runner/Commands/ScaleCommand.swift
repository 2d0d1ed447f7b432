// limelight-bench scale: the same measurements at several sizes.

internal import Glibc

/// Measures indexing and searching of made corpora of several sizes.
enum ScaleCommand: BenchmarkCommand {
  static let manual = Manual(
    name: "scale", summary: "index and query made corpora of several sizes",
    operands: [],
    options: [
      Option(
        name: "sizes", value: "LIST", meaning: "numbers of items, such as 10000,100000 (needed)"),
      Option(name: "output", value: "DIR", meaning: "the folder for the results (needed)"),
      Option(
        name: "work", value: "DIR",
        meaning: "the folder for corpora and indexes; that of the results if not given"),
      Option(name: "seed", value: "S", meaning: "which corpus; 1 if not given"),
      Option(name: "threads", value: "N", meaning: "threads that index; 1 if not given"),
      Option(
        name: "commands", value: "LIST", meaning: "what to ask, as in query; all if not given"),
      Option(name: "passes", value: "N", meaning: "timed passes over the queries; 9 if not given"),
    ],
    details: """
      For each size a process of its own writes the corpus, one indexes it and merges it into one
      segment, and one asks the generated queries, so that peaks of memory are of one step. Leaves
      index-ITEMS.json and query-ITEMS.json in the output folder, for report; corpus and index, about
      600 bytes an item together, are removed.
      """,
    example: "limelight-bench scale --sizes 10000,100000,1000000 --output scale")

  static func run(_ arguments: Arguments) throws {
    guard let output = arguments.value("output") else {
      throw arguments.misuse("--output is missing")
    }
    let sizes = try sizes(arguments)
    let seed = "\(try arguments.seed())"
    let threads = "\(try arguments.number("threads", to: 1_024) ?? 1)"
    let passes = "\(try arguments.number("passes", to: 100_000) ?? 9)"
    // Read here as well, so that a slip does not show after the first hour.
    _ = try arguments.commands()
    let commands = arguments.value("commands").map { ["--commands", $0] } ?? []
    try TextFile.makeFolder(output)
    let work = (arguments.value("work") ?? output) + "/scale-\(getpid())"
    try TextFile.makeFolder(work)
    defer { try? TextFile.remove(folder: work) }
    let program = try Self.program()
    for size in sizes {
      let corpus = "\(work)/\(size).ndjson"
      let index = "\(work)/\(size).index"
      try ChildProcess.run(
        [program, "generate", "--items", "\(size)", "--seed", seed, "--output", corpus])
      try ChildProcess.run(
        [program, "index", corpus, index, "--merge", "--threads", threads]
          + ["--json", "\(output)/index-\(size).json"])
      guard unlink(corpus) == 0 else { throw BenchmarkError.system("remove", corpus) }
      try ChildProcess.run(
        [program, "query", index, "--generated", "--seed", seed, "--passes", passes] + commands
          + ["--json", "\(output)/query-\(size).json"])
      try TextFile.remove(folder: index)
    }
  }

  private static func sizes(_ arguments: Arguments) throws -> [Int] {
    guard let text = arguments.value("sizes") else { throw arguments.misuse("--sizes is missing") }
    return try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      guard let size = Int(part), size > 0 else {
        throw arguments.misuse("--sizes wants numbers with commas between, not '\(text)'")
      }
      return size
    }
  }

  /// The path of this program.
  private static func program() throws -> String {
    var path = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &path, path.count)
    guard count > 0 else { throw BenchmarkError.system("read", "/proc/self/exe") }
    return String(decoding: path[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
