// Which neighbouring segments to merge, and when.

/// Chooses runs of neighbours to merge, so that the number of segments stays logarithmic.
///
/// A segment's level is the number of times its size can be divided by eight before it is below the
/// smallest size. Eight neighbours of which none is above the level of the smallest of them that make
/// up a run of one level are merged; each item is so rewritten once a level. Segments keep their order,
/// so that document order stays arrival order.
enum MergePolicy {
  static let fanIn = 8

  /// The level of a size.
  static func level(_ size: Int, smallest: Int) -> Int {
    var level = 0
    var rest = size / max(smallest, 1)
    while rest >= fanIn {
      rest /= fanIn
      level += 1
    }
    return level
  }

  /// The first run to merge, or nil.
  ///
  /// `levels` are those of neighbours, oldest first.
  ///
  /// A run is a stretch of at least eight segments whose levels are at most `L` and of which at least
  /// eight have exactly `L`, or of which smaller ones lie between them.
  static func run(_ levels: [Int]) -> Range<Int>? {
    for level in Set(levels).sorted() {
      var start = 0
      while start < levels.count {
        guard levels[start] <= level else {
          start += 1
          continue
        }
        var end = start
        while end < levels.count && levels[end] <= level { end += 1 }
        if end - start >= fanIn { return start..<(start + fanIn) }
        start = end
      }
    }
    return nil
  }

  /// Segments with more dead items than live ones are rewritten on their own.
  static func isWasteful(documents: Int, live: Int) -> Bool {
    documents >= 64 && live * 2 < documents
  }
}
