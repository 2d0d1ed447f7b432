// Items and values written as JSON.

/// JSON text that grows; see ``ItemJSON`` for its form.
struct JSONWriter {
  private(set) var bytes: [UInt8]

  init(bytes: [UInt8] = []) {
    self.bytes = bytes
  }

  mutating func item(_ item: Item) {
    open("{")
    if !item.id.isEmpty { member("id") { $0.text(item.id) } }
    if let domain = item.domain { member("domain") { $0.text(domain) } }
    if let type = item.contentType { member("contentType") { $0.text(type) } }
    if let date = item.expirationDate { member("expirationDate") { $0.text(date.iso8601) } }
    if let thumbnail = item.thumbnail { member("thumbnail") { $0.base64(thumbnail) } }
    member("attributes") { writer in
      writer.open("{")
      for (attribute, value) in item.attributes {
        writer.member(attribute.name) { $0.value(value) }
      }
      writer.close("}")
    }
    close("}")
  }

  mutating func value(_ value: Value) {
    switch value {
    case .text(let text), .url(let text), .contentType(let text): self.text(text)
    case .texts(let texts): list(texts) { $0.text($1) }
    case .localized(let texts):
      open("{")
      for text in texts { member(text.tag) { $0.text(text.text) } }
      close("}")
    case .number(let number): self.number(number)
    case .bool(let flag): append(flag ? "true" : "false")
    case .date(let date): text(date.iso8601)
    case .dates(let dates): list(dates) { $0.text($1.iso8601) }
    case .data(let bytes): base64(bytes)
    case .persons(let persons): list(persons) { $0.person($1) }
    case .dictionary(let lists):
      open("{")
      for (name, texts) in lists.inByteOrder {
        member(name) { writer in writer.list(texts) { $0.text($1) } }
      }
      close("}")
    }
  }

  private mutating func person(_ person: Person) {
    open("{")
    member("displayName") { $0.text(person.displayName) }
    member("handles") { writer in writer.list(person.handles) { $0.text($1) } }
    close("}")
  }

  private mutating func number(_ number: Double) {
    if let whole = Int64(exactly: number), abs(number) < 1e15, whole != 0 || number.sign == .plus {
      append(whole.description)
    } else {
      append(number.isFinite ? number.description : "null")
    }
  }

  private mutating func base64(_ data: [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    Base64.encode(data, into: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a string; runs without anything to escape are copied whole.
  mutating func text(_ text: String) {
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
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case 0x0A: append("\\n")
    case 0x09: append("\\t")
    case 0x0D: append("\\r")
    default:
      append("\\u00")
      let digits: StaticString = "0123456789abcdef"
      bytes.append(digits.utf8Start[Int(byte >> 4)])
      bytes.append(digits.utf8Start[Int(byte & 15)])
    }
  }

  // The punctuation: a comma stands before everything but the first of its object or list, which
  // is known by the bracket before it.

  private mutating func open(_ bracket: String) {
    append(bracket)
  }

  private mutating func close(_ bracket: String) {
    append(bracket)
  }

  private mutating func separate() {
    if let last = bytes.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") {
      bytes.append(UInt8(ascii: ","))
    }
  }

  private mutating func member(_ name: String, _ value: (inout JSONWriter) -> Void) {
    separate()
    text(name)
    bytes.append(UInt8(ascii: ":"))
    value(&self)
  }

  private mutating func list<Element>(
    _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
  ) {
    open("[")
    for element in elements {
      separate()
      write(&self, element)
    }
    close("]")
  }

  private mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }
}
