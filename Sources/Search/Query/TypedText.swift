// Reads what a person typed as a query. Whatever it is, it is never an error.

package import LimelightAnalysis

/// The reading of typed text.
///
/// - `coffee grinder` wants both words.
/// - The last word is a beginning, as long as no space, quote or other sign follows: `coffee gri`
///   finds grinders, `coffee gri␠` does not, nor does `c++` find every word with a c in front.
/// - `"french press"` wants the words one after the other. The last word of a quotation that is
///   still open is a beginning, too, wherever it stands.
/// - `-decaf` and `-"french press"` leave out items that hold the word or the phrase. With
///   nothing else in the query, all other items are found.
/// - `tea OR coffee` wants one of the two. `OR` binds closer than the space: `hot tea OR coffee`
///   is `hot` and one of `tea`, `coffee`. At the front and as the last, unfinished word it is the
///   word "or"; next to an exclusion, or with nothing to follow, it has no effect.
/// - A word of several parts (`wi-fi`) wants these in a row.
/// - Everything else is text; what holds no word (`??`) is as if it were not there. A text without
///   any word finds nothing.
package enum TypedText {
  /// Words beyond these many are ignored.
  package static var wordLimit: Int { 1_024 }

  /// The query that a typed text stands for.
  ///
  /// Linear in the text. The queries hold pieces of the typed text as it was, which are analysed
  /// again when the query is planned.
  ///
  /// - Parameters:
  ///   - text: What was typed.
  ///   - analyzer: The analyser of the index.
  ///   - lastWordIsPrefix: Whether the last word may be unfinished: yes while a person types.
  package static func parse(
    _ text: String, analyzer: TextAnalyzer, lastWordIsPrefix: Bool = true
  ) -> Query {
    var text = text
    return text.withUTF8 { utf8 in
      var parser = TypedTextParser(utf8, analyzer: analyzer, lastWordIsPrefix: lastWordIsPrefix)
      return parser.parse()
    }
  }
}

/// One run of the reading.
private struct TypedTextParser {
  private let utf8: UnsafeBufferPointer<UInt8>
  private let analyzer: TextAnalyzer
  private let lastWordIsPrefix: Bool
  private let tokens = TokenBuffer()
  private var wordsLeft = TypedText.wordLimit

  init(_ utf8: UnsafeBufferPointer<UInt8>, analyzer: TextAnalyzer, lastWordIsPrefix: Bool) {
    self.utf8 = utf8
    self.analyzer = analyzer
    self.lastWordIsPrefix = lastWordIsPrefix
  }

  mutating func parse() -> Query {
    var scanner = TypedTextScanner(utf8)
    var groups: [[Query]] = []  // all wanted; within a group, any
    var excluded: [Query] = []
    var canJoin = false  // whether the piece before is a wanted one
    var joins = false  // whether an OR stands between it and the next
    while wordsLeft > 0, let piece = scanner.next() {
      let somethingStandsBefore = !groups.isEmpty || !excluded.isEmpty
      if piece.kind == .or, somethingStandsBefore, !piece.isUnfinished {
        joins = canJoin
        continue
      }
      let isPrefix = lastWordIsPrefix && piece.isUnfinished && !piece.isExcluded
      guard let query = query(of: piece, isPrefix: isPrefix) else { continue }
      if piece.isExcluded {
        excluded.append(query)
      } else if joins {
        groups[groups.count - 1].append(query)
      } else {
        groups.append([query])
      }
      canJoin = !piece.isExcluded
      joins = false
    }
    return Self.combine(groups, excluded)
  }

  private static func combine(_ groups: [[Query]], _ excluded: [Query]) -> Query {
    var wanted: [Query] = []
    for group in groups {
      if group.count > 1 {
        wanted.append(.any(group))
      } else if case .all(let parts)? = group.first {
        wanted += parts
      } else {
        wanted += group
      }
    }
    if excluded.isEmpty {
      return wanted.count > 1 ? .all(wanted) : wanted.first ?? .nothing
    }
    return .boolean(must: wanted.isEmpty ? [.everything] : wanted, not: excluded)
  }

  /// The query of one piece, or nil when it holds no word.
  private mutating func query(of piece: TypedPiece, isPrefix: Bool) -> Query? {
    let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(utf8)[piece.range])
    analyzer.analyze(bytes, into: tokens)
    let count = min(tokens.count, wordsLeft)
    guard count > 0 else { return nil }
    wordsLeft -= count

    let start = piece.range.lowerBound
    let isCut = count < tokens.count
    let end = isCut ? start + Int(tokens.sourceEnd[count - 1]) : piece.range.upperBound
    if !isPrefix || isCut || wordIsOver(start + Int(tokens.sourceEnd[count - 1])..<end) {
      return query(start..<end, words: count)
    }
    if count == 1 {
      return .prefix(text(start..<end))
    }
    if lastTokenIsWhole(count, from: start) {
      return query(start..<end, words: count)
    }
    let headEnd = start + Int(tokens.sourceEnd[count - 2])
    let tailStart = start + Int(tokens.sourceStart[count - 1])
    return .all([
      query(start..<headEnd, words: count - 1), .prefix(text(tailStart..<end)),
    ])
  }

  /// Whether what stands behind the last token ends it: anything (`c++`) but a single sign that
  /// can stand inside a word (`example.` on the way to `example.com`).
  private func wordIsOver(_ rest: Range<Int>) -> Bool {
    if rest.isEmpty { return false }
    return rest.count > 3 || !Self.innerSigns.contains(text(rest))
  }

  private static let innerSigns: Set<String> = ["'", "’", ".", ",", ":", ";", "·"]

  /// Whether the last token can take no further letters and belongs to the phrase.
  ///
  /// It does when it touches the one before and is of a script written without spaces, whose
  /// characters are words of their own: `東京`.
  private func lastTokenIsWhole(_ count: Int, from start: Int) -> Bool {
    let tail = Int(tokens.sourceStart[count - 1])
    guard Int(tokens.sourceEnd[count - 2]) == tail else { return false }
    let end = Int(tokens.sourceEnd[count - 1])
    let source = String(decoding: utf8[start + tail..<start + end], as: UTF8.self)
    guard let scalar = source.unicodeScalars.first else { return false }
    return scalar.properties.isIdeographic || Self.hiragana.contains(scalar)
      || Self.southEastAsian.contains { $0.contains(scalar) }
  }

  private static let hiragana: ClosedRange<Unicode.Scalar> = "\u{3041}"..."\u{309F}"
  /// Thai and Lao, Myanmar, Khmer.
  private static let southEastAsian: [ClosedRange<Unicode.Scalar>] = [
    "\u{0E00}"..."\u{0EFF}", "\u{1000}"..."\u{109F}", "\u{1780}"..."\u{17FF}",
  ]

  private func query(_ range: Range<Int>, words: Int) -> Query {
    words == 1 ? .term(text(range)) : .phrase(text(range))
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: utf8[range], as: UTF8.self)
  }
}
