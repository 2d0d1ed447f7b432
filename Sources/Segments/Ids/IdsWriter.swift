// Writes the ids of a segment's items: a sorted dictionary and the way back from a document.

internal import Glibc
internal import LimelightCodecs

/// Writes the sections `idIndex`, `idPages` and `idOrder`.
///
///     idIndex, idPages   a dictionary of the ids (`KeyPagesWriter`), payload = document number
///     idOrder            for each document the ordinal of its id in the dictionary, bit after
///                        bit in the least width that holds the largest ordinal, then 8 zeros
///
/// Ids are added in document order and sorted at the end, or added in their own order by a merge.
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

  private let segment: SegmentWriter
  private let text = ByteWriter(capacity: 64)
  @exclusivity(unchecked) private var entries: [Entry] = []
  @exclusivity(unchecked) private var isSorted = true
  /// How many bytes all ids so far have in common at their start.
  @exclusivity(unchecked) private var shared = 0

  package init(_ segment: SegmentWriter) { self.segment = segment }

  package var count: Int { entries.count }

  /// Adds the id of the next document.
  package func add(_ id: UnsafeRawBufferPointer) {
    add(id, document: UInt32(truncatingIfNeeded: entries.count))
  }

  /// Adds the id of the next document.
  package func add(_ id: String) {
    var id = id
    id.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  /// Adds the id of a document; the documents must be 0 ..< count in the end.
  func add(_ id: UnsafeRawBufferPointer, document: UInt32) {
    if let last = entries.last {
      shared = KeyBytes.sharedLength(bytes(of: last), id, limit: shared)
      if isSorted {
        let order = KeyBytes.compare(bytes(of: last), id)
        isSorted = order < 0 || (order == 0 && last.document < document)
      }
    } else {
      shared = id.count
    }
    entries.append(
      Entry(prefix: 0, document: document, length: UInt32(id.count), offset: text.count))
    text.bytes(id)
  }

  private func bytes(of entry: Entry) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: text.base + entry.offset, count: Int(entry.length))
  }

  /// Writes the sections: O(n log n), or O(n) when the ids came in order.
  package func finish() {
    guard let first = entries.first else { return }
    if !isSorted { sort() }
    let firstID = bytes(of: first)
    let pages = segment.buffer(.idPages)
    var dictionary = KeyPagesWriter(
      index: segment.buffer(.idIndex), pages: pages, keyCount: entries.count, first: firstID,
      shared: shared)
    var ordinals = [UInt32](repeating: 0, count: entries.count)
    for (ordinal, entry) in entries.enumerated() {
      dictionary.add(bytes(of: entry))
      pages.varint(UInt64(entry.document))
      if Int(entry.document) < ordinals.count {
        ordinals[Int(entry.document)] = UInt32(truncatingIfNeeded: ordinal)
      }
    }
    dictionary.finish()
    writeOrder(ordinals)
    segment.setCount(.idIndex, entrySize: 0, entries.count)
    segment.setCount(.idOrder, entrySize: 0, entries.count)
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

  private func writeOrder(_ ordinals: [UInt32]) {
    let width = PackedOrder.width(count: ordinals.count)
    let order = segment.buffer(.idOrder)
    order.zeros(PackedOrder.byteCount(ordinals.count))
    for (document, ordinal) in ordinals.enumerated() {
      let bit = document * width
      let place = order.base + bit >> 3
      let word = UInt64(littleEndian: place.loadUnaligned(as: UInt64.self))
      let value = word | UInt64(ordinal) << UInt64(bit & 7)
      place.storeBytes(of: value.littleEndian, as: UInt64.self)
    }
  }

  /// Adds the ids of several segments in their order, so that nothing is left to sort.
  ///
  /// `maps[i]` gives for each document of `sources[i]` its new number, or `UInt32.max` when it is
  /// left out.
  package func merge(_ sources: [IdsReader], maps: [[UInt32]]) throws(CorruptionError) {
    var cursors: [KeyPagesCursor] = []
    var active: [Int] = []
    for (index, source) in sources.enumerated() {
      cursors.append(try source.sortedCursor())
      if try cursors[index].next() { active.append(index) }
    }
    while !active.isEmpty {
      // Few sources: a linear look at all of them is as fast as a heap.
      var least = 0
      for place in active.indices.dropFirst() {
        let order = cursors[active[place]].key.withUnsafeBytes { key in
          cursors[active[least]].key.withUnsafeBytes { KeyBytes.compare(key, $0) }
        }
        if order < 0 { least = place }
      }
      let source = active[least]
      let document = cursors[source].number
      if document < UInt64(maps[source].count), maps[source][Int(document)] != .max {
        cursors[source].key.withUnsafeBytes { add($0, document: maps[source][Int(document)]) }
      }
      if try !cursors[source].next() { active.remove(at: least) }
    }
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
