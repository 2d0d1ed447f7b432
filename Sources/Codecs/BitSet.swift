// Bit sets over plain words: bit i is bit i % 64 of word i / 64.

internal import CWide

/// Operations on sets of small numbers, kept as words that someone else owns.
///
/// All are linear in the words that they touch and allocate nothing. None checks a bound: the
/// caller owns the words and knows how many there are.
@usableFromInline
package enum BitSet {
  /// The words for `bits` bits.
  @inlinable
  package static func wordCount(_ bits: Int) -> Int { (bits &+ 63) &>> 6 }

  // MARK: One bit

  /// Whether a bit is set.
  @inlinable
  @inline(__always)
  package static func test(_ words: UnsafePointer<UInt64>, _ index: Int) -> Bool {
    words[index &>> 6] &>> UInt64(truncatingIfNeeded: index & 63) & 1 != 0
  }

  /// Sets a bit.
  @inlinable
  @inline(__always)
  package static func set(_ words: UnsafeMutablePointer<UInt64>, _ index: Int) {
    words[index &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: index & 63)
  }

  /// Clears a bit.
  @inlinable
  @inline(__always)
  package static func clear(_ words: UnsafeMutablePointer<UInt64>, _ index: Int) {
    words[index &>> 6] &= ~(1 &<< UInt64(truncatingIfNeeded: index & 63))
  }

  /// Sets the bits `from ..< to`.
  @inlinable
  package static func setRange(_ words: UnsafeMutablePointer<UInt64>, from: Int, to: Int) {
    guard from < to else { return }
    let first = from &>> 6
    let last = (to &- 1) &>> 6
    if first == last {
      words[first] |= mask(from: from) & mask(upTo: to)
      return
    }
    words[first] |= mask(from: from)
    var word = first &+ 1
    while word < last {
      words[word] = .max
      word &+= 1
    }
    words[last] |= mask(upTo: to)
  }

  /// Writes the set bits of `from ..< to`, ascending, and returns how many: all of them, or at least
  /// `limit` if there are more than that.
  ///
  /// `out` needs room for `limit` and 80 more.
  package static func extractAll(
    _ words: UnsafePointer<UInt64>, from: Int, to: Int, limit: Int,
    into out: UnsafeMutablePointer<UInt32>
  ) -> Int {
    #if arch(x86_64)
      if Wide.isSupported { return wide_extract(words, from, to, limit, out) }
    #endif
    var place = from
    let found = extract(words, from: &place, to: to, into: out, limit: limit)
    return next(words, from: place, to: to) < to ? found &+ 1 : found
  }

  /// The bits of a word from that of `index` on.
  @inlinable
  @inline(__always)
  static func mask(from index: Int) -> UInt64 {
    .max &<< UInt64(truncatingIfNeeded: index & 63)
  }

  /// The bits of a word before that of `index`, or all if `index` opens a word.
  @inlinable
  @inline(__always)
  static func mask(upTo index: Int) -> UInt64 {
    .max &>> UInt64(truncatingIfNeeded: (0 &- index) & 63)
  }

  // MARK: Counting

  /// The set bits in `count` words.
  package static func popcount(_ words: UnsafePointer<UInt64>, _ count: Int) -> Int {
    #if arch(x86_64)
      if count > 8, Wide.isSupported { return wide_popcount(words, count) }
    #endif
    return popcountPortably(words, count)
  }

  /// The same on any processor.
  package static func popcountPortably(_ words: UnsafePointer<UInt64>, _ count: Int) -> Int {
    var sum = 0
    var index = 0
    while index < count {
      sum &+= words[index].nonzeroBitCount
      index &+= 1
    }
    return sum
  }

  /// The bits set in both of two sets of `count` words.
  package static func countAnd(
    _ a: UnsafePointer<UInt64>, _ b: UnsafePointer<UInt64>, _ count: Int
  ) -> Int {
    #if arch(x86_64)
      if count > 8, Wide.isSupported { return wide_popcount_and(a, b, count) }
    #endif
    return countAndPortably(a, b, count)
  }

  /// The same on any processor.
  package static func countAndPortably(
    _ a: UnsafePointer<UInt64>, _ b: UnsafePointer<UInt64>, _ count: Int
  ) -> Int {
    var sum = 0
    var index = 0
    while index < count {
      sum &+= (a[index] & b[index]).nonzeroBitCount
      index &+= 1
    }
    return sum
  }

  /// The set bits in `from ..< to`.
  package static func rank(_ words: UnsafePointer<UInt64>, from: Int, to: Int) -> Int {
    guard from < to else { return 0 }
    #if arch(x86_64)
      if Wide.isSupported { return wide_rank(words, from, to) }
    #endif
    return rankPortably(words, from: from, to: to)
  }

  /// The same on any processor.
  package static func rankPortably(_ words: UnsafePointer<UInt64>, from: Int, to: Int) -> Int {
    guard from < to else { return 0 }
    let first = from &>> 6
    let last = (to &- 1) &>> 6
    if first == last {
      return (words[first] & mask(from: from) & mask(upTo: to)).nonzeroBitCount
    }
    return (words[first] & mask(from: from)).nonzeroBitCount
      &+ popcountPortably(words + (first &+ 1), last &- first &- 1)
      &+ (words[last] & mask(upTo: to)).nonzeroBitCount
  }

  // MARK: Two sets

  /// Stores the intersection of two sets, which may be one of them.
  @inlinable
  package static func and(
    _ a: UnsafePointer<UInt64>, _ b: UnsafePointer<UInt64>, _ count: Int,
    into out: UnsafeMutablePointer<UInt64>
  ) {
    for index in 0..<count { out[index] = a[index] & b[index] }
  }

  /// Stores the union of two sets, which may be one of them.
  @inlinable
  package static func or(
    _ a: UnsafePointer<UInt64>, _ b: UnsafePointer<UInt64>, _ count: Int,
    into out: UnsafeMutablePointer<UInt64>
  ) {
    for index in 0..<count { out[index] = a[index] | b[index] }
  }

  /// Adds a set that is somewhere else: several times as fast as `or` into one of its operands.
  @inlinable
  package static func unite(
    _ words: UnsafeMutablePointer<UInt64>, with other: UnsafePointer<UInt64>, _ count: Int
  ) {
    for index in 0..<count { words[index] |= other[index] }
  }

  /// Stores what is in `a` and not in `b`; `out` may be one of them.
  @inlinable
  package static func andNot(
    _ a: UnsafePointer<UInt64>, _ b: UnsafePointer<UInt64>, _ count: Int,
    into out: UnsafeMutablePointer<UInt64>
  ) {
    for index in 0..<count { out[index] = a[index] & ~b[index] }
  }

  // MARK: Walking

  /// The first set bit in `from ..< to`, or `to` if there is none.
  @inlinable
  package static func next(_ words: UnsafePointer<UInt64>, from: Int, to: Int) -> Int {
    guard from < to else { return to }
    var index = from &>> 6
    let last = (to &- 1) &>> 6
    var word = words[index] & mask(from: from)
    while word == 0 {
      index &+= 1
      guard index <= last else { return to }
      word = words[index]
    }
    return min(index &* 64 &+ word.trailingZeroBitCount, to)
  }

  /// Writes the set bits of `from ..< to`, each plus `base`, up to `limit` of them, and returns how
  /// many they are.
  ///
  /// `from` moves behind the last bit looked at: call again until it has reached `to`.
  @inlinable
  package static func extract(
    _ words: UnsafePointer<UInt64>, from: inout Int, to: Int, base: UInt32 = 0,
    into out: UnsafeMutablePointer<UInt32>, limit: Int = 128
  ) -> Int {
    var found = 0
    while from < to && found < limit {
      let start = from & ~63
      var word = words[from &>> 6] & mask(from: from)
      if to &- start < 64 { word &= mask(upTo: to) }
      while word != 0 && found < limit {
        let bit = start &+ word.trailingZeroBitCount
        out[found] = base &+ UInt32(truncatingIfNeeded: bit)
        found &+= 1
        word &= word &- 1
        from = bit &+ 1
      }
      if word == 0 { from = min(start &+ 64, to) }
    }
    return found
  }
}
