// What becomes of a value of each attribute: field, column, or stored only.

internal import LimelightItems
internal import LimelightSegments

/// How values of an attribute are indexed.
struct AttributePlan {
  let searchClass: SearchClass
  let kind: AttributeKind
  /// Whether its texts of up to 255 bytes stand in a column, for equality, order and grouping.
  let hasTextColumn: Bool
}

/// The plans of attributes, looked up once each.
struct AttributePlans {
  private var plans: [UInt16: AttributePlan] = [:]

  /// Title-like default attributes, whose texts also stand in a column.
  private static let titles: Set<String> = ["title", "displayName", "subject", "album", "artist"]

  /// The plan of an attribute; nil if the registry does not know it.
  mutating func plan(for id: UInt16, _ registry: AttributeRegistry) -> AttributePlan? {
    if let plan = plans[id] { return plan }
    guard let attribute = registry.attribute(id: id) else { return nil }
    let hasTexts: Bool
    switch attribute.kind {
    case .text, .texts, .url, .contentType: hasTexts = true
    default: hasTexts = false
    }
    let plan = AttributePlan(
      searchClass: attribute.searchClass, kind: attribute.kind,
      hasTextColumn: hasTexts
        && (attribute.searchClass == .named || attribute.searchClass == .filter
          || Self.titles.contains(attribute.name))
    )
    plans[id] = plan
    return plan
  }
}
