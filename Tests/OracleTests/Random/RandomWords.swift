// Random texts out of few words, each in many spellings.

import Foundation

/// A vocabulary and the texts that are made of it.
struct RandomWords {
  /// The most frequent words first.
  private(set) var words: [String] = []

  /// Words of all kinds that analysis tells apart.
  private static let fixed = [
    "кофе", "ёж", "море", "κόσμος", "σοφός", "שלום", "كتاب", "東京", "日本", "カタカナ", "ガイド",
    "한국", "ひらがな", "straße", "œuvre", "łódź", "naïve", "ﬁlm", "İzmir", "ısı", "Ⅷ", "x²", "3.14",
    "1,000", "can't", "snake_case", "wi-fi", "🚀", "❤️", "👩‍🔬", "iphone15", "e.g.", "café", "ﬀ", "ǆ",
    "צה\"ל", "5", "２０", "🇩🇪", "ｶﾞｲﾄﾞ", "þorn", "Æsir", "a:b", "12:30", "l’eau", "й",
  ]

  init(_ random: inout RandomSource) {
    let letters = Array("abcdeilost")
    for _ in 0..<110 {
      words.append(String((0..<random.number(1...5)).map { _ in random.pick(letters) }))
    }
    words += Self.fixed
    words.append(String(repeating: "long", count: 80))
    words.append(String(repeating: "длинно", count: 30))
    words.shuffle(using: &random)
  }

  /// A word, frequent ones more often, in its plain spelling.
  func word(_ random: inout RandomSource) -> String { words[random.skewed(words.count)] }

  /// One of many spellings of a word that mean the same.
  func spelling(of word: String, _ random: inout RandomSource) -> String {
    if random.chance(50) { return word }
    var word = word
    if random.chance(30) { word = word.uppercased() }
    if random.chance(20) { word = word.decomposedStringWithCanonicalMapping }
    var spelt = String.UnicodeScalarView()
    for scalar in word.unicodeScalars {
      let isPlain = ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
      let isWide = isPlain || ("0"..."9").contains(scalar)
      if isWide, random.chance(5), let wide = Unicode.Scalar(scalar.value + 0xFEE0) {
        spelt.append(wide)
      } else {
        spelt.append(scalar)
      }
      if isPlain, random.chance(8) { spelt.append(random.pick(["\u{301}", "\u{308}", "\u{323}"])) }
      if isPlain, random.chance(3) { spelt.append("\u{AD}") }
    }
    let text = String(spelt)
    return random.chance(30) ? text.precomposedStringWithCanonicalMapping : text
  }

  private static let separators = [
    ", ", ". ", "-", "/", "\n", "'", ".", ":", "_", " — ", " (", ") ", "\"", "\u{A0}", "\u{3000}",
    "\t", "\u{200B}", "", "\r\n", "; ", "’", "…", "\u{2028}", " \u{301}", "&", "+", " !? ",
  ]

  /// A text of some words.
  func text(_ count: Int, _ random: inout RandomSource) -> String {
    var text = ""
    for index in 0..<count {
      if index > 0 { text += random.chance(75) ? " " : random.pick(Self.separators) }
      text += spelling(of: word(&random), &random)
    }
    if random.chance(10) { text += random.pick(Self.separators) }
    return text
  }

  /// The word with up to so many edits.
  func edited(_ word: String, _ edits: Int, _ random: inout RandomSource) -> String {
    var letters = Array(word.unicodeScalars)
    for _ in 0..<edits where !letters.isEmpty {
      let place = random.below(letters.count)
      let letter = random.pick(Array("abcdeilost東а".unicodeScalars))
      switch random.below(4) {
      case 0: letters.remove(at: place)
      case 1: letters.insert(letter, at: place)
      case 2: letters[place] = letter
      default: if place + 1 < letters.count { letters.swapAt(place, place + 1) }
      }
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: letters)
    return String(view)
  }

  /// The first letters of a word.
  func beginning(of word: String, _ random: inout RandomSource) -> String {
    let count = word.unicodeScalars.count
    var view = String.UnicodeScalarView()
    view.append(
      contentsOf: word.unicodeScalars.prefix(random.number(random.chance(5) ? 0...1 : 1...count)))
    return String(view)
  }
}
