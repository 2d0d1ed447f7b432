// Bytes read with every step checked.

/// Bytes that are not what they should be: what was read, and where.
package struct ItemDecodingError: Error, Hashable, Sendable {
  package let what: StaticWord
  package let offset: Int

  /// The only place that makes one: a breakpoint here sees every corrupt byte.
  static func corrupt(_ what: StaticString, at offset: Int) -> ItemDecodingError {
    ItemDecodingError(what: StaticWord(what), offset: offset)
  }
}

/// A static string that can be compared and hashed.
package struct StaticWord: Hashable, Sendable, CustomStringConvertible {
  private let text: StaticString

  init(_ text: StaticString) {
    self.text = text
  }

  package var description: String { text.description }

  package static func == (left: StaticWord, right: StaticWord) -> Bool {
    left.description == right.description
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(description)
  }
}

/// A position in bytes that moves only over what is there.
struct ByteCursor {
  private let bytes: UnsafeRawBufferPointer
  private(set) var position: Int
  /// Where the readable bytes end.
  private(set) var end: Int

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    position = 0
    end = bytes.count
  }

  var atEnd: Bool { position == end }
  var remaining: Int { end - position }

  mutating func byte() throws(ItemDecodingError) -> UInt8 {
    guard position < end else { throw .corrupt("a byte past the end", at: position) }
    defer { position += 1 }
    return bytes[position]
  }

  /// A variable-length integer of seven bits a byte, low ones first, in its shortest form.
  mutating func varint() throws(ItemDecodingError) -> UInt64 {
    let start = position
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 64 {
      let byte = try byte()
      let bits = UInt64(byte & 0x7F)
      guard shift < 63 || bits <= 1 else { break }
      value |= bits << shift
      if byte < 0x80 {
        guard byte != 0 || shift == 0 else { break }
        return value
      }
      shift += 7
    }
    throw .corrupt("an integer that is too long", at: start)
  }

  /// A number of things that take at least one byte each.
  mutating func count() throws(ItemDecodingError) -> Int {
    let start = position
    let value = try varint()
    guard value <= UInt64(remaining) else { throw .corrupt("a count past the end", at: start) }
    return Int(value)
  }

  mutating func word() throws(ItemDecodingError) -> UInt64 {
    let slice = try take(8)
    return UInt64(littleEndian: slice.loadUnaligned(as: UInt64.self))
  }

  mutating func take(_ count: Int) throws(ItemDecodingError) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= remaining else {
      throw .corrupt("bytes past the end", at: position)
    }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }

  mutating func text(_ count: Int) throws(ItemDecodingError) -> String {
    let start = position
    let slice = try take(count)
    guard let text = String(utf8: slice) else {
      throw .corrupt("text that is not UTF-8", at: start)
    }
    return text
  }

  /// A text behind its length.
  mutating func text() throws(ItemDecodingError) -> String {
    try text(try count())
  }

  /// A list of texts, each behind its length, behind their number.
  mutating func texts() throws(ItemDecodingError) -> [String] {
    let count = try count()
    var texts: [String] = []
    // A count that lies must not cost memory: beyond this the list grows by what is really there.
    texts.reserveCapacity(min(count, 1024))
    for _ in 0..<count { texts.append(try text()) }
    return texts
  }

  /// A cursor over the next bytes, over which this one moves.
  mutating func part(_ count: Int) throws(ItemDecodingError) -> ByteCursor {
    guard count >= 0, count <= remaining else {
      throw .corrupt("a part past the end", at: position)
    }
    var part = self
    part.end = position + count
    position += count
    return part
  }
}

extension [UInt8] {
  mutating func appendVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func appendWord(_ value: UInt64) {
    for shift: UInt64 in stride(from: 0, to: 64, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func appendText(_ text: String) {
    appendVarint(UInt64(text.utf8.count))
    append(contentsOf: text.utf8)
  }

  mutating func appendTexts(_ texts: [String]) {
    appendVarint(UInt64(texts.count))
    for text in texts { appendText(text) }
  }
}
