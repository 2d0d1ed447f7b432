// What the oracle knows of attributes: the public definitions and the custom ones it has seen.

import Limelight

/// The kinds and search classes of an index's attributes.
struct OracleRegistry {
  private(set) var custom: [String: CustomAttribute] = [:]

  /// Adds a custom attribute.
  mutating func declare(_ attribute: CustomAttribute) { custom[attribute.name] = attribute }

  func kind(of attribute: Attribute) -> AttributeKind? {
    attribute.definition?.kind ?? custom[attribute.name]?.kind
  }

  func searchClass(of attribute: Attribute) -> SearchClass? {
    if let definition = attribute.definition { return definition.searchClass }
    guard let custom = custom[attribute.name] else { return nil }
    return custom.searchClass ?? (custom.kind == .text ? .named : .filter)
  }

  /// Takes note of the custom attributes that an item brings.
  mutating func admit(_ item: Item) {
    for (attribute, value) in item.attributes where kind(of: attribute) == nil {
      let kind: AttributeKind
      switch value {
      case .number: kind = .number
      case .bool: kind = .bool
      case .date: kind = .date
      default: kind = .text
      }
      declare(CustomAttribute(attribute.name, kind: kind))
    }
  }

  /// The item with each value in the form of its attribute, as it should come back.
  func normalised(_ item: Item) -> Item {
    var item = item
    for (attribute, value) in item.attributes {
      switch (kind(of: attribute), value) {
      case (.texts?, .text(let text)): item.attributes[attribute] = .texts([text])
      case (.dates?, .date(let date)): item.attributes[attribute] = .dates([date])
      case (.bool?, .number(let number)): item.attributes[attribute] = .bool(number == 1)
      case (.url?, .text(let text)): item.attributes[attribute] = .url(text)
      default: break
      }
    }
    return item
  }
}
