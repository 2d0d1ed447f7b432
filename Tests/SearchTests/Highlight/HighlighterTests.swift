// What is highlighted in texts and items, by example.

import LimelightAnalysis
import LimelightItems
import LimelightSearch
import Testing

@Suite struct HighlighterTests {
  private func highlighter(
    _ query: Query, registry: AttributeRegistry = AttributeRegistry(), analyzer: Analyzer = .words
  ) -> Highlighter {
    let terms = HighlightTerms(query, analyzer: TextAnalyzer(analyzer), registry: registry) {
      term, distance in
      // Stands in for an automaton: the same length, no more than so many bytes changed.
      { bytes in
        bytes.count == term.count && zip(bytes, term).count { $0 != $1 } <= distance
      }
    }
    return Highlighter(terms, analyzer: TextAnalyzer(analyzer))
  }

  /// The text with its highlights in brackets.
  private func marked(
    _ text: String, _ query: Query, in attribute: String = "title", analyzer: Analyzer = .words,
    registry: AttributeRegistry = AttributeRegistry()
  ) throws -> String {
    let attribute = try #require(registry.resolve(attribute))
    var text = text
    return text.withUTF8 { utf8 in
      let ranges = highlighter(query, registry: registry, analyzer: analyzer)
        .ranges(in: utf8, of: attribute)
      var output: [UInt8] = []
      var place = 0
      for range in ranges {
        output += utf8[place..<range.lowerBound]
        output.append(UInt8(ascii: "["))
        output += utf8[range]
        output.append(UInt8(ascii: "]"))
        place = range.upperBound
      }
      output += utf8[place...]
      return String(decoding: output, as: UTF8.self)
    }
  }

  @Test func words() throws {
    #expect(try marked("The cat sat.", .term("cat")) == "The [cat] sat.")
    #expect(try marked("cats cat CAT", .term("Cat")) == "cats [cat] [CAT]")
    #expect(try marked("Crème brûlée", .term("creme") & .term("BRÛLÉE")) == "[Crème] [brûlée]")
    #expect(try marked("Straße, ﬁn", .term("strasse") | .term("fin")) == "[Straße], [ﬁn]")
    #expect(try marked("none here", .term("cat")) == "none here")
    #expect(try marked("", .term("cat")) == "")
    #expect(try marked("a cat", .everything & .domain("cat") & .equals(.title, "cat")) == "a cat")
    #expect(try marked("a cat", .nothing) == "a cat")
  }

  @Test func beginningsAndNearWords() throws {
    #expect(try marked("Grinders grin, agrind", .prefix("grin")) == "[Grinders] [grin], agrind")
    #expect(try marked("wi fidelity, fi, wi", .prefix("wi-fi")) == "[wi] [fidelity], [fi], [wi]")
    #expect(try marked("cat cot dog cart", .fuzzy("cut")) == "[cat] [cot] dog cart")
    #expect(try marked("cat cot dog", .fuzzy("cut", distance: -3)) == "cat cot dog")
    #expect(try marked("cat dog", .fuzzy("dig", distance: 99)) == "cat [dog]")
  }

