// What a bulk load reads, reports and returns.

package import LimelightItems

/// Some items of the input, in order.
package enum LoadBatch: Sendable {
  /// Items, of which the first has the number `firstPosition` in the input.
  case items([Item], firstPosition: Int)
  /// Whole lines of NDJSON; the first of them has the number `firstLine`.
  case lines([UInt8], firstLine: Int, JSONOptions)

  /// The bytes of the text, or a guess for items.
  var byteCount: Int {
    switch self {
    case .items(let items, _): items.count * 1024
    case .lines(let bytes, _, _): bytes.count
    }
  }
}

/// An item or a line that a load did not take.
package struct RefusedLine: Sendable {
  /// The number of the line from 1, or of the item from 0.
  package let position: Int
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
}
