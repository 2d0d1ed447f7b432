// Where documents stand in a decoded block.

internal import LimelightCodecs

/// Searches in the ascending documents of a block.
enum BlockIndex {
  /// The first place from `from` on whose document is not below `document`, or `count`.
  @inline(__always)
  static func first(
    notBelow document: UInt32, in documents: UnsafePointer<UInt32>, from: Int, count: Int
  ) -> Int {
    BlockSearch.firstIndex(notBelow: document, in: documents, from: from, count: count)
  }

  /// How far documents of a block may lie apart for a table by document.
  static let tableSize = 4_096
  /// Fewer candidates than these are searched for one by one.
  static let searchLimit = 12

  /// Notes for each of the ascending candidates its place in a block, plus 1, or 0 if it is not there.
  ///
  /// A few candidates are searched for; more are looked up in a table of bytes by document, without a
  /// branch, if the block is dense enough; else both lists are walked.
  static func find(
    _ candidates: UnsafePointer<UInt32>, count: Int, in documents: UnsafePointer<UInt32>,
    size: Int, table: UnsafeMutablePointer<UInt8>, into found: UnsafeMutablePointer<UInt8>
  ) {
    guard size > 0 else {
      found.update(repeating: 0, count: count)
      return
    }
    let first = documents[0]
    let span = Int(documents[size &- 1] &- first) &+ 1
    if count < searchLimit || span > tableSize {
      var index = 0
      for i in 0..<count {
        index = self.first(notBelow: candidates[i], in: documents, from: index, count: size)
        let isThere = index < size && documents[index] == candidates[i]
        found[i] = isThere ? UInt8(truncatingIfNeeded: index &+ 1) : 0
      }
      return
    }
    // One entry more, always 0, stands for all documents outside the block.
    table.update(repeating: 0, count: span &+ 1)
    for i in 0..<size { table[Int(documents[i] &- first)] = UInt8(truncatingIfNeeded: i &+ 1) }
    let outside = UInt32(truncatingIfNeeded: span)
    for i in 0..<count { found[i] = table[Int(min(candidates[i] &- first, outside))] }
  }
}