  @Test func phrasesAreWholeOrNothing() throws {
    let query = Query.phrase("new york")
    #expect(
      try marked("New York, new york; new, york!", query) == "[New York], [new york]; [new, york]!")
    #expect(try marked("new yorker, york new", query) == "new yorker, york new")
    #expect(try marked("new new york york", query) == "new [new york] york")
    #expect(try marked("a a a b", .phrase("a a")) == "[a a a] b")
    #expect(try marked("a b c d", .phrase("a b") & .phrase("c d")) == "[a b] [c d]")
    #expect(try marked("a b c d", .phrase("a b c") & .phrase("b c d")) == "[a b c d]")
    #expect(try marked("a b c d", .phrase("a b c d") & .phrase("b c")) == "[a b c d]")
    #expect(try marked("x b c y", .phrase("a b c d") & .phrase("b c")) == "x [b c] y")
    #expect(try marked("a b c", .phrase("a b") & .term("c")) == "[a b] [c]")
    #expect(try marked("use wi-fi or wi and fi", .term("wi-fi")) == "use [wi-fi] or wi and fi")
    #expect(try marked("東京都に行く", .phrase("東京")) == "[東京]都に行く")
    #expect(try marked("東京都東京", .phrase("京都")) == "東[京都]東京")
  }

  @Test func whatIsExcludedIsNotShown() throws {
    let query = Query.boolean(must: [.term("a")], should: [.term("b")], not: [.term("c")])
    #expect(try marked("a b c d", query & !.term("d")) == "[a] [b] c d")
  }

  @Test func attributesLimitWhatIsShown() throws {
    let query = Query.term("cat", in: .title) & .term("dog") & .prefix("ma", in: "creator")
    #expect(try marked("cat dog make", query, in: "title") == "[cat] [dog] make")
    #expect(try marked("cat dog make", query, in: "textContent") == "cat [dog] make")
    #expect(try marked("cat dog make", query, in: "creator") == "cat dog [make]")
    #expect(try marked("cat dog make", query, in: "kind") == "cat dog make")
    #expect(try marked("cat dog", .term("cat", in: "nowhere"), in: "title") == "cat dog")
    #expect(try marked("cat", .term("cat", in: .thumbnailURL), in: "thumbnailURL") == "cat")

    var registry = AttributeRegistry()
    try registry.declare("note", kind: .text)
    let note = Query.term("cat", in: "note")
    #expect(try marked("cat", note, in: "note", registry: registry) == "[cat]")
    #expect(try marked("cat", note, in: "title", registry: registry) == "cat")
    #expect(try marked("cat", .term("cat"), in: "note", registry: registry) == "cat")
  }

  @Test func charactersAreNeverCut() throws {
    // A keycap, a letter under an enclosing circle, a number behind a prepended sign.
    #expect(
      try marked("1\u{FE0F}\u{20E3} x", .term("1"), analyzer: .runs) == "[1\u{FE0F}\u{20E3}] x")
    #expect(try marked("a\u{20DD} b", .term("a")) == "[a\u{20DD}] b")
    #expect(try marked("x \u{600}12 y", .prefix("12"), analyzer: .runs) == "x [\u{600}12] y")
    #expect(try marked("cafe\u{301}s", .term("cafés")) == "[cafe\u{301}s]")
    #expect(try marked("hi 👩‍👩‍👧 hi", .term("👩‍👩‍👧")) == "hi [👩‍👩‍👧] hi")
  }

  @Test func unitsOfItems() throws {
    let item = ResolvedItem(
      id: "1",
      values: [
        (try id("keywords"), .texts(["𝄞 né", "none", "ne 🎉 né"])),
        (try id("authors"), .persons([Person(displayName: "Né", handles: ["no@x.org", "né"])])),
        (try id("title"), .localized([LocalizedText(tag: "en", text: "né")])),
        (try id("fileSize"), .number(1)),
        (try id("thumbnailURL"), .url("né")),
      ])
    func shown(_ unit: TextUnit) -> [Highlight] {
      highlighter(.term("né")).highlights(of: item, registry: AttributeRegistry(), unit: unit)
    }
    let rest = [
      Highlight(attribute: .authors, valueIndex: 0, ranges: [0..<2]),
      Highlight(attribute: .authors, valueIndex: 2, ranges: [0..<2]),
      Highlight(attribute: .title, valueIndex: 0, ranges: [0..<2]),
    ]
    func keywords(_ first: Range<Int>, _ second: [Range<Int>]) -> [Highlight] {
      [
        Highlight(attribute: .keywords, valueIndex: 0, ranges: [first]),
        Highlight(attribute: .keywords, valueIndex: 2, ranges: second),
      ]
    }
    #expect(shown(.scalars) == keywords(2..<4, [0..<2, 5..<7]) + rest)
    #expect(shown(.utf16) == keywords(3..<5, [0..<2, 6..<8]) + rest)
    let bytes = shown(.utf8)
    #expect(Array(bytes.prefix(2)) == keywords(5..<8, [0..<2, 8..<11]))
    #expect(bytes.dropFirst(2).allSatisfy { $0.ranges == [0..<3] })
  }

  private func id(_ name: String) throws -> UInt16 {
    try #require(AttributeTable.definition(named: name)).id
  }
}
