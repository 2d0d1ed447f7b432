// JSON written member by member: the one writer, of items as of answers.

/// A JSON text that grows from left to right; the commas come by themselves.
///
/// How items and their values are written stands in an extension; see ``ItemJSON`` for their form.
package struct JSONText {
  package private(set) var bytes: [UInt8]
  private var needsComma = false

  /// Goes on behind bytes that are there, which are a whole text or nothing.
  package init(bytes: [UInt8] = []) { self.bytes = bytes }

  /// Writes an object, whose members are what `body` writes.
  package mutating func object(_ body: (inout JSONText) throws -> Void) rethrows {
    try nested("{", "}", body)
  }

  /// Writes an array, whose elements are what `body` writes.
  package mutating func array(_ body: (inout JSONText) throws -> Void) rethrows {
    try nested("[", "]", body)
  }

  /// Writes an array with one element for each of these.
  package mutating func array<Elements: Sequence>(
    of elements: Elements, _ body: (inout JSONText, Elements.Element) throws -> Void
  ) rethrows {
    try array { json in for element in elements { try body(&json, element) } }
  }

  /// Writes the name of a member, whose value is what is written next.
  package mutating func key(_ name: String) {
    separate()
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a member of an object.
  package mutating func member(
    _ name: String, _ value: (inout JSONText) throws -> Void
  ) rethrows {
    key(name)
    try value(&self)
  }

  /// Writes a text, or null.
  package mutating func text(_ text: String?) {
    guard let text else { return literal("null") }
    separate()
    string(text)
    needsComma = true
  }

  /// Writes a whole number, or null.
  package mutating func number(_ number: Int?) { literal(number.map(String.init) ?? "null") }

  /// Writes a whole number.
  package mutating func number(_ number: UInt64) { literal(String(number)) }

  /// Writes a number; null if it is not finite.
  package mutating func number(_ number: Float) { literal(number.isFinite ? "\(number)" : "null") }

  /// Writes a number; null if it is not finite.
  package mutating func number(_ number: Double) { literal(number.isFinite ? "\(number)" : "null") }

  /// Writes true or false.
  package mutating func bool(_ flag: Bool) { literal(flag ? "true" : "false") }

  /// Writes bytes as a text in base64.
  mutating func base64(_ data: [UInt8]) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    Base64.encode(data, into: &bytes)
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Ends a line; what follows is a text of its own.
  package mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  /// The text with the end of its line.
  package var line: [UInt8] { bytes + [UInt8(ascii: "\n")] }

  private mutating func literal(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
    needsComma = true
  }

  private mutating func nested(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONText) throws -> Void
  ) rethrows {
    separate()
    bytes.append(UInt8(ascii: open))
    needsComma = false
    try body(&self)
    bytes.append(UInt8(ascii: close))
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  /// Writes a string; runs without anything to escape are copied whole.
  private mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      var start = 0
      for place in utf8.indices where JSONScanner.isSpecial(utf8[place]) {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<place]))
        escape(utf8[place])
        start = place + 1
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ byte: UInt8) {
    let letter: Unicode.Scalar
    switch byte {
    case UInt8(ascii: "\""): letter = "\""
    case UInt8(ascii: "\\"): letter = "\\"
    case 0x0A: letter = "n"
    case 0x09: letter = "t"
    case 0x0D: letter = "r"
    default:
      let digits: StaticString = "0123456789abcdef"
      bytes.append(contentsOf: "\\u00".utf8)
      bytes.append(digits.utf8Start[Int(byte >> 4)])
      bytes.append(digits.utf8Start[Int(byte & 15)])
      return
    }
    bytes.append(UInt8(ascii: "\\"))
    bytes.append(UInt8(ascii: letter))
  }
}
