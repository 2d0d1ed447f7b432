// Which neighbouring segments to merge, and when.

/// Chooses runs of neighbours to merge, so that there are few segments and each item is rewritten seldom.
///
/// A segment's level is the number of times its size can be divided by eight before it is below the
/// smallest size. Eight segments of one level are merged, with the smaller ones that lie between them, if
/// no larger one does: neighbours only, so that document order stays arrival order. A large segment is so
/// never rewritten for the sake of a few small ones behind it: an item is rewritten about once a level,
/// which is the logarithm of the index's size.
package enum MergePolicy {
  package static let fanIn = 8

  /// The level of a size.
  package static func level(_ size: Int, smallest: Int) -> Int {
    var level = 0
    var rest = size / max(smallest, 1)
    while rest >= fanIn {
      rest /= fanIn
      level += 1
    }
    return level
  }

  /// The first run to merge, of the lowest level that has one; nil if there is none.
  ///
  /// `levels` are those of neighbours, oldest first. A run goes on, up to `most` of its level, while no
  /// larger one comes: where many have gathered, each is rewritten once instead of by eights and eights.
  /// Linear in the levels for each level.
  package static func run(_ levels: [Int], atMost most: Int = fanIn) -> Range<Int>? {
    for level in Set(levels).sorted() {
      var first: Int?
      var last = 0
      var found = 0
      for (place, other) in levels.enumerated() {
        if other > level {
          if let first, found >= fanIn { return first..<(last + 1) }
          first = nil
          found = 0
        } else if other == level {
          first = first ?? place
          last = place
          found += 1
          if let first, found >= fanIn, found >= most { return first..<(last + 1) }
        }
      }
      if let first, found >= fanIn { return first..<(last + 1) }
    }
    return nil
  }

  /// Segments with more dead items than live ones are rewritten on their own.
  package static func isWasteful(documents: Int, live: Int) -> Bool {
    documents >= 64 && live * 2 < documents
  }
}
