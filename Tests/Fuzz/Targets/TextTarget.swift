// Text of any bytes: analysed, parsed as typed, searched, and highlighted in itself.

internal import LimelightAnalysis
internal import LimelightItems
internal import LimelightSearch
internal import LimelightSegments
internal import LimelightSnapshots
internal import LimelightStorage

enum TextTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) throws {
    guard let first = bytes.first else { return }
    // The first byte chooses the analyser, and how the last word is taken.
    let analyzer = TextAnalyzer(first & 1 == 0 ? .words : .runs)
    // A buffer of its own that ends with the text.
    let raw = Array(bytes.dropFirst())
    try FuzzIndex.mapped(raw).withBytes { try checkTokens($0, analyzer) }
    let typed = String(decoding: raw, as: UTF8.self)
    let query = TypedText.parse(typed, analyzer: analyzer, lastWordIsPrefix: first & 2 != 0)
    FuzzReach.note(.opened)
    try FuzzFailure.unless(
      !query.isDeeper(than: Query.maximumDepth), "a typed text is a query that is refused")
    try search(query)
    try highlight(query, typed, analyzer)
    if first & 4 != 0 { try near(typed) }
  }

  /// Tokens ascend, lie inside of the text, and are the same when they are made again.
  private static func checkTokens(
    _ text: UnsafeRawBufferPointer, _ analyzer: TextAnalyzer
  ) throws {
    let tokens = TokenBuffer()
    analyzer.analyze(text, into: tokens)
    FuzzReach.note(.terms, tokens.count)
    var end: UInt32 = 0
    for token in 0..<tokens.count {
      let (from, to) = (tokens.sourceStart[token], tokens.sourceEnd[token])
      try FuzzFailure.unless(
        from >= end && to > from && to <= text.count,
        "token \(token) stands at \(from)..<\(to), behind \(end) of \(text.count)")
      end = to
      let length = Int(tokens.length[token])
      try FuzzFailure.unless(
        length > 0 && length <= TextAnalyzer.maximumTermBytes, "token \(token) has \(length) bytes")
      try FuzzFailure.unless(
        String(validating: tokens.term(token), as: UTF8.self) != nil, "token \(token) is no text")
    }
    // What is folded is folded: folding a term again leaves it as it is.
    for token in 0..<min(tokens.count, 8) {
      let term = Array(tokens.term(token))
      var again: [UInt8] = []
      Folding.fold(tokens.term(token), into: &again)
      try FuzzFailure.unless(again == term, "the term \(term) folds to \(again)")
    }
  }

  private static func search(_ query: Query) throws {
    let other = try FileSeeds.other()
    let snapshot = FuzzIndex.snapshot([(other, LiveDocs(count: other.documentCount))])
    let searcher = try Searcher(snapshot, now: FuzzIndex.now)
    let count = try searcher.count(query)
    let found = try searcher.topDocs(query, limit: 100, counting: true)
    try FuzzFailure.unless(
      found.count == count && found.hits.count == min(count, 100),
      "\(found.hits.count) hits, \(found.count) matches, \(count) counted")
    FuzzReach.note(.hits, found.hits.count)
    searcher.prunes = false
    let all = try searcher.topDocs(query, limit: 100, counting: true)
    try FuzzFailure.unless(all.hits == found.hits, "a search that prunes finds other hits")
  }

  /// Places in the text ascend, lie apart, and stand on the edges of scalars.
  private static func highlight(
    _ query: Query, _ typed: String, _ analyzer: TextAnalyzer
  ) throws {
    let terms = HighlightTerms(
      query, analyzer: analyzer, registry: FuzzIndex.registry, fuzzy: FuzzyPattern.test)
    guard let title = FuzzIndex.registry.resolve("title") else { return }
    let highlighter = Highlighter(terms, analyzer: analyzer)
    var text = typed
    try text.withUTF8 { utf8 in
      let ranges = highlighter.ranges(in: utf8, of: title)
      FuzzReach.note(.highlights, ranges.count)
      var end = -1
      for range in ranges {
        try FuzzFailure.unless(
          range.lowerBound > end && !range.isEmpty && range.upperBound <= utf8.count,
          "ranges \(ranges) of \(utf8.count) bytes")
        end = range.upperBound
        for edge in [range.lowerBound, range.upperBound] where edge < utf8.count {
          try FuzzFailure.unless(utf8[edge] & 0xC0 != 0x80, "\(edge) is inside of a scalar")
        }
      }
      for unit in TextUnit.allCases {
        let converted = unit.convert(ranges, in: utf8)
        try FuzzFailure.unless(converted.count == ranges.count, "ranges are lost as \(unit)")
      }
    }
  }

  /// Near words and filters of the text.
  private static func near(_ typed: String) throws {
    let words = typed.split(separator: " ").prefix(3).map(String.init)
    for word in words {
      try search(.fuzzy(word, distance: 2))
      try search(.prefix(word, in: Attribute("colour")))
      try search(.phrase(typed))
      try search(.atLeast(.title, .string(word)))
    }
    if (try? DomainKey.validate(typed)) != nil {
      let key = DomainKey.encode(typed)
      let copy = key.withUnsafeBufferPointer { DomainKey.decode($0) }
      try FuzzFailure.unless(copy == typed, "the domain \(typed) becomes \(copy ?? "none")")
      try search(.domain(typed))
    }
  }
}
