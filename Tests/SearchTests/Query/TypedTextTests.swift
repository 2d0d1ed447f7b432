// What typed texts are read as: a table of them, tame and hostile.

import LimelightAnalysis
import LimelightSearch
import Testing

private func term(_ text: String) -> Query { .term(text) }
private func prefix(_ text: String) -> Query { .prefix(text) }
private func phrase(_ text: String) -> Query { .phrase(text) }

@Suite struct TypedTextTests {
  typealias Row = (typed: String, query: Query)

  private func check(
    _ rows: [Row], analyzer: Analyzer = .words, lastWordIsPrefix: Bool = true,
    at location: SourceLocation = #_sourceLocation
  ) {
    let analyzer = TextAnalyzer(analyzer)
    for row in rows {
      let query = TypedText.parse(
        row.typed, analyzer: analyzer, lastWordIsPrefix: lastWordIsPrefix)
      #expect(query == row.query, "\(row.typed.debugDescription)", sourceLocation: location)
    }
  }

  @Test func words() {
    check([
      ("", .nothing),
      (" ", .nothing),
      ("coffee", prefix("coffee")),
      ("coffee ", term("coffee")),
      ("  coffee", prefix("coffee")),
      ("coffee gri", .all([term("coffee"), prefix("gri")])),
      ("coffee grinder ", .all([term("coffee"), term("grinder")])),
      ("a\tb\nc\r\nd", .all([term("a"), term("b"), term("c"), prefix("d")])),
      ("the the", .all([term("the"), prefix("the")])),
      ("Émile", prefix("Émile")),
      ("a\u{A0}b", .all([term("a"), prefix("b")])),
      ("a\u{3000}b", .all([term("a"), prefix("b")])),
      ("a\u{2003}b\u{2028}c", .all([term("a"), term("b"), prefix("c")])),
      ("a\u{2009}\u{202F}\u{205F}\u{1680}\u{85}b", .all([term("a"), prefix("b")])),
      ("or", prefix("or")),
      ("and not", .all([term("and"), prefix("not")])),
      ("AND", prefix("AND")),
    ])
  }

  @Test func lastWordIsWholeWhenAsked() {
    check(
      [
        ("coffee", term("coffee")),
        ("coffee gri", .all([term("coffee"), term("gri")])),
        ("wi-fi", phrase("wi-fi")),
        ("\"new yor", phrase("new yor")),
        ("a OR", .all([term("a"), term("OR")])),
        ("a OR b", .any([term("a"), term("b")])),
      ], lastWordIsPrefix: false)
  }

  @Test func parts() {
    check([
      ("wi-fi ", phrase("wi-fi")),
      ("wi-fi", .all([term("wi"), prefix("fi")])),
      ("a/b/c", .all([phrase("a/b"), prefix("c")])),
      ("x wi-fi", .all([term("x"), term("wi"), prefix("fi")])),
      ("can't", prefix("can't")),
      ("3.14 ", term("3.14")),
      ("c++", term("c++")),
      ("c++ ", term("c++")),
      ("c#", term("c#")),
      ("example.", prefix("example.")),
      ("don’", prefix("don’")),
      ("what?!", term("what?!")),
      ("(a b)", .all([term("(a"), term("b)")])),
      ("a|b ", phrase("a|b")),
      ("foo*", term("foo*")),
    ])
    check(
      [("wi-fi", .all([term("wi"), prefix("fi")])), ("can't ", phrase("can't"))], analyzer: .runs)
  }

  @Test func scriptsWithoutSpaces() {
    check([
      ("東", prefix("東")),
      ("東京", phrase("東京")),
      ("東京 ", phrase("東京")),
      ("東京タ", .all([phrase("東京"), prefix("タ")])),
      ("hot 日本", .all([term("hot"), phrase("日本")])),
      ("すし", phrase("すし")),
    ])
    check([("東京", prefix("東京")), ("東京 ", term("東京"))], analyzer: .runs)
  }

  @Test func phrases() {
    check([
      ("\"french press\"", phrase("french press")),
      ("\"french press\" ", phrase("french press")),
      ("\"french\"", term("french")),
      ("\"french press\"mug", .all([phrase("french press"), prefix("mug")])),
      ("\"a b\"\"c d\"", .all([phrase("a b"), phrase("c d")])),
      ("mug \"french press\" x", .all([term("mug"), phrase("french press"), prefix("x")])),
      ("“french press”", phrase("french press")),
      ("„french press“ x ", .all([phrase("french press"), term("x")])),
      ("«french press» x ", .all([phrase("french press"), term("x")])),
      ("＂french press＂", phrase("french press")),
      ("\"a OR b -c\"", phrase("a OR b -c")),
      ("3.5\" disk ", .all([term("3.5\""), term("disk")])),
      ("disk 3.5\"", .all([term("disk"), term("3.5\"")])),
      ("rock\"n\"roll ", phrase("rock\"n\"roll")),
    ])
  }

