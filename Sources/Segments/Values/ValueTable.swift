// The value table: for each item the attribute and length of each of its text values.

internal import LimelightCodecs

/// Writes the sections `valueIndex` and `values`.
///
///     values      for each document: varint length of what follows, then for each value
///                   varint  attribute << 1 | 1 if it is a field of its own
///                   varint  number of positions
///     valueIndex  where the record of every 16th document begins: u64 each
///
/// Starts are not stored: they follow from the lengths (`PositionSpace`).
package final class ValueTableWriter {
  static let stride = 16

  private let segment: SegmentWriter
  private let record = ByteWriter(capacity: 64)
  @exclusivity(unchecked) private var count = 0

  package init(_ segment: SegmentWriter) { self.segment = segment }

  /// Adds the values of the next document; their starts are not looked at.
  package func add(_ values: ArraySlice<ValueEntry>) {
    record.removeAll()
    for value in values {
      record.varint(UInt64(value.attribute) << 1 | (value.isNamed ? 1 : 0))
      record.varint(UInt64(value.positionCount))
    }
    add(record: record.written)
  }

  /// Adds the next document's values as another segment has them.
  private func add(record: UnsafeRawBufferPointer) {
    let values = segment.section(.values)
    if count % Self.stride == 0 {
      let index = segment.section(.valueIndex)
      index.bytes.u64(UInt64(values.count))
      index.spillIfLarge()
    }
    values.bytes.varint(UInt64(record.count))
    values.bytes.bytes(record)
    values.spillIfLarge()
    count += 1
  }

  /// Adds the documents of another segment, but for those that `map` sends to `UInt32.max`.
  package func append(_ source: ValueTableReader, map: [UInt32]) throws(CorruptionError) {
    var walk = try source.walk(from: 0)
    for document in map.indices {
      guard let record = try walk.next() else { return }
      if map[document] != .max { add(record: record) }
    }
  }

  /// Adds one document of another segment.
  package func append(
    _ source: ValueTableReader, document: UInt32
  ) throws(CorruptionError) {
    add(record: try source.record(of: document))
  }

  package func finish() {
    segment.setCount(.valueIndex, entrySize: 8, count)
  }
}

/// Reads what `ValueTableWriter` wrote.
///
/// Valid while the segment lives, usable by any thread.
package struct ValueTableReader {
  private let index: SectionView
  private let values: SectionView
  private let count: Int

  init(index: SectionView, values: SectionView, count: Int) throws(CorruptionError) {
    guard index.count == (count + ValueTableWriter.stride - 1) / ValueTableWriter.stride * 8 else {
      throw index.corrupt("not one offset for each 16 documents", at: 0)
    }
    self.index = index
    self.values = values
    self.count = count
  }

  /// Puts the values of a document into `entries`, with their starts.
  package func values(
    of document: UInt32, into entries: inout [ValueEntry]
  ) throws(CorruptionError) {
    entries.removeAll(keepingCapacity: true)
    try decode(try record(of: document), into: &entries)
  }

  fileprivate func record(
    of document: UInt32
  ) throws(CorruptionError) -> UnsafeRawBufferPointer {
    guard Int(document) < count else { throw index.corrupt("no such document", at: 0) }
    var walk = try walk(from: Int(document) / ValueTableWriter.stride)
    for _ in 0..<Int(document) % ValueTableWriter.stride { _ = try walk.next() }
    guard let record = try walk.next() else { throw values.corrupt("no such document", at: 0) }
    return record
  }

  private func decode(
    _ record: UnsafeRawBufferPointer, into entries: inout [ValueEntry]
  ) throws(CorruptionError) {
    var reader = ByteReader(record)
    var standard: UInt32 = 0
    var sum: UInt64 = 0
    do {
      while reader.remaining > 0 {
        let head = try reader.varint()
        let length = try reader.varint()
        guard let attribute = UInt16(exactly: head >> 1), let positions = UInt32(exactly: length)
        else { throw DecodingError.corrupt("a value is out of range", at: reader.position) }
        sum += length
        guard sum <= UInt64(UInt32.max) else {
          throw DecodingError.corrupt("an item has too many positions", at: reader.position)
        }
        let isNamed = head & 1 == 1
        var start = standard
        if isNamed {
          let before = entries.last { $0.isNamed && $0.attribute == attribute }
          start =
            before.map { PositionSpace.next(start: $0.start, positionCount: $0.positionCount) } ?? 0
        } else {
          standard = PositionSpace.next(start: start, positionCount: positions)
        }
        entries.append(
          ValueEntry(
            attribute: attribute, positionCount: positions, start: start, isNamed: isNamed))
      }
    } catch {
      throw values.corrupt("a document's values cannot be decoded", at: offset(of: record))
    }
  }

  private func offset(of record: UnsafeRawBufferPointer) -> Int {
    record.baseAddress.map { $0 - values.base } ?? 0
  }

  /// The records from the document `stride * block` on, one after the other.
  struct Walk {
    fileprivate let reader: ValueTableReader
    fileprivate var position: Int
    fileprivate var left: Int

    mutating func next() throws(CorruptionError) -> UnsafeRawBufferPointer? {
      guard left > 0 else { return nil }
      let values = reader.values
      // Touch byte after byte: a length seldom takes more than one.
      var length: UInt64 = 0
      var used = 0
      for size in 1...Varint.maximumLength where used == 0 {
        try values.touch(position, size)
        used = Varint.get(values.base + position, size, into: &length)
      }
      guard used > 0, length <= UInt64(values.count) else {
        throw values.corrupt("a record's length is out of range", at: position)
      }
      try values.touch(position + used, Int(length))
      defer {
        position += used + Int(length)
        left -= 1
      }
      return UnsafeRawBufferPointer(
        start: values.base + position + used, count: Int(length))
    }
  }

  func walk(from block: Int) throws(CorruptionError) -> Walk {
    guard count > 0 else { return Walk(reader: self, position: 0, left: 0) }
    guard let position = Int(exactly: try index.u64(at: block * 8)) else {
      throw index.corrupt("an offset is out of range", at: block * 8)
    }
    return Walk(reader: self, position: position, left: count - block * ValueTableWriter.stride)
  }

  func verify() throws(CorruptionError) {
    var walk = try walk(from: 0)
    var entries: [ValueEntry] = []
    for document in 0..<count {
      if document % ValueTableWriter.stride == 0 {
        let at = document / ValueTableWriter.stride * 8
        guard try index.u64(at: at) == UInt64(walk.position) else {
          throw index.corrupt("an offset is not where its record begins", at: at)
        }
      }
      guard let record = try walk.next() else { return }
      entries.removeAll(keepingCapacity: true)
      try decode(record, into: &entries)
    }
    guard walk.position == values.count else {
      throw values.corrupt("the section goes on after its records", at: walk.position)
    }
  }
}

extension Segment {
  /// The value table; nil when the segment has none.
  package func valueTable() throws(CorruptionError) -> ValueTableReader? {
    guard let index = section(.valueIndex), let values = section(.values) else { return nil }
    return try ValueTableReader(index: index, values: values, count: documentCount)
  }
}
