// limelight-bench generate: a made corpus as NDJSON.

/// Writes made items.
enum GenerateCommand: BenchmarkCommand {
  /// How many items are made at a time.
  static let batch = 4_096

  static let manual = Manual(
    name: "generate", summary: "write a made corpus: a line of JSON for each item",
    operands: [],
    options: [
      Option(name: "items", value: "N", meaning: "how many items (needed)"),
      Option(name: "seed", value: "S", meaning: "which corpus; 1 if not given"),
      Option(name: "output", value: "FILE", meaning: "where to; - and no option: standard output"),
    ],
    details: """
      Short items of about 300 bytes with up to ten attributes: title, text, keywords, author, file
      name, domain, content type, two dates, rating. Words are made and come as often as Zipf's law
      says. A seed gives the same bytes on every machine, and a larger corpus of it begins with the
      smaller one. 'limelight import' reads the lines.
      """,
    example: "limelight-bench generate --items 1000000 --seed 1 --output corpus.ndjson")

  static func run(_ arguments: Arguments) throws {
    guard let items = try arguments.number("items") else {
      throw arguments.misuse("--items is missing")
    }
    let generator = ItemGenerator(seed: try arguments.seed())
    let output = try OutputFile(arguments.value("output") ?? "-")
    var made = 0
    while made < items {
      let numbers = made..<min(items, made + batch)
      try output.write(generator.lines(numbers))
      made = numbers.upperBound
    }
    try output.close()
  }
}
