// How little a ranked search reads: blocks decoded for the best ten, and for all.

import Limelight
import LimelightIndexing
import LimelightSearch
import LimelightSegments
import LimelightSnapshots
import LimelightStorage
import Testing

/// Searches that see what they decode.
@Suite struct DecodedBlocksTests {
  private static let size = 200_000
  /// Always the same corpus: how much can be passed over depends on it.
  private static let seed: UInt64 = 3

  /// A snapshot of the large corpus in one segment.
  private static func snapshot(_ corpus: inout LargeCorpus) throws -> Snapshot {
    let folder = Folder.inMemory()
    let writer = try IndexWriter(
      folder,
      creating: IndexOptions(
        analyzerName: Analyzer.runs.rawValue, analyzerVersion: Analyzer.runs.version,
        storesItems: false), waiting: 0)
    for attribute in LargeCorpus.declared {
      let refusal = try writer.declare(
        attribute.name, kind: attribute.kind, searchClass: attribute.searchClass)
      #expect(refusal == nil)
    }
    while corpus.count < size { _ = try writer.put(corpus.next(10_000)) }
    try writer.merge(into: 1)
    return writer.root.snapshot
  }

  private static func number(of word: String) throws -> Int {
    try #require(LargeCorpus.words.firstIndex { $0.text == word })
  }

  /// The best ten of two frequent words cost at most a fifth of the blocks that counting costs, and
  /// are what a search that passes over nothing finds.
  @Test func topTenDecodesAFractionOfWhatCountingDoes() throws {
    var corpus = LargeCorpus(seed: Self.seed)
    let snapshot = try Self.snapshot(&corpus)
    #expect(snapshot.views.count == 1)
    let oracle = LargeOracle(corpus, isLive: Array(repeating: true, count: corpus.count))
    let searcher = try Searcher(snapshot, now: Timestamp(microseconds: 0))
    let ids = try #require(try snapshot.views[0].segment.ids())
    let pairs = [
      ("sparse", "common"), ("common", "usual"), ("usual", "middling"), ("sparse", "middling"),
      ("sparse", "usual"),
    ]
    for (first, second) in pairs {
      for kind in [LargeQuery.Kind.any, .all] {
        let query = LargeQuery(
          kind: kind, words: [try Self.number(of: first), try Self.number(of: second)])
        let expected = oracle.search(query, limit: 10)
        #expect(try searcher.count(query.query) == expected.count)
        let counting = searcher.counters
        searcher.prunes = true
        let pruned = try searcher.topDocs(query.query, limit: 10)
        let ranking = searcher.counters
        searcher.prunes = false
        let whole = try searcher.topDocs(query.query, limit: 10)
        #expect(pruned.hits == whole.hits)
        let found = try pruned.hits.map { OracleHit(try ids.id(of: $0.document), $0.score) }
        #expect(found == expected.hits)
        #expect(counting.blocks > 100)
        #expect(ranking.blocks * 5 <= counting.blocks, "\(query)")
      }
    }
  }
}
