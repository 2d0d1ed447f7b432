// Puts the terms of a table into the order in which a segment stores them.

internal import LimelightSegments

extension TermTable {
  /// The numbers of all terms by field, given as a rank for each field number, and by bytes.
  ///
  /// Sorts by the first 8 bytes as one number; only terms that agree in them compare further.
  func sorted(fieldRanks: [UInt16]) -> [UInt32] {
    var keys = [(head: UInt64, rank: UInt16, number: UInt32)]()
    keys.reserveCapacity(count)
    for number in 0..<count {
      let bytes = bytes(of: number)
      var head: UInt64 = 0
      if bytes.count >= 8, let base = bytes.baseAddress {
        head = UInt64(bigEndian: base.loadUnaligned(as: UInt64.self))
      } else {
        for i in 0..<bytes.count { head |= UInt64(bytes[i]) &<< UInt64(56 &- 8 &* i) }
      }
      keys.append((head, fieldRanks[Int(terms[number].field)], UInt32(truncatingIfNeeded: number)))
    }
    keys.sort { a, b in
      if a.rank != b.rank { return a.rank < b.rank }
      if a.head != b.head { return a.head < b.head }
      return TermOrder.compare(bytes(of: Int(a.number)), bytes(of: Int(b.number))) < 0
    }
    return keys.map(\.number)
  }
}
