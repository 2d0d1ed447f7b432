// Reads what is kept of an item: id, domain, the stored item, its thumbnail.

internal import LimelightIndexing
internal import LimelightItems
internal import LimelightSegments
internal import LimelightSnapshots

/// Reads items of a root by view and document.
struct ItemReader {
  let root: IndexRoot

  init(_ root: IndexRoot) { self.root = root }

  func id(_ view: Int, _ document: UInt32) throws -> String {
    guard let ids = try root.snapshot.views[view].segment.ids() else {
      throw missing(view, "idIndex")
    }
    return try ids.id(of: document)
  }

  func domain(_ view: Int, _ document: UInt32) throws -> String? {
    let segment = root.snapshot.views[view].segment
    guard let column = try segment.columns()?.column(SystemColumn.domain),
      let ordinal = try column.cursor().firstValue(of: document)
    else { return nil }
    let key = try column.string(Int(ordinal))
    return key.withUnsafeBufferPointer { DomainKey.decode($0) }
  }

  /// The stored item, without its thumbnail.
  func resolved(_ view: Int, _ document: UInt32) throws -> ResolvedItem {
    let segment = root.snapshot.views[view].segment
    guard root.snapshot.options.storesItems else {
      throw LimelightError(.notStored, "the index was made without stored items")
    }
    guard let stored = try segment.storedItems() else { throw missing(view, "stored") }
    let record = try stored.record(of: document)
    do throws(ItemDecodingError) {
      return try ItemCodec.decode(record)
    } catch {
      throw LimelightError(
        .damaged, "a stored item of \(segment.name) is damaged: \(error.what)",
        file: segment.name, section: "stored")
    }
  }

  func item(_ view: Int, _ document: UInt32, withThumbnail: Bool = true) throws -> Item {
    var resolved = try resolved(view, document)
    if withThumbnail && resolved.hasThumbnail {
      resolved.thumbnail = try root.thumbnail(view: view, document: document)
    }
    return resolved.item(registry: root.snapshot.registry)
  }

  private func missing(_ view: Int, _ section: String) -> LimelightError {
    let name = root.snapshot.views[view].segment.name
    return LimelightError(
      .damaged, "\(name) has no section \(section)", file: name, section: section)
  }
}
