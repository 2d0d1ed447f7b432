// BM25 with a boost by attribute, in the arithmetic that every path must share.

internal import LimelightSegments

#if canImport(Glibc)
  internal import Glibc
#endif

/// The score of a word: `idf * (sat + boost)`, with `sat = tf / (tf + K[norm])`, all in `Float`, and
/// rounded to a grid (`onGrid`).
///
/// Each step rounds to `Float`, and rounding is monotone, so a bound that is made by the same steps
/// from (frequency, norm) pairs that dominate a block's is never below a score in it, and equals the
/// best one when the pair is that of a posting: pruning by `bound > threshold` is exact without any
/// margin. (With frequencies as large as those stored exactly, below 255, neighbouring quotients lie
/// far more than a rounding apart; beyond that `sat` is bounded by 1.)
enum ScoreFormula {
  static let k1 = 1.2
  static let b = 0.75

  /// The weight of a word that `documentFrequency` of `documents` items hold, dead ones included.
  ///
  /// The frequency is that of the field: for a word that is asked for in one standard attribute, that
  /// of field 0, all standard attributes together.
  static func idf(documents: Int, documentFrequency: Int) -> Float {
    let n = Double(documents)
    let df = Double(min(documentFrequency, documents))
    return Float(log(1 + (n - df + 0.5) / (df + 0.5)))
  }

  /// Fills `K` for the 256 norms.
  ///
  /// `tokens / documents` is the average length over the snapshot, dead items included. An index
  /// without any token in a standard attribute has no average; 1 stands for it.
  static func fillLengthFactors(
    _ factors: UnsafeMutablePointer<Float>, documents: Int, tokens: UInt64
  ) {
    let average = tokens == 0 || documents == 0 ? 1 : Double(tokens) / Double(documents)
    for norm in 0..<256 {
      let length = Double(Norm.decode(UInt8(norm)))
      factors[norm] = Float(k1 * (1 - b + b * length / average))
    }
  }

  /// A word's score on the grid: the nearest multiple of 2^-16, ties to even, below 64.
  ///
  /// So the sum of words' scores is exact as long as it stays below 256, and the same in any order:
  /// whichever way leads to a document, its score has the same bits. Larger scores stay as they are.
  @inline(__always)
  static func onGrid(_ score: Float) -> Float {
    // Between 128 and 256 a Float has 16 bits behind the point.
    score < gridLimit ? (score + 192) - 192 : score
  }

  static let gridLimit: Float = 64

  /// The part of a word's score that its frequency and the item's length give; below or equal to 1.
  @inline(__always)
  static func saturation(_ frequency: UInt32, _ lengthFactor: Float) -> Float {
    let tf = Float(frequency)
    return tf / (tf + lengthFactor)
  }
}
