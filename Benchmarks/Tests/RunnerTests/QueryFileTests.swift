// Query files: both forms, what cannot be asked, and lines that are wrong.

import Foundation
import Limelight
import Testing

@testable import BenchmarkRunner

struct QueryFileTests {
  private func tree(_ query: BenchmarkQuery) throws -> Query {
    guard case .tree(let tree) = query.form else {
      throw BenchmarkError("\(query.text) is not a tree")
    }
    return tree
  }

  @Test func linesOfSearchBenchmarkGame() throws {
    let set = try QueryFile.parse(
      """
      {"query": "the", "tags": ["term"]}
      {"query": "+griffith +observatory", "tags": ["intersection", "global", "num_tokens_2"]}

      {"query": "\\"griffith observatory\\"", "tags": ["phrase"]}
      """, name: "queries.txt")
    #expect(set.name == "queries.txt")
    #expect(set.queries.map(\.kind) == ["term", "num_tokens_2", "phrase"])
    #expect(set.queries.map(\.text).last == "\"griffith observatory\"")
    #expect(
      try set.queries.map(tree) == [
        .term("the"), .all([.term("griffith"), .term("observatory")]),
        .phrase("griffith observatory"),
      ])
    #expect(set.unsupported.isEmpty)
  }

  @Test func linesOfLuceneutil() throws {
    let set = try QueryFile.parse(
      "HighTerm: ref # freq=541190\r\nAndHighLow: +from +house's # freq=359428 freq=140\n"
        + "OrHighHigh: about september # freq=91907 freq=54310\nFuzzy1: fiore~1\nPrefix3: sec*\n"
        + "# a comment\nHighPhrase: \"ref name\" # freq=238640|541190|301735\n", name: "x.tasks")
    #expect(
      set.queries.map(\.kind) == [
        "HighTerm", "AndHighLow", "OrHighHigh", "Fuzzy1", "Prefix3", "HighPhrase",
      ])
    #expect(
      set.queries.map(\.text) == [
        "ref", "+from +house's", "about september", "fiore~1", "sec*", "\"ref name\"",
      ])
    #expect(try tree(set.queries[2]) == .any([.term("about"), .term("september")]))
    #expect(try tree(set.queries[3]) == .fuzzy("fiore", distance: 1))
    #expect(try tree(set.queries[4]) == .prefix("sec"))
  }

  /// What luceneutil asks of Lucene's further features is counted by kind.
  @Test func whatLimelightDoesNotDoIsCounted() throws {
    let tasks = """
      Respell: fiore
      Respell: shack
      Wildcard: re*f
      Wildcard: *ref
      Wildcard: ref?
      HighSloppyPhrase: "ref name"~4 # freq=238640|541190|301735
      HighSpanNear: near//ref name # freq=238640|541190|301735
      IntNRQ: nrq//timesecnum 6207 55832
      BM25MSM2: ref also url +minShouldMatch=2
      BrowseMonthTaxoFacets: *:* +facets:taxonomy:Month
      range:dayOfYear:0-50,50-100
      HighTerm: ref # freq=541190
      """
    let set = try QueryFile.parse(tasks, name: "x.tasks")
    #expect(set.queries.map(\.kind) == ["HighTerm"])
    #expect(
      set.unsupported == [
        "Respell": 2, "Wildcard": 3, "HighSloppyPhrase": 1, "HighSpanNear": 1, "IntNRQ": 1,
        "BM25MSM2": 1, "BrowseMonthTaxoFacets": 1, "range": 1,
      ])
  }

  @Test(arguments: [
    ("{\"query\": \"a\"}", "no object"), ("{\"query\": \"a\", \"tags\": []}", "no tag"),
    ("{broken", "no object"), ("just words", "neither"), (": nothing", "neither"),
    ("Kind:", "empty"), ("Kind:  # freq=1", "empty"),
  ])
  func wrongLinesAreNamed(line: String, complaint: String) {
    let error = #expect(throws: BenchmarkError.self) {
      try QueryFile.parse("HighTerm: ref\n" + line, name: "x.tasks")
    }
    #expect(error?.description.contains("x.tasks, line 2") == true)
    #expect(error?.description.contains(complaint) == true, "\(error?.description ?? "")")
  }

  @Test func aMissingFileIsAnError() {
    let error = #expect(throws: BenchmarkError.self) { try QueryFile.read("no/such/file") }
    #expect(error?.description.contains("no/such/file") == true)
    #expect(error?.isMisuse == false)
  }

  @Test func kindsCanBeChosen() throws {
    let set = try QueryFile.parse(
      "HighTerm: ref\nLowTerm: nazi\nFuzzy1: shack~1\nWildcard: re*f", name: "x.tasks")
    let some = try set.limited(to: ["Fuzzy1", "HighTerm"])
    #expect(some.queries.map(\.text) == ["ref", "shack~1"])
    #expect(some.unsupported.isEmpty)
    let error = #expect(throws: BenchmarkError.self) { try set.limited(to: ["HighTerm", "none"]) }
    #expect(error?.description.contains("'none'; there are: Fuzzy1, HighTerm, LowTerm") == true)
  }

  @Test func clauses() {
    #expect(
      QueryLine.parse("+a -b c")
        == .boolean(must: [.term("a")], should: [.term("c")], not: [.term("b")]))
    #expect(
      QueryLine.parse("+\"a b\" +c*") == .all([.phrase("a b"), .prefix("c")]))
    #expect(QueryLine.parse("a b~2") == .any([.term("a"), .fuzzy("b", distance: 2)]))
  }
}