  @Test func openQuotes() {
    check([
      ("\"", .nothing),
      ("\"\"", .nothing),
      ("\"\"\"", .nothing),
      ("\"\" \"\"", .nothing),
      ("\"fre", prefix("fre")),
      ("\"french pre", .all([term("french"), prefix("pre")])),
      ("\"new york ci", .all([phrase("new york"), prefix("ci")])),
      ("\"new york ", phrase("new york ")),
      ("\"東京", phrase("東京")),
      ("a \"", term("a")),
      ("a \"b", .all([term("a"), prefix("b")])),
      ("-\"a b", .boolean(must: [.everything], not: [phrase("a b")])),
      ("\"a\" \"", term("a")),
    ])
  }

  @Test func exclusions() {
    check([
      ("coffee -decaf", .boolean(must: [term("coffee")], not: [term("decaf")])),
      ("-decaf coffee", .boolean(must: [prefix("coffee")], not: [term("decaf")])),
      ("-decaf", .boolean(must: [.everything], not: [term("decaf")])),
      ("a -b -c d ", .boolean(must: [term("a"), term("d")], not: [term("b"), term("c")])),
      ("a -\"b c\"", .boolean(must: [term("a")], not: [phrase("b c")])),
      ("a -“b c”", .boolean(must: [term("a")], not: [phrase("b c")])),
      ("a -wi-fi", .boolean(must: [term("a")], not: [phrase("wi-fi")])),
      ("a -OR", .boolean(must: [term("a")], not: [term("OR")])),
      ("-5", .boolean(must: [.everything], not: [term("5")])),
      ("-", .nothing),
      ("- -", .nothing),
      ("--", .nothing),
      ("-- - --- -", .nothing),
      ("--help", prefix("--help")),
      ("a - b ", .all([term("a"), term("b")])),
      ("a -", term("a")),
      ("-\"\"", .nothing),
      ("-\"", .nothing),
      ("-?", .nothing),
      ("a -?!", term("a")),
    ])
  }

  @Test func alternatives() {
    check([
      ("tea OR coffee ", .any([term("tea"), term("coffee")])),
      ("tea OR cof", .any([term("tea"), prefix("cof")])),
      (
        "hot tea OR coffee mug ",
        .all([term("hot"), .any([term("tea"), term("coffee")]), term("mug")])
      ),
      ("a OR b OR c ", .any([term("a"), term("b"), term("c")])),
      ("a OR \"b c\"", .any([term("a"), phrase("b c")])),
      ("a OR wi-fi", .any([term("a"), .all([term("wi"), prefix("fi")])])),
      ("a or b ", .all([term("a"), term("or"), term("b")])),
      ("a OR", .all([term("a"), prefix("OR")])),
      ("a OR ", term("a")),
      ("OR", prefix("OR")),
      ("OR ", term("OR")),
      ("OR a ", .all([term("OR"), term("a")])),
      ("OR OR", .all([term("OR"), prefix("OR")])),
      ("OR OR ", term("OR")),
      ("OR OR OR", .any([term("OR"), prefix("OR")])),
      ("a OR OR b ", .any([term("a"), term("b")])),
      ("a OR ?? b ", .any([term("a"), term("b")])),
      ("a OR -b", .boolean(must: [term("a")], not: [term("b")])),
      ("a OR -b c ", .boolean(must: [term("a"), term("c")], not: [term("b")])),
      ("-a OR b ", .boolean(must: [term("b")], not: [term("a")])),
      ("\"OR\" a ", .all([term("OR"), term("a")])),
      ("a OR - b ", .any([term("a"), term("b")])),
      ("ORacle OR DB ", .any([term("ORacle"), term("DB")])),
    ])
  }

  @Test func noWords() {
    check([
      ("?", .nothing),
      ("?! ... ***", .nothing),
      ("\0", .nothing),
      ("\0\0a\0b\0", .all([term("a"), term("b")])),
      ("\u{7F}\u{1}\u{85}", .nothing),
      ("\u{301}", .nothing),
      ("\u{FFFD}", .nothing),
      ("?? a", prefix("a")),
      ("a ??", term("a")),
      ("\u{200D}\u{FEFF}", .nothing),
      ("|&!()[]{}", .nothing),
    ])
  }
}
