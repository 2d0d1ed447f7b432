// What all targets share: the index that fuzzed files belong to, and the questions put to it.

internal import Glibc
internal import LimelightAnalysis
internal import LimelightItems
internal import LimelightSearch
internal import LimelightSegments
internal import LimelightSnapshots
internal import LimelightStorage

/// The index that the files of seeds belong to.
enum FuzzIndex {
  static let uuid = [UInt8](1...16)
  static let options = IndexOptions(
    analyzerName: Analyzer.words.rawValue, analyzerVersion: Analyzer.words.version, uuid: uuid)
  /// The dictionary of stored items that some seeds were written with.
  static let dictionary = StoredDictionary(
    Array("the quick brown fox common title number alpha beta gamma word green mail".utf8))
  /// The custom attributes that the items of seeds have, in the order of their numbers.
  static let registry: AttributeRegistry = {
    var registry = AttributeRegistry()
    for (name, kind) in [
      ("colour", AttributeKind.text), ("weight", .number), ("done", .bool), ("due", .date),
    ] {
      _ = try? registry.declare(name, kind: kind)
    }
    return registry
  }()

  /// Now, for items that expire: some have, some have not.
  static let now = Timestamp(microseconds: 4_102_444_800_000_001)

  /// A copy of bytes that ends where its memory ends, so that a read behind it is noticed.
  static func mapped(_ bytes: [UInt8]) -> MappedBytes {
    guard let copy = malloc(max(bytes.count, 1)) else { return .empty() }
    bytes.withUnsafeBytes { source in
      if let base = source.baseAddress { memcpy(copy, base, source.count) }
    }
    return .owning(copy, count: bytes.count)
  }

  static func snapshot(_ segments: [(segment: Segment, live: LiveDocs)]) -> Snapshot {
    Snapshot(segments, generation: 1, registry: registry, options: options)
  }
}

/// Questions of every kind.
enum FuzzQueries {
  static let all: [Query] = [
    .term("common"), .prefix("w"), .phrase("quick brown"), .phrase("w1 w2 w3"),
    .fuzzy("comon", distance: 1), .fuzzy("wrd", distance: 2),
    .term("green", in: Attribute("colour")), .prefix("gr", in: Attribute("colour")),
    .term("common", in: .title), .domain("mail"), .equals(.allDay, true),
    .between(.pageCount, 1, 4), .has(Attribute("due")), .everything, .not(.term("common")),
    .atLeast(Attribute("colour"), "green 2"),
    .atLeast(.contentCreationDate, .date(Timestamp(microseconds: 1 << 40))),
    .boolean(must: [.term("common")], should: [.prefix("numb")], not: [.domain("notes")]),
    .any([.term("w1"), .term("w2"), .term("w3"), .prefix("number")]),
    .all([.term("common"), .term("w1"), .atMost(.pageCount, 8)]),
  ]

  /// Puts all questions to a snapshot; errors are answers, too.
  static func ask(_ snapshot: Snapshot) {
    guard let searcher = try? Searcher(snapshot, now: FuzzIndex.now) else { return }
    for (number, query) in all.enumerated() {
      _ = try? searcher.count(query)
      guard let top = try? searcher.topDocs(query, limit: 5) else { continue }
      FuzzReach.note(.hits, top.hits.count)
      for hit in top.hits {
        let segment = snapshot.views[hit.view].segment
        _ = try? segment.ids()?.id(of: hit.document)
      }
      guard number % 2 == 0 else { continue }
      searcher.prunes = false
      _ = try? searcher.topDocs(query, limit: 3, offset: 1, counting: true, weights: Weights())
      searcher.prunes = true
      for view in snapshot.views.indices { _ = try? searcher.matchingDocs(query, view: view) }
    }
  }
}
