// Reads all parts of a segment as their readers offer them, going on behind every refusal.

internal import LimelightItems
internal import LimelightSegments

/// A walk over a segment that may be damaged anywhere.
struct SegmentWalk {
  private let segment: Segment
  /// The documents that are read one by one: the first and the last ones.
  private let documents: [UInt32]

  init(_ segment: Segment) {
    self.segment = segment
    let count = UInt32(segment.documentCount)
    documents =
      Array(0..<min(count, 24)) + Array(max(min(count, 24), count - min(count, 8))..<count)
  }

  func run() {
    for key in (try? segment.fieldKeys()) ?? [] { try? field(key) }
    try? ids()
    try? columns()
    try? stored()
    try? values()
  }

  private func field(_ key: FieldKey) throws {
    guard let dictionary = try segment.field(key) else { return }
    for word in ["common", "w1", "w50", "zzz", ""] {
      _ = try? word.withUTF8Bytes { try dictionary.find($0) }
      let arena = ScratchArena()
      var seeking = try? word.withUTF8Bytes { try dictionary.iterator(from: $0, arena: arena) }
      _ = try? seeking?.next()
      let union = try? word.withUTF8Bytes { try dictionary.documents(prefix: $0, arena: arena) }
      if let last = documents.last { try? union?.fill(windowOf: last) }
      _ = try? union?.count()
    }
    let arena = ScratchArena()
    var terms = try dictionary.iterator(arena: arena)
    while try terms.next() {
      FuzzReach.note(.terms)
      let lists = ScratchArena()
      try? list(terms.entry, dictionary, lists)
    }
  }

  private func list(
    _ entry: TermEntry, _ dictionary: TermDictionary, _ arena: ScratchArena
  ) throws {
    var cursor = try PostingsCursor(entry, in: dictionary, arena: arena)
    for document in documents { _ = cursor.blockIndex(for: document, from: 0) }
    // From the last block to the first, codes before frequencies: not the way of `verify`.
    for block in (0..<cursor.blockCount).reversed().prefix(64) {
      guard (try? cursor.load(block: block)) != nil else { continue }
      FuzzReach.note(.postings, cursor.count)
      guard (try? cursor.loadCodes()) != nil, (try? cursor.loadFrequencies()) != nil else {
        continue
      }
      guard (try? cursor.allPositions()) != nil else { continue }
      FuzzReach.note(.positions, cursor.count)
      for place in (0..<cursor.count).reversed().prefix(8) { _ = try? cursor.positions(at: place) }
    }
  }

  private func ids() throws {
    guard let reader = try segment.ids() else { return }
    for document in documents {
      guard let id = try? reader.id(of: document) else { continue }
      _ = try? reader.find(id)
    }
    for id in ["r1", "p7", "", "zzzz"] { _ = try? reader.find(id) }
    try? reader.forEachSorted { _, _ in }
  }

  private func columns() throws {
    guard let reader = try segment.columns() else { return }
    for attribute: UInt16 in [0, 1, 40, 500, .max] { _ = try? reader.column(attribute) }
    for index in 0..<min(reader.count, 64) {
      guard let column = try? reader.column(at: index) else { continue }
      let cursor = column.cursor()
      var values: [Int64] = []
      for document in documents {
        _ = try? cursor.firstValue(of: document)
        guard (try? cursor.values(of: document, into: &values)) != nil else { continue }
        FuzzReach.note(.columnValues, values.count)
      }
      let words = (segment.documentCount + 63) / 64
      if words < 1 << 16 {
        var bits = [UInt64](repeating: 0, count: words)
        bits.withUnsafeMutableBufferPointer { bits in
          guard let base = bits.baseAddress else { return }
          try? column.fill(base, from: 1, through: .max)
          try? column.fill(base, from: .min, through: .max)
        }
      }
      _ = try? column.ordinals(prefix: Array("ma".utf8))
      _ = try? column.ordinal(of: Array("mail".utf8), folded: Array("mail".utf8))
      for ordinal in 0..<min(column.stringCount, 16) { _ = try? column.string(ordinal) }
      var walk = try? column.strings(from: column.stringCount / 2)
      while (try? walk?.next()) != nil {}
    }
  }

  private func stored() throws {
    guard let reader = try segment.storedItems() else { return }
    for document in documents.reversed() {
      guard let record = try? reader.record(of: document) else { continue }
      _ = try? ItemCodec.head(record)
      _ = try? ItemCodec.values(of: [1, 3, 900], in: record)
      guard let item = try? ItemCodec.decode(record) else { continue }
      FuzzReach.note(.storedItems)
      _ = item.item(registry: FuzzIndex.registry)
    }
  }

  private func values() throws {
    _ = try? segment.attributeSets()
    if let table = try? segment.valueTable() {
      var entries: [ValueEntry] = []
      for document in documents { try? table.values(of: document, into: &entries) }
    }
    if let expiry = try? segment.expiry() {
      _ = try? expiry.firstIndex(after: FuzzIndex.now.microseconds)
      for index in 0..<min(expiry.count, 32) { _ = try? expiry.entry(index) }
    }
    if let thumbnails = try? segment.thumbnails() {
      for document in documents { _ = try? thumbnails.find(document) }
    }
  }
}

extension String {
  /// The text's bytes for the duration of a call.
  func withUTF8Bytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    var text = self
    return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
  }
}
