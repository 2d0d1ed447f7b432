// Lines of JSON read into items: the members of a line.

/// Reads lines of JSON into items, with buffers and names that are kept from line to line.
///
/// One thread at a time. The form of a line is described at ``ItemJSON``.
package final class ItemLineParser {
  /// What the name of a top-level member stands for.
  private enum Member {
    case own(Own)
    case attribute(AttributeKey)
    case ignored
  }

  /// The members of an item itself.
  private enum Own: UInt8 {
    case id, domain, contentType, expirationDate, thumbnail, attributes
  }

  /// An attribute and, unless its first value decides it, its kind.
  private struct AttributeKey: Sendable {
    let attribute: Attribute
    let kind: AttributeKind?
  }

  private let options: JSONOptions
  private var topLevel: [String: Member] = [
    "id": .own(.id), "domain": .own(.domain), "contentType": .own(.contentType),
    "expirationDate": .own(.expirationDate), "thumbnail": .own(.thumbnail),
    "attributes": .own(.attributes),
  ]
  private var attributes = ItemLineParser.builtIn
  private var scratch: UnsafeMutablePointer<UInt8>
  private var scratchCount: Int

  /// The built-in attributes by all their names: made once, since a put of one line makes a parser.
  private static let builtIn: [String: AttributeKey] = {
    var attributes: [String: AttributeKey] = [:]
    for definition in AttributeTable.byID {
      let attribute = Attribute(builtIn: definition.name, definition.id)
      for name in [definition.name] + definition.aliases {
        attributes[name] = AttributeKey(attribute: attribute, kind: definition.kind)
      }
    }
    return attributes
  }()

  package init(options: JSONOptions = JSONOptions()) {
    self.options = options
    scratchCount = 1 << 16
    scratch = .allocate(capacity: scratchCount)
    for name in options.dates where attributes[name] == nil {
      attributes[name] = AttributeKey(attribute: Attribute(custom: name), kind: .date)
    }
    let own = topLevel
    for (name, target) in options.map {
      topLevel[name] = target.isEmpty ? .ignored : own[target] ?? .attribute(key(target))
    }
  }

  deinit {
    scratch.deallocate()
  }

  /// Reads one line.
  package func parse(_ bytes: UnsafeRawBufferPointer) throws(ItemError) -> Item {
    try reading(bytes) { (scanner) throws(ItemError) in
      let item = try line(&scanner)
      try scanner.expectEnd()
      return item
    }
  }

  /// The id in a line that is no item, so that its refusal can name it; nil if there is none.
  ///
  /// Takes what it passes over as it is: whatever is wrong with the line may stand there.
  package func id(of bytes: UnsafeRawBufferPointer) -> String? {
    do throws(ItemError) {
      return try reading(bytes) { (scanner) throws(ItemError) in
        try scanner.expect(UInt8(ascii: "{"), "an object")
        var first = true
        while try scanner.next(first: &first, end: UInt8(ascii: "}")) {
          if case .own(.id)? = topLevel[try scanner.key()] {
            let id = try scanner.textValue()
            return id.isEmpty ? nil : id
          }
          scanner.passOver()
        }
        return nil
      }
    } catch {
      return nil
    }
  }

  private func reading<Result>(
    _ bytes: UnsafeRawBufferPointer, _ body: (inout JSONScanner) throws(ItemError) -> Result
  ) throws(ItemError) -> Result {
    if bytes.count + 16 > scratchCount {
      scratch.deallocate()
      scratchCount = bytes.count + bytes.count / 2 + 16
      scratch = .allocate(capacity: scratchCount)
    }
    return try bytes.withMemoryRebound(to: UInt8.self) { (bytes) throws(ItemError) in
      var scanner = JSONScanner(bytes, scratch: scratch)
      return try body(&scanner)
    }
  }

  private func line(_ scanner: inout JSONScanner) throws(ItemError) -> Item {
    try scanner.expect(UInt8(ascii: "{"), "an object")
    var item = Item()
    var seen: UInt8 = 0
    var nulls: Set<Attribute> = []
    var first = true
    while try scanner.next(first: &first, end: UInt8(ascii: "}")) {
      let start = scanner.position
      let name = try scanner.key()
      guard let member = topLevel[name] ?? flat(name) else {
        throw scanner.failure(.unknownKey, "no member has this name", at: start).blaming(name)
      }
      switch member {
      case .ignored:
        try scanner.skipValue()
      case .attribute(let key):
        try readAttribute(key, into: &item, &scanner, &nulls)
      case .own(let own):
        guard seen & 1 << own.rawValue == 0 else {
          throw scanner.failure(.duplicateKey, "the member stands twice", at: start).blaming(name)
        }
        seen |= 1 << own.rawValue
        if scanner.shape == .null {
          try scanner.literal("null")
        } else {
          do throws(ItemError) {
            try read(own, into: &item, &scanner, &nulls)
          } catch {
            throw error.blaming(name)
          }
        }
      }
    }
    return item
  }

  private func flat(_ name: String) -> Member? {
    options.map.isEmpty ? nil : attributes[name].map(Member.attribute)
  }

  private func read(
    _ member: Own, into item: inout Item, _ scanner: inout JSONScanner,
    _ nulls: inout Set<Attribute>
  ) throws(ItemError) {
    switch member {
    case .id:
      item.id = try scanner.textValue()
      guard !item.id.isEmpty else { throw scanner.failure(.emptyID, "the id is empty") }
    case .domain: item.domain = try scanner.textValue()
    case .contentType: item.contentType = try scanner.textValue()
    case .expirationDate: item.expirationDate = try scanner.date()
    case .thumbnail: item.thumbnail = try scanner.base64()
    case .attributes:
      guard scanner.take(UInt8(ascii: "{")) else { throw scanner.wrongShape("an object") }
      var first = true
      while try scanner.next(first: &first, end: UInt8(ascii: "}")) {
        try readAttribute(key(try scanner.key()), into: &item, &scanner, &nulls)
      }
    }
  }

  private func readAttribute(
    _ key: AttributeKey, into item: inout Item, _ scanner: inout JSONScanner,
    _ nulls: inout Set<Attribute>
  ) throws(ItemError) {
    let start = scanner.position
    do throws(ItemError) {
      let isNull = scanner.shape == .null
      if isNull { try scanner.literal("null") }
      let isNew =
        isNull
        ? item.attributes[key.attribute] == nil
        : item.attributes.insert(try scanner.value(of: key.kind), for: key.attribute)
      guard isNew, nulls.isEmpty || !nulls.contains(key.attribute) else {
        throw scanner.failure(.duplicateKey, "the attribute stands twice", at: start)
      }
      if isNull { nulls.insert(key.attribute) }
    } catch {
      throw error.blaming(key.attribute.name)
    }
  }

  private func key(_ name: String) -> AttributeKey {
    attributes[name] ?? AttributeKey(attribute: Attribute(custom: name), kind: nil)
  }
}

extension ItemError {
  /// The error with an attribute to blame, unless it names one already.
  fileprivate func blaming(_ name: String) -> ItemError {
    attribute == nil ? ItemError(code, attribute: name, message: message) : self
  }
}
