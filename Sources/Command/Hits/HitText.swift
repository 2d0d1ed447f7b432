// What a person sees of a hit: its title, where it is from, and the text that was found.

internal import Limelight

/// The parts of a hit to show, with what was found marked.
struct HitText {
  /// The item's name: its title, else its display name, else its id.
  let title: MarkedText
  /// The domain and the id, unless the id is the title.
  let origin: String
  /// A short piece of the text around the first find outside the title.
  let excerpt: MarkedText?

  /// Bytes of an excerpt.
  private static let excerptBytes = 240

  /// The parts of the hit; of an index that stores no items, the id alone.
  init(_ hit: Hit) throws(LimelightError) {
    let attributes = try hit.storedAttributes() ?? [:]
    let highlights = attributes.isEmpty ? [] : try hit.highlights(unit: .utf8)
    let name = [Attribute.title, .displayName].first { attributes[$0] != nil }
    let id = try hit.id
    title = name.flatMap { Self.text(of: $0, attributes, highlights) } ?? MarkedText(text: id)
    origin = [try hit.domain, title.text == id ? nil : id].compactMap { $0 }
      .joined(separator: "  ")
    excerpt = Self.excerpt(attributes, highlights, besides: name)
  }

  /// The text to show below the title: a description or body with a find, else another attribute
  /// with one, else the beginning of the description or body.
  private static func excerpt(
    _ attributes: AttributeSet, _ highlights: [Highlight], besides name: Attribute?
  ) -> MarkedText? {
    let found = highlights.map(\.attribute).filter { $0 != name }
    let bodies = [Attribute.contentDescription, .textContent]
    let chosen =
      bodies.first { found.contains($0) } ?? found.first
      ?? bodies.first { attributes[$0] != nil }
    guard let chosen, let text = text(of: chosen, attributes, highlights) else { return nil }
    var excerpt = Excerpt.make(text, bytes: excerptBytes)
    if !bodies.contains(chosen) {
      let label = "\(chosen.name): "
      excerpt.text = label + excerpt.text
      excerpt.marks = excerpt.marks.map {
        $0.lowerBound + label.utf8.count..<$0.upperBound + label.utf8.count
      }
    }
    return excerpt
  }

  /// The first of the attribute's texts in which something was found, else its first one.
  private static func text(
    of attribute: Attribute, _ attributes: AttributeSet, _ highlights: [Highlight]
  ) -> MarkedText? {
    guard let value = attributes[attribute] else { return nil }
    let highlight = highlights.first { $0.attribute == attribute }
    let wanted = highlight?.valueIndex ?? 0
    var place = 0
    var text: String?
    forEachText(value) { utf8 in
      if place == wanted { text = String(decoding: utf8, as: UTF8.self) }
      place += 1
    }
    return text.map { MarkedText(text: $0, marks: highlight?.ranges ?? []) }
  }
}

extension Hit {
  /// The item's attributes, or nil when the index stores no items.
  func storedAttributes() throws(LimelightError) -> AttributeSet? {
    do throws(LimelightError) {
      return try attributes()
    } catch {
      if error.code == .notStored { return nil }
      throw error
    }
  }
}
