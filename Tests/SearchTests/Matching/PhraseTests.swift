// Phrases against the reference: dense and sparse lists, long items, repeated words, gaps of values.

import LimelightItems
import LimelightSearch
import LimelightSegments
import LimelightSnapshots
import Testing

@Suite struct PhraseTests {
  /// Items of few words in any order, some long enough for several groups of positions a word.
  private static func index(_ documents: Int, vocabulary: Int, seed: UInt64) -> ModelIndex {
    var index = ModelIndex.empty(seed, standardAttributes: 4, knownSets: 3)
    var random = SeededRandom(seed &+ 500)
    let attributes = ModelAttributes.standard
    for number in 0..<documents {
      var document = ModelDocument()
      for _ in 0..<(1 + random.below(3)) {
        let length =
          number % 97 == 5 ? 900 + random.below(2_500) : random.below(number % 11 == 3 ? 90 : 14)
        let attribute = attributes[random.below(3) == 0 ? random.below(4) : attributes.count - 1]
        document.values.append(
          (
            attribute.id,
            (0..<length).map { _ in modelWord(random.skewed(vocabulary, power: 2)) }
          ))
      }
      if let named = ModelAttributes.named.first, random.oneIn(3) {
        document.values.append(
          (named.id, (0..<random.below(9)).map { _ in modelWord(random.below(vocabulary)) }))
      }
      document.isDead = random.oneIn(15)
      index.documents.append(document)
    }
    index.segmentSizes = [documents / 3, documents - documents / 3]
    return index
  }

  /// Random phrases, alone and with other words, with boosts and without.
  @Test(arguments: 0..<8)
  func randomPhrases(seed: Int) throws {
    var random = SeededRandom(UInt64(seed) + 70)
    let vocabulary = [3, 12, 60, 300][seed % 4]
    let index = Self.index([400, 1_500][seed % 2], vocabulary: vocabulary, seed: UInt64(seed))
    let weights: Weights = seed < 4 ? Weights() : .standard
    let comparison = try Comparison(index, weights: weights)
    let attributes: [Attribute?] =
      [nil, nil, nil]
      + [ModelAttributes.standard[0], ModelAttributes.standard.last].map {
        $0.map { Attribute($0.name) }
      } + [ModelAttributes.named.first.map { Attribute($0.name) }]
    func word(_ random: inout SeededRandom) -> String {
      modelWord(random.skewed(vocabulary + 1, power: 2))
    }
    for number in 0..<40 {
      var words = (0..<(2 + random.below(3))).map { _ in word(&random) }
      // "a a b", "a b a".
      if random.oneIn(3) { words[words.count - 1] = words[0] }
      if random.oneIn(4) { words[1] = words[0] }
      let phrase = Query.phrase(
        words.joined(separator: " "), in: attributes[random.below(attributes.count)])
      let other = Query.term(word(&random))
      let query: Query =
        switch random.below(10) {
        case 0: .all([phrase, other])
        case 1: .all([other, phrase, .term(word(&random))])
        case 2: .boolean(must: [other], not: [phrase])
        case 3: .boolean(must: [phrase], should: [other])
        case 4: .all([phrase, .phrase("\(words[0]) \(word(&random))"), other])
        case 5: .any([.all([phrase, other]), .term(word(&random))])
        case 6: .boolean(must: [other], should: [.all([phrase, .term(word(&random))])])
        default: phrase
        }
      guard try comparison.check(query, limits: [1, 10, 300], "seed \(seed), query \(number)")
      else { return }
    }
  }

  /// Two words in nearly every item: lists that are bit sets, with many positions each.
  @Test func denseLists() throws {
    var index = Self.index(6_000, vocabulary: 5, seed: 9)
    index.segmentSizes = [6_000]
    let snapshot = try index.snapshot()
    let dictionary = try #require(try snapshot.views[0].segment.field(.standard))
    let entry = try #require(
      try Array(modelWord(0).utf8).withUnsafeBytes { try dictionary.find($0) })
    #expect(entry.isDense)
    for weights in [Weights(), .standard] {
      let comparison = try Comparison(index, weights: weights)
      for (first, second) in [(0, 1), (1, 0), (0, 0), (3, 4), (4, 2)] {
        let phrase = Query.phrase("\(modelWord(first)) \(modelWord(second))")
        guard try comparison.check(phrase, limits: [1, 10, 100], "\(phrase)") else { return }
        let longer = Query.phrase("\(modelWord(first)) \(modelWord(second)) \(modelWord(0))")
        guard try comparison.check(longer, limits: [10], "\(longer)") else { return }
      }
    }
  }

  /// The places of one batch were once taken for those of the next, if the other word left nothing of it.
  @Test func aBatchOfWhichNothingIsLeft() throws {
    var index = ModelIndex.empty(1)
    let attributes = ModelAttributes.standard
    var random = SeededRandom(3)
    for number in 0..<4_000 {
      var words = random.oneIn(40) ? [0, 1] : random.oneIn(80) ? [1, 2, 0] : [9]
      // The word beside the phrase is in more items than it, but in none of the last.
      if number < 3_000, words.count > 1 ? random.oneIn(2) : random.oneIn(20) { words.append(5) }
      if random.oneIn(3) { words.append(4) }
      let attribute = attributes[random.oneIn(2) ? 0 : attributes.count - 1].id
      index.documents.append(
        ModelDocument(values: [(attribute, words.map { modelWord($0) })]))
    }
    index.segmentSizes = [4_000]
    for weights in [Weights(), .standard] {
      let comparison = try Comparison(index, weights: weights)
      let both = Query.all([.phrase("\(modelWord(0)) \(modelWord(1))"), .term(modelWord(5))])
      for query in [both, .any([both, .term(modelWord(4))])] {
        #expect(try comparison.check(query, limits: [1, 10, 4_000], "\(query)"))
      }
    }
  }

  /// Shows that a ranked search decodes the positions of few items, and one that counts those of all.
  @Test func prunedPhrasesDecodeFewPositions() throws {
    var index = ModelIndex.empty(1)
    var random = SeededRandom(8)
    let body = ModelAttributes.standard[ModelAttributes.standard.count - 1].id
    for number in 0..<12_000 {
      var words = (0..<40).map { _ in modelWord(10 + random.below(90)) }
      for place in stride(from: 0, to: number % 3_000 == 70 ? 40 : 2, by: 2) {
        words[place] = modelWord(0)
        words[place + 1] = modelWord(1)
      }
      index.documents.append(ModelDocument(values: [(body, words)]))
    }
    index.segmentSizes = [index.documents.count]
    let comparison = try Comparison(index, weights: Weights())
    let phrase = Query.phrase("\(modelWord(0)) \(modelWord(1))")
    #expect(try comparison.check(phrase, limits: [3, 4], "frequent"))
    let searcher = comparison.searcher
    _ = try searcher.topDocs(phrase, limit: 3, weights: Weights())
    let pruned = searcher.counters.positionGroups
    #expect(try searcher.count(phrase) == 12_000)
    let all = searcher.counters.positionGroups
    #expect(pruned * 4 < all, "\(pruned) of \(all) groups")
  }
}
