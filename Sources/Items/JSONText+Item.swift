// Items and their values written as JSON.

extension JSONText {
  /// Writes an item; the thumbnail can be left out, since nothing of it can be read in a line.
  package mutating func item(_ item: Item, withThumbnail: Bool = true) {
    object { json in
      if !item.id.isEmpty { json.member("id") { $0.text(item.id) } }
      if let domain = item.domain { json.member("domain") { $0.text(domain) } }
      if let type = item.contentType { json.member("contentType") { $0.text(type) } }
      if let date = item.expirationDate {
        json.member("expirationDate") { $0.text(date.iso8601) }
      }
      if withThumbnail, let thumbnail = item.thumbnail {
        json.member("thumbnail") { $0.base64(thumbnail) }
      }
      json.member("attributes") { $0.attributes(item.attributes) }
    }
  }

  /// Writes attributes with their values, as they stand in an item.
  package mutating func attributes(_ attributes: AttributeSet) {
    object { json in
      for (attribute, value) in attributes { json.member(attribute.name) { $0.value(value) } }
    }
  }

  /// Writes a value as it stands in an item.
  package mutating func value(_ value: Value) {
    switch value {
    case .text(let text), .url(let text), .contentType(let text): self.text(text)
    case .texts(let texts): array(of: texts) { $0.text($1) }
    case .localized(let texts):
      object { json in for text in texts { json.member(text.tag) { $0.text(text.text) } } }
    case .number(let number): decimal(number)
    case .bool(let flag): bool(flag)
    case .date(let date): text(date.iso8601)
    case .dates(let dates): array(of: dates) { $0.text($1.iso8601) }
    case .data(let bytes): base64(bytes)
    case .persons(let persons): array(of: persons) { $0.person($1) }
    case .dictionary(let lists):
      object { json in
        for (name, texts) in lists.inByteOrder {
          json.member(name) { json in json.array(of: texts) { $0.text($1) } }
        }
      }
    }
  }

  private mutating func person(_ person: Person) {
    object { json in
      json.member("displayName") { $0.text(person.displayName) }
      json.member("handles") { json in json.array(of: person.handles) { $0.text($1) } }
    }
  }

  /// Writes a number, a whole one without a fraction.
  private mutating func decimal(_ number: Double) {
    if let whole = Int(exactly: number), abs(number) < 1e15, whole != 0 || number.sign == .plus {
      self.number(whole)
    } else {
      self.number(number)
    }
  }
}
