// What a host application hands over to be found.

/// Something that can be found: an id, a place in the domains, and attributes.
public struct Item: Hashable, Sendable {
  /// What the host calls the item: up to ``ItemLimits/idBytes`` bytes, unique in an index.
  ///
  /// Putting an item replaces the one of the same id. When it is empty, a UUID is made.
  public var id: String
  /// The group that the item belongs to: components separated by periods, such as `mail.inbox`.
  ///
  /// Deleting or searching a domain takes the domains below it as well.
  public var domain: String?
  /// The uniform type identifier of the content, such as `public.jpeg`.
  public var contentType: String?
  /// When the item stops being found; nil = never.
  public var expirationDate: Timestamp?
  /// An encoded picture to show beside the item.
  public var thumbnail: [UInt8]?
  /// What there is to find and to show.
  public var attributes: AttributeSet

  /// Makes an item.
  public init(
    id: String = "", domain: String? = nil, contentType: String? = nil,
    expirationDate: Timestamp? = nil, thumbnail: [UInt8]? = nil, attributes: AttributeSet = [:]
  ) {
    self.id = id
    self.domain = domain
    self.contentType = contentType
    self.expirationDate = expirationDate
    self.thumbnail = thumbnail
    self.attributes = attributes
  }
}
