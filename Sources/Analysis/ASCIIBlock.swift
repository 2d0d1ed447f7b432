// Sixty-four bytes at a time: which are letters or digits, which are not ASCII, all lower-cased.

/// Bit masks over 64 source bytes, bit i for byte i.
///
/// Eight bytes are tested at once in one integer: with the high bits cleared, an addition to each
/// byte carries into its own high bit exactly when the byte reaches a bound, and never further.
struct ASCIIBlock {
  /// Letters and digits.
  var word: UInt64 = 0
  /// Bytes of scalars beyond ASCII.
  var high: UInt64 = 0
  /// Low lines; only when asked for.
  var lowLine: UInt64 = 0
  /// Spaces; only when asked for.
  var space: UInt64 = 0

  static var size: Int { 64 }

  /// Reads a block and writes its bytes to `lowered`, capital letters made small.
  @inline(__always)
  init(_ source: UnsafeRawPointer, lowered: UnsafeMutableRawPointer, separators: Bool) {
    var offset = 0
    while offset < ASCIIBlock.size {
      let x = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
      let high = x & ASCIIBlock.highs
      let y = x & ~ASCIIBlock.highs
      let letters = ASCIIBlock.within(y | ASCIIBlock.spread(0x20), 0x61, 0x7A) & ~high
      let digits = ASCIIBlock.within(y, 0x30, 0x39) & ~high
      let shift = UInt64(truncatingIfNeeded: offset)
      lowered.storeBytes(
        of: (x | letters &>> 2).littleEndian, toByteOffset: offset, as: UInt64.self)
      word |= ASCIIBlock.gather(letters | digits) &<< shift
      self.high |= ASCIIBlock.gather(high) &<< shift
      if separators {
        let lines = ASCIIBlock.within(y, 0x5F, 0x5F) & ~high
        let spaces = ASCIIBlock.within(y, 0x20, 0x20) & ~high
        lowLine |= ASCIIBlock.gather(lines) &<< shift
        space |= ASCIIBlock.gather(spaces) &<< shift
      }
      offset &+= 8
    }
  }

  static var highs: UInt64 { 0x8080_8080_8080_8080 }

  @inline(__always) static func spread(_ byte: UInt64) -> UInt64 {
    byte &* 0x0101_0101_0101_0101
  }

  /// The high bit of each byte of `y` (all below 0x80) that lies in low...high.
  @inline(__always) static func within(_ y: UInt64, _ low: UInt64, _ high: UInt64) -> UInt64 {
    (y &+ spread(0x80 &- low)) & ~(y &+ spread(0x7F &- high)) & highs
  }

  /// The high bits of eight bytes as the low eight bits.
  @inline(__always) static func gather(_ bits: UInt64) -> UInt64 {
    ((bits &>> 7) &* 0x0102_0408_1020_4080) &>> 56
  }

  /// Eight bytes, all ASCII, with capital letters made small.
  @inline(__always) static func lowered(_ x: UInt64) -> UInt64 {
    x | within(x, 0x41, 0x5A) &>> 2
  }
}
