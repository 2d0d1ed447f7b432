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

  /// Drops the candidates `read ..< stop` that are not in a block and moves the others to `kept` and on;
  /// returns where they end.
  ///
  /// Candidates ascend; with each goes its slot. Behind the block's documents stands `.max`. Where those
  /// that are left stand in the block, plus 1, is stored from `found[0]` on. A few candidates are searched
  /// for; more are looked up in a table of bytes by document, without a branch, if the block is dense
  /// enough.
  @inline(__always)
  static func retain(
    _ candidates: UnsafeMutablePointer<UInt32>, _ slots: UnsafeMutablePointer<UInt32>,
    from read: Int,
    to stop: Int, at kept: Int, in documents: UnsafePointer<UInt32>, size: Int,
    table: UnsafeMutablePointer<UInt8>, found: UnsafeMutablePointer<UInt8>
  ) -> Int {
    guard size > 0 else { return kept }
    let first = documents[0]
    let span = Int(documents[size &- 1] &- first) &+ 1
    var end = kept
    if stop &- read < searchLimit || span > tableSize {
      var index = 0
      for i in read..<stop {
        let candidate = candidates[i]
        index = self.first(notBelow: candidate, in: documents, from: index, count: size)
        candidates[end] = candidate
        slots[end] = slots[i]
        found[end &- kept] = UInt8(truncatingIfNeeded: index &+ 1)
        // 1 if it is there, as a number: whether it is cannot be guessed. Behind the last document stands
        // one that is none.
        end &+= Int(truncatingIfNeeded: (UInt64(documents[index] ^ candidate) &- 1) &>> 63)
      }
      return end
    }
    // One entry more, always 0, stands for all documents outside the block.
    table.update(repeating: 0, count: span &+ 1)
    for i in 0..<size { table[Int(documents[i] &- first)] = UInt8(truncatingIfNeeded: i &+ 1) }
    let outside = UInt32(truncatingIfNeeded: span)
    for i in read..<stop {
      let candidate = candidates[i]
      let place = table[Int(min(candidate &- first, outside))]
      candidates[end] = candidate
      slots[end] = slots[i]
      found[end &- kept] = place
      end &+= Int(truncatingIfNeeded: (UInt32(place) &+ 255) &>> 8)
    }
    return end
  }
}
