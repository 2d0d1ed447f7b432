// From an item's id to its document and back.

internal import LimelightCodecs

/// Reads what `IdsWriter` wrote.
///
/// Valid while the segment lives, usable by any number of threads.
package struct IdsReader {
  private let dictionary: KeyPagesReader
  private let order: SectionView
  let count: Int
  private let width: Int

  init(
    index: SectionView, pages: SectionView, order: SectionView, count: Int
  ) throws(CorruptionError) {
    dictionary = try KeyPagesReader(index: index, pages: pages, payload: .number)
    guard dictionary.count == count else {
      throw index.corrupt("not one id for each document", at: 4)
    }
    guard order.count == PackedOrder.byteCount(count) else {
      throw order.corrupt("not one ordinal for each document", at: 0)
    }
    self.order = order
    self.count = count
    width = PackedOrder.width(count: count)
  }

  /// The newest document with this id, nil when there is none, in O(log n).
  package func find(_ id: UnsafeRawBufferPointer) throws(CorruptionError) -> UInt32? {
    let place = try dictionary.findLast(id)
    return place.isExact ? try document(place) : nil
  }

  /// The document of an id that was found.
  func document(_ place: KeyPagesReader.Place) throws(CorruptionError) -> UInt32 {
    guard place.number < UInt64(count) else {
      throw corrupt("a document number is out of range")
    }
    return UInt32(truncatingIfNeeded: place.number)
  }

  func corrupt(_ message: StaticString) -> CorruptionError {
    dictionary.pages.corrupt(message, at: 0)
  }

  /// The newest document with this id, nil when there is none.
  package func find(_ id: String) throws(CorruptionError) -> UInt32? {
    try Array(id.utf8).withUnsafeBufferPointer { bytes throws(CorruptionError) in
      try find(UnsafeRawBufferPointer(bytes))
    }
  }

  /// Puts the bytes of a document's id into `id`.
  package func id(of document: UInt32, into id: inout [UInt8]) throws(CorruptionError) {
    let ordinal = try ordinal(of: document)
    guard try dictionary.key(at: ordinal, into: &id).number == UInt64(document) else {
      throw order.corrupt("an ordinal leads to another document", at: Int(document) * width / 8)
    }
  }

  /// A document's id.
  package func id(of document: UInt32) throws(CorruptionError) -> String {
    var bytes: [UInt8] = []
    try id(of: document, into: &bytes)
    guard let id = String(validating: bytes, as: UTF8.self) else {
      throw dictionary.pages.corrupt("an id is not UTF-8", at: 0)
    }
    return id
  }

  /// The place of a document's id among all ids of the segment.
  package func ordinal(of document: UInt32) throws(CorruptionError) -> Int {
    guard Int(document) < count else { throw order.corrupt("no such document", at: 0) }
    let bit = Int(document) * width
    let word = try order.u64(at: bit >> 3) >> UInt64(bit & 7)
    let ordinal = Int(word & (1 << UInt64(width) - 1))
    guard ordinal < count else {
      throw order.corrupt("an ordinal is out of range", at: bit >> 3)
    }
    return ordinal
  }

  /// Calls `body` with each id and its document, in the ids' order.
  package func forEachSorted(
    _ body: (UnsafeRawBufferPointer, UInt32) throws -> Void
  ) throws {
    var cursor = try sortedCursor()
    while try cursor.next() {
      let document = UInt32(truncatingIfNeeded: cursor.number)
      try cursor.key.withUnsafeBytes { try body($0, document) }
    }
  }

  func sortedCursor() throws(CorruptionError) -> KeyPagesCursor { try dictionary.cursor() }

  /// Looks up ids that come in their order.
  func ascendingSearch() -> AscendingSearch { AscendingSearch(dictionary) }

  /// The last id whose document is one of those that are `kept`.
  func lastID(where kept: (UInt64) -> Bool) throws(CorruptionError) -> [UInt8]? {
    var id: [UInt8] = []
    for ordinal in stride(from: count - 1, through: 0, by: -1) {
      if kept(try dictionary.key(at: ordinal, into: &id).number) { return id }
    }
    return nil
  }

  /// Checks that dictionary and order are inverse to each other.
  func verify() throws(CorruptionError) {
    try order.touchAll()
    try dictionary.verify()
    var cursor = try sortedCursor()
    var ordinal = 0
    while try cursor.next() {
      guard cursor.number < UInt64(count),
        try self.ordinal(of: UInt32(truncatingIfNeeded: cursor.number)) == ordinal
      else {
        throw dictionary.pages.corrupt("a document's ordinal leads elsewhere", at: cursor.position)
      }
      ordinal += 1
    }
  }
}

extension Segment {
  /// The ids of the segment's items; nil when it has no items.
  package func ids() throws(CorruptionError) -> IdsReader? {
    guard documentCount > 0 else { return nil }
    guard let index = section(.idIndex), let pages = section(.idPages),
      let order = section(.idOrder)
    else { throw missing("the section is missing", from: .idIndex) }
    return try IdsReader(index: index, pages: pages, order: order, count: documentCount)
  }
}
