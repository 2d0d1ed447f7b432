// Near words against the plain distance table.

import LimelightSearch
import Testing

@Suite struct FuzzyPatternTests {
  private static let letters: [Character] = ["a", "b", "c", "é", "語", "😀"]

  private static func word(_ random: inout SeededRandom, _ limit: Int) -> String {
    String((0..<random.below(limit + 1)).map { _ in letters[random.below(letters.count)] })
  }

  /// Compares random pairs of words.
  @Test func distancesOfRandomWords() {
    var random = SeededRandom(3)
    var matched = 0
    for _ in 0..<4_000 {
      let a = Self.word(&random, 6)
      let b = Self.word(&random, 6)
      let expected = ModelOracle.distance(Array(a), Array(b))
      for distance in 0...2 {
        let pattern = FuzzyPattern(Array(a.utf8), distance: distance)
        let matches = Array(b.utf8).withUnsafeBytes { pattern.matches($0) }
        #expect(matches == (expected <= distance), "\(a), \(b), \(distance)")
        matched += matches ? 1 : 0
      }
    }
    #expect(matched > 200)
  }

  /// A pair that was swapped counts once, and is not edited again.
  @Test(arguments: [
    ("ab", "ba", 1), ("abc", "acb", 1), ("ca", "abc", 3), ("coffee", "cofefe", 1),
    ("coffee", "cofee", 1), ("coffee", "toffees", 2), ("", "ab", 2),
  ])
  func knownDistances(a: String, b: String, distance: Int) {
    for limit in 0...2 {
      let test = FuzzyPattern.test(Array(a.utf8), limit)
      #expect(Array(b.utf8).withUnsafeBytes { test($0) } == (distance <= limit))
    }
  }

  /// Bytes that are no UTF-8 match nothing by accident and harm nothing.
  @Test func strayBytes() {
    let pattern = FuzzyPattern([0xC3, 0x28, 0xFF], distance: 2)
    let other: [UInt8] = [0xE2, 0x82]
    #expect(!other.withUnsafeBytes { pattern.matches($0) } || pattern.distance == 2)
    #expect(pattern.term.withUnsafeBytes { pattern.matches($0) })
  }
}
