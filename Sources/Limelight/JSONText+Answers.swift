// Hits and figures written as JSON: the same for the command and for hosts.

internal import LimelightIndexing
package import LimelightItems
package import LimelightSearch
internal import LimelightSnapshots

extension Results {
  /// Whether the items of the hits are stored, so that they have attributes and highlights.
  package var storesItems: Bool { source.root.snapshot.options.storesItems }
}

extension JSONText {
  /// Writes a hit with its id, domain and score, and what else is asked for.
  ///
  /// A place that was found is `[start, end]`, in an attribute of several texts `[start, end, text]`, where
  /// the third number counts the attribute's texts from 0. `unit` is what places count; nil leaves
  /// highlights out.
  package mutating func hit(
    _ hit: Hit, withAttributes: Bool, highlights unit: TextUnit?
  ) throws(LimelightError) {
    let id = try hit.id
    let domain = try hit.domain
    let attributes = withAttributes || unit != nil ? try hit.attributes() : [:]
    let highlights = try unit.map { (unit) throws(LimelightError) in
      try hit.highlights(unit: unit)
    }
    object { json in
      json.member("id") { $0.text(id) }
      json.member("domain") { $0.text(domain) }
      json.member("score") { $0.number(hit.score) }
      if withAttributes { json.member("attributes") { $0.attributes(attributes) } }
      if let highlights { json.member("highlights") { $0.highlights(highlights, of: attributes) } }
    }
  }

  /// Writes highlights by attribute; those of one attribute follow each other.
  private mutating func highlights(_ highlights: [Highlight], of attributes: AttributeSet) {
    object { json in
      var start = 0
      while start < highlights.count {
        let attribute = highlights[start].attribute
        let end = highlights[start...].firstIndex { $0.attribute != attribute } ?? highlights.count
        let isSeveral = attributes[attribute]?.hasSeveralTexts ?? false
        let places = highlights[start..<end].flatMap { highlight in
          highlight.ranges.map { ($0, highlight.valueIndex) }
        }
        json.member(attribute.name) { json in
          json.array(of: places) { json, place in
            let (range, number) = place
            let ends = [range.lowerBound, range.upperBound]
            json.array(of: isSeveral ? ends + [number] : ends) { $0.number($1) }
          }
        }
        start = end
      }
    }
  }

  /// Writes figures about an index.
  package mutating func statistics(_ statistics: Statistics, of index: Index) {
    object { json in
      json.member("items") { $0.number(statistics.items) }
      json.member("deleted") { $0.number(statistics.deleted) }
      json.member("generation") { $0.number(statistics.generation) }
      json.member("analyzer") { $0.text(index.analyzer.rawValue) }
      json.member("storesItems") { $0.bool(index.storesItems) }
      json.member("domains") {
        $0.array(of: statistics.domains) { json, domain in
          json.object { json in
            json.member("domain") { $0.text(domain.domain) }
            json.member("items") { $0.number(domain.items) }
          }
        }
      }
      json.member("segments") { $0.array(of: statistics.segments) { $0.segment($1) } }
      json.member("attributes") {
        $0.array(of: statistics.attributes) { json, attribute in
          json.object { json in
            json.member("name") { $0.text(attribute.name) }
            json.member("tokens") { $0.number(attribute.tokens) }
            json.member("values") { $0.number(attribute.values) }
          }
        }
      }
    }
  }

  private mutating func segment(_ segment: Statistics.Segment) {
    object { json in
      json.member("name") { $0.text(segment.name) }
      json.member("items") { $0.number(segment.items) }
      json.member("deleted") { $0.number(segment.deleted) }
      json.member("bytes") { $0.number(segment.bytes) }
      json.member("inMemory") { $0.bool(segment.isInMemory) }
      json.member("sections") { json in
        json.object { json in
          for section in segment.sections {
            json.member(section.name) { $0.number(section.bytes) }
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
