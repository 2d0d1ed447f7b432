// The live items of a damaged segment, one after the other, as far as their bytes are whole.

internal import LimelightItems
internal import LimelightSegments
internal import LimelightSnapshots
internal import LimelightStorage

/// Walks over the live documents of a damaged segment.
///
/// For one thread.
struct SegmentSalvage {
  /// What is left of an item.
  enum Item {
    /// All of it; but maybe not its thumbnail.
    case whole(ResolvedItem, lacksThumbnail: Bool)
    /// Its id.
    case id(String)
    /// That there was one.
    case nothing
  }

  private let live: LiveDocs
  private let root: IndexRoot
  private let stored: StoredReader?
  private let ids: IdsReader?
  /// The documents by arrival, if that is not their order.
  private let order: [UInt32]
  private var next = 0

  init(_ segment: Segment, live: LiveDocs, _ options: IndexOptions, folder: Folder) {
    self.live = live
    root = IndexRoot(of: segment, options, folder: folder)
    stored = segment.hasItsDictionary ? try? segment.storedItems() : nil
    ids = try? segment.ids()
    let order = (try? segment.arrivalOrder())?.documents() ?? []
    self.order = order.count == live.count ? order : []
  }

  /// The next live item; nil at the end.
  mutating func nextItem() -> Item? {
    while next < live.count {
      let document = order.isEmpty ? UInt32(truncatingIfNeeded: next) : order[next]
      next += 1
      if live.isLive(document) { return item(document) }
    }
    return nil
  }

  private func item(_ document: UInt32) -> Item {
    if let record = try? stored?.record(of: document), let item = try? ItemCodec.decode(record),
      !item.id.isEmpty
    {
      guard item.hasThumbnail else { return .whole(item, lacksThumbnail: false) }
      return withThumbnail(item, document)
    }
    guard let id = try? ids?.id(of: document) else { return .nothing }
    return .id(id)
  }

  private func withThumbnail(_ item: ResolvedItem, _ document: UInt32) -> Item {
    var item = item
    item.thumbnail = try? root.thumbnail(view: 0, document: document)
    let isLost = item.thumbnail == nil
    if isLost { item.hasThumbnail = false }
    return .whole(item, lacksThumbnail: isLost)
  }
}
