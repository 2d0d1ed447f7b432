// What a merge reads: segments with their live items, and where each item goes.

internal import LimelightSegments
internal import LimelightSnapshots

/// Where the items of the inputs go: one row of new document numbers an input.
struct DocumentMap {
  /// The number for items that are not taken over.
  static let dropped = UInt32.max

  /// For each input and each of its documents the new number, or `dropped`.
  let rows: [[UInt32]]
  /// Whether all documents of an input are taken over, so that numbers only shift.
  let isWhole: [Bool]
  /// The documents of the output.
  let count: Int

  /// Keeps the live items of each input, in order.
  init(_ views: [SegmentView]) {
    var rows: [[UInt32]] = []
    var isWhole: [Bool] = []
    var next: UInt32 = 0
    for view in views {
      let documents = view.segment.documentCount
      var row = [UInt32](repeating: DocumentMap.dropped, count: documents)
      for document in 0..<documents where view.live.isLive(UInt32(truncatingIfNeeded: document)) {
        row[document] = next
        next &+= 1
      }
      rows.append(row)
      isWhole.append(view.live.deadCount == 0)
    }
    self.rows = rows
    self.isWhole = isWhole
    count = Int(next)
  }
}
