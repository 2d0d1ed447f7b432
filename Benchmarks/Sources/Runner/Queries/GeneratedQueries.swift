// Queries for the generated corpus: typing letter by letter, words, phrases, slips, filters.

internal import FoundationEssentials
internal import Limelight

/// Makes queries that fit the corpus of a seed; the same for every size of it.
///
/// Words come from the vocabulary by rank: `common` from the ranks 0 to 63 (in 1.4 to 22 of 100 items),
/// `middle` from 64 to 4,159, `rare` from 8,192 to 65,535. Phrases and what is typed come from the titles
/// and texts of the first 5,000 items, so they occur at every size from there on.
struct GeneratedQueries {
  /// How many queries of each kind are made; of single letters there may be fewer.
  static let perKind = 100

  private let generator: ItemGenerator
  private var random: RandomSource
  private var set: QuerySet
  /// Titles and texts that queries are taken from, as their words in small letters.
  private let texts: [[String]]

  private struct Line: Decodable {
    struct Attributes: Decodable {
      var title: String
      var textContent: String
    }
    var attributes: Attributes
  }

  /// Makes the queries of a seed.
  static func make(seed: UInt64) throws -> QuerySet {
    var queries = try GeneratedQueries(seed: seed)
    queries.addTyped()
    queries.addWords()
    queries.addCombinations()
    queries.addSlips()
    queries.addFilters()
    return queries.set
  }

  private init(seed: UInt64) throws {
    generator = ItemGenerator(seed: seed)
    random = RandomSource(seed: seed, stream: -2)
    set = QuerySet(name: "generated, seed \(seed)")
    let decoder = JSONDecoder()
    texts = try generator.lines(0..<5_000).split(separator: UInt8(ascii: "\n")).flatMap { line in
      let attributes = try decoder.decode(Line.self, from: Data(line)).attributes
      return [attributes.title, attributes.textContent].map { text in
        text.lowercased().split { $0 == " " || $0 == "." }.map(String.init)
      }
    }
  }

  private mutating func add(_ kind: String, _ text: String, _ query: Query) {
    set.queries.append(BenchmarkQuery(kind: kind, text: text, query))
  }

  private mutating func times(_ body: (inout GeneratedQueries) -> Void) {
    for _ in 0..<Self.perKind { body(&self) }
  }

  private mutating func word(_ ranks: Range<Int>) -> String {
    generator.vocabulary[ranks.lowerBound + random.below(ranks.count)]
  }

  private static let common = 0..<64
  private static let middle = 64..<4_160
  private static let rare = 8_192..<65_536

  /// So many different words that follow each other in some title or text.
  private mutating func passage(_ count: Int) -> [String] {
    while true {
      let text = texts[random.below(texts.count)]
      guard text.count >= count else { continue }
      let start = random.below(text.count - count + 1)
      let words = Array(text[start..<(start + count)])
      if Set(words).count == count { return words }
    }
  }

  /// What a person has typed after each key: one word from its first letter on, then a second one.
  private mutating func addTyped() {
    let passages = (0..<Self.perKind).map { _ in passage(2) }
    for length in 1...5 {
      var seen: Set<String> = []
      for words in passages where words[0].count >= length {
        let typed = String(words[0].prefix(length))
        // The first letters of many words are the same.
        guard seen.insert(typed).inserted else { continue }
        set.queries.append(BenchmarkQuery(kind: "type \(length)", typed: typed))
      }
    }
    for length in 1...3 {
      for words in passages where words[1].count >= length {
        let typed = "\(words[0]) \(words[1].prefix(length))"
        set.queries.append(BenchmarkQuery(kind: "type word \(length)", typed: typed))
      }
    }
  }

  private mutating func addWords() {
    for (name, ranks) in [
      ("common", Self.common), ("middle", Self.middle), ("rare", Self.rare),
    ] {
      times { queries in
        let word = queries.word(ranks)
        queries.add("word \(name)", word, .term(word))
      }
    }
  }

  private mutating func addCombinations() {
    for count in 2...3 {
      times { queries in
        let words = queries.passage(count)
        let terms = words.map { Query.term($0) }
        queries.add("and \(count)", words.map { "+" + $0 }.joined(separator: " "), .all(terms))
        queries.add("or \(count)", words.joined(separator: " "), .any(terms))
        let phrase = words.joined(separator: " ")
        queries.add("phrase \(count)", "\"\(phrase)\"", .phrase(phrase))
      }
    }
    times { queries in
      let words = [queries.word(Self.common), queries.word(Self.common)]
      let terms = words.map { Query.term($0) }
      queries.add("and common", words.map { "+" + $0 }.joined(separator: " "), .all(terms))
      queries.add("or common", words.joined(separator: " "), .any(terms))
    }
  }

  private mutating func addSlips() {
    times { queries in
      let word = queries.word(Self.middle)
      queries.add("prefix 3", "\(word.prefix(3))*", .prefix(String(word.prefix(3))))
    }
    for distance in 1...2 {
      times { queries in
        var word = queries.word(Self.middle)
        while word.count < 4 + distance { word = queries.word(Self.middle) }
        for _ in 0..<distance { word = queries.withSlip(word) }
        queries.add("fuzzy \(distance)", "\(word)~\(distance)", .fuzzy(word, distance: distance))
      }
    }
    times { queries in
      // No onset has these letters, so no word does.
      let word = "xx\(queries.word(Self.middle))xx"
      queries.add("miss", word, .term(word))
    }
  }

  /// The word with a letter changed, added, left out, or swapped with the next one.
  private mutating func withSlip(_ word: String) -> String {
    var letters = Array(word)
    let place = 1 + random.below(letters.count - 2)
    let letter = Character(UnicodeScalar(UInt8(ascii: "a") + UInt8(random.below(26))))
    switch random.below(4) {
    case 0: letters[place] = letter
    case 1: letters.insert(letter, at: place)
    case 2: letters.remove(at: place)
    default: letters.swapAt(place, place + 1)
    }
    return String(letters)
  }

  private mutating func addFilters() {
    times { queries in
      let word = queries.word(Self.common)
      let group = queries.random.below(4)
      let all = queries.generator.domain(group: group)
      queries.add("word in group", "+\(word) domain:\(all)", .term(word) & .domain(all))
      let one = queries.generator.domain(
        group: group, folder: queries.random.below(ItemGenerator.folders))
      queries.add("word in folder", "+\(word) domain:\(one)", .term(word) & .domain(one))
      let start = ItemGenerator.firstSecond + queries.random.below(ItemGenerator.seconds)
      let month = Query.between(
        .contentCreationDate, .date(Timestamp(secondsSince1970: Double(start))),
        .date(Timestamp(secondsSince1970: Double(start + 30 * 86_400))))
      queries.add(
        "word in month", "+\(word) contentCreationDate:\(start)+30d", .term(word) & month)
      queries.add("month", "contentCreationDate:\(start)+30d", month)
      queries.add("word rated", "+\(word) rating:5..", .term(word) & .atLeast(.rating, 5))
    }
  }
}
