// Items and texts that are the same in every run: made from numbers, nothing comes from outside.

import Glibc
import Limelight

/// The corpus of all workloads.
enum CountedCorpus {
  /// The words, the most frequent first; each is made from its number.
  private static let words: [String] = (0..<12_000).map { number in
    let syllables = ["ka", "lo", "mi", "ne", "ru", "sta", "ven", "tor", "pli", "que", "da", "gri"]
    var rest = number
    var word = syllables[rest % 12]
    repeat {
      rest /= 12
      word += syllables[(rest * 7 + word.utf8.count) % 12]
    } while rest > 0
    // Now and then a letter that is not ASCII.
    return number % 67 == 13 ? word + "é" : word
  }

  static func word(_ rank: Int) -> String { words[rank % words.count] }

  /// A text whose words are as frequent as those of a language: rank r about 1/r of the time.
  static func text(_ count: Int, _ chance: inout CountsChance) -> String {
    (0..<count).map { _ in
      word(Int(pow(Double(words.count), chance.fraction())) - 1)
    }.joined(separator: " ")
  }

  static func item(_ number: Int, _ prefix: String = "item") -> Item {
    var chance = CountsChance(UInt64(number) &* 0x9E37_79B9 &+ 7)
    var item = Item(
      id: "\(prefix)\(number)", domain: ["mail.inbox", "mail.sent", "notes", "web"][number % 4])
    item.attributes[.title] = .text(text(3 + number % 4, &chance))
    item.attributes[.textContent] = .text(text(30 + chance.below(30), &chance))
    item.attributes[.keywords] = .texts([word(chance.below(300)), word(chance.below(300))])
    item.attributes[.pageCount] = .number(Double(chance.below(200)))
    item.attributes[.contentCreationDate] = .date(
      Timestamp(microseconds: 1_600_000_000_000_000 + Int64(number) * 60_000_000))
    return item
  }

  static let itemCount = 20_000
  static let segmentCount = 4

  /// Writes the index that is searched: some segments, and some items that were deleted.
  static func makeIndex(_ folder: String) throws {
    let index = try Index(folder)
    let share = itemCount / segmentCount
    for segment in 0..<segmentCount {
      var rest: [Item]? = (segment * share..<(segment + 1) * share).map { item($0) }
      try index.load {
        defer { rest = nil }
        return rest.map { .items($0) }
      }
    }
    try index.delete(ids: (0..<200).map { "item\($0 * 97)" })
    try index.close()
    let reader = try Index(folder, access: .readOnly)
    guard try reader.count == itemCount - 200 else { throw CountsError("the index is incomplete") }
  }
}

/// SplitMix64: numbers that are the same everywhere.
struct CountsChance {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// A number of `0 ..< bound`.
  mutating func below(_ bound: Int) -> Int { Int(next() >> 33) % bound }

  /// A number from 0 up to but without 1.
  mutating func fraction() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
}
