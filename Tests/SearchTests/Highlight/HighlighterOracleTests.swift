// Highlights of random texts against a slow and plain reckoning, and their cost on large ones.

import LimelightAnalysis
import LimelightItems
import LimelightSearch
import Testing

@Suite struct HighlighterOracleTests {
  static let pieces = [
    "a", "b", "c", "ab", "A", "á", "a\u{301}", "Å", "ß", "ﬁ", " ", " ", " ", " ", "-", ".", "'",
    "\r\n",
    "1", "1\u{FE0F}\u{20E3}", "👩‍👩‍👧", "👍🏽", "🇫🇷", "🇫", "ℹ", "ℹ️", "🅰", "\u{200D}", "\u{FE0F}", "\u{301}",
    "\u{20DD}", "\u{600}", "\u{D4E}", "क", "क्ष", "\u{94D}", "กำ", "ก", "東", "京", "タ", "か\u{3099}",
    "한",
    "\u{1112}\u{1161}", "ㅎ", "\u{AD}", "\0", "ก\u{E33}", "\u{17D2}", "ក", "𝄞", "ǆ", "ё", "İ",
  ]

  private static func text(_ count: Int, _ random: inout SplitMix) -> String {
    (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
  }

  /// A query out of words of the text, so that something is usually found.
  private static func query(from words: [String], _ random: inout SplitMix) -> Query {
    let leaves = (0..<Int.random(in: 1...4, using: &random)).map { _ -> Query in
      guard !words.isEmpty else { return .term("a") }
      let start = Int.random(in: 0..<words.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: return .term(words[start])
      case 1: return .prefix(String(words[start].unicodeScalars.prefix(1)))
      default:
        let end = min(words.count, start + Int.random(in: 2...4, using: &random))
        return .phrase(words[start..<end].joined(separator: " "))
      }
    }
    return .any(leaves)
  }

  private struct Token {
    var term: [UInt8]
    var source: Range<Int>
  }

  private static func tokens(_ text: String, _ analyzer: TextAnalyzer) -> [Token] {
    let buffer = TokenBuffer()
    var text = text
    text.withUTF8 { analyzer.analyze(UnsafeRawBufferPointer($0), into: buffer) }
    return (0..<buffer.count).map { index in
      Token(
        term: Array(buffer.term(index)),
        source: Int(buffer.sourceStart[index])..<Int(buffer.sourceEnd[index]))
    }
  }

  /// Every pattern at every place, byte by byte, then every character that is touched.
  private static func expected(
    _ text: String, _ query: Query, _ analyzer: TextAnalyzer
  ) -> [Range<Int>] {
    let tokens = tokens(text, analyzer)
    var spans: [Range<Int>] = []
    func addRuns(of words: [[UInt8]]) {
      guard !words.isEmpty, words.count <= tokens.count else { return }
      for start in 0...tokens.count - words.count {
        let run = tokens[start..<start + words.count]
        if run.map(\.term) == words, let first = run.first, let last = run.last {
          spans.append(first.source.lowerBound..<last.source.upperBound)
        }
      }
    }
    func terms(_ text: String) -> [[UInt8]] { self.tokens(text, analyzer).map(\.term) }
    for leaf in query.children {
      switch leaf {
      case .term(let text, _), .phrase(let text, _): addRuns(of: terms(text))
      case .prefix(let text, _):
        let words = terms(text)
        addRuns(of: words.dropLast())
        guard let last = words.last else { continue }
        for token in tokens where token.term.starts(with: last) { spans.append(token.source) }
      default: Issue.record("a leaf that this reckoning does not know")
      }
    }

    var characters: [Range<Int>] = []
    for character in text {
      let start = characters.last?.upperBound ?? 0
      characters.append(start..<start + character.utf8.count)
    }
    let grown = spans.map { span in
      let touched = characters.filter { $0.overlaps(span) }
      return (touched.first?.lowerBound ?? 0)..<(touched.last?.upperBound ?? 0)
    }
    var merged: [Range<Int>] = []
    for span in grown.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    ) {
      if let last = merged.last, span.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, span.upperBound)
      } else {
        merged.append(span)
      }
    }
    return merged
  }

  private static func highlights(
    _ text: String, _ query: Query, _ analyzer: TextAnalyzer, unit: TextUnit = .utf8
  ) throws -> [Range<Int>] {
    let registry = AttributeRegistry()
    let terms = HighlightTerms(query, analyzer: analyzer, registry: registry) { _, _ in
      { _ in false }
    }
    let highlighter = Highlighter(terms, analyzer: analyzer)
    let title = try #require(registry.resolve("title"))
    var text = text
    return text.withUTF8 { unit.convert(highlighter.ranges(in: $0, of: title), in: $0) }
  }

  @Test(arguments: Analyzer.allCases) func randomTexts(_ kind: Analyzer) throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix(state: seed)
    let analyzer = TextAnalyzer(kind)
    var found = 0
    for _ in 0..<4_000 {
      let text = Self.text(Int.random(in: 0..<40, using: &random), &random)
      let words = Self.tokens(text, analyzer).map {
        String(decoding: $0.term, as: UTF8.self)
      }
      let query = Self.query(from: words, &random)
      let expected = Self.expected(text, query, analyzer)
      let ranges = try Self.highlights(text, query, analyzer)
      #expect(ranges == expected, "\(text.debugDescription) \(query), seed \(seed)")
      found += ranges.count

      // The same places in the other units, cut out of the text by the standard library.
      let pieces = expected.map { range -> String in
        let utf8 = Array(text.utf8)
        return String(decoding: utf8[range], as: UTF8.self)
      }
      let utf16 = try Self.highlights(text, query, analyzer, unit: .utf16)
        .map { String(decoding: Array(text.utf16)[$0], as: UTF16.self) }
      #expect(utf16.map { Array($0.utf8) } == pieces.map { Array($0.utf8) }, "seed \(seed)")
      let scalars = try Self.highlights(text, query, analyzer, unit: .scalars)
        .map { range in
          String(String.UnicodeScalarView(Array(text.unicodeScalars)[range]))
        }
      #expect(scalars.map { Array($0.utf8) } == pieces.map { Array($0.utf8) }, "seed \(seed)")
    }
    #expect(found > 4_000, "too few highlights to tell anything")
  }

  /// Texts of a megabyte at which a naive search for phrases or characters takes quadratic time.
  @Test(
    .timeLimit(.minutes(2)),
    arguments: [
      "a ", "\u{301}", "a\u{301}", "ក\u{17D2}", "🅰\u{200D}", "東", "👍🏽 ", "é", "🇫🇷", "\u{600}1", "ก",
    ])
  func largeTextsTakeLinearTime(_ piece: String) throws {
    let text = String(repeating: piece, count: (1 << 20) / piece.utf8.count)
    let phrases = (2..<44).map { count in
      Query.phrase(String(repeating: "\(piece) ", count: count))
    }
    for kind in Analyzer.allCases {
      let query = Query.any([.prefix(piece), .term(piece)] + phrases)
      let ranges = try Self.highlights(text, query, TextAnalyzer(kind))
      #expect(ranges.allSatisfy { !$0.isEmpty && $0.upperBound <= text.utf8.count })
    }
  }

  @Test func bytesThatAreNotTextGiveRangesInside() throws {
    let registry = AttributeRegistry()
    let analyzer = TextAnalyzer(.words)
    let query = Query.prefix("a") | .phrase("a b")
    let terms = HighlightTerms(query, analyzer: analyzer, registry: registry) { _, _ in
      { _ in false }
    }
    let highlighter = Highlighter(terms, analyzer: analyzer)
    let title = try #require(registry.resolve("title"))
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix(state: seed)
    let bytes: [UInt8] = [0x61, 0x62, 0x20, 0xCC, 0x81, 0xE6, 0x9D, 0xB1, 0xF0, 0xFF, 0xC3, 0xA9]
    for _ in 0..<3_000 {
      let text = (0..<Int.random(in: 0..<24, using: &random))
        .map { _ in bytes[Int.random(in: 0..<bytes.count, using: &random)] }
      let ranges = text.withUnsafeBufferPointer { highlighter.ranges(in: $0, of: title) }
      var end = -1
      for range in ranges {
        #expect(range.lowerBound > end && range.upperBound <= text.count, "\(text), seed \(seed)")
        end = range.upperBound
      }
    }
  }
}
