// One workload after the other: text, puts, queries, merging, opening.

import Limelight
import LimelightAnalysis
import LimelightIndexing
import LimelightSegments
import LimelightSnapshots
import LimelightStorage

/// Something whose instructions are counted; `body` gives a number that must be the same each time.
struct Workload {
  let name: String
  let body: () throws -> Int

  static func all(_ folder: String) throws -> [Workload] {
    let index = try Index(folder, access: .readOnly)
    return [try tokenize(), lines(), put()] + queries(index) + reads(index)
      + [try merge(folder), open(folder)]
  }

  // MARK: Items and text

  private static func tokenize() throws -> Workload {
    var chance = CountsChance(1)
    var text = ""
    while text.utf8.count < 1 << 20 { text += CountedCorpus.text(1000, &chance) + ". " }
    let bytes = Array(text.utf8.prefix(1 << 20))
    let tokens = TokenBuffer()
    let analyzer = TextAnalyzer(.words)
    return Workload(name: "tokenize") {
      bytes.withUnsafeBytes { analyzer.analyze($0, into: tokens) }
      return tokens.count
    }
  }

  private static func lines() -> Workload {
    var bytes: [UInt8] = []
    for number in 0..<200 { bytes += CountedCorpus.item(number).jsonLine() + [0x0A] }
    return Workload(name: "put-200-lines") {
      try Index.inMemory().put(.lines(bytes)).put
    }
  }

  private static func put() -> Workload {
    let items = (0..<1000).map { CountedCorpus.item($0) }
    return Workload(name: "put-1000") { try Index.inMemory().put(items).put }
  }

  // MARK: Queries

  private static func queries(_ index: Index) -> [Workload] {
    /// Searches 20 queries; `make` gives them by number.
    func top(
      _ name: String, counting: Bool = false, _ make: @escaping (Int) -> Query
    ) -> Workload {
      let queries = (0..<20).map(make)
      let options = SearchOptions(countsAll: counting)
      return Workload(name: name) {
        var sum = 1
        for query in queries {
          let found = try index.search(query, limit: 10, options: options)
          sum += found.count + (counting ? found.total : 0)
        }
        return sum
      }
    }
    let word = CountedCorpus.word
    return [
      top("term") { .term(word($0 * 3)) },
      top("term-count", counting: true) { .term(word($0 * 3)) },
      top("and") { .all([.term(word($0)), .term(word($0 * 5 + 7))]) },
      top("and-count", counting: true) { .all([.term(word($0)), .term(word($0 * 5 + 7))]) },
      top("or") { .any([.term(word($0)), .term(word($0 * 5 + 7)), .term(word($0 * 40 + 90))]) },
      top("or-count", counting: true) { .any([.term(word($0 + 3)), .term(word($0 * 5 + 7))]) },
      top("phrase") { .phrase(word($0) + " " + word($0 / 2 + 1)) },
      top("prefix") { .prefix(String(word($0 * 31).prefix(3))) },
      top("fuzzy") { .fuzzy(word(100 + $0 * 17), distance: 1) },
      top("filter", counting: true) {
        .all([.term(word($0)), .between(.pageCount, 40, 60), .domain("mail")])
      },
      Workload(name: "typed") {
        // As a person types: a search for each letter.
        let typed = word(20) + " " + word(45)
        var sum = 0
        for length in 1...typed.count {
          sum += try index.search(String(typed.prefix(length)), limit: 10).total
        }
        return sum
      },
    ]
  }

  private static func reads(_ index: Index) -> [Workload] {
    [
      Workload(name: "highlight") {
        let text = CountedCorpus.word(5) + " " + CountedCorpus.word(9)
        return try index.search(text, limit: 20).reduce(0) { try $0 + $1.highlights().count }
      },
      Workload(name: "get-100") {
        try (0..<100).reduce(0) {
          try $0 + (index.get("item\($1 * 150 + 1)")?.attributes.count ?? 0)
        }
      },
    ]
  }

  // MARK: The index as a whole

  private static func merge(_ folder: String) throws -> Workload {
    let root = try IndexFollower(Folder.open(path: folder, create: false)).refresh()
    let views = Array(root.snapshot.views.prefix(2))
    let bases = zip(views, [0, views.first?.documentCount ?? 0])
    return Workload(name: "merge-2") {
      let merger = try SegmentMerger(
        bases.map { SegmentView($0.segment, live: $0.live, base: UInt64($1)) }, sequences: [1, 2],
        thumbnails: [])
      let writer = SegmentWriter(
        uuid: root.snapshot.options.uuid, segmentID: 99, dictionary: views[0].segment.dictionary)
      try merger.write(to: writer)
      return writer.finish().count
    }
  }

  private static func open(_ folder: String) -> Workload {
    Workload(name: "open-and-search") {
      let index = try Index(folder, access: .readOnly)
      return try index.search(CountedCorpus.word(12), limit: 10).total
    }
  }
}
