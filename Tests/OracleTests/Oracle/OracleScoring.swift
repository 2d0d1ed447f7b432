// BM25 with a boost by attribute, in the steps that the documentation states.

import Foundation
import Limelight

/// Where words are looked for; attributes are slots of `OracleWords`.
enum OracleTarget {
  /// All standard attributes.
  case standard
  /// One standard attribute: frequencies and rarity are those of all of them.
  case attribute(Int)
  /// A named attribute, which stands by itself.
  case named(Int)
}

/// The scores of words, phrases and expansions for each item, by its place; nil without a match.
///
/// The score of a word is `idf * (tf / (tf + K) + boost)` in `Float`: the boost is the largest
/// weight of the attributes that hold it, `K` comes from the item's rounded length.
struct OracleScoring {
  private let items: [OracleItem]
  /// By slot.
  private let weights: [Float]
  /// By item: what stands beside the frequency.
  private let factors: [Float]

  private static let k1 = 1.2
  private static let b = 0.75

  init(_ items: [OracleItem], _ words: OracleWords, _ weights: Weights) {
    self.items = items
    self.weights = words.attributes.map { weights[$0] }
    let tokens = items.reduce(0) { $0 + $1.length }
    let average = tokens == 0 ? 1 : Double(tokens) / Double(items.count)
    var known: [Int: Float] = [:]
    factors = items.map { item in
      let length = Self.rounded(item.length)
      if let factor = known[length] { return factor }
      let factor = Float(Self.k1 * (1 - Self.b + Self.b * Double(length) / average))
      known[length] = factor
      return factor
    }
  }

  /// A length as one byte keeps it: exact below 16, then with three bits behind the leading one.
  static func rounded(_ length: Int) -> Int {
    var step = 1
    while length / step >= 16 { step *= 2 }
    return length / step * step
  }

  static func idf(items: Int, holding: Int) -> Float {
    let (n, df) = (Double(items), Double(holding))
    return Float(log(1 + (n - df + 0.5) / (df + 0.5)))
  }

  /// Words' scores below 64 are multiples of 2^-16.
  static func onGrid(_ score: Float) -> Float {
    score < 64 ? (score * 65_536).rounded(.toNearestOrEven) / 65_536 : score
  }

  private func saturation(_ frequency: Int, _ place: Int) -> Float {
    Float(frequency) / (Float(frequency) + factors[place])
  }

  private func field(_ target: OracleTarget, _ item: OracleItem) -> OracleFieldText? {
    switch target {
    case .standard, .attribute: item.standard
    case .named(let slot): item.named[slot]
    }
  }

  private func largestWeight(_ attributes: [Int]) -> Float {
    attributes.reduce(0) { max($0, $1 < weights.count ? weights[$1] : 0) }
  }

  private func idf(of word: Int, _ target: OracleTarget) -> Float {
    var holding = 0
    for item in items where field(target, item)?.posting(of: word) != nil { holding += 1 }
    return Self.idf(items: items.count, holding: holding)
  }

  // MARK: Leaves

  func scores(word: Int, _ target: OracleTarget) -> [Float?] {
    let idf = idf(of: word, target)
    return items.indices.map { place in
      guard let posting = field(target, items[place])?.posting(of: word),
        let boost = boost(posting, target)
      else { return nil }
      return Self.onGrid(idf * (saturation(posting.frequency, place) + boost))
    }
  }

  /// The boost of a posting; nil if it is not in the attribute that is asked for.
  private func boost(_ posting: OraclePosting, _ target: OracleTarget) -> Float? {
    guard case .attribute(let slot) = target else { return largestWeight(posting.attributes) }
    return posting.attributes.contains(slot) ? largestWeight([slot]) : nil
  }

  func scores(phrase words: [Int], _ target: OracleTarget) -> [Float?] {
    var idf: Float = 0
    for word in words { idf += self.idf(of: word, target) }
    var wanted: Int?
    if case .attribute(let slot) = target { wanted = slot }
    return items.indices.map { place in
      guard let field = field(target, items[place]) else { return nil }
      let (count, attributes) = field.occurrences(of: words, in: wanted)
      guard count > 0 else { return nil }
      return idf * (saturation(count, place) + largestWeight(attributes))
    }
  }

  /// Every match scores 1, and the exact word its own score on top.
  func scores(expansion isWanted: [Bool], exact: Int, _ target: OracleTarget) -> [Float?] {
    let exactScores = scores(word: exact, target)
    return items.indices.map { place in
      guard let field = field(target, items[place]) else { return nil }
      let matches = field.postings.contains {
        isWanted[$0.term] && boost($0, target) != nil
      }
      return matches ? 1 + (exactScores[place] ?? 0) : nil
    }
  }
}
