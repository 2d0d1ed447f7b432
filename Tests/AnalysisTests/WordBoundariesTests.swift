// UAX #29 word boundaries: Unicode's own rows, and random text against the rules written naively.

import LimelightAnalysis
import Testing

@Suite struct WordBoundariesTests {
  /// A row of the fixture: its scalars and the indexes before which boundaries stand.
  private static let rows: [(scalars: [Unicode.Scalar], boundaries: [Int])] = {
    let text = "\(WordBreakRows.rows)"
    return text.split(separator: " ").map { row in
      var (scalars, boundaries): ([Unicode.Scalar], [Int]) = ([], [0])
      for unit in row.utf8 {
        if unit == UInt8(ascii: "|") {
          boundaries.append(scalars.count)
        } else if let scalar = Unicode.Scalar(WordBreakRows.scalars[Int(unit) - 0x2C]) {
          scalars.append(scalar)
        }
      }
      return (scalars, boundaries + [scalars.count])
    }
  }()

  /// The boundaries as indexes of scalars.
  private func boundaries(_ scalars: [Unicode.Scalar]) -> [Int] {
    let bytes = scalars.flatMap { Array(UTF8.encode($0) ?? .init()) }
    var indexes: [Int: Int] = [0: 0]
    var offset = 0
    for (index, scalar) in scalars.enumerated() {
      offset += UTF8.width(scalar)
      indexes[offset] = index + 1
    }
    return bytes.withUnsafeBytes { WordBoundaries.boundaries($0) }.map { indexes[$0] ?? -1 }
  }

  @Test func everyRowOfTheStandard() {
    #expect(Self.rows.count == 1823 && Self.rows.count == WordBreakRows.count)
    for row in Self.rows {
      #expect(boundaries(row.scalars) == row.boundaries, "\(row.scalars.map(\.value))")
    }
  }

  @Test func emptyText() {
    #expect(boundaries([]).isEmpty)
  }

  @Test func randomTextAgainstTheRules() {
    var random = SplitMix(state: 29)
    let alphabet = Array(NaiveWordBreak.classes.keys).sorted()
    for _ in 0..<30_000 {
      let scalars = Array(random.text(of: alphabet, upTo: 12).unicodeScalars)
      #expect(
        boundaries(scalars) == NaiveWordBreak.boundaries(scalars), "\(scalars.map(\.value))")
    }
  }

  /// The analyser works on stretches of its own; its tokens must be segments all the same.
  @Test func tokensAreSegments() {
    var random = SplitMix(state: 30)
    let alphabet =
      Array(NaiveWordBreak.classes.keys).sorted() + Array("abc123  ..''".unicodeScalars)
    for _ in 0..<30_000 {
      let text = random.text(of: alphabet, upTo: 90)
      let bytes = Array(text.utf8)
      let edges = bytes.withUnsafeBytes { WordBoundaries.boundaries($0) }
      var expected: [[UInt8]] = []
      for (start, end) in zip(edges, edges.dropFirst()) {
        let segment = String(decoding: bytes[start..<end], as: UTF8.self).unicodeScalars
        guard segment.contains(where: NaiveWordBreak.isWord) else { continue }
        let isFirst = { NaiveWordBreak.isWord($0) || NaiveWordBreak.classes[$0] == .extendNumLet }
        expected.append(
          Folding.fold(String(String.UnicodeScalarView(segment.drop { !isFirst($0) }))))
      }
      let found = tokens(.words, bytes).map { Array($0.term.utf8) }
      #expect(
        found == expected.filter { !$0.isEmpty }.map(cut), "\(text.unicodeScalars.map(\.value))")
    }
  }
}

/// The rules of UAX #29 as they stand in the report: slow, and over sample scalars only.
private enum NaiveWordBreak {
  enum Class {
    case other, cr, lf, newline, extend, zwj, format, indicator, katakana, hebrew, letter
    case singleQuote, doubleQuote, midNumLet, midLetter, midNum, numeric, extendNumLet, space
    case pictograph
  }

