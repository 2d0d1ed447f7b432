// limelight search: hits, highlights and the ways of asking.

import Foundation
import Testing

@Suite struct SearchTests {
  private let space: Workspace

  init() throws {
    space = try Workspace()
    try space.importLines(fewItems)
  }

  private func ids(_ arguments: String...) throws -> [String] {
    let result = try space.run(["search", space.index, "--json"] + arguments)
    let hits = try #require(try result.json()["hits"] as? [[String: Any]])
    #expect(result.status == (hits.isEmpty ? 1 : 0))
    return hits.compactMap { $0["id"] as? String }
  }

  @Test func answerInJSONHasItsShape() throws {
    let answer = try space.run("search", space.index, "creme", "--json").json()
    #expect(Set(answer.keys) == ["query", "count", "countIsExact", "microseconds", "hits"])
    #expect(answer["query"] as? String == "creme")
    #expect(answer["count"] as? Int == 1)
    #expect(answer["countIsExact"] as? Bool == true)
    #expect(answer["microseconds"] is Int)
    let hit = try #require((answer["hits"] as? [[String: Any]])?.first)
    #expect(Set(hit.keys) == ["id", "domain", "score", "attributes", "highlights"])
    #expect(hit["domain"] as? String == "notes.work")
    #expect(try #require(hit["score"] as? Double) > 0)
    #expect((hit["attributes"] as? [String: Any])?["title"] as? String == "Crème brûlée")
    let highlights = hit["highlights"] as? [String: [[Int]]]
    #expect(highlights == ["title": [[0, 6]]])
  }

  @Test(arguments: [("utf8", 18, 24), ("utf16", 16, 22), ("scalars", 15, 21)])
  func highlightsCountInTheUnitAskedFor(_ unit: String, _ start: Int, _ end: Int) throws {
    let result = try space.run(
      "search", space.index, "book", "coffee", "--json", "--unit", unit)
    let hit = try #require((try result.json()["hits"] as? [[String: Any]])?.first)
    let highlights = try #require(hit["highlights"] as? [String: [[Int]]])
    #expect(highlights["contentDescription"] == [[2, 6], [start, end]])
  }

  @Test func aListNamesTheTextOfAHighlight() throws {
    let result = try space.run("search", space.index, "kitchen", "--json")
    let hit = try #require((try result.json()["hits"] as? [[String: Any]])?.first)
    #expect(hit["highlights"] as? [String: [[Int]]] == ["keywords": [[7, 14, 1]]])
  }

  @Test func wordsAreReadAsTyped() throws {
    #expect(try Set(ids("coffee")) == ["2", "3", "4"])
    #expect(try ids("coffee", "gri") == ["2"])
    #expect(try ids("coffee", "gri", "--whole") == [])
    #expect(try ids("\"coffee grinder\"") == ["2"])
    #expect(try ids("\"grinder coffee\"") == [])
    #expect(try Set(ids("coffee", "-tea")) == ["2", "4"])
    #expect(try Set(ids("sugar OR tea")) == ["1", "3"])
    #expect(try ids("BRULEE") == ["1"])
    #expect(try ids("日本語") == ["4"])
    #expect(try ids("") == [])
    #expect(try ids("\"-OR ((", "--", "--json") == [])
  }

  @Test func filtersNarrow() throws {
    #expect(try Set(ids("--domain", "notes")) == ["1", "2"])
    #expect(try ids("coffee", "--domain=notes") == ["2"])
    #expect(try ids("coffee", "--domain=note") == [])
    #expect(try ids("--range", "rating:3..") == ["1"])
    #expect(try ids("--range", "rating:..3") == ["2"])
    #expect(try ids("--range", "rating:4") == ["1"])
    #expect(try ids("--range", "contentCreationDate:2026-01-01..2026-12-31T00:00:00Z") == ["3"])
    #expect(try ids("coffee", "--range", "rating:0..9", "--range", "rating:..2") == [])
    #expect(try ids("cofee", "--fuzzy") != [])
    #expect(try ids("cffe", "--fuzzy") == [])
    #expect(try ids("cffe", "--fuzzy=2") != [])
  }

  @Test func pagesJoinWithoutGapOrOverlap() throws {
    let all = try ids("coffee")
    let pages = try (0..<3).flatMap { try ids("coffee", "--limit", "1", "--offset", "\($0)") }
    #expect(pages == all)
  }

  @Test func peopleSeeMarkedWordsAndTheTime() throws {
    let text = try space.run("search", space.index, "coffee", "grinder", "--mark", "brackets")
      .output
    #expect(text.hasPrefix("1 hit in "))
    #expect(text.contains("1. [Coffee] [grinder]  notes  2\n"))
    #expect(text.contains("   Grind the [coffee] before you brew it.\n"))
    let colours = try space.run("search", space.index, "creme", "--mark", "ansi").output
    #expect(colours.contains("\u{1B}[0;1;33mCrème\u{1B}[0;1m brûlée\u{1B}[0m"))
    #expect(!(try space.run("search", space.index, "creme").output.contains("\u{1B}")))
  }

  @Test func anExcerptShowsTheFirstFind() throws {
    let filler = String(repeating: "éa lorem ipsum ", count: 5_000)
    try space.importLines(
      #"{"id":"long","attributes":{"title":"T","textContent":"\#(filler) needle \#(filler)"}}"#)
    let text = try space.run("search", space.index, "needle", "--mark", "brackets").output
    let excerpt = try #require(text.split(separator: "\n").last)
    #expect(excerpt.hasPrefix("   …"))
    #expect(excerpt.hasSuffix("…"))
    #expect(excerpt.contains(" [needle] "))
    #expect(excerpt.utf8.count < 300)
    #expect(!excerpt.contains("\u{FFFD}"))
  }
}
