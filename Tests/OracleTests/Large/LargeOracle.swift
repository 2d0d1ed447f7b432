// Exhaustive answers over the large corpus: every item scored, the best kept.

import Foundation
import Limelight

/// A query of the large suite: words by number, what is excluded, and filters.
struct LargeQuery: CustomStringConvertible {
  enum Kind: String {
    case all, any
    /// Two plain words, the first not behind the second in the corpus's list.
    case phrase
    /// The words that begin like the first one, itself among them or not.
    case prefix
  }

  var kind = Kind.all
  var words: [Int]
  /// What a prefix is.
  var beginning = ""
  var optional: [Int] = []
  var excluded: [Int] = []
  /// The only attribute in which words count, a place in `LargeCorpus.attributes`.
  var attribute: Int?
  /// Sizes below it.
  var below: Int?
  var domain: String?

  /// The same as a tree.
  var query: Query {
    let attribute = attribute.map { LargeCorpus.attributes[$0] }
    func terms(_ words: [Int]) -> [Query] {
      words.map { .term(LargeCorpus.words[$0].text, in: attribute) }
    }
    var must: [Query]
    switch kind {
    case .all: must = terms(words)
    case .any: must = words.count > 1 ? [.any(terms(words))] : terms(words)
    case .phrase:
      let texts = words.map { LargeCorpus.words[$0].text }
      must = [.phrase(texts.joined(separator: " "), in: attribute)]
    case .prefix: must = [.prefix(beginning, in: attribute)]
    }
    if let below { must.append(.below(.fileSize, .number(Double(below)))) }
    if let domain { must.append(.domain(domain)) }
    if optional.isEmpty && excluded.isEmpty {
      return must.count == 1 ? must[0] : .all(must)
    }
    return .boolean(must: must, should: terms(optional), not: terms(excluded))
  }

  var description: String {
    func texts(_ words: [Int]) -> [String] { words.map { LargeCorpus.words[$0].text } }
    return "\(kind.rawValue) \(beginning) \(texts(words)) optional \(texts(optional)) excluded "
      + "\(texts(excluded)) in \(attribute.map { LargeCorpus.attributes[$0].name } ?? "all") "
      + "below \(below.map(String.init) ?? "-") domain \(domain ?? "-")"
  }
}

/// The exhaustive evaluation.
final class LargeOracle {
  private let corpus: LargeCorpus
  private let isLive: [Bool]
  /// Items that count for frequencies and lengths, and what they hold.
  private let counted: Int
  private let holding: [Int]
  private let factors: [Float]
  private let weights: [Float]
  private var scores: [Float]
  private var matches: [UInt8]

  private static let required: UInt8 = 64

  /// All items that are live; deleted ones do not count either.
  init(_ corpus: LargeCorpus, isLive: [Bool], weights: Weights = .standard) {
    self.corpus = corpus
    self.isLive = isLive
    var counted = 0
    var tokens = 0
    for place in 0..<corpus.count where isLive[place] {
      counted += 1
      tokens += Int(corpus.lengths[place])
    }
    self.counted = counted
    let average = Double(tokens) / Double(max(counted, 1))
    let longest = Int(corpus.lengths.max() ?? 0)
    let byLength = (0...longest).map {
      Float(1.2 * (1 - 0.75 + 0.75 * Double(OracleScoring.rounded($0)) / average))
    }
    factors = corpus.lengths.map { byLength[Int($0)] }
    holding = corpus.postings.map { list in
      var count = 0
      for item in list.items where isLive[Int(item)] { count += 1 }
      return count
    }
    self.weights = LargeCorpus.attributes.map { weights[$0] }
    scores = Array(repeating: 0, count: corpus.count)
    matches = Array(repeating: 0, count: corpus.count)
  }

  /// How many items match, and the best of them.
  func search(_ query: LargeQuery, limit: Int) -> (count: Int, hits: [OracleHit]) {
    for place in 0..<corpus.count {
      scores[place] = 0
      matches[place] = 0
    }
    switch query.kind {
    case .all, .any: for word in query.words { add(word, query.attribute, mark: 1) }
    case .phrase: addPhrase(query.words[0], query.words[1])
    case .prefix: addPrefix(query)
    }
    for word in query.optional { add(word, query.attribute, mark: 0) }
    for word in query.excluded { add(word, query.attribute, mark: Self.required) }
    let wanted = query.kind == .all ? UInt8(query.words.count) : 1
    var best = BestHits(limit: limit)
    var count = 0
    for place in 0..<corpus.count {
      let found = matches[place]
      guard found >= wanted, found < Self.required, isLive[place] else { continue }
      if let below = query.below, LargeCorpus.size(place) >= below { continue }
      if let domain = query.domain {
        let own = LargeCorpus.domain(place)
        guard own == domain || own.hasPrefix(domain + ".") else { continue }
      }
      count += 1
      best.offer(place, scores[place])
    }
    return (count, best.hits)
  }