  static let classes: [Unicode.Scalar: Class] = [
    "\u{1}": .other, "!": .other, "漢": .other, "\r": .cr, "\n": .lf, "\u{B}": .newline,
    "\u{2028}": .newline, "\u{308}": .extend, "\u{1F3FF}": .extend, "\u{200D}": .zwj,
    "\u{AD}": .format, "\u{2060}": .format, "\u{1F1E6}": .indicator, "\u{1F1E7}": .indicator,
    "カ": .katakana, "\u{3031}": .katakana, "א": .hebrew, "ב": .hebrew, "a": .letter, "é": .letter,
    "ж": .letter, "'": .singleQuote, "\"": .doubleQuote, ".": .midNumLet, "’": .midNumLet,
    ":": .midLetter, "·": .midLetter, ",": .midNum, ";": .midNum, "1": .numeric, "٣": .numeric,
    "_": .extendNumLet, "‿": .extendNumLet, " ": .space, "\u{3000}": .space, "🛑": .pictograph,
    "⌚": .pictograph,
  ]

  static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch classes[scalar] {
    case .letter, .hebrew, .katakana, .numeric, .indicator, .pictograph: true
    default: scalar == "漢" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
  }

  static func boundaries(_ scalars: [Unicode.Scalar]) -> [Int] {
    guard !scalars.isEmpty else { return [] }
    let all = scalars.map { classes[$0] ?? .other }
    return [0] + (1..<all.count).filter { isBoundary(all, $0) } + [all.count]
  }

  private static func isBoundary(_ all: [Class], _ at: Int) -> Bool {
    let breaks: [Class] = [.cr, .lf, .newline]
    let ignored: [Class] = [.extend, .format, .zwj]
    let letters: [Class] = [.letter, .hebrew]
    let (left, right) = (all[at - 1], all[at])
    if left == .cr, right == .lf { return false }
    if breaks.contains(left) || breaks.contains(right) { return true }
    if left == .zwj, right == .pictograph { return false }
    if left == .space, right == .space { return false }
    if ignored.contains(right) { return false }
    // WB4: what is left once ignored scalars are taken into the scalar before them.
    var kept: [Class] = []
    for (index, one) in all[..<at].enumerated() {
      let isFirst = index == 0 || breaks.contains(all[index - 1])
      if isFirst || !ignored.contains(one) { kept.append(one) }
    }
    let after = all[(at + 1)...].first { !ignored.contains($0) } ?? .other
    let before = kept[kept.count - 1]
    let earlier = kept.count > 1 ? kept[kept.count - 2] : .other
    let midLetter: [Class] = [.midLetter, .midNumLet, .singleQuote]
    let midNumber: [Class] = [.midNum, .midNumLet, .singleQuote]
    let words: [Class] = [.letter, .hebrew, .numeric, .katakana]
    if letters.contains(before), letters.contains(right) { return false }
    if letters.contains(before), midLetter.contains(right), letters.contains(after) { return false }
    if letters.contains(earlier), midLetter.contains(before), letters.contains(right) {
      return false
    }
    if before == .hebrew, right == .singleQuote { return false }
    if before == .hebrew, right == .doubleQuote, after == .hebrew { return false }
    if earlier == .hebrew, before == .doubleQuote, right == .hebrew { return false }
    if before == .numeric, right == .numeric { return false }
    if letters.contains(before), right == .numeric { return false }
    if before == .numeric, letters.contains(right) { return false }
    if earlier == .numeric, midNumber.contains(before), right == .numeric { return false }
    if before == .numeric, midNumber.contains(right), after == .numeric { return false }
    if before == .katakana, right == .katakana { return false }
    if words.contains(before) || before == .extendNumLet, right == .extendNumLet { return false }
    if before == .extendNumLet, words.contains(right) { return false }
    if before == .indicator, right == .indicator {
      return kept.reversed().prefix { $0 == .indicator }.count % 2 == 0
    }
    return true
  }
}
