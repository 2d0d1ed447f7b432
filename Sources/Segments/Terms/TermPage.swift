// Reads the keys of one page of terms.

internal import LimelightCodecs

/// How a page of 32 front-coded keys is read; `TermDictionaryWriter` draws the bytes.
enum TermPage {
  /// The places where the data of the page's first term starts.
  static func bases(_ reader: inout ByteReader) throws(DecodingError) -> ListPlaces {
    let start = reader.position
    let places = ListPlaces(
      postings: try reader.varint(), positions: try reader.varint(), skips: try reader.varint(),
      bitSets: try reader.varint())
    guard (places.postings | places.positions | places.skips | places.bitSets) < 1 << 48 else {
      throw .corrupt("a term page starts outside the segment", at: start)
    }
    return places
  }

  /// The number of bytes a key shares with the one before it, and the number that follow.
  @inline(__always)
  static func step(_ keys: inout ByteReader) throws(DecodingError) -> (shared: Int, rest: Int) {
    let both = try keys.u8()
    var shared = Int(both >> 4)
    var rest = Int(both & 15)
    if shared == 15 {
      shared &+= try keys.length(atMost: TermDictionaryWriter.longestTerm)
    }
    if rest == 15 {
      rest &+= try keys.length(atMost: TermDictionaryWriter.longestTerm)
    }
    return (shared, rest)
  }

  /// The place of a term on the page, or nil if it is not there.
  ///
  /// No key is rebuilt: `matched` counts the bytes that the term shares with the key at hand, and a
  /// key that shares more with its forerunner than the term did is smaller than the term too.
  static func find(
    _ term: UnsafeRawBufferPointer, _ keys: inout ByteReader, count: Int
  ) throws(DecodingError) -> Int? {
    let length = try keys.length(atMost: TermDictionaryWriter.longestTerm)
    var suffix = try keys.bytes(length)
    var matched = 0
    var ordinal = 0
    while true {
      // The key is `matched` shared bytes and `suffix`; all smaller keys are behind us.
      var i = 0
      let limit = min(suffix.count, term.count &- matched)
      while i < limit && suffix[i] == term[matched &+ i] { i &+= 1 }
      if i == suffix.count && matched &+ i == term.count { return ordinal }
      // A key that ends within the term is smaller; one in which the term ends is larger.
      let isLarger =
        i < suffix.count && (matched &+ i == term.count || suffix[i] > term[matched &+ i])
      if isLarger { return nil }
      matched &+= i
      var shared = 0
      repeat {
        ordinal &+= 1
        guard ordinal < count else { return nil }
        let step = try step(&keys)
        shared = step.shared
        suffix = try keys.bytes(step.rest)
      } while shared > matched
      // Sharing less with a smaller key than the term does, the key is larger than the term.
      if shared < matched { return nil }
    }
  }
}
