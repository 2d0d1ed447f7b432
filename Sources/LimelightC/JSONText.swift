// Answers in JSON, written member by member.

internal import LimelightItems

/// A JSON text that grows from left to right; the commas come by themselves.
struct JSONText {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  mutating func object(_ body: (inout JSONText) throws -> Void) rethrows {
    try nested("{", "}", body)
  }

  mutating func array<Elements: Sequence>(
    of elements: Elements, _ body: (inout JSONText, Elements.Element) throws -> Void
  ) rethrows {
    try nested("[", "]") { json in for element in elements { try body(&json, element) } }
  }

  mutating func member(_ name: String, _ value: (inout JSONText) throws -> Void) rethrows {
    separate()
    ItemJSON.write(text: name, into: &bytes)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
    try value(&self)
    needsComma = true
  }

  mutating func text(_ text: String?) {
    guard let text else { return literal("null") }
    separate()
    ItemJSON.write(text: text, into: &bytes)
    needsComma = true
  }

  mutating func number(_ number: Int) { literal(String(number)) }

  mutating func number(_ number: UInt64) { literal(String(number)) }

  mutating func number(_ number: Float) { literal(number.isFinite ? "\(number)" : "null") }

  mutating func bool(_ flag: Bool) { literal(flag ? "true" : "false") }

  /// The attributes of an item with their values, as they stand in its line.
  mutating func attributes(_ attributes: AttributeSet) {
    object { json in
      for (attribute, value) in attributes {
        json.member(attribute.name) { ItemJSON.write(value, into: &$0.bytes) }
      }
    }
  }

  /// Ends a line; what follows is a text of its own.
  mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

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
}
