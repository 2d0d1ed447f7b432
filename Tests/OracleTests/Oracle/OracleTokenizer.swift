// Cuts text into folded words, by the rules of UAX #29 as they are written, or by runs.

import Limelight

/// A word of a text.
struct OracleToken {
  /// Its folded form.
  let term: String
  /// Where it stands, in scalars.
  let source: Range<Int>
}

/// The two analysers, for the letters that the random texts use.
struct OracleTokenizer {
  let analyzer: Analyzer

  private static let longestTerm = 255

  /// The words of a text in order.
  func tokens(_ text: String) -> [OracleToken] { tokens(Array(text.unicodeScalars)) }

  func tokens(_ scalars: [Unicode.Scalar]) -> [OracleToken] {
    let ranges =
      switch analyzer {
      case .words: OracleWordBreaks(scalars).words
      case .runs: Self.runs(scalars)
      }
    return ranges.compactMap { range in
      var piece = String.UnicodeScalarView()
      piece.append(contentsOf: scalars[range])
      let term = Self.cut(OracleFolding.fold(String(piece)))
      return term.isEmpty ? nil : OracleToken(term: term, source: range)
    }
  }

  /// The term without what lies beyond 255 bytes, whole scalars.
  private static func cut(_ term: String) -> String {
    guard term.utf8.count > longestTerm else { return term }
    var kept = String.UnicodeScalarView()
    var bytes = 0
    for scalar in term.unicodeScalars {
      bytes += UTF8.width(scalar)
      if bytes > longestTerm { break }
      kept.append(scalar)
    }
    return String(kept)
  }

  /// Longest stretches of letters and numbers, with the marks and ignorable scalars behind them.
  private static func runs(_ scalars: [Unicode.Scalar]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start: Int?
    for (index, scalar) in scalars.enumerated() {
      if scalar.isLetterOrNumber {
        if start == nil { start = index }
      } else if let first = start, !scalar.continuesRun {
        ranges.append(first..<index)
        start = nil
      }
    }
    if let start { ranges.append(start..<scalars.count) }
    return ranges
  }
}

extension Unicode.Scalar {
  /// Whether its general category is L or N.
  var isLetterOrNumber: Bool {
    if isASCII {
      switch self {
      case "a"..."z", "A"..."Z", "0"..."9": return true
      default: return false
      }
    }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber:
      return true
    default: return false
    }
  }

  /// Whether it is a mark.
  var isMark: Bool {
    if isASCII { return false }
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return true
    default: return false
    }
  }

  /// Whether it stays in a run that has begun.
  fileprivate var continuesRun: Bool {
    isMark || (self != "\u{200B}" && properties.isDefaultIgnorableCodePoint)
  }
}
