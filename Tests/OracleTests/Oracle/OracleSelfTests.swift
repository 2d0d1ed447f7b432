// The oracle's own arithmetic and tokens, checked by hand, so that it cannot agree by accident.

import Limelight
import Testing

@Suite struct OracleSelfTests {
  private func terms(_ analyzer: Analyzer, _ text: String) -> [String] {
    OracleTokenizer(analyzer: analyzer).tokens(text).map(\.term)
  }

  @Test func cutsAndFolds() {
    let text = "Can't stop 3.14, Łódź_ﬁ ｶﾞｲﾄﾞ x² Straße e.g. 東京タワー 👩‍🔬! צה\"ל"
    #expect(
      terms(.words, text) == [
        "can't", "stop", "3.14", "lodz_fi", "ガイド", "x", "2", "strasse", "e.g", "東", "京", "タワー",
        "👩🔬", "צה\"ל",
      ])
    #expect(
      terms(.runs, text) == [
        "can", "t", "stop", "3", "14", "lodz", "fi", "ガイド", "x2", "strasse", "e", "g", "東京タワー",
        "צה", "ל",
      ])
    #expect(terms(.words, "") == [])
    #expect(terms(.words, "…\u{301} _") == [])
    #expect(terms(.runs, String(repeating: "д", count: 300))[0].utf8.count == 254)
  }

  @Test func roundsLengths() {
    let rounded = [0, 1, 15, 16, 17, 18, 31, 32, 35, 36, 63, 64, 100, 1000].map(
      OracleScoring.rounded)
    #expect(rounded == [0, 1, 15, 16, 16, 18, 30, 32, 32, 36, 60, 64, 96, 960])
  }

  @Test func measuresDistances() {
    func distance(_ a: String, _ b: String) -> Int {
      OracleDistance.of(Array(a.unicodeScalars), Array(b.unicodeScalars), limit: 9)
    }
    #expect(distance("kitten", "sitting") == 3)
    #expect(distance("ab", "ba") == 1)
    #expect(distance("ca", "abc") == 3)
    #expect(distance("", "abc") == 3)
  }

  @Test func scoresByHand() throws {
    let oracle = Oracle(.words)
    oracle.put([
      Item(id: "1", attributes: [.title: "Red apple"]),
      Item(id: "2", attributes: [.textContent: "a red, red apple tree"]),
      Item(id: "3", attributes: [.textContent: "green pear"]),
      Item(id: "4", attributes: [.kind: "red fruit"]),
    ])
    // N = 4, df = 2, average length 9 / 4; K = 1.2 * (0.25 + 0.75 * length / average).
    let idf = Float(0.6931472)  // log(1 + 2.5 / 2.5)
    let first = idf * (1 / (1 + Float(1.1)) + 1)
    let second = idf * (2 / (2 + Float(2.3)) + 0)
    let hits = oracle.search(.term("RED"))
    #expect(hits.map(\.id) == ["1", "2"])
    #expect(abs(hits[0].score - first) < 1e-5 && abs(hits[1].score - second) < 1e-5)
    #expect(oracle.search(.term("red", in: .kind)).map(\.id) == ["4"])
    #expect(oracle.search(.phrase("red apple")).map(\.id) == ["1", "2"])
    #expect(oracle.search(.phrase("apple red")).isEmpty)
    #expect(oracle.search(.prefix("re") & !.term("tree")).map(\.id) == ["1"])
    #expect(oracle.search(.fuzzy("paer")).map(\.id) == ["3"])
    #expect(oracle.search(!.term("red")).map(\.id) == ["3", "4"])
    #expect(oracle.delete(ids: ["1", "none"]) == 1)
    #expect(oracle.search(.everything).map(\.id) == ["2", "3", "4"])
  }

  @Test func readsTypedText() {
    let tokenizer = OracleTokenizer(analyzer: .words)
    func query(_ text: String) -> Query { OracleTypedText.query(text, tokenizer) }
    #expect(query("hot tea") == .boolean(must: [.term("hot"), .prefix("tea")]))
    #expect(query("hot tea ") == .boolean(must: [.term("hot"), .term("tea")]))
    #expect(
      query("a OR \"b c\" -d ")
        == .boolean(must: [.any([.term("a"), .phrase("b c")])], not: [.term("d")]))
    #expect(query("?? ") == .nothing)
  }
}
