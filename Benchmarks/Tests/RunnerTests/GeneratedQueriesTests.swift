// The generated queries: the same for a seed, and fitting its corpus.

import Limelight
import Testing

@testable import BenchmarkRunner

struct GeneratedQueriesTests {
  private static let set = Result { try GeneratedQueries.make(seed: 1) }

  @Test func theyFollowFromTheSeed() throws {
    let set = try Self.set.get()
    let again = try GeneratedQueries.make(seed: 1)
    #expect(set.queries.map(\.text) == again.queries.map(\.text))
    #expect(set.queries.map(\.kind) == again.queries.map(\.kind))
    let other = try GeneratedQueries.make(seed: 2)
    #expect(set.queries.map(\.text) != other.queries.map(\.text))
  }

  @Test func allKindsAreThere() throws {
    let counts = Dictionary(grouping: try Self.set.get().queries, by: \.kind).mapValues(\.count)
    for kind in [
      "word common", "word middle", "word rare", "and 2", "and 3", "or 2", "or 3", "phrase 2",
      "phrase 3", "and common", "or common", "prefix 3", "fuzzy 1", "fuzzy 2", "miss",
      "word in group", "word in folder", "word in month", "month", "word rated", "type word 1",
    ] { #expect(counts[kind] == GeneratedQueries.perKind, "\(kind)") }
    for kind in ["type 1", "type 2", "type 3", "type 4", "type 5", "type word 3"] {
      #expect((counts[kind] ?? 0) >= 10, "\(kind)")
    }
  }

  /// On the first items alone: what is taken from them is found, what no word can be is not.
  @Test func theyFitTheCorpus() throws {
    let index = try Index.inMemory()
    try index.put(.lines(ItemGenerator(seed: 1).lines(0..<5_000)))
    var found: [String: Int] = [:]
    for query in try Self.set.get().queries {
      let count = try SearchCommand.count.ask(query, of: index)
      if query.kind.hasPrefix("type") || query.kind.hasPrefix("phrase") || query.kind == "and 2" {
        #expect(count > 0, "\(query.kind): \(query.text)")
      }
      if query.kind == "miss" { #expect(count == 0, "\(query.text)") }
      found[query.kind, default: 0] += count
      #expect(try SearchCommand.top10.ask(query, of: index) == min(10, count))
      #expect(try SearchCommand.top10Count.ask(query, of: index) == count)
    }
    let common = try #require(found["word common"])
    let middle = try #require(found["word middle"])
    let rare = try #require(found["word rare"])
    #expect(common > 10 * middle && middle > 5 * rare)
    for kind in ["word in group", "word in month", "month", "word rated", "fuzzy 1"] {
      #expect((found[kind] ?? 0) > 0, "\(kind)")
    }
    // Some 30 of 4,000 days, more of them late.
    let month = try #require(found["month"])
    #expect((2_000...5_500).contains(month), "\(month)")
  }
}
