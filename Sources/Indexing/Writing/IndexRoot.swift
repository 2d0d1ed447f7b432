// What readers hold: a snapshot, and the way to the bytes that no snapshot shows.

internal import LimelightSegments
package import LimelightSnapshots
internal import LimelightStorage

/// An index at one moment.
///
/// Never changed: a writer swaps in a new one. Whoever holds a root keeps all of its segments alive.
package final class IndexRoot: Sendable {
  package let snapshot: Snapshot
  private let folder: Folder
  /// Thumbnails of items in memory, by segment and document.
  private let thumbnails: [UInt64: [UInt32: [UInt8]]]
  /// Whether bytes of a segment can be lost from under its map without ending the process.
  package let isGuarded: Bool

  init(_ snapshot: Snapshot, folder: Folder, thumbnails: [UInt64: [UInt32: [UInt8]]]) {
    self.snapshot = snapshot
    self.folder = folder
    self.thumbnails = thumbnails
    isGuarded = folder.reading == .guarded
  }

  /// The place of a live item: the view, counted from the oldest, and the document in it.
  ///
  /// Newer segments are asked first; about half a microsecond a segment.
  package func find(_ id: String) throws(IndexingError) -> (view: Int, document: UInt32)? {
    for number in snapshot.views.indices.reversed() {
      let view = snapshot.views[number]
      let document = try indexing { try view.segment.ids()?.find(id) }
      if let document, view.live.isLive(document) { return (number, document) }
    }
    return nil
  }

  /// The thumbnail of an item, if it has one; reads only its bytes.
  package func thumbnail(view: Int, document: UInt32) throws(IndexingError) -> [UInt8]? {
    let segment = snapshot.views[view].segment
    if let bytes = thumbnails[segment.segmentID]?[document] { return bytes }
    return try indexing {
      guard let reference = try segment.thumbnails()?.find(document) else { return nil }
      let frame = SideFile(.thumbnails, UInt64(reference.file), uuid: snapshot.options.uuid)
      let name = FileNames.thumbnails(UInt64(reference.file))
      let file = try named(name) { () throws(StorageError) in try folder.openReader(name) }
      try frame.check(header: try file.read(from: 0, count: SideFile.headerSize))
      let bytes = try file.read(
        from: Int(clamping: reference.offset),
        count: Int(reference.length) + SideFile.checksumSize)
      return try frame.thumbnail(
        of: Int(reference.length), in: bytes, at: reference.offset)
    }
  }
}
