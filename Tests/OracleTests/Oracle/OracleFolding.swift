// Folding as the documentation states it, by Foundation's normalisation and a small table.

import Foundation

/// One spelling for all that a reader would call the same word.
///
/// Meant for the letters that the random texts use: Latin, Greek, Cyrillic, Hebrew, Arabic, Han,
/// kana and Hangul, whose nonspacing marks are accents but for the voicing marks of kana.
enum OracleFolding {
  /// Letters without a decomposition that count as plain ones, and curly apostrophes.
  private static let plain: [Unicode.Scalar: String] = [
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "þ": "th", "æ": "ae", "œ": "oe",
    "ß": "ss", "ı": "i", "ς": "σ", "‘": "'", "’": "'", "‛": "'",
  ]

  private static let voicingMarks: Set<Unicode.Scalar> = ["\u{3099}", "\u{309A}"]
  private static let zeroWidthSpace: Unicode.Scalar = "\u{200B}"
  private static let tatweel: Unicode.Scalar = "\u{640}"

  /// The folded form of a text.
  static func fold(_ text: String) -> String {
    var folded = ""
    for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars
    where !vanishes(scalar) {
      for lower in scalar.properties.lowercaseMapping.unicodeScalars where !vanishes(lower) {
        if let letters = plain[lower] {
          folded += letters
        } else {
          folded.unicodeScalars.append(lower)
        }
      }
    }
    return folded.precomposedStringWithCanonicalMapping
  }

  private static func vanishes(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return false }
    if scalar == zeroWidthSpace || voicingMarks.contains(scalar) { return false }
    if scalar == tatweel { return true }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return true
    default: return scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}
