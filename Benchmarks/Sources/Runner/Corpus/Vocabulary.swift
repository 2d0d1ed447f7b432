// Made words: syllables put together, short ones for the frequent ranks.

/// The words of a generated corpus, by rank.
///
/// Words are made of syllables (onset, vowel, perhaps a coda), so that beginnings are shared and near
/// words exist, as in a language. The 64 most frequent ones have one syllable, the next 2,000 have two,
/// the others two to four; one in 32 of the others has an accent. All are different.
struct Vocabulary {
  /// The number of words is `1 << bits`.
  static let bits = 18
  /// More than any word is long, in bytes.
  static let longestWord = 32

  private static let onsets: [StaticString] = [
    "b", "br", "c", "ch", "d", "f", "fl", "g", "gr", "h", "j", "k", "l", "m", "n", "p", "pl", "qu",
    "r", "s", "sh", "st", "t", "tr", "v", "w", "y", "z",
  ]
  private static let vowels: [StaticString] = ["a", "e", "i", "o", "u", "ai", "ea", "ou"]
  private static let accented: [StaticString] = ["á", "é", "í", "ö", "ü", "è", "ê", "ó"]
  private static let codas: [StaticString] = ["n", "r", "s", "l", "t", "m", "nd", "rt"]

  /// The letters of all words, one after the other.
  private let letters: [UInt8]
  /// Where each word starts in the letters, and where the last one ends.
  private let starts: [UInt32]

  /// Makes the words of a seed; takes about a tenth of a second.
  init(seed: UInt64) {
    var random = RandomSource(seed: seed, stream: -1)
    var letters: [UInt8] = []
    var starts: [UInt32] = [0]
    var seen: Set<String> = []
    while starts.count <= 1 << Self.bits {
      let word = Self.word(rank: starts.count - 1, &random)
      guard seen.insert(word).inserted else { continue }
      letters += Array(word.utf8)
      starts.append(UInt32(letters.count))
    }
    self.letters = letters
    self.starts = starts
  }

  private static func word(rank: Int, _ random: inout RandomSource) -> String {
    let syllables = rank < 64 ? 1 : rank < 2_064 ? 2 : 2 + random.below(3)
    let accent = rank >= 2_064 && random.below(32) == 0 ? random.below(syllables) : -1
    var word = ""
    for syllable in 0..<syllables {
      word += pick(onsets, &random)
      word += pick(syllable == accent ? accented : vowels, &random)
      if random.below(4) == 0 { word += pick(codas, &random) }
    }
    return word
  }

  private static func pick(_ parts: [StaticString], _ random: inout RandomSource) -> String {
    // The lower of two draws: the first parts are the frequent ones.
    parts[min(random.below(parts.count), random.below(parts.count))].description
  }

  /// The number of words.
  var count: Int { starts.count - 1 }

  /// The word of a rank.
  subscript(rank: Int) -> String {
    String(decoding: letters[Int(starts[rank])..<Int(starts[rank + 1])], as: UTF8.self)
  }

  /// Lends the letters and the places where words start.
  func withWords<R>(
    _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt32>) -> R
  ) -> R {
    letters.withUnsafeBufferPointer { letters in
      starts.withUnsafeBufferPointer { starts in body(letters, starts) }
    }
  }
}
