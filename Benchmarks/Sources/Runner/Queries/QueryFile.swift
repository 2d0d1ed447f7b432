// Reads files of queries: those of search-benchmark-game and those of luceneutil.

internal import FoundationEssentials
internal import Limelight

/// Files of queries, a line each, in one of two forms.
///
/// *search-benchmark-game*: an object `{"query": "+a +b", "tags": ["intersection", "and2"]}`; the last tag
/// is the kind. *luceneutil*: `AndHighHigh: +a +b # freq=9`; what stands before the colon is the kind.
/// Empty lines and lines that begin with `#` are passed over. The queries themselves are alike in both,
/// in the grammar of ``QueryLine``. luceneutil also has tasks for what Limelight does not do (facets,
/// sorting, spans, sloppy phrases, wildcards, suggestions): those are counted, not asked.
enum QueryFile {
  private struct TaggedQuery: Decodable {
    var query: String
    var tags: [String]
  }

  /// Reads a file.
  static func read(_ path: String) throws -> QuerySet {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return try parse(String(decoding: try TextFile.read(path), as: UTF8.self), name: name)
  }

  /// Reads the text of a file that has this name.
  static func parse(_ text: String, name: String) throws -> QuerySet {
    var set = QuerySet(name: name)
    // Carriage return and newline are one Character: by scalars they are two.
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (place, scalars) in lines.enumerated() {
      var line = Substring(scalars)
      if line.last == "\r" { line = line.dropLast() }
      if line.allSatisfy(\.isWhitespace) || line.first == "#" { continue }
      let position = "\(name), line \(place + 1)"
      let (kind, query) = line.first == "{" ? try tagged(line, position) : try task(line, position)
      if isSupported(query, kind: kind) {
        set.queries.append(BenchmarkQuery(kind: kind, text: query, QueryLine.parse(query)))
      } else {
        set.unsupported[kind, default: 0] += 1
      }
    }
    return set
  }

  private static func tagged(
    _ line: Substring, _ place: String
  ) throws -> (kind: String, query: String) {
    let parsed: TaggedQuery
    do {
      parsed = try JSONDecoder().decode(TaggedQuery.self, from: Data(line.utf8))
    } catch {
      throw BenchmarkError("\(place): no object with a \"query\" and its \"tags\"")
    }
    guard let kind = parsed.tags.last else {
      throw BenchmarkError("\(place): the query has no tag")
    }
    return (kind, parsed.query)
  }

  private static func task(
    _ line: Substring, _ place: String
  ) throws -> (kind: String, query: String) {
    guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
      line[..<colon].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
    else { throw BenchmarkError("\(place): neither an object nor 'Kind: query'") }
    var query = line[line.index(after: colon)...]
    if let comment = query.firstRange(of: " #") { query = query[..<comment.lowerBound] }
    query = query.drop { $0 == " " }
    while query.last == " " { query = query.dropLast() }
    guard !query.isEmpty else { throw BenchmarkError("\(place): the query is empty") }
    return (String(line[..<colon]), String(query))
  }

  /// Whether the query is of the harness' grammar, and means in it what its kind says.
  private static func isSupported(_ query: String, kind: String) -> Bool {
    // `Respell: word` asks for suggestions, `range: field:0-9` for counts by range.
    if kind == "Respell" || kind == "range" { return false }
    if query.contains("//") || query.contains("+minShouldMatch=") || query.contains("*:*") {
      return false
    }
    var isInPhrase = false
    var previous: Character = " "
    for (place, character) in zip(query.indices, query) {
      let next = query.index(after: place)
      let isLastOfClause = next == query.endIndex || query[next] == " "
      if character == "\"" {
        isInPhrase.toggle()
        // A slop or a boost behind the phrase.
        if !isInPhrase, !isLastOfClause { return false }
      } else if !isInPhrase, character == "*" || character == "?" {
        // A wildcard is a prefix only at the end of a word.
        if character == "?" || !isLastOfClause || previous == " " { return false }
      }
      previous = character
    }
    return !isInPhrase
  }
}
