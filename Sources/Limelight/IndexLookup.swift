// Items by id, and lists of ids.

internal import LimelightIndexing
internal import LimelightItems
internal import LimelightSearch
internal import LimelightSegments
internal import LimelightSnapshots
internal import LimelightStorage

extension Index {
  /// The item of an id, as it was put; nil if there is none.
  ///
  /// About a microsecond a segment to find it, and a few to read it.
  /// - Throws: ``LimelightError``: `notStored` if the index does not store items.
  public func get(_ id: String) throws(LimelightError) -> Item? {
    let root = try root()
    return try publicly(reading: root) {
      guard let place = try root.find(id), !(try isExpired(root, place)) else { return nil }
      return try ItemReader(root).item(place.view, place.document)
    }
  }

  /// Whether there is an item of that id.
  public func contains(_ id: String) throws(LimelightError) -> Bool {
    let root = try root()
    return try publicly(reading: root) {
      guard let place = try root.find(id) else { return false }
      return !(try isExpired(root, place))
    }
  }

  private func isExpired(
    _ root: IndexRoot, _ place: (view: Int, document: UInt32)
  ) throws -> Bool {
    let segment = root.snapshot.views[place.view].segment
    guard let column = try segment.columns()?.column(SystemColumn.expiry),
      let date = try column.cursor().firstValue(of: place.document)
    else { return false }
    return date <= Clock.wallMicroseconds()
  }

  /// The number of items.
  public var count: Int {
    get throws(LimelightError) {
      let root = try root()
      let expires = root.snapshot.views.contains { $0.segment.section(.expiry) != nil }
      return expires ? try count(.everything) : root.snapshot.liveCount
    }
  }

  /// Ids in the order in which their items arrived.
  ///
  /// - Parameters:
  ///   - domain: Only items of this domain and of those below it.
  ///   - after: Only items behind this one; page through a long list with the last id of a page.
  ///   - limit: The most ids to return.
  public func ids(
    domain: String? = nil, after: String? = nil, limit: Int = .max
  ) throws(LimelightError) -> [String] {
    if let domain { try DomainName.check(domain) }
    let root = try root()
    let query: Query = domain.map { .domain($0) } ?? .everything
    return try publicly(reading: root) {
      try MatchingItems(root, query).ids(after: after, limit: limit)
    }
  }
}
