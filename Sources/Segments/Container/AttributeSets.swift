// The table behind the postings' masks: which sets of default attributes occur.

package import LimelightCodecs

/// The sets of default attributes that a posting's code stands for.
///
/// A posting says in which attributes of the item its term occurs. Few sets occur often, so the
/// posting holds a code and this table the sets, most frequent first; a code of `overflowCode`
/// means that the set must be worked out from the positions and the value table.
package struct AttributeSets: Equatable, Sendable {
  package static let overflowCode: UInt32 = 65_535

  /// All default attributes of the segment, most frequent first.
  package let attributes: [UInt16]
  /// For each code a bit set over the indexes of `attributes`.
  package let sets: [[UInt64]]
  /// For each code: bit i for `attributes[i]`, i < 15; bit 15 for any other.
  package let signatures: [UInt16]

  /// Makes a table of at most 65,535 sets, in the order of their codes.
  package init(attributes: [UInt16], sets: [[UInt64]]) {
    assert(sets.count <= Int(Self.overflowCode))
    self.attributes = attributes
    self.sets = sets
    signatures = sets.map(Self.signature)
  }

  /// The words that one set takes.
  package var wordsPerSet: Int { (attributes.count + 63) / 64 }

  /// The signature of a set: its first 15 bits, and bit 15 when there are more.
  package static func signature(of set: [UInt64]) -> UInt16 {
    guard let first = set.first else { return 0 }
    let others = first >> 15 != 0 || set.dropFirst().contains { $0 != 0 }
    return UInt16(first & 0x7FFF) | (others ? 0x8000 : 0)
  }

  /// The attributes of a code, in the table's order; none for a code that has no set.
  package func attributes(of code: Int) -> [UInt16] {
    guard sets.indices.contains(code) else { return [] }
    return attributes.indices.compactMap { index in
      let word = index >> 6
      guard word < sets[code].count else { return nil }
      return sets[code][word] >> UInt64(index & 63) & 1 == 1 ? attributes[index] : nil
    }
  }

  // attribute count u16, set count u16, then the attributes u16 each, then the sets:
  // ceil(attributes / 8) bytes each, bit i of the bytes for the i-th attribute
  package func encode(into writer: ByteWriter) {
    writer.u16(UInt16(truncatingIfNeeded: attributes.count))
    writer.u16(UInt16(truncatingIfNeeded: sets.count))
    for attribute in attributes { writer.u16(attribute) }
    for set in sets {
      for byte in 0..<(attributes.count + 7) / 8 {
        let word = byte >> 3 < set.count ? set[byte >> 3] : 0
        writer.u8(UInt8(truncatingIfNeeded: word >> UInt64(8 * (byte & 7))))
      }
    }
  }

  package init(decoding view: SectionView) throws(CorruptionError) {
    try view.touchAll()
    let attributeCount = Int(try view.u16(at: 0))
    let setCount = Int(try view.u16(at: 2))
    let setSize = (attributeCount + 7) / 8
    let setsStart = 4 + 2 * attributeCount
    guard view.count == setsStart + setCount * setSize else {
      throw view.corrupt("the sets do not fill the section", at: 0)
    }
    var attributes: [UInt16] = []
    attributes.reserveCapacity(attributeCount)
    for index in 0..<attributeCount { attributes.append(try view.u16(at: 4 + 2 * index)) }
    var sets: [[UInt64]] = []
    sets.reserveCapacity(setCount)
    for index in 0..<setCount {
      var words = [UInt64](repeating: 0, count: (attributeCount + 63) / 64)
      for byte in 0..<setSize {
        let value = try view.u8(at: setsStart + index * setSize + byte)
        words[byte >> 3] |= UInt64(value) << UInt64(8 * (byte & 7))
      }
      if attributeCount & 63 != 0, let last = words.last,
        last >> UInt64(attributeCount & 63) != 0
      {
        throw view.corrupt("a set names an attribute past the table", at: setsStart)
      }
      sets.append(words)
    }
    self.init(attributes: attributes, sets: sets)
  }
}
