// Puts the terms of a table into the order in which a segment stores them.

internal import LimelightSegments

/// A term of a table with what it is sorted by.
struct SortedTerm {
  /// The first 8 bytes as one number.
  let head: UInt64
  /// The place of its field among all fields.
  let rank: UInt16
  let number: UInt32
}

extension TermTable {
  /// What a term takes while terms are sorted: itself, and its number in the order.
  static var sortedBytes: Int { MemoryLayout<SortedTerm>.stride + MemoryLayout<UInt32>.stride }

  /// All terms by field, given as a rank for each field number, and by bytes.
  ///
  /// Sorts by the first 8 bytes as one number; only terms that agree in them compare further.
  func sorted(fieldRanks: [UInt16]) -> [SortedTerm] {
    var keys: [SortedTerm] = []
    keys.reserveCapacity(count)
    for number in 0..<count {
      let bytes = bytes(of: number)
      var head: UInt64 = 0
      if bytes.count >= 8, let base = bytes.baseAddress {
        head = UInt64(bigEndian: base.loadUnaligned(as: UInt64.self))
      } else {
        for i in 0..<bytes.count { head |= UInt64(bytes[i]) &<< UInt64(56 &- 8 &* i) }
      }
      keys.append(
        SortedTerm(
          head: head, rank: fieldRanks[Int(terms[number].field)],
          number: UInt32(truncatingIfNeeded: number)))
    }
    keys.sort { a, b in
      if a.rank != b.rank { return a.rank < b.rank }
      if a.head != b.head { return a.head < b.head }
      return TermOrder.compare(bytes(of: Int(a.number)), bytes(of: Int(b.number))) < 0
    }
    return keys
  }
}
