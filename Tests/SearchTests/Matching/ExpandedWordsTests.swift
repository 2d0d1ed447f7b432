// Words and one beginning or near word, which are ranked as two flat queries, against the reference.

import Foundation
import LimelightItems
import LimelightSearch
import LimelightSegments
import Testing

@Suite struct ExpandedWordsTests {
  /// Many short items of few words, so that many have the same score.
  private static func index(_ documents: Int, vocabulary: Int, seed: UInt64) -> ModelIndex {
    var index = ModelIndex.empty(seed, standardAttributes: 4, knownSets: 3)
    var random = SeededRandom(seed &+ 900)
    let attributes = ModelAttributes.standard
    for _ in 0..<documents {
      var document = ModelDocument()
      for _ in 0..<(1 + random.below(2)) {
        let attribute = attributes[random.below(3) == 0 ? 0 : attributes.count - 1]
        document.values.append(
          (
            attribute.id,
            (0..<(1 + random.below(4))).map { _ in modelWord(random.skewed(vocabulary, power: 2)) }
          ))
      }
      document.isDead = random.oneIn(20)
      index.documents.append(document)
    }
    index.segmentSizes = [documents / 4, documents - documents / 4]
    return index
  }

  @Test(arguments: 0..<6)
  func wordsAndABeginning(seed: Int) throws {
    var random = SeededRandom(UInt64(seed) + 7)
    let vocabulary = [8, 40, 200][seed % 3]
    let index = Self.index([700, 3_000][seed % 2], vocabulary: vocabulary, seed: UInt64(seed))
    let comparison = try Comparison(index, weights: seed < 3 ? Weights() : .standard)
    func word(_ random: inout SeededRandom) -> Query {
      .term(modelWord(random.skewed(vocabulary, power: 2)))
    }
    for number in 0..<30 {
      let typed = modelWord(random.skewed(vocabulary, power: 2))
      // Words of which none begins so, too.
      let expansion: Query =
        random.oneIn(4)
        ? .fuzzy(typed, distance: 1) : .prefix(random.oneIn(5) ? typed + "a" : typed)
      let query: Query =
        switch random.below(6) {
        case 0: .all([expansion, word(&random), word(&random)])
        case 1: .boolean(must: [word(&random), expansion], not: [word(&random)])
        case 2: .boolean(must: [word(&random), expansion], should: [word(&random)])
        case 3: .all([word(&random), expansion, .prefix(modelWord(random.below(5)))])
        default: .all([word(&random), expansion])
        }
      guard try comparison.check(query, limits: [1, 3, 11, 301], "seed \(seed), query \(number)")
      else { return }
    }
  }

  /// An older item without the very word comes before a younger one with it, if they score the same.
  @Test func theOlderOfEqualItemsComesFirst() throws {
    var index = ModelIndex.empty(1)
    let title = ModelAttributes.standard[0]
    let body = ModelAttributes.standard[ModelAttributes.standard.count - 1]
    let (word, very, longer) = (modelWord(1), modelWord(2), modelWord(2) + "a")
    for number in 0..<300 {
      let rest = (0..<2).map { modelWord(40 + (number + $0) % 50) }
      switch number {
      case 100:
        index.documents.append(
          ModelDocument(values: [(title.id, [word]), (body.id, [longer] + rest)]))
      case 200: index.documents.append(ModelDocument(values: [(body.id, [word, very] + rest)]))
      case 201...220:
        index.documents.append(ModelDocument(values: [(body.id, [very, very] + rest)]))
      default: index.documents.append(ModelDocument(values: [(body.id, [longer, very] + rest)]))
      }
    }
    index.segmentSizes = [300]
    let query = Query.all([.term(word), .prefix(very)])
    // The weight for which both score the same, which rounding may hide.
    let plain = ModelOracle(index, weights: Weights()).answers(query)
    #expect(plain.map { $0.document } == [200, 100])
    let lead = plain[0].score - plain[1].score
    let idf = Float(log(1 + (300 - 2 + 0.5) / 2.5))
    var equal = 0
    for step in -8...8 {
      var weights = Weights()
      weights[Attribute(title.name)] = (lead + Float(step) * 0x1p-17) / idf
      let comparison = try Comparison(index, weights: weights)
      let scores = comparison.oracle.answers(query).map { $0.score }
      equal += scores[0] == scores[1] ? 1 : 0
      guard try comparison.check(query, limits: [1, 3], "step \(step)") else { return }
    }
    #expect(equal > 0)
  }

  /// Shows that the bounds of the words let few of the union's documents be looked at.
  @Test func fewBlocksAreDecoded() throws {
    var index = ModelIndex.empty(1)
    var random = SeededRandom(4)
    let body = ModelAttributes.standard[ModelAttributes.standard.count - 1].id
    for number in 0..<24_000 {
      // The best items hold the one word often and the very word that was typed.
      let isBest = number % 2_000 == 11
      var words = (0..<12).map { _ in modelWord(30 + random.below(400)) }
      for place in 0..<(isBest ? 8 : 1) where !random.oneIn(12) { words[place] = modelWord(1) }
      if isBest { words[11] = modelWord(2) }
      index.documents.append(ModelDocument(values: [(body, words)]))
    }
    index.segmentSizes = [index.documents.count]
    let comparison = try Comparison(index, weights: Weights())
    let query = Query.all([.term(modelWord(1)), .prefix(modelWord(2))])
    #expect(try comparison.check(query, limits: [5], "frequent"))
    let searcher = comparison.searcher
    _ = try searcher.topDocs(query, limit: 5, weights: Weights())
    let pruned = searcher.counters.frequencyBlocks
    searcher.prunes = false
    _ = try searcher.topDocs(query, limit: 5, weights: Weights())
    #expect(pruned * 4 < searcher.counters.frequencyBlocks)
  }
}
