// What a merge reads: segments with their live items, and where each item goes.

internal import LimelightSegments
internal import LimelightSnapshots

/// Where the items of the inputs go: one row of new document numbers an input.
struct DocumentMap {
  /// The number for items that are not taken over.
  static let dropped = UInt32.max

  /// For each input and each of its documents the new number, or `dropped`.
  private(set) var rows: [[UInt32]]
  /// Whether all documents of an input are taken over.
  let isWhole: [Bool]
  /// The documents of the output.
  let count: Int
  /// Whether the items that are taken over keep their order, so that numbers only shift.
  private(set) var keepsOrder: Bool
  /// For each document of the output its rank by arrival; empty if that is the document's number.
  private(set) var ranks: [UInt32] = []

  /// Keeps the live items of each input, in the order of their arrival.
  init(_ views: [SegmentView]) throws(CorruptionError) {
    var rows: [[UInt32]] = []
    var isWhole: [Bool] = []
    var keepsOrder = true
    var next: UInt32 = 0
    for view in views {
      let documents = view.segment.documentCount
      var row = [UInt32](repeating: DocumentMap.dropped, count: documents)
      if let order = try view.segment.arrivalOrder() {
        keepsOrder = false
        for document in order.documents() where view.live.isLive(document) {
          row[Int(document)] = next
          next &+= 1
        }
      } else {
        for document in 0..<documents where view.live.isLive(UInt32(truncatingIfNeeded: document)) {
          row[document] = next
          next &+= 1
        }
      }
      rows.append(row)
      isWhole.append(view.live.deadCount == 0)
    }
    self.rows = rows
    self.isWhole = isWhole
    self.keepsOrder = keepsOrder
    count = Int(next)
  }

  /// Gives the items another order: `order` has their ranks by arrival, in the order of the documents to be.
  mutating func reorder(_ order: [UInt32]) {
    var documents = [UInt32](repeating: 0, count: count)
    for (document, rank) in order.enumerated() {
      documents[Int(rank)] = UInt32(truncatingIfNeeded: document)
    }
    for input in rows.indices {
      for place in rows[input].indices where rows[input][place] != DocumentMap.dropped {
        rows[input][place] = documents[Int(rows[input][place])]
      }
    }
    ranks = order
    keepsOrder = false
  }

  /// For each document of the output the input and the document that it comes from.
  func origins() -> [(input: UInt32, document: UInt32)] {
    var origins = [(input: UInt32, document: UInt32)](repeating: (0, 0), count: count)
    for (input, row) in rows.enumerated() {
      for (document, new) in row.enumerated() where new != DocumentMap.dropped {
        origins[Int(new)] = (
          UInt32(truncatingIfNeeded: input), UInt32(truncatingIfNeeded: document)
        )
      }
    }
    return origins
  }
}
