// Segments made from random items, with the plain model that their answers are compared with.

import LimelightCodecs
import LimelightSegments
import LimelightStorage
import Testing

/// A small generator with a seed, so that failures repeat.
struct Random: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// What a column entry holds, in the model.
enum ModelValue: Equatable {
  case integer(Int64)
  case number(Double)
  case bool(Bool)
  case date(Int64)
  case string(String)
}

/// One item of the model.
struct ModelItem: Equatable {
  var id: String
  var record: [UInt8]
  var values: [ValueEntry]
  var columns: [UInt16: [ModelValue]]
  var expiry: Int64?
  var thumbnail: ThumbnailReference?
  var norm: UInt8
}

let testUUID: [UInt8] = (0..<16).map { UInt8($0 * 7 + 1) }

/// The folding that the tests use: ASCII case only.
func testFold(_ text: String) -> String { text.lowercased() }

let sizes = [0, 1, 31, 32, 33, 127, 128, 129, 5000]

/// Random items.
func modelItems(_ count: Int, seed: UInt64) -> [ModelItem] {
  var random = Random(seed)
  let words = ["Alpha", "beta", "GAMMA", "delta", "Épsilon", "zeta ETA", "beta", ""]
  return (0..<count).map { index in
    let id = "note/\(random.next() % 7)/\(String(index * 7919 % 100_003, radix: 16))"
    let length = index % 97 == 13 ? 9000 : Int(random.next() % 300)
    let word = Array("\(words[Int(random.next() % 6)]) says hello; ".utf8)
    let record = (0..<length).map { word[$0 % word.count] ^ (random.next() % 50 == 0 ? 3 : 0) }
    var values: [ValueEntry] = []
    var standard: UInt32 = 0
    for place in 0..<Int(random.next() % 4) {
      let size = UInt32(random.next() % 400)
      values.append(
        ValueEntry(
          attribute: UInt16(3 + place), positionCount: size, start: standard, isNamed: false))
      standard = PositionSpace.next(start: standard, positionCount: size)
    }
    if random.next() % 2 == 0 {
      values.append(ValueEntry(attribute: 77, positionCount: 5, start: 0, isNamed: true))
      values.append(ValueEntry(attribute: 78, positionCount: 9, start: 0, isNamed: true))
      values.append(ValueEntry(attribute: 77, positionCount: 2, start: 13, isNamed: true))
    }
    var columns: [UInt16: [ModelValue]] = [SystemColumn.revision: [.integer(Int64(index / 3))]]
    if index % 3 != 1 { columns[20] = [.date(Int64(index) * 1_000_000 - 40_000_000)] }
    if index % 5 == 0 {
      columns[21] = (0..<Int(random.next() % 300)).map { _ in .number(Double(random.next() % 9)) }
    }
    if index % 2 == 0 { columns[22] = [.number(Double(Int64.random(in: -99...99)) / 7)] }
    if index % 4 == 2 { columns[23] = [.bool(index % 8 == 2)] }
    if index % 7 != 3 {
      columns[24] = (0..<Int(random.next() % 3)).map { _ in
        .string(words[Int(random.next() % 8)] + (index % 2 == 0 ? "" : " \(index % 50)"))
      }
    }
    return ModelItem(
      id: id, record: record, values: values, columns: columns.filter { !$0.value.isEmpty },
      expiry: index % 6 == 5 ? Int64(random.next() % 1000) : nil,
      thumbnail: index % 9 == 4
        ? ThumbnailReference(file: 3, offset: UInt64(index) << 33, length: UInt32(index)) : nil,
      norm: UInt8(index % 200))
  }
}

/// Adds an item's column entries.
func add(_ columns: [UInt16: [ModelValue]], document: UInt32, to writer: ColumnsWriter) {
  for (attribute, values) in columns.sorted(by: { $0.key < $1.key }) {
    for value in values {
      switch value {
      case .integer(let value): writer.add(attribute, document: document, integer: value)
      case .number(let value): writer.add(attribute, document: document, number: value)
      case .bool(let value): writer.add(attribute, document: document, bool: value)
      case .date(let value): writer.add(attribute, document: document, date: value)
      case .string(let text):
        Array(text.utf8).withUnsafeBytes { text in
          Array(testFold(String(decoding: text, as: UTF8.self)).utf8).withUnsafeBytes {
            _ = writer.add(attribute, document: document, string: text, folded: $0)
          }
        }
      }
    }
  }
}

