// The tokens of JSON, strictly as RFC 8259 has them, out of raw bytes.

/// A position in JSON text; each method reads one token or throws.
///
/// Strings are scanned eight bytes at a time and handed out as bytes: in place, or, when they
/// hold escapes, unescaped in a scratch buffer that the next string overwrites.
struct JSONScanner {
  let base: UnsafePointer<UInt8>
  let count: Int
  /// At least `count + 16` bytes: unescaped text is never longer than escaped text, and words of
  /// eight bytes are stored whole.
  private let scratch: UnsafeMutablePointer<UInt8>
  var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, scratch: UnsafeMutablePointer<UInt8>) {
    base = bytes.baseAddress ?? UnsafePointer(scratch)
    count = bytes.count
    self.scratch = scratch
  }

  /// The error of text that is not JSON.
  func malformed(_ message: String, at place: Int? = nil) -> ItemError {
    failure(.invalidJSON, message, at: place)
  }

  /// An error with the place where it was found, by default the present one.
  func failure(_ code: ItemError.Code, _ message: String, at place: Int? = nil) -> ItemError {
    ItemError(code, message: "byte \((place ?? position) + 1): \(message)")
  }

  /// The next byte that is not white space, not yet taken; 0 at the end.
  mutating func peek() -> UInt8 {
    while position < count {
      let byte = base[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      position += 1
    }
    return 0
  }

  /// Takes a byte if it is the next one that is not white space.
  mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte, position < count else { return false }
    position += 1
    return true
  }

  mutating func expect(_ byte: UInt8, _ what: StaticString) throws(ItemError) {
    guard take(byte) else { throw malformed("expected \(what)") }
  }

  mutating func expectEnd() throws(ItemError) {
    _ = peek()
    guard position == count else { throw malformed("something stands behind the object") }
  }

  /// Whether another member or element follows, with its comma taken; the end is taken too.
  mutating func next(first: inout Bool, end: UInt8) throws(ItemError) -> Bool {
    if first {
      first = false
      return !take(end)
    }
    if take(0x2C) { return true }
    guard take(end) else { throw malformed("expected a comma or \(Unicode.Scalar(end))") }
    return false
  }

  /// The name of a member, with its colon taken.
  mutating func key() throws(ItemError) -> String {
    guard peek() == 0x22 else { throw malformed("expected a name in quotes") }
    let name = try text()
    try expect(0x3A, "a colon")
    return name
  }

  /// A string as text.
  mutating func text() throws(ItemError) -> String {
    let start = position
    guard let text = String(utf8: UnsafeRawBufferPointer(try string())) else {
      throw failure(.notText, "the string is not UTF-8", at: start)
    }
    return text
  }

  /// A string as bytes, valid until the next string is read; not checked to be UTF-8.
  mutating func string() throws(ItemError) -> UnsafeBufferPointer<UInt8> {
    try expect(0x22, "a string")
    let start = position
    skipPlain()
    guard position < count else { throw malformed("the string does not end") }
    if base[position] == 0x22 {
      position += 1
      return UnsafeBufferPointer(start: base + start, count: position - 1 - start)
    }
    return try unescape(from: start)
  }

  /// Moves to the next quote, backslash or control character, or to the end.
  private mutating func skipPlain() {
    while count &- position >= 8 {
      let special = Self.specials(Self.word(base + position))
      if special != 0 {
        position &+= special.trailingZeroBitCount >> 3
        return
      }
      position &+= 8
    }
    while position < count, !Self.isSpecial(base[position]) { position += 1 }
  }

  /// Reads on from the first escape, with the text before it copied.
  private mutating func unescape(
    from start: Int
  ) throws(ItemError) -> UnsafeBufferPointer<UInt8> {
    var out = position - start
    scratch.update(from: base + start, count: out)
    while position < count {
      let byte = base[position]
      if byte == 0x22 {
        position += 1
        return UnsafeBufferPointer(start: scratch, count: out)
      }
      if byte == 0x5C {
        out += try escape(into: scratch + out)
      } else if byte < 0x20 {
        throw malformed("a control character in a string")
      }
      copyPlain(to: &out)
    }
    throw malformed("the string does not end")
  }

  /// Copies up to the next quote, backslash or control character.
  private mutating func copyPlain(to out: inout Int) {
    while count &- position >= 8 {
      let word = Self.word(base + position)
      UnsafeMutableRawPointer(scratch + out).storeBytes(of: word, as: UInt64.self)
      let special = Self.specials(word)
      if special != 0 {
        let length = special.trailingZeroBitCount >> 3
        position &+= length
        out &+= length
        return
      }
      position &+= 8
      out &+= 8
    }
    while position < count, !Self.isSpecial(base[position]) {
      scratch[out] = base[position]
      out += 1
      position += 1
    }
  }

  /// Takes one escape and stores what it stands for; returns the number of bytes.
  private mutating func escape(into out: UnsafeMutablePointer<UInt8>) throws(ItemError) -> Int {
    guard count - position >= 2 else { throw malformed("the string does not end") }
    let letter = base[position + 1]
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): out[0] = letter
    case UInt8(ascii: "n"): out[0] = 0x0A
    case UInt8(ascii: "t"): out[0] = 0x09
    case UInt8(ascii: "r"): out[0] = 0x0D
    case UInt8(ascii: "b"): out[0] = 0x08
    case UInt8(ascii: "f"): out[0] = 0x0C
    case UInt8(ascii: "u"): return try unicodeEscape(into: out)
    default: throw malformed("an escape that JSON does not have")
    }
    position += 2
    return 1
  }

  /// Takes `\uXXXX`, or two of them that make a surrogate pair.
  private mutating func unicodeEscape(
    into out: UnsafeMutablePointer<UInt8>
  ) throws(ItemError) -> Int {
    let start = position
    var value = try hexUnit()
    if value & 0xFC00 == 0xD800 {
      guard count - position >= 2, base[position] == 0x5C, base[position + 1] == UInt8(ascii: "u")
      else { throw failure(.notText, "a lone surrogate", at: start) }
      let low = try hexUnit()
      guard low & 0xFC00 == 0xDC00 else { throw failure(.notText, "a lone surrogate", at: start) }
      value = 0x10000 + ((value & 0x3FF) << 10) + (low & 0x3FF)
    }
    guard value & 0xF800 != 0xD800 || value > 0xFFFF else {
      throw failure(.notText, "a lone surrogate", at: start)
    }
    return Self.encode(value, into: out)
  }

  /// Takes `\uXXXX` as a number.
  private mutating func hexUnit() throws(ItemError) -> UInt32 {
    guard count - position >= 6 else { throw malformed("an escape that is cut off") }
    var value: UInt32 = 0
    for place in position + 2..<position + 6 {
      guard let digit = Self.hexDigit(base[place]) else {
        throw malformed("an escape without digits")
      }
      value = value << 4 | digit
    }
    position += 6
    return value
  }
}

