// 200,000 short items of few words, kept as plain arrays beside the index that holds them.

import Limelight

/// Items whose words have chosen frequencies, and where each word stands in which.
///
/// A word is *plain* when it stands in one attribute only, so that all its postings have the same
/// attribute set, and *mixed* when each item has it in attributes of its own. *Themed* words are what a
/// run of neighbours is about now and then, as in mail or notes, and mentioned in passing elsewhere: only
/// so do blocks differ enough to be passed over. The others are spread evenly.
struct LargeCorpus {
  /// A word of the corpus.
  struct Word {
    let text: String
    /// In how many of a million items it stands.
    let perMillion: Int
    let isMixed: Bool
    var isThemed = false
  }

  /// A word's items, ascending, with what scores need.
  struct Postings {
    var items: [Int32] = []
    var frequencies: [UInt16] = []
    /// Bits of `LargeCorpus.attributes`.
    var attributes: [UInt32] = []
  }

  static let words: [Word] = [
    Word(text: "almost", perMillion: 620_000, isMixed: true),
    Word(text: "always", perMillion: 400_000, isMixed: false),
    Word(text: "often", perMillion: 200_000, isMixed: true),
    Word(text: "dense", perMillion: 130_000, isMixed: false),
    Word(text: "sparse", perMillion: 110_000, isMixed: true, isThemed: true),
    Word(text: "common", perMillion: 80_000, isMixed: false, isThemed: true),
    Word(text: "usual", perMillion: 60_000, isMixed: true, isThemed: true),
    Word(text: "middling", perMillion: 55_000, isMixed: false, isThemed: true),
    Word(text: "seldom", perMillion: 10_000, isMixed: true),
    Word(text: "scarce", perMillion: 8_000, isMixed: false),
    Word(text: "rare", perMillion: 700, isMixed: true),
    Word(text: "rarer", perMillion: 300, isMixed: false),
    Word(text: "rarest", perMillion: 20, isMixed: true),
  ]

  /// Where mixed words stand: built-in attributes of different weights, then custom ones of weight 0.
  static let attributes: [Attribute] =
    [.title, .keywords, .contentDescription, .comment, .subject, .alternateNames, .city]
    + (0..<11).map { Attribute("extra\($0)") }
  /// Where plain words stand, and the filler that makes items longer.
  static let body = Attribute.textContent

  static var declared: [CustomAttribute] {
    (0..<11).map { CustomAttribute("extra\($0)", kind: .text, searchClass: .standard) }
  }

  private(set) var count = 0
  private(set) var postings = Self.words.map { _ in Postings() }
  private(set) var lengths: [Int32] = []
  private var random: RandomSource

  init(seed: UInt64) { random = RandomSource(seed: seed) }

  /// The size of the item at a place, for ranges.
  static func size(_ place: Int) -> Int { place &* 7919 % 1000 }

  static func domain(_ place: Int) -> String { place % 3 == 0 ? "big.three" : "big" }

  static func id(_ place: Int) -> String { "n\(place)" }

  /// Makes the next items.
  mutating func next(_ count: Int) -> [Item] {
    var items: [Item] = []
    items.reserveCapacity(count)
    for _ in 0..<count { items.append(item()) }
    return items
  }

  /// Whether the neighbours of a place are about the themed words.
  private static func isTheme(_ place: Int) -> Bool { (place >> 12) % 24 == 2 }

  private mutating func item() -> Item {
    let place = count
    count += 1
    let isTheme = Self.isTheme(place)
    var length = 0
    var body = ""
    var mixed: [(attribute: Int, text: String)] = []
    for (number, word) in Self.words.enumerated() where random.below(1_000_000) < word.perMillion {
      let isPassing = word.isThemed && !isTheme
      let frequency = isPassing ? 1 : word.isThemed ? 2 + random.below(6) : frequency()
      length += frequency
      var set: UInt32 = 0
      if word.isMixed {
        for _ in 0..<frequency {
          let attribute =
            isPassing
            ? Self.attributes.count - 1 - random.below(11)
            : random.skewed(Self.attributes.count)
          set |= 1 << UInt32(attribute)
          if let known = mixed.firstIndex(where: { $0.attribute == attribute }) {
            mixed[known].text += " " + word.text
          } else {
            mixed.append((attribute, word.text))
          }
        }
      } else {
        for _ in 0..<frequency { body += word.text + " " }
      }
      postings[number].items.append(Int32(place))
      postings[number].frequencies.append(UInt16(frequency))
      postings[number].attributes.append(set)
    }
    let filler = random.chance(90) ? random.below(6) : random.below(60)
    for _ in 0..<filler { body += "filler " }
    length += filler
    lengths.append(Int32(length))
    var item = Item(id: Self.id(place), domain: Self.domain(place))
    if !body.isEmpty { item.attributes[Self.body] = .text(body) }
    for (attribute, text) in mixed { item.attributes[Self.attributes[attribute]] = .text(text) }
    item.attributes[.fileSize] = .number(Double(Self.size(place)))
    return item
  }

  /// Mostly small; sometimes more than a byte holds.
  private mutating func frequency() -> Int {
    switch random.below(2000) {
    case 0: 300
    case 1..<20: 9 + random.below(30)
    case 20..<500: 2 + random.below(3)
    default: 1
    }
  }
}
