// Finds the fields of a segment.

internal import LimelightCodecs

extension Segment {
  /// The keys of all fields, in order.
  package func fieldKeys() throws(CorruptionError) -> [FieldKey] {
    guard let table = section(.fields) else { return [] }
    try table.touch(0, table.count)
    var keys: [FieldKey] = []
    for i in 0..<(table.count / FieldRecord.size) {
      keys.append(FieldRecord(table.base + i &* FieldRecord.size).key)
    }
    return keys
  }

  /// The terms of a field, or nil if no item of the segment has any.
  ///
  /// Logarithmic in the number of fields.
  package func field(_ key: FieldKey) throws(CorruptionError) -> TermDictionary? {
    guard let table = section(.fields) else { return nil }
    try table.touch(0, table.count)
    var low = 0
    var high = table.count / FieldRecord.size
    while low < high {
      let middle = (low &+ high) / 2
      let record = FieldRecord(table.base + middle &* FieldRecord.size)
      if record.key == key {
        return try TermDictionary(self, record, table, at: middle &* FieldRecord.size)
      }
      if record.key < key { low = middle &+ 1 } else { high = middle }
    }
    return nil
  }
}

/// An entry of the section `fields`.
struct FieldRecord {
  static let size = 48

  let key: FieldKey
  let hasSets: Bool
  let pageCount: UInt32
  let termCount: UInt64
  let firstPage: UInt64
  let postingCount: UInt64
  let pagesOffset: UInt64
  let pagesLength: UInt64

  init(_ entry: UnsafeRawPointer) {
    func u64(_ offset: Int) -> UInt64 {
      UInt64(littleEndian: entry.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    let attribute = entry.loadUnaligned(as: UInt16.self)
    let kind = entry.load(fromByteOffset: 2, as: UInt8.self)
    key = FieldKey(attribute: UInt16(littleEndian: attribute), kind: kind)
    hasSets = entry.load(fromByteOffset: 3, as: UInt8.self) & 1 == 1
    pageCount = UInt32(
      littleEndian: entry.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    termCount = u64(8)
    firstPage = u64(16)
    postingCount = u64(24)
    pagesOffset = u64(32)
    pagesLength = u64(40)
  }
}
