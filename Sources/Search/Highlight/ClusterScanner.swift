// Moves offsets to the edges of the characters that people see.

/// Rounds ascending byte offsets of a text to the edges of grapheme clusters.
///
/// Nearly all offsets lie between two scalars that always part (ASCII, Latin, Cyrillic or Han
/// letters), which two bytes show. For the others, the stretch between the nearest such places is
/// read cluster by cluster with the standard library's rules. Offsets must ascend: what was read is
/// not read again, so all calls together are linear in the text, whatever it holds.
package struct ClusterScanner {
  private let utf8: UnsafeBufferPointer<UInt8>
  /// The nearest edges around the offset asked for last, both known to be edges.
  private var low = 0
  private var high = 0
  /// The rest of the stretch being read, which ends at `stretchEnd`.
  private var clusters = "".makeIterator()
  private var stretchEnd = 0

  /// Starts at the front of a text.
  package init(_ utf8: UnsafeBufferPointer<UInt8>) {
    self.utf8 = utf8
  }

  /// The last edge at or before an offset.
  package mutating func roundDown(_ offset: Int) -> Int {
    if parts(at: offset) { return offset }
    seek(offset)
    return low
  }

  /// The first edge at or after an offset.
  package mutating func roundUp(_ offset: Int) -> Int {
    if parts(at: offset) { return offset }
    seek(offset)
    return low == offset ? low : high
  }

  /// Makes `low <= offset < high`.
  private mutating func seek(_ offset: Int) {
    if offset >= stretchEnd {
      openStretch(around: offset)
    }
    while high <= offset {
      low = high
      // Bytes that are not UTF-8 have no clusters: each is then an edge of its own.
      high = clusters.next().map { high + $0.utf8.count } ?? high + 1
    }
  }

  private mutating func openStretch(around offset: Int) {
    var start = offset
    while start > stretchEnd, !parts(at: start) { start -= 1 }
    var end = offset + 1
    while !parts(at: end) { end += 1 }
    let stretch = String(validating: utf8[start..<end], as: UTF8.self)
    clusters = (stretch ?? "").makeIterator()
    low = start
    high = start
    stretchEnd = end
  }

  /// Whether both neighbours of an offset are of scalars that always part; true at both ends.
  private func parts(at offset: Int) -> Bool {
    if offset <= 0 || offset >= utf8.count { return true }
    let next = utf8[offset]
    let previous = utf8[offset - 1]
    if next < 0x80, previous < 0x80 { return !(previous == 0x0D && next == 0x0A) }
    // Inside a scalar, `next` is no lead byte, so not a plain one.
    guard Self.isPlain(lead: next) else { return false }
    if previous < 0x80 { return true }
    var place = offset - 1
    while place > 0, offset - place < 4, utf8[place] & 0xC0 == 0x80 { place -= 1 }
    return Self.isPlain(lead: utf8[place])
  }

  /// Whether all scalars with this lead byte are of grapheme break class Other and no emoji:
  /// ASCII, U+00C0 to U+027F, U+0400 to U+047F, U+4000 to U+9FFF.
  private static func isPlain(lead: UInt8) -> Bool {
    switch lead {
    case 0..<0x80, 0xC3...0xC9, 0xD0...0xD1, 0xE4...0xE9: true
    default: false
    }
  }
}
