// One item checked: limits kept, attributes known, values of the right kinds.

/// The check that stands before everything that enters an index.
package enum ItemValidator {
  /// Checks an item and resolves its attributes.
  ///
  /// Custom attributes that are new are added to the registry, which stays as it was when the
  /// item is refused. The attributes `domainIdentifier`, `contentType` and `thumbnailData` are
  /// other words for members of the item: their values move there.
  package static func validate(
    _ item: Item, registry: inout AttributeRegistry
  ) throws(ItemError) -> ResolvedItem {
    guard item.id.utf8.count <= ItemLimits.idBytes else {
      throw ItemError(
        .idTooLong, attribute: "id",
        message: "\(item.id.utf8.count) bytes, the limit is \(ItemLimits.idBytes)")
    }
    var resolved = ResolvedItem(
      id: item.id, domain: item.domain, contentType: item.contentType,
      expiration: item.expirationDate, thumbnail: item.thumbnail)
    var trial = registry
    resolved.values.reserveCapacity(item.attributes.count)
    for (attribute, value) in item.attributes {
      let known = try resolve(attribute, for: value, in: &trial)
      let normalised = try normalise(value, for: known)
      if case .localized(let texts) = normalised { try checkLanguages(texts, of: known) }
      if !(try move(normalised, of: known, into: &resolved)) {
        resolved.values.append((known.id, normalised))
      }
    }
    if let domain = resolved.domain { try DomainKey.validate(domain) }
    try checkSize(resolved)
    resolved.hasThumbnail = resolved.thumbnail != nil
    resolved.orderValues()
    registry = trial
    return resolved
  }

  private static func resolve(
    _ attribute: Attribute, for value: Value, in registry: inout AttributeRegistry
  ) throws(ItemError) -> ResolvedAttribute {
    if let known = registry.resolve(attribute) { return known }
    guard let kind = customKind(of: value) else {
      throw ItemError(
        .unknownKind, attribute: attribute.name,
        message: "a custom attribute holds text, numbers, booleans or dates, not \(value.word)")
    }
    return try registry.declare(attribute.name, kind: kind)
  }

  /// The kind that a custom attribute gets by its first value.
  private static func customKind(of value: Value) -> AttributeKind? {
    switch value {
    case .text, .texts, .localized: .text
    case .number: .number
    case .bool: .bool
    case .date: .date
    case .dates, .url, .data, .persons, .dictionary, .contentType: nil
    }
  }

  /// The value as its attribute keeps it.
  private static func normalise(
    _ value: Value, for attribute: ResolvedAttribute
  ) throws(ItemError) -> Value {
    switch (attribute.kind, value) {
    case (.text, .text), (.text, .texts), (.text, .localized), (.texts, .texts), (.bool, .bool),
      (.date, .date), (.dates, .dates), (.url, .url), (.data, .data), (.persons, .persons),
      (.dictionary, .dictionary), (.contentType, .contentType):
      return value
    case (.number, .number(let number)):
      guard number.isFinite else {
        throw ItemError(
          .numberNotFinite, attribute: attribute.name, message: "\(number) is not finite")
      }
      return value
    case (.bool, .number(let number)) where number == 0 || number == 1:
      return .bool(number == 1)
    case (.text, .contentType(let text)):
      return .text(text)
    case (.texts, .text(let text)), (.texts, .contentType(let text)):
      return .texts([text])
    case (.dates, .date(let date)):
      return .dates([date])
    case (.url, .text(let text)):
      return .url(text)
    case (.contentType, .text(let text)):
      return .contentType(text)
    default:
      throw .wrongKind(attribute.name, wants: attribute.kind, got: value.word)
    }
  }

  /// Moves the value of an attribute that is another word for a member of the item.
  private static func move(
    _ value: Value, of attribute: ResolvedAttribute, into item: inout ResolvedItem
  ) throws(ItemError) -> Bool {
    func place<Member: Equatable>(_ value: Member, _ member: inout Member?) throws(ItemError) {
      guard member == nil || member == value else {
        throw ItemError(
          .conflictingValues, attribute: attribute.name,
          message: "differs from the item's own member of this meaning")
      }
      member = value
    }
    switch (attribute.id, value) {
    case (Attribute.domainIdentifier.number, .text(let domain)):
      try place(domain, &item.domain)
    case (Attribute.contentType.number, .text(let type)):
      try place(type, &item.contentType)
    case (Attribute.thumbnailData.number, .data(let bytes)):
      try place(bytes, &item.thumbnail)
    case (Attribute.domainIdentifier.number, _), (Attribute.contentType.number, _):
      throw .wrongKind(attribute.name, wants: .text, got: value.word)
    default:
      return false
    }
    return true
  }

  private static func checkLanguages(
    _ texts: [LocalizedText], of attribute: ResolvedAttribute
  ) throws(ItemError) {
    guard Set(texts.map(\.tag)).count == texts.count else {
      throw ItemError(
        .duplicateKey, attribute: attribute.name, message: "a language stands twice")
    }
  }

  private static func checkSize(_ item: ResolvedItem) throws(ItemError) {
    let thumbnailBytes = item.thumbnail?.count ?? 0
    guard thumbnailBytes <= ItemLimits.thumbnailBytes else {
      throw ItemError(
        .thumbnailTooLarge, attribute: "thumbnail",
        message: "\(thumbnailBytes) bytes, the limit is \(ItemLimits.thumbnailBytes)")
    }
    var bytes = item.id.utf8.count + thumbnailBytes + (item.contentType?.utf8.count ?? 0)
    for (_, value) in item.values { bytes += value.byteCount }
    guard bytes <= ItemLimits.itemBytes else {
      throw ItemError(
        .itemTooLarge, message: "\(bytes) bytes, the limit is \(ItemLimits.itemBytes)")
    }
  }
}

extension ItemError {
  static func wrongKind(
    _ attribute: String, wants kind: AttributeKind, got word: String
  ) -> ItemError {
    ItemError(.wrongKind, attribute: attribute, message: "takes \(kind.words), not \(word)")
  }
}

extension AttributeKind {
  /// What the kind takes, in words for messages.
  var words: String {
    switch self {
    case .text: "text"
    case .texts: "a list of texts"
    case .number: "a number"
    case .bool: "true or false"
    case .date: "a date"
    case .dates: "a list of dates"
    case .url: "an address"
    case .data: "bytes"
    case .persons: "a list of people"
    case .dictionary: "a dictionary of texts"
    case .contentType: "a type identifier"
    }
  }
}

extension Value {
  /// What the value is, in words for messages.
  var word: String {
    switch self {
    case .text: "text"
    case .texts: "a list of texts"
    case .localized: "localised text"
    case .number(let number): "the number \(number)"
    case .bool: "a boolean"
    case .date: "a date"
    case .dates: "a list of dates"
    case .url: "an address"
    case .data: "bytes"
    case .persons: "a list of people"
    case .dictionary: "a dictionary"
    case .contentType: "a type identifier"
    }
  }
}
