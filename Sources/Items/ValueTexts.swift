// The texts of a value one by one, and its size.

/// Calls the body with each text of a value, in order, as UTF-8.
///
/// Each call is one *value* in the sense of positions, which no phrase crosses: a text, each text
/// of a list, each language, a person's name and each of their handles (the name first, even
/// when it is empty), the texts of a dictionary in the order of its names, an address, a type
/// identifier. Numbers, booleans, dates and bytes have no text.
package func forEachText(_ value: Value, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
  func visit(_ text: String) {
    var text = text
    text.withUTF8(body)
  }
  switch value {
  case .text(let text), .url(let text), .contentType(let text):
    visit(text)
  case .texts(let texts):
    texts.forEach(visit)
  case .localized(let texts):
    for text in texts { visit(text.text) }
  case .persons(let persons):
    for person in persons {
      visit(person.displayName)
      person.handles.forEach(visit)
    }
  case .dictionary(let lists):
    for (_, texts) in lists.inByteOrder { texts.forEach(visit) }
  case .number, .bool, .date, .dates, .data:
    break
  }
}

extension Value {
  /// Bytes of the value as far as limits are concerned: those of its texts, 8 for a number.
  package var byteCount: Int {
    switch self {
    case .text(let text), .url(let text), .contentType(let text): text.utf8.count
    case .texts(let texts): texts.byteCount
    case .localized(let texts):
      texts.reduce(0) { $0 + $1.tag.utf8.count + $1.text.utf8.count }
    case .number, .date: 8
    case .bool: 1
    case .dates(let dates): 8 * dates.count
    case .data(let bytes): bytes.count
    case .persons(let persons):
      persons.reduce(0) { $0 + $1.displayName.utf8.count + $1.handles.byteCount }
    case .dictionary(let lists):
      lists.reduce(0) { $0 + $1.key.utf8.count + $1.value.byteCount }
    }
  }
}

extension [String] {
  /// Bytes of all texts.
  fileprivate var byteCount: Int { reduce(0) { $0 + $1.utf8.count } }
}

extension [String: [String]] {
  /// The entries in the order of the names' bytes.
  var inByteOrder: [(key: String, value: [String])] {
    sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
