// Queries as values: combinators, comparisons, depth, weights, terms.

import LimelightAnalysis
import LimelightItems
import LimelightSearch
import Testing

@Suite struct QueryTests {
  private let a = Query.term("a")
  private let b = Query.prefix("b", in: .title)
  private let c = Query.phrase("c d")

  @Test func combinatorsFlatten() {
    #expect(a & b & c == .all([a, b, c]))
    #expect(a & (b & c) == .all([a, b, c]))
    #expect((a & b) & (c & a) == .all([a, b, c, a]))
    #expect(a | b | c == .any([a, b, c]))
    #expect(a | (b | c) == .any([a, b, c]))
    #expect((a | b) & c == .all([.any([a, b]), c]))
    #expect(a | b & c == .any([a, .all([b, c])]))
    #expect(!a == .not(a))
    #expect(!(!a) == a)
    #expect(a & !b == .all([a, .not(b)]))
  }

  @Test func comparisonsAreRanges() {
    let size = Attribute.fileSize
    #expect(
      .equals(size, 5) == Query.range(size, lower: .included(5), upper: .included(.number(5))))
    #expect(.atLeast(size, 1.5) == Query.range(size, lower: .included(1.5), upper: .open))
    #expect(.atMost(size, 5) == Query.range(size, lower: .open, upper: .included(5)))
    #expect(.above(size, 5) == Query.range(size, lower: .excluded(5), upper: .open))
    #expect(.below(size, 5) == Query.range(size, lower: .open, upper: .excluded(5)))
    #expect(.between(size, 1, 5) == Query.range(size, lower: .included(1), upper: .included(5)))
    #expect(.has(size) == Query.range(size, lower: .open, upper: .open))
    #expect(RangeBound.excluded(true).value == .bool(true))
    #expect(RangeBound.included("x").value == .string("x"))
    #expect(RangeBound.open.value == nil)
  }

  @Test func hashingFollowsEquality() {
    let queries: Set<Query> = [a, b, c, a & b, a & b, a | b, !a, .term("a", in: .title)]
    #expect(queries.count == 7)
  }

  @Test func depthIsFoundWithoutRecursion() {
    var query = a
    for _ in 1..<100 { query = .not(query) }
    #expect(!query.isDeeper(than: 100))
    #expect(query.isDeeper(than: 99))
    #expect(
      !Query.all([a, .any([b, c]), .boolean(must: [a], should: [b], not: [c])])
        .isDeeper(than: 3))
  }

  @Test func standardWeights() {
    let weights = Weights.standard
    #expect(weights[.title] == 1 && weights[.displayName] == 1)
    #expect(weights[.alternateNames] == 0.8 && weights[.keywords] == 0.6)
    #expect(weights[.subject] == 0.4 && weights[.authors] == 0.4)
    #expect(weights[.contentDescription] == 0.2)
    #expect(weights[.textContent] == 0 && weights[Attribute("birthplace")] == 0)
    // A weight on what unfielded queries never find would be a slip.
    for attribute in weights.attributes {
      #expect(attribute.definition?.searchClass == .standard, "\(attribute)")
      #expect(weights[attribute] > 0)
    }
  }

  @Test func weightsAreNeverNegative() {
    var weights = Weights()
    weights[.title] = -1
    weights[.subject] = .nan
    weights[.album] = .infinity
    #expect(weights[.title] == 0 && weights[.subject] == 0 && weights[.album] == 1_000)
    weights[.album] = 0
    #expect(weights == Weights() && weights.attributes.isEmpty)
    #expect(Weights(dictionaryLiteral: (.title, 2))[.title] == 2)
  }

  @Test func termsOfAText() {
    let terms = QueryAnalysis.terms(of: "The Crème-Brûlée, ", analyzer: TextAnalyzer(.words))
    #expect(terms.map { String(decoding: $0.term, as: UTF8.self) } == ["the", "creme", "brulee"])
    #expect(terms.map(\.position) == [0, 1, 2])
    #expect(QueryAnalysis.terms(of: " ?!", analyzer: TextAnalyzer(.runs)).isEmpty)
  }
}
