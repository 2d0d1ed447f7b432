// Puts and deletes documents in batches, each batch durable; merges segments into one.

internal import BenchmarkRunner
internal import Limelight

/// What batches of several sizes cost, in a new index.
struct Batches {
  private let folder: String
  private let documents: [Document]

  init(_ tsv: String, _ folder: String) throws {
    self.folder = folder
    let reader = try DocumentReader(tsv)
    var documents: [Document] = []
    while documents.count < Self.sizes.map(Self.count).max() ?? 0, let document = reader.next() {
      documents.append(document)
    }
    self.documents = documents
  }

  static let sizes = [1, 10, 100, 1_000]

  /// How many documents are put in batches of a size: as many calls as take a moment.
  static func count(_ size: Int) -> Int { min(max(size * 40, 400), 10_000) }

  func run() throws {
    var puts: [String] = []
    var deletes: [String] = []
    for size in Self.sizes {
      let index = try Index(
        "\(folder).\(size)", options: IndexConfiguration(analyzer: .runs, storesItems: false))
      let documents = documents.prefix(Self.count(size))
      var put: UInt64 = 0
      var deleted: UInt64 = 0
      try forEachBatch(documents, size) { batch in
        let items = batch.map { $0.item(text: $0.title + " " + $0.body) }
        let start = nanoseconds()
        try index.put(items)
        put += nanoseconds() - start
      }
      try forEachBatch(documents, size) { batch in
        let ids = batch.map(\.id)
        let start = nanoseconds()
        try index.delete(ids: ids)
        deleted += nanoseconds() - start
      }
      guard try index.count == 0 else { throw BenchmarkError("documents are left") }
      try index.close()
      puts.append("\"\(size)\":\(Double(put) / Double(documents.count))")
      deletes.append("\"\(size)\":\(Double(deleted) / Double(documents.count))")
    }
    emit([
      "put_ns": "{" + puts.joined(separator: ",") + "}",
      "del_ns": "{" + deletes.joined(separator: ",") + "}",
    ])
  }

  private func forEachBatch(
    _ documents: ArraySlice<Document>, _ size: Int, _ body: (ArraySlice<Document>) throws -> Void
  ) throws {
    var start = documents.startIndex
    while start < documents.endIndex {
      let end = min(start + size, documents.endIndex)
      try body(documents[start..<end])
      start = end
    }
  }
}

/// Ten segments of a corpus, merged into one.
enum TenSegments {
  /// The documents of each, of 1,000 of the corpus.
  ///
  /// Eight neighbours of a size would be merged before their time.
  private static let shares = [112, 112, 112, 112, 112, 112, 112, 72, 72, 72]

  static func run(_ tsv: String, _ folder: String, storesItems: Bool) throws {
    let index = try Index(
      folder, options: IndexConfiguration(analyzer: .runs, storesItems: storesItems))
    let counter = try DocumentReader(tsv)
    var count = 0
    while counter.skip() { count += 1 }
    let reader = try DocumentReader(tsv)
    for (number, share) in shares.enumerated() {
      var left = number + 1 == shares.count ? Int.max : count * share / 1_000
      try index.load(next: {
        var items: [Item] = []
        while left > 0, items.count < 500, let item = reader.nextItem() {
          items.append(item)
          left -= 1
        }
        return items.isEmpty ? nil : .items(items)
      })
    }
    let segments = try index.stats().segments.count
    let start = nanoseconds()
    try index.merge()
    let merged = nanoseconds()
    emit([
      "docs": "\(try index.count)", "segments": "\(segments)", "merge_s": seconds(merged - start),
      "segments_after": "\(try index.stats().segments.count)",
    ])
    try index.close()
  }
}
