// Answers in JSON, written member by member.

internal import Limelight

/// A JSON text that grows from left to right; the commas come by themselves.
struct JSONText {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  mutating func object(_ body: (inout JSONText) throws -> Void) rethrows {
    try nested("{", "}", body)
  }

  mutating func array(_ body: (inout JSONText) throws -> Void) rethrows {
    try nested("[", "]", body)
  }

  /// An array with one element for each of these.
  mutating func array<Elements: Sequence>(
    of elements: Elements, _ body: (inout JSONText, Elements.Element) throws -> Void
  ) rethrows {
    try array { json in for element in elements { try body(&json, element) } }
  }

  mutating func key(_ name: String) {
    separate()
    ItemJSON.write(text: name, into: &bytes)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func text(_ text: String?) {
    guard let text else { return literal("null") }
    element { ItemJSON.write(text: text, into: &$0) }
  }

  mutating func number(_ number: Int?) { literal(number.map(String.init) ?? "null") }

  mutating func number(_ number: UInt64) { literal(String(number)) }

  mutating func number(_ number: Float) { literal(number.isFinite ? "\(number)" : "null") }

  mutating func number(_ number: Double) { literal(number.isFinite ? "\(number)" : "null") }

  mutating func bool(_ flag: Bool) { literal(flag ? "true" : "false") }

  /// A value of an item, as it stands in an import line.
  mutating func value(_ value: Value) {
    element { ItemJSON.write(value, into: &$0) }
  }

  /// The text with the end of its line.
  var line: [UInt8] { bytes + [UInt8(ascii: "\n")] }

  private mutating func literal(_ text: String) {
    element { $0.append(contentsOf: text.utf8) }
  }

  private mutating func element(_ write: (inout [UInt8]) -> Void) {
    separate()
    write(&bytes)
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
