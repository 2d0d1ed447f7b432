// An item as an index takes it: attributes as numbers, values of their attributes' kinds.

/// An item that was checked: attributes are numbers, values are of their attributes' kinds.
package struct ResolvedItem: Sendable {
  /// The id; still empty when the caller left it to the index.
  package var id: String
  package var domain: String?
  package var contentType: String?
  package var expiration: Timestamp?
  package var thumbnail: [UInt8]?
  /// Whether there is a thumbnail, be it here or, for a stored item, elsewhere.
  package var hasThumbnail: Bool
  /// The values: short ones first, so that a reader of the front misses only long texts, and
  /// within both groups by number.
  package var values: [(id: UInt16, value: Value)]

  package init(
    id: String, domain: String? = nil, contentType: String? = nil, expiration: Timestamp? = nil,
    thumbnail: [UInt8]? = nil, values: [(id: UInt16, value: Value)] = []
  ) {
    self.id = id
    self.domain = domain
    self.contentType = contentType
    self.expiration = expiration
    self.thumbnail = thumbnail
    self.hasThumbnail = thumbnail != nil
    self.values = values
  }

  /// The value of an attribute.
  package func value(of id: UInt16) -> Value? {
    values.first { $0.id == id }?.value
  }

  /// Values of more bytes than this are long ones.
  package static let shortBytes = 255

  /// Brings the values into their order.
  package mutating func orderValues() {
    if values.count < 2 { return }
    var keys = values.indices.map { place in
      let (id, value) = values[place]
      return (value.byteCount > Self.shortBytes ? 1 << 63 : 0) | UInt64(id) << 32 | UInt64(place)
    }
    keys.sort()
    values = keys.map { values[Int($0 & 0xFFFF_FFFF)] }
  }

  /// The item with its attributes by name; numbers unknown to the registry are left out.
  package func item(registry: AttributeRegistry) -> Item {
    var attributes = AttributeSet()
    for (id, value) in values {
      guard let attribute = registry.attribute(id: id) else { continue }
      attributes[Attribute(attribute.name)] = value
    }
    return Item(
      id: id, domain: domain, contentType: contentType, expirationDate: expiration,
      thumbnail: thumbnail, attributes: attributes)
  }
}

extension ResolvedItem: Equatable {
  package static func == (left: ResolvedItem, right: ResolvedItem) -> Bool {
    left.id == right.id && left.domain == right.domain && left.contentType == right.contentType
      && left.expiration == right.expiration && left.thumbnail == right.thumbnail
      && left.hasThumbnail == right.hasThumbnail
      && left.values.elementsEqual(right.values) { $0.id == $1.id && $0.value == $1.value }
  }
}
