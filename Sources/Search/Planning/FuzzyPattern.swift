// Which words lie within a distance of one: the edit distance, row by row.

internal import LimelightSegments

/// A word and a distance of 1 or 2: what is left out, added, changed or swapped with its neighbour.
///
/// The distance is the optimal string alignment (a pair that was swapped is not edited again), over
/// Unicode scalars of folded terms. This is the test of single terms, a row of the distance table a
/// scalar; `FuzzyTermIterator` finds the near terms of a dictionary.
package struct FuzzyPattern: Sendable {
  package let term: [UInt8]
  package let distance: Int
  /// The scalars of the term.
  let scalars: [UInt32]

  package init(_ term: [UInt8], distance: Int) {
    self.term = term
    self.distance = min(max(distance, 0), 2)
    scalars = term.withUnsafeBytes { UTF8Scalars.all($0) }
  }

  /// The length of a row.
  private var rowLength: Int { scalars.count + 1 }

  /// The first row: so many scalars are left out.
  private func fillFirst(_ row: UnsafeMutablePointer<UInt8>) {
    for i in 0..<rowLength { row[i] = UInt8(min(i, distance + 1)) }
  }

  /// The row behind one more scalar; returns its least cell.
  ///
  /// `before` are the row and the scalar before `last`, if there are any. Cells beyond the distance
  /// are all one more than it.
  private func step(
    _ scalar: UInt32, from last: UnsafePointer<UInt8>,
    before: (row: UnsafePointer<UInt8>, scalar: UInt32)?, into row: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let limit = UInt8(distance + 1)
    row[0] = min(last[0] &+ 1, limit)
    var least = row[0]
    for i in 0..<scalars.count {
      var cell = last[i] &+ (scalars[i] == scalar ? 0 : 1)
      cell = min(cell, last[i &+ 1] &+ 1, row[i] &+ 1)
      if let before, i > 0, scalars[i &- 1] == scalar, scalars[i] == before.scalar {
        cell = min(cell, before.row[i &- 1] &+ 1)
      }
      cell = min(cell, limit)
      row[i &+ 1] = cell
      least = min(least, cell)
    }
    return Int(least)
  }

  /// Whether a row is that of a whole term within the distance.
  private func accepts(_ row: UnsafePointer<UInt8>) -> Bool { Int(row[scalars.count]) <= distance }

  /// Whether a term is within the distance.
  package func matches(_ other: UnsafeRawBufferPointer) -> Bool {
    let other = UTF8Scalars.all(other)
    guard abs(other.count - scalars.count) <= distance else { return false }
    let length = rowLength
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 3 * length) { rows in
      guard let base = rows.baseAddress else { return false }
      fillFirst(base)
      for (depth, scalar) in other.enumerated() {
        let row = base + (depth + 1) % 3 * length
        let last = base + depth % 3 * length
        let least =
          depth == 0
          ? step(scalar, from: last, before: nil, into: row)
          : step(
            scalar, from: last,
            before: (UnsafePointer(base + (depth + 2) % 3 * length), other[depth - 1]), into: row)
        if least > distance { return false }
      }
      return accepts(base + other.count % 3 * length)
    }
  }

  /// A test for terms, such as those of a hit's text.
  package static func test(
    _ term: [UInt8], _ distance: Int
  ) -> @Sendable (UnsafeRawBufferPointer) -> Bool {
    let pattern = FuzzyPattern(term, distance: distance)
    return { pattern.matches($0) }
  }
}
