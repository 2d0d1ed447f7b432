// A hit in JSON.

internal import Limelight

extension JSONText {
  /// A hit with its attributes and the places found.
  ///
  /// A place is `[start, end]`; in an attribute of several texts `[start, end, text]`, where the
  /// third number counts the attribute's texts from 0. An index that stores no items gives no
  /// attributes and no highlights.
  mutating func hit(_ hit: Hit, unit: TextUnit) throws {
    try object { json in
      json.key("id")
      json.text(try hit.id)
      json.key("domain")
      json.text(try hit.domain)
      json.key("score")
      json.number(hit.score)
      guard let attributes = try hit.storedAttributes() else { return }
      json.key("attributes")
      json.object { json in
        for (attribute, value) in attributes {
          json.key(attribute.name)
          json.value(value)
        }
      }
      let highlights = try hit.highlights(unit: unit)
      json.key("highlights")
      json.object { json in
        for attribute in highlights.map(\.attribute).unique {
          json.key(attribute.name)
          json.places(
            highlights.filter { $0.attribute == attribute },
            isSeveral: attributes[attribute]?.hasSeveralTexts ?? false)
        }
      }
    }
  }

  private mutating func places(_ highlights: [Highlight], isSeveral: Bool) {
    array { json in
      for highlight in highlights {
        for range in highlight.ranges {
          json.array { json in
            json.number(range.lowerBound)
            json.number(range.upperBound)
            if isSeveral { json.number(highlight.valueIndex) }
          }
        }
      }
    }
  }
}

extension Value {
  /// Whether the value may hold more than one text.
  fileprivate var hasSeveralTexts: Bool {
    switch self {
    case .texts, .localized, .persons, .dictionary: true
    default: false
    }
  }
}

extension [Attribute] {
  /// The attributes without repetitions, in their order.
  fileprivate var unique: [Attribute] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
