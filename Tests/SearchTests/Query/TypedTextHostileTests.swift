// Whatever is typed is read, in linear time, as a query of bounded size.

import LimelightAnalysis
import LimelightSearch
import Testing

@Suite struct TypedTextHostileTests {
  /// Words in the leaves of a query, and how many leaves there are.
  private func size(_ query: Query, _ analyzer: TextAnalyzer) -> (words: Int, leaves: Int) {
    var words = 0
    var leaves = 0
    var pending = [query]
    while let query = pending.popLast() {
      switch query {
      case .term(let text, _), .prefix(let text, _), .phrase(let text, _):
        let terms = QueryAnalysis.terms(of: text, analyzer: analyzer)
        #expect(!terms.isEmpty, "a leaf without a word: \(text.debugDescription.prefix(80))")
        words += terms.count
        leaves += 1
      default: pending += query.children
      }
    }
    return (words, leaves)
  }

  @Test(arguments: Analyzer.allCases) func randomTextsGiveBoundedQueries(_ kind: Analyzer) {
    let pieces = [
      "a", "b", "OR", "-", "\"", " ", "\0", "wi-fi", "“", "”", "«", "é", "e\u{301}", "東", "京", "タ",
      "👩‍👩‍👧", "\u{301}", "\u{200D}", "\n", "'", ".", "AND", "(", ")", "\u{3000}", "ß", "--", "\\", "ﬁ",
    ]
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix(state: seed)
    let analyzer = TextAnalyzer(kind)
    for _ in 0..<3_000 {
      let text = (0..<Int.random(in: 0..<24, using: &random))
        .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
      let expected = QueryAnalysis.terms(of: text, analyzer: analyzer).count
      for lastWordIsPrefix in [true, false] {
        let query = TypedText.parse(text, analyzer: analyzer, lastWordIsPrefix: lastWordIsPrefix)
        let (words, leaves) = size(query, analyzer)
        #expect(leaves <= words && words <= expected, "\(text.debugDescription), seed \(seed)")
        #expect(!query.isDeeper(than: 4), "\(text.debugDescription), seed \(seed)")
        if words == 0 { #expect(query == .nothing, "\(text.debugDescription), seed \(seed)") }
      }
    }
  }

  @Test func wordsBeyondTheLimitAreIgnored() {
    let analyzer = TextAnalyzer(.words)
    let limit = TypedText.wordLimit
    let words = (0..<limit + 50).map { "w\($0)" }
    for separator in [" ", "-", " -", " OR "] {
      let query = TypedText.parse(words.joined(separator: separator), analyzer: analyzer)
      #expect(size(query, analyzer).words == limit, "\(separator.debugDescription)")
    }
    let expected = words[..<limit].joined(separator: "-")
    #expect(TypedText.parse(words.joined(separator: "-"), analyzer: analyzer) == .phrase(expected))
  }

  /// A megabyte each; were one read in quadratic time, it would take hours.
  @Test(
    .timeLimit(.minutes(2)),
    arguments: [
      "a", "a ", "- ", "-", "\"", "\" ", "-\"", "OR ", "OR", "“", "\0", "\u{301}", "東", "a-", "?",
      "? ",
      "-a ", "\"a b\" ", "\u{200D}", "e\u{301}", "'", "é\"", " OR -",
    ])
  func aMegabyteIsReadInLinearTime(_ piece: String) {
    let text = String(repeating: piece, count: (1 << 20) / piece.utf8.count)
    for kind in Analyzer.allCases {
      let analyzer = TextAnalyzer(kind)
      let query = TypedText.parse(text, analyzer: analyzer)
      #expect(size(query, analyzer).words <= TypedText.wordLimit)
    }
  }
}

/// A small generator whose runs can be repeated by their seed.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
