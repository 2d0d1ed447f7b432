// limelight import: items from lines of JSON.

internal import Glibc
internal import Limelight

enum ImportCommand: Subcommand {
  private static let map = Option(
    "map", takes: .value("NAME=ATTRIBUTE"), repeats: true,
    "take the member NAME as this attribute, as id, or leave it out: body=textContent, x=")
  private static let attribute = Option(
    "attribute", takes: .value("NAME:KIND[:CLASS]"), repeats: true,
    "declare an attribute of your own: birthday:date, level:number:filter")
  private static let threads = Option(
    "threads", takes: .value("N"), "threads to index with; more than 1 means --bulk")
  private static let bulk = Option(
    "bulk", "build the segments directly: faster, found only at the end")
  private static let memory = Option(
    "memory", takes: .value("MB"),
    "memory for --bulk, in megabytes (the input's size, within 32 and 256)")
  private static let durability = Option(
    "durability", takes: .value("LEVEL"),
    "how soon a batch is safe from a power cut: full (the default), journaled, relaxed")
  private static let noStore = Option(
    "no-store", "a new index keeps only ids: smaller, but shows no texts and no highlights")
  private static let analyzer = Option(
    "analyzer", takes: .value("NAME"),
    "how a new index cuts text into words: words (Unicode's rules, the default), runs")

  static let manual = Manual(
    name: "import", summary: "put items into an index, which is made when it is missing",
    operands: [.index, Operand(name: "FILE", repeats: true)],
    options: [
      map, attribute, bulk, threads, memory, durability, noStore, analyzer, .soleWriter, .json,
    ],
    details: """
      Each line of a FILE (- is the standard input) is one item in JSON:

        {"id": "42", "domain": "notes.work", "attributes": {"title": "Groceries",
         "textContent": "Milk, and café au lait", "keywords": ["shop", "list"],
         "contentCreationDate": "2026-05-01T08:00:00Z", "rating": 4}}

      An item replaces the one of the same id; without an id it gets a new one. A line that cannot
      be taken is refused by itself and named; all others are taken. 'limelight help items'
      explains all members, 'limelight help attributes' lists the attributes.

      Without --bulk, every batch is found by searches, and safe on disk, before the next is read.
      With --durability journaled it is on disk within a second, with relaxed at the end or a little
      before: that is faster, and a power cut may take the last batches; at the end all are on disk.
      """,
    examples: [
      ("limelight import notes.index notes.ndjson", "put the items of a file"),
      (
        "zstd -dc big.zst | limelight import big.index - --bulk",
        "index what another program writes, as fast as possible"
      ),
      (
        "limelight import wiki.index wiki.ndjson --map body=textContent",
        "take flat lines such as {\"id\":\"1\",\"title\":\"Tea\",\"body\":\"...\"}"
      ),
    ])

  static func run(_ arguments: Arguments, _ output: Output) throws -> ExitCode {
    let attributes = try arguments.values(of: attribute).map(CustomAttribute.init(argument:))
    let options = LineOptions(
      map: try mapping(arguments), dates: Set(attributes.filter { $0.kind == .date }.map(\.name)))
    let threadCount = try arguments.number(of: threads, in: 1...256)
    let megabytes = try arguments.number(of: memory, in: 8...1_000_000)
    let isBulk = arguments.has(bulk) || threadCount ?? 1 > 1
    if isBulk, arguments.has(durability) {
      throw Failure.usage("--durability is for batches: --bulk has all on disk at the end")
    }
    let source = try LineSource(Array(arguments.operands.dropFirst()))

    let configuration = try configuration(arguments, attributes)
    let index = try Index(arguments.operands[0], options: configuration)
    try check(index, arguments, configuration)
    let importer = Importer(index: index, source: source, options: options)
    let report =
      isBulk
      ? try importer.load(
        threads: threadCount ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))),
        memoryBudget: megabytes.map { $0 * 1_000_000 } ?? defaultMemory(source))
      : try importer.put()

    if arguments.has(.json) {
      try output.write(report.json(source).line)
    } else {
      writeError(report.complaints(source))
      try output.line(report.summary)
    }
    return report.refused.isEmpty ? .done : .partial
  }

  /// Small inputs are cut into small pieces, so that all threads have some of them.
  private static func defaultMemory(_ source: LineSource) -> Int {
    min(max(source.totalBytes ?? .max, 32_000_000), 256_000_000)
  }

  private static func configuration(
    _ arguments: Arguments, _ attributes: [CustomAttribute]
  ) throws(Failure) -> IndexConfiguration {
    var configuration = IndexConfiguration()
    configuration.soleWriter = arguments.has(.soleWriter)
    configuration.customAttributes = attributes
    configuration.storesItems = !arguments.has(noStore)
    if let name = arguments.value(of: analyzer) {
      guard let analyzer = Analyzer(rawValue: name) else {
        let names = Analyzer.allCases.map(\.rawValue).joined(separator: " and ")
        throw .usage("there is no analyzer '\(name)'; there are \(names)")
      }
      configuration.analyzer = analyzer
    }
    if let name = arguments.value(of: durability) {
      guard let level = Durability(rawValue: name) else {
        let names = Durability.allCases.map(\.rawValue).joined(separator: ", ")
        throw .usage("there is no level '\(name)' of durability; there are \(names)")
      }
      configuration.durability = level
    }
    return configuration
  }

  /// What is fixed when an index is made cannot be asked of one that is there.
  private static func check(
    _ index: Index, _ arguments: Arguments, _ configuration: IndexConfiguration
  ) throws(Failure) {
    if arguments.has(analyzer), index.analyzer != configuration.analyzer {
      throw .usage(
        "the index was made with the analyzer \(index.analyzer.rawValue), which cannot be changed")
    }
    if arguments.has(noStore), index.storesItems {
      throw .usage("the index stores its items, which cannot be changed")
    }
  }

  private static func mapping(_ arguments: Arguments) throws(Failure) -> [String: String] {
    var targets: [String: String] = [:]
    for pair in arguments.values(of: map) {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw .usage("--map wants NAME=ATTRIBUTE, such as body=textContent, not '\(pair)'")
      }
      targets[String(parts[0])] = String(parts[1])
    }
    return targets
  }
}

extension CustomAttribute {
  private static let kinds: [String: AttributeKind] = [
    "text": .text, "number": .number, "bool": .bool, "date": .date,
  ]
  private static let classes: [String: SearchClass] = [
    "default": .standard, "named": .named, "filter": .filter, "none": .none,
  ]

  /// Reads `NAME:KIND` or `NAME:KIND:CLASS`; the name itself may hold colons.
  fileprivate init(argument: String) throws(Failure) {
    var parts = argument.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    var searchClass: SearchClass?
    if parts.count > 2, let last = parts.last, let known = Self.classes[last] {
      searchClass = known
      parts.removeLast()
    }
    guard parts.count > 1, let kind = Self.kinds[parts.removeLast()] else {
      throw .usage(
        "--attribute wants NAME:KIND or NAME:KIND:CLASS, not '\(argument)'",
        hint: """
          kinds:   text, number, bool, date
          classes: default (found by every search), named (found by its name), filter, none
          """)
    }
    self.init(parts.joined(separator: ":"), kind: kind, searchClass: searchClass)
  }
}
