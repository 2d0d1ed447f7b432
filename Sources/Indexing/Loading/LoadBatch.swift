// What a bulk load reads, reports and returns.

package import LimelightItems

/// Some items of the input, in order.
package enum LoadBatch: Sendable {
  /// Items, of which the first has the number `firstPosition` in the input.
  case items([Item], firstPosition: Int)
  /// Whole lines of NDJSON; the first of them has the number `firstLine` from 1 and the number
  /// `firstPosition` from 0 in the input.
  case lines([UInt8], firstLine: Int, firstPosition: Int, JSONOptions)

  /// What an item that is no text is reported as, in bytes.
  static let itemBytes = 1024
  /// What an item costs beside its values, about.
  private static let itemOverhead = 64

  /// The bytes of the text, or of the items' values.
  var byteCount: Int {
    switch self {
    case .items(let items, _):
      items.reduce(0) { sum, item in
        item.attributes.reduce(sum + Self.itemOverhead) { $0 + $1.value.byteCount }
      }
    case .lines(let bytes, _, _, _): bytes.count
    }
  }
}

/// An item or a line that a load did not take.
package struct RefusedLine: Sendable {
  /// The number of the item or line in the input, from 0.
  package let position: Int
  /// The number of the line as the host counts them.
  package let line: Int?
  package let id: String?
  package let error: ItemError
}

/// How far a load is, or what it did.
package struct LoadOutcome: Sendable {
  /// Items or lines read.
  package var read = 0
  package var put = 0
  package var bytes = 0
  package var refused: [RefusedLine] = []
  /// The ids that were made for items without one, with their places in the input.
  package var madeIDs: [(position: Int, id: String)] = []
  /// The number of the change; that of the one before if nothing was put.
  package var generation: UInt64 = 0
  /// Whether the load was cancelled; what is counted here is in the index all the same.
  package var isCancelled = false
}
