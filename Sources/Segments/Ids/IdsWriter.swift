// Writes the ids of a segment's items: a sorted dictionary and the way back from a document.

internal import Glibc
internal import LimelightCodecs

/// Writes the sections `idIndex`, `idPages` and `idOrder`.
///
///     idIndex, idPages   a dictionary of the ids (`KeyPagesWriter`), payload = document number
///     idOrder            for each document the ordinal of its id in the dictionary, bit after
///                        bit in the least width that holds the largest ordinal, then 8 zeros
///
/// Ids are added in document order and sorted at the end; a merge has them sorted (`IdsMerger`).
/// An id may occur more than once: the item of the largest document number is the newest.
package final class IdsWriter {
  /// The length of an id at most.
  package static let idLimit = 4096

  private struct Entry {
    var prefix: UInt64
    var document: UInt32
    var length: UInt32
    var offset: Int
  }

  private let text = ByteWriter(capacity: 64)
  @exclusivity(unchecked) private var entries: [Entry] = []
  @exclusivity(unchecked) private var isSorted = true
  /// How many bytes all ids so far have in common at their start.
  @exclusivity(unchecked) private var shared = 0

  package init() {}

  package var count: Int { entries.count }

  /// The bytes of memory that the ids take so far, about.
  package var memory: Int { text.count &+ entries.count &* MemoryLayout<Entry>.stride }

  /// Adds the id of the next document.
  package func add(_ id: UnsafeRawBufferPointer) {
    let document = UInt32(truncatingIfNeeded: entries.count)
    if let last = entries.last {
      shared = KeyBytes.sharedLength(bytes(of: last), id, limit: shared)
      if isSorted { isSorted = KeyBytes.compare(bytes(of: last), id) <= 0 }
    } else {
      shared = id.count
    }
    entries.append(
      Entry(prefix: 0, document: document, length: UInt32(id.count), offset: text.count))
    text.bytes(id)
  }

  /// Adds the id of the next document.
  package func add(_ id: String) {
    var id = id
    id.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  /// Adds the ids of documents of another writer, which has not been finished, behind those here.
  package func append(_ other: IdsWriter, documents: Range<Int>) {
    for document in documents { add(other.bytes(of: other.entries[document])) }
  }

  private func bytes(of entry: Entry) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: text.base + entry.offset, count: Int(entry.length))
  }

  /// Writes the sections: O(n log n), or O(n) when the ids came in order.
  package func finish(into segment: SegmentWriter) {
    guard let first = entries.first else { return }
    if !isSorted { sort() }
    let target = IdsTarget(
      segment, count: entries.count, first: bytes(of: first), shared: shared)
    for entry in entries { target.add(bytes(of: entry), document: Int(entry.document)) }
    target.finish()
    entries = []
  }

  private func sort() {
    for index in entries.indices {
      let id = bytes(of: entries[index])
      entries[index].prefix = KeyBytes.prefix(UnsafeRawBufferPointer(rebasing: id[shared...]))
    }
    entries.sort { a, b in
      if a.prefix != b.prefix { return a.prefix < b.prefix }
      let order = KeyBytes.compare(bytes(of: a), bytes(of: b))
      return order == 0 ? a.document < b.document : order < 0
    }
  }
}

/// Where sorted ids go: the dictionary, and beside it each document's ordinal.
final class IdsTarget {
  private let segment: SegmentWriter
  private let documentCount: Int
  private let pages: SectionBuffer
  private let order: ByteWriter
  private let width: Int
  @exclusivity(unchecked) private var dictionary: KeyPagesWriter

  /// Begins the ids of so many documents, of which the first is `first`; all begin with its first
  /// `shared` bytes.
  init(_ segment: SegmentWriter, count: Int, first: UnsafeRawBufferPointer, shared: Int) {
    self.segment = segment
    documentCount = count
    pages = segment.section(.idPages)
    order = segment.buffer(.idOrder)
    width = PackedOrder.width(count: count)
    dictionary = KeyPagesWriter(
      index: segment.buffer(.idIndex), pages: pages, first: first, shared: shared)
    order.zeros(PackedOrder.byteCount(count))
  }

  /// The ids so far.
  var count: Int { dictionary.added }

  /// Adds the next id, whose bytes must stay where they are until the one after it is added.
  func add(_ id: UnsafeRawBufferPointer, document: Int) {
    if document < documentCount, count < documentCount {
      let bit = document * width
      let place = order.base + bit >> 3
      let word = UInt64(littleEndian: place.loadUnaligned(as: UInt64.self))
      let value = word | UInt64(count) << UInt64(bit & 7)
      place.storeBytes(of: value.littleEndian, as: UInt64.self)
    }
    dictionary.add(id)
    pages.bytes.varint(UInt64(document))
    pages.spillIfLarge()
  }

  func finish() {
    dictionary.finish()
    segment.spillIfLarge(.idIndex)
    segment.spillIfLarge(.idOrder)
    segment.setCount(.idIndex, entrySize: 0, count)
    segment.setCount(.idOrder, entrySize: 0, count)
  }
}

/// The arithmetic of the section `idOrder`.
enum PackedOrder {
  /// The bits of an ordinal below `count`.
  static func width(count: Int) -> Int {
    count <= 1 ? 0 : UInt64.bitWidth - UInt64(count - 1).leadingZeroBitCount
  }

  /// The bytes of the section: padded, so that an ordinal is read as part of one u64.
  static func byteCount(_ count: Int) -> Int { (count * width(count: count) + 7) / 8 + 8 }
}
