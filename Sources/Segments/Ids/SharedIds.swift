// Which ids two segments have in common.

internal import LimelightCodecs

extension IdsReader {
  /// Calls `body` with the documents of this segment whose id a later document of it has too.
  ///
  /// One walk over the sorted ids, some 40 ns each.
  package func forEachSuperseded(
    _ body: (_ document: UInt32) -> Void
  ) throws(CorruptionError) {
    var cursor = try sortedCursor()
    var held = HeldKey()
    var before: (key: UnsafeRawBufferPointer, document: UInt64)?
    while try cursor.next() {
      let key = held.hold(cursor.key)
      if let before, KeyBytes.compare(before.key, key) == 0 {
        // Of equal ids the one of the largest document comes last.
        body(UInt32(truncatingIfNeeded: min(before.document, cursor.number)))
      }
      before = (key, cursor.number)
    }
  }

  /// Calls `body` with the documents that have a common id, this segment's and the other's.
  ///
  /// Walks over the segment with fewer ids, in their order, and looks each up in the other from where
  /// the one before was found: 0.1 us each, a fraction of a search from the root, since neighbours stand
  /// on neighbouring pages. Where ids stand more than once in a segment, each pair has a newest document
  /// on the side that is looked up, and every one on the side that is walked over.
  package func forEachShared(
    with other: IdsReader, _ body: (_ document: UInt32, _ others: UInt32) -> Void
  ) throws(CorruptionError) {
    let walksOther = other.count < count
    var cursor = try (walksOther ? other : self).sortedCursor()
    let target = walksOther ? self : other
    var search = target.ascendingSearch()
    while try cursor.next() {
      let place = try cursor.key.withUnsafeBufferPointer { key throws(CorruptionError) in
        try search.findLast(UnsafeRawBufferPointer(key))
      }
      guard place.isExact else { continue }
      let walked = UInt32(truncatingIfNeeded: cursor.number)
      let found = try target.document(place)
      body(walksOther ? found : walked, walksOther ? walked : found)
    }
  }
}
