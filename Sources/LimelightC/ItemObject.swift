// An item behind a handle, and what was lent of it.

internal import CLimelight
internal import Limelight
internal import LimelightItems
internal import LimelightStorage

/// An item that the host builds, or one that was read.
///
/// What it lent stays until it goes, also when it is changed: then it is written anew for the next
/// reader, beside the old.
final class ItemObject: HandleObject {
  static let kind = HandleKind.item

  /// A text of a value, and what it belongs to: a language, a name in a dictionary, a person.
  struct LentText {
    let text: Lent
    let label: Lent?
  }

  private let lock = Lock()
  private let lender = Lender()
  private var item: Item
  private var texts: [Attribute: [LentText]] = [:]
  private var names: [Lent]?
  private var data: [Attribute: Lent] = [:]
  private var members: [Member: Lent] = [:]
  private var line: Lent?
  private var shortLine: Lent?

  /// The members of an item that are lent as they are.
  enum Member { case id, domain, contentType, thumbnail }

  init(_ item: Item = Item()) { self.item = item }

  /// The item as it is now.
  var current: Item { lock.withLock { item } }

  /// Changes the item; a body that throws has changed nothing.
  func change(_ body: (inout Item) throws -> Void) throws {
    try lock.withLock {
      try body(&item)
      texts = [:]
      names = nil
      data = [:]
      members = [:]
      line = nil
      shortLine = nil
    }
  }

  /// Changes the value of an attribute, nil at first.
  func change(_ attribute: Attribute, _ body: (Value?) throws -> Value?) throws {
    try change { $0.attributes[attribute] = try body($0.attributes[attribute]) }
  }

  // MARK: Lending

  func lend(_ member: Member) -> Lent? {
    lock.withLock {
      if let lent = members[member] { return lent }
      let lent: Lent? =
        switch member {
        case .id: lender.lend(item.id)
        case .domain: item.domain.map(lender.lend)
        case .contentType: item.contentType.map(lender.lend)
        case .thumbnail: item.thumbnail.map(lender.lend)
        }
      members[member] = lent
      return lent
    }
  }

  func lendLine(withThumbnail: Bool) -> Lent {
    lock.withLock {
      if let known = withThumbnail ? line : shortLine { return known }
      var json = JSONText()
      json.item(item, withThumbnail: withThumbnail)
      let lent = lender.lend(json.bytes)
      // Without a thumbnail both are the same.
      if withThumbnail || item.thumbnail == nil { line = lent }
      if !withThumbnail || item.thumbnail == nil { shortLine = lent }
      return lent
    }
  }

  func lendName(_ place: Int) throws -> Lent {
    try lock.withLock {
      try checkPlace(place, below: item.attributes.count)
      let lent = names ?? item.attributes.map { lender.lend($0.attribute.name) }
      names = lent
      return lent[place]
    }
  }

  func lendText(_ attribute: Attribute, _ number: Int) throws -> LentText {
    try lock.withLock {
      let value = try value(attribute)
      guard let values = value.labelledTexts else { throw wrongKind(attribute, "texts") }
      let lent =
        texts[attribute]
        ?? values.map { LentText(text: lender.lend($0.text), label: $0.label.map(lender.lend)) }
      texts[attribute] = lent
      guard number >= 0, number < lent.count else {
        throw CallError(
          LIME_ERROR_NOT_FOUND,
          "\(attribute) has \(lent.count) texts, none of number \(UInt(bitPattern: number))")
      }
      return lent[number]
    }
  }

  func lendData(_ attribute: Attribute) throws -> Lent {
    try lock.withLock {
      guard case .data(let bytes) = try value(attribute) else {
        throw wrongKind(attribute, "bytes")
      }
      let lent = data[attribute] ?? lender.lend(bytes)
      data[attribute] = lent
      return lent
    }
  }

  // MARK: Reading

  /// Reads something of the item without copying the rest.
  func read<Result>(_ body: (borrowing Item) -> Result) -> Result { lock.withLock { body(item) } }

  /// The value of an attribute, which must have one.
  func value(of attribute: Attribute) throws -> Value { try lock.withLock { try value(attribute) } }

  private func value(_ attribute: Attribute) throws -> Value {
    guard let value = item.attributes[attribute] else {
      throw CallError(LIME_ERROR_NOT_FOUND, "the item has no \(attribute)")
    }
    return value
  }

  func wrongKind(_ attribute: Attribute, _ wanted: String) -> CallError {
    CallError(LIME_ERROR_KIND, "the value of \(attribute) is not of the kind asked for: \(wanted)")
  }
}

extension Value {
  /// What the header calls its kind, and how many texts, dates or single values it has.
  var kindAndCount: (lime_kind, Int) {
    switch self {
    case .text: (LIME_KIND_TEXT, 1)
    case .texts(let texts): (LIME_KIND_TEXTS, texts.count)
    case .localized(let texts): (LIME_KIND_LOCALIZED, texts.count)
    case .number: (LIME_KIND_NUMBER, 1)
    case .bool: (LIME_KIND_BOOL, 1)
    case .date: (LIME_KIND_DATE, 1)
    case .dates(let dates): (LIME_KIND_DATES, dates.count)
    case .url: (LIME_KIND_URL, 1)
    case .data: (LIME_KIND_DATA, 1)
    case .persons(let persons):
      (LIME_KIND_PERSONS, persons.reduce(0) { $0 + 1 + $1.handles.count })
    case .dictionary(let lists): (LIME_KIND_DICTIONARY, lists.reduce(0) { $0 + $1.value.count })
    case .contentType: (LIME_KIND_CONTENT_TYPE, 1)
    }
  }

  /// The texts in the order in which highlights count them; nil if the value has none by its kind.
  var labelledTexts: [(text: String, label: String?)]? {
    switch self {
    case .text(let text), .url(let text), .contentType(let text): [(text, nil)]
    case .texts(let texts): texts.map { ($0, nil) }
    case .localized(let texts): texts.map { ($0.text, $0.tag) }
    case .persons(let persons):
      persons.flatMap { person in
        [(person.displayName, nil)] + person.handles.map { ($0, person.displayName) }
      }
    case .dictionary(let lists):
      lists.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .flatMap { name, texts in texts.map { ($0, name) } }
    case .number, .bool, .date, .dates, .data: nil
    }
  }
}
