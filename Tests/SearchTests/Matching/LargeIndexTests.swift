// Long lists: several skip levels, bit sets, overflowing codes, and what pruning leaves undecoded.

import LimelightItems
import LimelightSearch
import LimelightSegments
import LimelightSnapshots
import Testing

@Suite struct LargeIndexTests {
  /// An index with lists of over 10,000 postings, in segments of which one is large.
  static func shape() -> ModelShape {
    var shape = ModelShape()
    shape.documents = 26_000
    shape.segments = 1
    shape.vocabulary = 12_000
    shape.skew = 4
    shape.wordsAValue = 7
    shape.standardAttributes = ModelAttributes.standard.count
    shape.knownSets = 40
    shape.chanceOfDeath = 9
    shape.chanceOfExpiry = 30
    return shape
  }

  private static func index() -> ModelIndex {
    var index = ModelIndex(shape(), seed: 77)
    index.segmentSizes = [1_500, 23_000, 1_500]
    return index
  }

  /// Checks that the index has every kind of list that there is.
  @Test func listsOfEveryKind() throws {
    let snapshot = try Self.index().snapshot()
    let segment = snapshot.views[1].segment
    let dictionary = try #require(try segment.field(.standard))
    let arena = ScratchArena()
    var terms = try dictionary.iterator(arena: arena)
    var dense = 0
    var sparse = 0
    var single = 0
    var twoLevels = 0
    var longest = 0
    while try terms.next() {
      let entry = terms.entry
      if entry.documentFrequency == 1 { single += 1 }
      if entry.isDense { dense += 1 }
      if entry.blockCount > 1 && !entry.isDense { sparse += 1 }
      if entry.blockCount > 64 { twoLevels += 1 }
      longest = max(longest, Int(entry.documentFrequency))
    }
    #expect(dense > 2)
    #expect(sparse > 20)
    #expect(single > 0)
    #expect(twoLevels > 0)
    #expect(longest > 10_000)
    let sets = try segment.attributeSets()
    #expect(sets.attributes.count > 15)
    #expect(sets.sets.count == 40)
  }

  /// Compares searches of all shapes over long lists with the reference.
  @Test func queriesOverLongLists() throws {
    let comparison = try Comparison(Self.index())
    func term(_ number: Int) -> Query { .term(modelWord(number)) }
    let title = Attribute(ModelAttributes.standard[0].name)
    let last = try #require(ModelAttributes.standard.last).name
    let named = Attribute(try #require(ModelAttributes.named.first).name)
    let queries: [Query] = [
      term(0), term(1), term(40), term(900), term(2_950),
      .term(modelWord(0), in: title), .term(modelWord(3), in: Attribute(last)),
      .term(modelWord(2), in: named),
      .any([term(0), term(1)]), .any([term(30), term(60)]), .any([term(2), term(700)]),
      .any([term(1), term(4), term(90), term(300), term(1_500)]),
      .any((0..<40).map { term($0 * 70) }), .any((0..<300).map { term($0 * 9) }),
      .all([term(0), term(1)]), .all([term(0), term(50)]), .all([term(20), term(45)]),
      .all([term(0), term(2), term(9)]), .all([term(1), term(2), term(1_200)]),
      .boolean(must: [term(3)], should: [term(5), term(80)]),
      .boolean(must: [term(30)], not: [term(0)]), .boolean(must: [term(0)], not: [term(500)]),
      .boolean(should: [term(8), term(70)], not: [term(1)]),
      .phrase("\(modelWord(0)) \(modelWord(1))"), .phrase("\(modelWord(0)) \(modelWord(60))"),
      .phrase("\(modelWord(1)) \(modelWord(0)) \(modelWord(0))"),
      .phrase("\(modelWord(0)) \(modelWord(0))", in: title),
      .all([.phrase("\(modelWord(0)) \(modelWord(2))"), term(1)]),
      .prefix(String(modelWord(0).prefix(1))), .all([term(12), .prefix("ab")]),
      .prefix(modelWord(7)), .prefix("b", in: title), .fuzzy(modelWord(33), distance: 1),
      .fuzzy(modelWord(900), distance: 2), .all([.domain("a"), term(1)]),
      .all([.domain("c"), .any([term(1), term(6)])]), .all([.everything, .not(term(0))]),
      .any([.all([term(0), term(3)]), term(77), .prefix("cc")]),
      .all([.prefix(modelWord(901)), term(0)]), .all([.fuzzy(modelWord(4_000)), term(1)]),
      .all([term(0), .prefix(modelWord(130))]), .all([.prefix(modelWord(31)), term(2), term(0)]),
      .boolean(must: [.prefix(modelWord(44))], should: [term(0), term(7)]),
    ]
    for (number, query) in queries.enumerated() {
      guard try comparison.check(query, limits: [1, 10, 300], "query \(number)") else { return }
    }
  }

  /// An index where two words are frequent everywhere, and in a few places what items are about.
  private static func clustered() -> ModelIndex {
    var shape = ModelShape()
    shape.documents = 0
    shape.segments = 1
    var index = ModelIndex(shape, seed: 1)
    var random = SeededRandom(31)
    let body = ModelAttributes.standard[ModelAttributes.standard.count - 1].id
    for number in 0..<20_000 {
      var words = (0..<14).map { _ in modelWord(10 + random.below(500)) }
      let isAbout = number % 5_000 < 12
      for word in 0..<3 where isAbout || random.below(10) < [4, 1, 1][word] {
        for place in 0..<(isAbout ? 4 : 1) { words[word * 4 + place] = modelWord(word) }
      }
      index.documents.append(ModelDocument(values: [(body, words)]))
    }
    index.segmentSizes = [index.documents.count]
    return index
  }

  /// Shows that ranked searches leave most of what they need not see undecoded.
  @Test func prunedSearchesDecodeLess() throws {
    let comparison = try Comparison(Self.clustered())
    let searcher = comparison.searcher
    func decoded(_ query: Query, prunes: Bool) throws -> Int {
      searcher.prunes = prunes
      _ = try searcher.topDocs(query, limit: 10)
      return searcher.counters.frequencyBlocks
    }
    // One bit set and two lists of gaps.
    let words = (0..<3).map { Query.term(modelWord($0)) }
    for query in [
      words[0], words[1], .any(words), .any([words[1], words[2]]), .all([words[0], words[1]]),
      .all([words[1], words[2]]), .boolean(must: [words[1]], should: [words[0]]),
      .phrase("\(modelWord(0)) \(modelWord(0))"), .all(words),
    ] {
      #expect(try comparison.check(query, limits: [10], "clustered"))
      let pruned = try decoded(query, prunes: true)
      let all = try decoded(query, prunes: false)
      #expect(pruned * 5 <= all, "\(pruned) of \(all) blocks for \(query)")
    }
  }

  /// Shows that equal scores end a search early: every item alike, the oldest ones win.
  @Test func equalScoresAreSettledByArrival() throws {
    var shape = ModelShape()
    shape.documents = 9_000
    shape.segments = 2
    shape.vocabulary = 4
    shape.wordsAValue = 1
    shape.isUniform = true
    let comparison = try Comparison(ModelIndex(shape, seed: 5))
    let word = Query.term(modelWord(0))
    #expect(try comparison.check(word, limits: [10, 500], "equal scores"))
    comparison.searcher.prunes = true
    _ = try comparison.searcher.topDocs(word, limit: 10)
    #expect(comparison.searcher.counters.frequencyBlocks < 8)
  }
}