  /// A plain word as often as it stands, in the order of the list: a phrase of two occurs once where no
  /// other plain word stands between them, one of the same word twice occurs once less than the word.
  private func addPhrase(_ first: Int, _ second: Int) {
    add(first, nil, mark: 1)
    if second > first { add(second, nil, mark: 1) }
    for word in first...second where word > first && word < second {
      if !LargeCorpus.words[word].isMixed { add(word, nil, mark: Self.required) }
    }
    let idfs = [first, second].map { OracleScoring.idf(items: counted, holding: holding[$0]) }
    let list = corpus.postings[first]
    for place in 0..<corpus.count { scores[place] = 0 }
    for index in list.items.indices {
      let place = Int(list.items[index])
      var occurrences: Float = matches[place] == 2 ? 1 : 0
      if first == second { occurrences = Float(list.frequencies[index]) - 1 }
      matches[place] = occurrences > 0 ? 1 : 0
      if occurrences > 0 {
        scores[place] = (idfs[0] + idfs[1]) * (occurrences / (occurrences + factors[place]) + 0)
      }
    }
    // What holds only the second word, or one between them.
    for place in 0..<corpus.count where scores[place] == 0 { matches[place] = 0 }
  }

  /// All words that begin so: 1 for each match, and the score of the very word on top.
  private func addPrefix(_ query: LargeQuery) {
    for word in query.words where LargeCorpus.words[word].text == query.beginning {
      add(word, query.attribute, mark: 0)
    }
    for word in query.words { mark(word, query.attribute) }
    for place in 0..<corpus.count where matches[place] > 0 { scores[place] = 1 + scores[place] }
  }

  private func mark(_ word: Int, _ attribute: Int?) {
    let list = corpus.postings[word]
    for index in list.items.indices {
      if let attribute {
        guard LargeCorpus.words[word].isMixed, list.attributes[index] >> UInt32(attribute) & 1 == 1
        else { continue }
      }
      matches[Int(list.items[index])] = 1
    }
  }

  private func add(_ word: Int, _ attribute: Int?, mark: UInt8) {
    let list = corpus.postings[word]
    let isMixed = LargeCorpus.words[word].isMixed
    let idf = OracleScoring.idf(items: counted, holding: holding[word])
    for index in list.items.indices {
      let place = Int(list.items[index])
      let set = list.attributes[index]
      var boost: Float = 0
      if let attribute {
        guard isMixed, set >> UInt32(attribute) & 1 == 1 else { continue }
        boost = weights[attribute]
      } else if isMixed {
        for (number, weight) in weights.enumerated() where set >> UInt32(number) & 1 == 1 {
          boost = max(boost, weight)
        }
      }
      let frequency = Float(list.frequencies[index])
      if mark < Self.required {
        // An optional word adds to whatever will match; what does not match is never looked at.
        scores[place] += OracleScoring.onGrid(
          idf * (frequency / (frequency + factors[place]) + boost))
      }
      matches[place] = mark == 0 ? matches[place] : min(matches[place] + mark, 127)
    }
  }
}

/// The best hits so far: higher scores first, then lower places.
struct BestHits {
  private let limit: Int
  private let prefix: String
  private var keys: [UInt64] = []

  /// Keeps `limit` hits; ids are a prefix and the place.
  init(limit: Int, prefix: String = "n") {
    self.limit = limit
    self.prefix = prefix
  }

  /// Offers items in ascending places, with scores that are not negative.
  mutating func offer(_ place: Int, _ score: Float) {
    let key = UInt64(score.bitPattern) << 32 | UInt64(UInt32.max - UInt32(place))
    if keys.count == limit {
      guard let last = keys.last, key > last else { return }
      keys.removeLast()
    }
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] > key { low = middle + 1 } else { high = middle }
    }
    keys.insert(key, at: low)
  }

  var hits: [OracleHit] {
    keys.map { key in
      OracleHit(
        "\(prefix)\(UInt32.max - UInt32(truncatingIfNeeded: key))",
        Float(bitPattern: UInt32(key >> 32)))
    }
  }
}
