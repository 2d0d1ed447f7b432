// limelight search: ranked hits for what a person types.

internal import Limelight

enum SearchCommand: Subcommand {
  private static let limit = Option("limit", takes: .value("N"), "hits to show (10)")
  private static let offset = Option("offset", takes: .value("N"), "hits to leave out first (0)")
  private static let range = Option(
    "range", takes: .value("NAME:LOW..HIGH"), repeats: true,
    "only items with a value in the range; an end may be open: fileSize:1000000..")
  private static let fuzzy = Option(
    "fuzzy", takes: .optionalValue("N"), "forgive a slip in each word, or up to N = 2")
  private static let whole = Option("whole", "the last word is whole, not the beginning of one")
  private static let unit = Option(
    "unit", takes: .value("UNIT"), "what highlights count in JSON: utf8 (default), utf16, scalars")
  private static let mark = Option(
    "mark", takes: .value("HOW"),
    "how found words stand out: ansi (on a terminal), brackets, none (elsewhere)")

  static let manual = Manual(
    name: "search", summary: "find items by words, best ones first",
    operands: [.index, Operand(name: "WORDS", isOptional: true, repeats: true)],
    options: [limit, offset, .domain, range, fuzzy, whole, .json, unit, mark],
    takesDashedWords: true,
    details: """
      Items that hold all the words are found; case and accents do not matter, and the last word
      may be a beginning. Quotes make a phrase, a dash leaves out, OR gives a choice. Whatever
      is typed, it is never an error. Quotes have to reach limelight through the shell: '"..."'.
      'limelight help query' explains more.

      Without WORDS, --domain and --range say what is found.
      The exit status is 1 when nothing is.
      """,
    examples: [
      ("limelight search debian.index music play", "'music', and words that begin with 'play'"),
      ("limelight search debian.index '\"web browser\" -text'", "a phrase, without a word"),
      ("limelight search debian.index chess --domain debian.games", "in one domain"),
      (
        "limelight search debian.index editor --range fileSize:..200000 --json",
        "files of up to 200,000 bytes, in JSON"
      ),
      ("limelight search debian.index browzer --fuzzy", "'browser' with a slip"),
    ])

  static func run(_ arguments: Arguments, _ output: Output) throws -> ExitCode {
    let words = arguments.operands.dropFirst().joined(separator: " ")
    let distance = try fuzziness(arguments)
    let ranges = try arguments.values(of: range).map { (text) throws(Failure) in
      try RangeArgument(text).query
    }
    let limit = try arguments.number(of: limit, in: 0...1_000_000) ?? 10
    let offset = try arguments.number(of: offset, in: 0...Int(Int32.max)) ?? 0
    let unit = try choice(arguments, unit, TextUnit.self) ?? .utf8
    let marking = try choice(arguments, mark, Marking.self)
    let hasWords = arguments.operands.count > 1
    guard hasWords || arguments.has(.domain) || !ranges.isEmpty else {
      throw Failure.usage("WORDS are missing", hint: "usage: \(manual.synopsis)")
    }

    let index = try openForReading(arguments.operands[0])
    let query = SearchQuery(
      words: hasWords ? words : nil, isWhole: arguments.has(whole), distance: distance,
      ranges: ranges
    ).query(for: index)
    let results = try index.search(
      query, limit: limit, offset: offset, domain: arguments.value(of: .domain))

    if arguments.has(.json) {
      try output.write(json(results, query: words, unit: unit).line)
    } else {
      let isTerminal = output.isTerminal && Environment.allowsColour
      try show(results, offset: offset, marking: marking ?? (isTerminal ? .ansi : .none), output)
    }
    return results.total == 0 ? .partial : .done
  }

  private static func fuzziness(_ arguments: Arguments) throws(Failure) -> Int? {
    guard arguments.has(fuzzy) else { return nil }
    guard arguments.value(of: fuzzy) != nil else { return 1 }
    return try arguments.number(of: fuzzy, in: 0...2)
  }

  /// The option's value as one of a few words.
  private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ arguments: Arguments, _ option: Option, _ type: Choice.Type
  ) throws(Failure) -> Choice? {
    guard let value = arguments.value(of: option) else { return nil }
    guard let choice = Choice(rawValue: value) else {
      let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage("--\(option.name) wants one of \(words), not '\(value)'")
    }
    return choice
  }

  private static func json(_ results: Results, query: String, unit: TextUnit) throws -> JSONText {
    var json = JSONText()
    try json.object { json in
      json.key("query")
      json.text(query)
      json.key("count")
      json.number(results.total)
      json.key("countIsExact")
      json.bool(results.totalIsExact)
      json.key("microseconds")
      json.number(results.microseconds)
      json.key("hits")
      try json.array(of: results) { json, hit in
        // An index that stores no items gives no attributes and no highlights.
        let isStored = results.storesItems
        try json.hit(hit, withAttributes: isStored, highlights: isStored ? unit : nil)
      }
    }
    return json
  }

  private static func show(
    _ results: Results, offset: Int, marking: Marking, _ output: Output
  ) throws {
    let painter = TextPainter(marking: marking)
    let columns = output.isTerminal ? TerminalSize.current(1).columns : nil
    let time = Figures.time(microseconds: results.microseconds)
    var text = ""
    painter.paint(
      "\(results.totalIsExact ? "" : "about ")\(Figures.count(results.total, "hit")) in \(time)",
      look: .dim, into: &text)
    text += "\n"
    for (place, hit) in results.enumerated() {
      let shown = try HitText(hit)
      let number = "\(offset + place + 1). "
      text += number
      let room = columns.map { max(8, $0 - number.count) }
      let used = painter.paint(shown.title, look: .bold, columns: room, into: &text)
      if !shown.origin.isEmpty, room.map({ used + 12 < $0 }) ?? true {
        text += "  "
        painter.paint(shown.origin, look: .dim, columns: room.map { $0 - used - 2 }, into: &text)
      }
      text += "\n"
      if let excerpt = shown.excerpt {
        text += "   "
        painter.paint(excerpt, columns: columns.map { max(8, $0 - 3) }, into: &text)
        text += "\n"
      }
    }
    try output.write(text)
  }
}