// Words of eight bytes: in `specials` the highest bit of a byte is set where it has to be looked
// at. A borrow can set it wrongly too, but only above a byte where it is set rightly, and only
// the lowest is used.
extension JSONScanner {
  @inline(__always)
  static func word(_ pointer: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt64.self))
  }

  @inline(__always)
  static func specials(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* 0x22)
    let backslashes = word ^ (ones &* 0x5C)
    let found =
      ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
      | ((word &- ones &* 0x20) & ~word)
    return found & (ones &* 0x80)
  }

  @inline(__always)
  static func isSpecial(_ byte: UInt8) -> Bool {
    byte == 0x22 || byte == 0x5C || byte < 0x20
  }

  static func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x37)
    case 0x61...0x66: UInt32(byte - 0x57)
    default: nil
    }
  }

  /// Stores a scalar as UTF-8; returns the number of bytes.
  static func encode(_ scalar: UInt32, into out: UnsafeMutablePointer<UInt8>) -> Int {
    func tail(_ shift: UInt32) -> UInt8 {
      0x80 | UInt8(truncatingIfNeeded: scalar >> shift & 0x3F)
    }
    switch scalar {
    case 0..<0x80:
      out[0] = UInt8(truncatingIfNeeded: scalar)
      return 1
    case 0x80..<0x800:
      out[0] = 0xC0 | UInt8(truncatingIfNeeded: scalar >> 6)
      out[1] = tail(0)
      return 2
    case 0x800..<0x10000:
      out[0] = 0xE0 | UInt8(truncatingIfNeeded: scalar >> 12)
      out[1] = tail(6)
      out[2] = tail(0)
      return 3
    default:
      out[0] = 0xF0 | UInt8(truncatingIfNeeded: scalar >> 18)
      out[1] = tail(12)
      out[2] = tail(6)
      out[3] = tail(0)
      return 4
    }
  }
}
