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
    return try checked(places, at: start)
  }

  /// The same for a page that is only looked at.
  static func quickBases(_ page: ByteReader) throws(DecodingError) -> ListPlaces {
    var reader = page
    guard reader.remaining >= 4 * QuickVarint.window else { return try bases(&reader) }
    var at = reader.base + reader.position
    let places = ListPlaces(
      postings: QuickVarint.read(&at), positions: QuickVarint.read(&at),
      skips: QuickVarint.read(&at), bitSets: QuickVarint.read(&at))
    return try checked(places, at: reader.position)
  }

  @inline(__always)
  private static func checked(
    _ places: ListPlaces, at start: Int
  ) throws(DecodingError) -> ListPlaces {
    guard (places.postings | places.positions | places.skips | places.bitSets) < 1 << 48 else {
      throw .corrupt("a term page starts outside the segment", at: start)
    }
    return places
  }

  /// The bytes of a page's keys; the reader is behind them then.
  @inline(__always)
  static func keys(_ reader: inout ByteReader) throws(DecodingError) -> UnsafeRawBufferPointer {
    guard reader.remaining >= 5 * QuickVarint.window else {
      _ = try bases(&reader)
      return try reader.bytes(try reader.length(atMost: reader.remaining))
    }
    var at = reader.base + reader.position
    for _ in 0..<4 { QuickVarint.skip(&at) }
    let size = QuickVarint.read(&at)
    reader.position = at - reader.base
    guard size <= UInt64(reader.remaining) else {
      throw .corrupt("a length is larger than it may be", at: reader.position)
    }
    return try reader.bytes(Int(truncatingIfNeeded: size))
  }

  /// The number of bytes a key shares with the one before it, and the number that follow.
  @inline(__always)
  static func step(_ keys: inout ByteReader) throws(DecodingError) -> (shared: Int, rest: Int) {
    let both = keys.base.load(fromByteOffset: try keys.claim(1), as: UInt8.self)
    let shared = Int(both >> 4)
    let rest = Int(both & 15)
    if shared == 15 || rest == 15 { return try longStep(&keys, shared, rest) }
    return (shared, rest)
  }

  @inline(never)
  private static func longStep(
    _ keys: inout ByteReader, _ shared: Int, _ rest: Int
  ) throws(DecodingError) -> (shared: Int, rest: Int) {
    let limit = TermDictionaryWriter.longestTerm
    let moreShared = shared == 15 ? try keys.length(atMost: limit) : 0
    let moreRest = rest == 15 ? try keys.length(atMost: limit) : 0
    return (shared &+ moreShared, rest &+ moreRest)
  }

  /// The place of a term on the page, or nil if it is not there.
  ///
  /// No key is rebuilt: `matched` counts the bytes that the term shares with the key at hand, and a
  /// key that shares more with its forerunner than the term did is smaller than the term too.
  static func find(
    _ term: UnsafeRawBufferPointer, _ keys: UnsafeRawBufferPointer, count: Int
  ) throws(DecodingError) -> Int? {
    var reader = ByteReader(keys)
    var size = try reader.length(atMost: TermDictionaryWriter.longestTerm)
    let end = reader.base + reader.count
    var suffix = reader.base + (try reader.claim(size))
    var at = suffix + size
    var matched = 0
    var ordinal = 0
    while true {
      // The key is `matched` shared bytes and the suffix; all smaller keys are behind us.
      var i = 0
      let limit = min(size, term.count &- matched)
      while i < limit && suffix.load(fromByteOffset: i, as: UInt8.self) == term[matched &+ i] {
        i &+= 1
      }
      let isAtEnd = matched &+ i == term.count
      if i == size {
        if isAtEnd { return ordinal }
      } else if isAtEnd || suffix.load(fromByteOffset: i, as: UInt8.self) > term[matched &+ i] {
        // A key that ends within the term is smaller; one in which the term ends is larger.
        return nil
      }
      matched &+= i
      var shared = 0
      repeat {
        ordinal &+= 1
        guard ordinal < count else { return nil }
        guard at < end else {
          throw .corrupt("data ends before a field does", at: reader.count)
        }
        let both = at.load(as: UInt8.self)
        shared = Int(both &>> 4)
        size = Int(both & 15)
        suffix = at + 1
        if shared == 15 || size == 15 {
          reader.position = at - reader.base
          (shared, size) = try step(&reader)
          suffix = reader.base + reader.position
        }
        at = suffix + size
        guard at <= end else {
          throw .corrupt("data ends before a field does", at: reader.count)
        }
      } while shared > matched
      // Sharing less with a smaller key than the term does, the key is larger than the term.
      if shared < matched { return nil }
    }
  }
}
