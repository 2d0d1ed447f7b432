// Cuts what a person typed into words, quoted runs and ORs, byte by byte.

/// One piece of a typed text.
struct TypedPiece: Equatable {
  enum Kind: Equatable {
    /// What stands between white space.
    case word
    /// What stands between quotes.
    case quoted
    /// The letters `OR`, alone.
    case or
  }

  var kind: Kind
  /// Whether a minus stands in front.
  var isExcluded: Bool
  /// The bytes of the piece, without minus and quotes.
  var range: Range<Int>
  /// Whether the text ends with this piece, so that more letters of it may follow.
  var isUnfinished: Bool
}

/// Yields the pieces of a typed text in order.
///
/// White space, control characters among it, parts the pieces. A minus right in front of a piece
/// excludes it; two minuses are text (`--help`). A quote at the start of a piece opens a run up to
/// the next quote, or to the end of the text; the typographic quotes that telephones put in
/// place of the plain one count as such. A quote inside a word (`3.5"`) is text.
///
/// Each byte is looked at a bounded number of times: linear in the text.
struct TypedTextScanner {
  private let utf8: UnsafeBufferPointer<UInt8>
  private var position = 0

  /// Starts at the front of a text, valid UTF-8.
  init(_ utf8: UnsafeBufferPointer<UInt8>) {
    self.utf8 = utf8
  }

  /// The next piece, or nil at the end.
  mutating func next() -> TypedPiece? {
    while position < utf8.count {
      let length = spaceLength(at: position)
      if length == 0 { break }
      position += length
    }
    if position >= utf8.count { return nil }

    let isExcluded = opensExclusion(at: position)
    if isExcluded { position += 1 }
    let quote = quoteLength(at: position)
    return quote > 0 ? quoted(after: quote, isExcluded) : word(isExcluded)
  }

  private mutating func quoted(after quote: Int, _ isExcluded: Bool) -> TypedPiece {
    let start = position + quote
    var end = start
    while end < utf8.count {
      let closing = quoteLength(at: end)
      if closing > 0 {
        position = end + closing
        return TypedPiece(
          kind: .quoted, isExcluded: isExcluded, range: start..<end, isUnfinished: false)
      }
      end += 1
    }
    position = end
    let endsInSpace = end > start && endsWithSpace(end, from: start)
    return TypedPiece(
      kind: .quoted, isExcluded: isExcluded, range: start..<end, isUnfinished: !endsInSpace)
  }

  private mutating func word(_ isExcluded: Bool) -> TypedPiece {
    let start = position
    var lastQuoteEnd = start
    while position < utf8.count, spaceLength(at: position) == 0 {
      let quote = quoteLength(at: position)
      position += max(quote, 1)
      if quote > 0 { lastQuoteEnd = position }
    }
    let isOr =
      !isExcluded && position - start == 2 && utf8[start] == UInt8(ascii: "O")
      && utf8[start + 1] == UInt8(ascii: "R")
    return TypedPiece(
      kind: isOr ? .or : .word, isExcluded: isExcluded, range: start..<position,
      isUnfinished: position == utf8.count && lastQuoteEnd < position)
  }

  /// Whether a minus stands here with something to exclude right behind it.
  private func opensExclusion(at place: Int) -> Bool {
    let minus = UInt8(ascii: "-")
    return utf8[place] == minus && place + 1 < utf8.count && utf8[place + 1] != minus
      && spaceLength(at: place + 1) == 0
  }

  /// Whether the bytes before this place, from the start on, end in white space.
  private func endsWithSpace(_ end: Int, from start: Int) -> Bool {
    (1...3).contains { back in end - back >= start && spaceLength(at: end - back) == back }
  }

  /// Bytes of the white space or control character at this place; 0 when there is none.
  private func spaceLength(at place: Int) -> Int {
    switch utf8[place] {
    case 0...0x20, 0x7F: return 1
    case 0xC2:  // U+0080 to U+00A0: controls and the space that does not break
      return byte(place + 1) >= 0x80 && byte(place + 1) <= 0xA0 ? 2 : 0
    case 0xE1:  // U+1680
      return byte(place + 1) == 0x9A && byte(place + 2) == 0x80 ? 3 : 0
    case 0xE2:  // U+2000 to U+200A, U+2028, U+2029, U+202F; U+205F
      let last = byte(place + 2)
      if byte(place + 1) == 0x81 { return last == 0x9F ? 3 : 0 }
      guard byte(place + 1) == 0x80 else { return 0 }
      return (0x80...0x8A).contains(last) || [0xA8, 0xA9, 0xAF].contains(last) ? 3 : 0
    case 0xE3:  // U+3000
      return byte(place + 1) == 0x80 && byte(place + 2) == 0x80 ? 3 : 0
    default: return 0
    }
  }

  /// Bytes of the double quote at this place; 0 when there is none.
  private func quoteLength(at place: Int) -> Int {
    guard place < utf8.count else { return 0 }
    switch utf8[place] {
    case UInt8(ascii: "\""): return 1
    case 0xC2:  // U+00AB, U+00BB
      return byte(place + 1) == 0xAB || byte(place + 1) == 0xBB ? 2 : 0
    case 0xE2:  // U+201C to U+201F
      return byte(place + 1) == 0x80 && (0x9C...0x9F).contains(byte(place + 2)) ? 3 : 0
    case 0xEF:  // U+FF02
      return byte(place + 1) == 0xBC && byte(place + 2) == 0x82 ? 3 : 0
    default: return 0
    }
  }

  /// The byte at this place, 0 behind the end.
  private func byte(_ place: Int) -> UInt8 {
    place < utf8.count ? utf8[place] : 0
  }
}