/// A segment writer of the test index.
func testWriter(
  dictionary: StoredDictionary? = nil, compresses: Bool = true, compacts: Bool = false,
  spill: SpillFile? = nil
) -> SegmentWriter {
  SegmentWriter(
    uuid: testUUID, segmentID: 42, dictionary: dictionary, compressesItems: compresses,
    compactsItems: compacts, spill: spill)
}

/// The bytes of a segment that holds these items.
func segmentImage(
  _ items: [ModelItem], dictionary: StoredDictionary? = nil, compresses: Bool = true,
  spill: SpillFile? = nil
) -> SegmentImage {
  let writer = testWriter(dictionary: dictionary, compresses: compresses, spill: spill)
  writer.meta.documentCount = UInt32(items.count)
  // Without items there are no tokens.
  writer.meta.tokenCount = items.isEmpty ? 0 : 1234
  if !items.isEmpty {
    writer.meta.attributeStatistics = [.init(attribute: 3, tokens: 5, values: 6)]
  }
  let ids = IdsWriter()
  let stored = StoredWriter(writer)
  let table = ValueTableWriter(writer)
  let columns = ColumnsWriter()
  let expiry = ExpiryWriter(writer)
  let thumbnails = ThumbnailsWriter(writer)
  for (index, item) in items.enumerated() {
    let document = UInt32(index)
    ids.add(item.id)
    stored.add(item.record)
    table.add(item.values[...])
    add(item.columns, document: document, to: columns)
    if let date = item.expiry { expiry.add(document: document, date: date) }
    if let place = item.thumbnail { thumbnails.add(document: document, place) }
    writer.buffer(.norms).u8(item.norm)
  }
  ids.finish(into: writer)
  stored.finish()
  table.finish()
  columns.finish(into: writer, documentCount: items.count)
  expiry.finish()
  thumbnails.finish()
  if !items.isEmpty {
    AttributeSets(attributes: [3, 4, 5], sets: [[1], [2], [7]])
      .encode(into: writer.buffer(.attributeSets))
  }
  return writer.finish()
}

/// Opens bytes as a segment.
func open(
  _ bytes: MappedBytes, verified: Bool = false, dictionary: StoredDictionary? = nil
) throws(SegmentError) -> Segment {
  try Segment.open(
    bytes, name: "segment.42", verified: verified, dictionary: dictionary, expecting: testUUID)
}

/// A copy of an array as bytes that a segment can keep.
func mapped(_ bytes: [UInt8]) -> MappedBytes {
  let writer = ByteWriter(capacity: max(bytes.count, 1))
  writer.bytes(bytes)
  let (base, count) = writer.take()
  return .owning(base, count: count)
}

/// The values of a column entry as the model writes them.
func modelValue(_ column: Column, _ code: Int64) throws -> ModelValue {
  switch column.kind {
  case .integer: .integer(code)
  case .number: .number(Ordered.number(code))
  case .bool: .bool(code != 0)
  case .date: .date(code)
  case .string: .string(String(decoding: try column.string(Int(code)), as: UTF8.self))
  }
}

/// All items of a segment, read back through every reader.
func readItems(_ segment: Segment) throws -> [ModelItem] {
  var items: [ModelItem] = []
  let norms = try segment.norms()
  let ids = try segment.ids()
  let stored = try segment.storedItems()
  let table = try segment.valueTable()
  let thumbnails = try segment.thumbnails()
  let cursors = try segment.columns()?.all().map { $0.cursor() } ?? []
  var expiry: [UInt32: Int64] = [:]
  if let reader = try segment.expiry() {
    for index in 0..<reader.count {
      let entry = try reader.entry(index)
      expiry[entry.document] = entry.date
    }
  }
  for document in 0..<UInt32(segment.documentCount) {
    var record: [UInt8] = []
    try stored?.record(of: document, into: &record)
    var values: [ValueEntry] = []
    try table?.values(of: document, into: &values)
    var columns: [UInt16: [ModelValue]] = [:]
    var codes: [Int64] = []
    for cursor in cursors {
      try cursor.values(of: document, into: &codes)
      if !codes.isEmpty {
        columns[cursor.column.attribute] = try codes.map { try modelValue(cursor.column, $0) }
      }
    }
    items.append(
      ModelItem(
        id: try ids?.id(of: document) ?? "", record: record, values: values, columns: columns,
        expiry: expiry[document], thumbnail: try thumbnails?.find(document),
        norm: norms[Int(document)]))
  }
  return items
}

/// All bytes of a file or buffer.
func contents(_ bytes: MappedBytes) -> [UInt8] {
  withExtendedLifetime(bytes) {
    Array(UnsafeRawBufferPointer(start: bytes.base, count: bytes.count))
  }
}
