// A text that is one short word of ASCII, as most queries' are: taken without the blocks of longer texts.

/// What makes a text a short word: letters and digits of ASCII, no more than 16.
///
/// Both analysers make one token of it. Takes a quarter of the time of a block.
enum ShortWord {
  static var longest: Int { 16 }

  /// The bytes with capital letters made small; nil if there are others than letters and digits.
  ///
  /// Bytes of zero count as letters: those behind the word's end.
  @inline(__always)
  fileprivate static func lowered(_ bytes: UInt64) -> UInt64? {
    guard bytes & ASCIIBlock.highs == 0 else { return nil }
    let letters = ASCIIBlock.within(bytes | ASCIIBlock.spread(0x20), 0x61, 0x7A)
    let digits = ASCIIBlock.within(bytes, 0x30, 0x39)
    let zeros = ASCIIBlock.within(bytes, 0, 0)
    guard letters | digits | zeros == ASCIIBlock.highs else { return nil }
    return bytes | letters &>> 2
  }

  /// Up to eight bytes, with zeros behind them; loads that overlap see the same bytes.
  @inline(__always)
  fileprivate static func load(_ source: UnsafeRawPointer, _ count: Int) -> UInt64 {
    if count >= 8 { return UInt64(littleEndian: source.loadUnaligned(as: UInt64.self)) }
    if count >= 4 {
      let low = UInt32(littleEndian: source.loadUnaligned(as: UInt32.self))
      let high = UInt32(
        littleEndian: source.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
      return UInt64(low) | UInt64(high) &<< UInt64(8 &* (count &- 4))
    }
    var bytes: UInt64 = 0
    for i in 0..<count {
      bytes |= UInt64(source.load(fromByteOffset: i, as: UInt8.self)) &<< UInt64(8 &* i)
    }
    return bytes
  }

  /// Whether none of the first bytes is zero.
  @inline(__always)
  fileprivate static func holdsNoZero(_ bytes: UInt64, _ count: Int) -> Bool {
    let zeros = ASCIIBlock.within(bytes & ~ASCIIBlock.highs, 0, 0)
    return zeros.trailingZeroBitCount >= 8 &* count
  }
}

extension TokenColumns {
  /// Makes a text of 1 to 16 bytes the only token, if it is a short word; the columns are prepared for
  /// it and empty.
  @inline(__always)
  mutating func take(shortWord source: UnsafeRawPointer, count size: Int) -> Bool {
    let first = ShortWord.load(source, size)
    let second = size > 8 ? ShortWord.load(source + 8, size &- 8) : 0
    // A zero in the text is no letter: it leaves fewer bytes than there should be.
    guard let low = ShortWord.lowered(first), let high = ShortWord.lowered(second),
      ShortWord.holdsNoZero(first, min(size, 8)), ShortWord.holdsNoZero(second, max(size &- 8, 0))
    else { return false }
    let mirror = UnsafeMutableRawPointer(bytes)
    mirror.storeBytes(of: low.littleEndian, as: UInt64.self)
    mirror.storeBytes(of: high.littleEndian, toByteOffset: 8, as: UInt64.self)
    append(start: 0, length: size, sourceStart: 0, sourceEnd: size)
    return true
  }
}
