// Where the items' thumbnails lie.

internal import LimelightCodecs

/// A place in one of the index's thumbnail files.
package struct ThumbnailReference: Equatable, Sendable {
  package var file: UInt32
  package var offset: UInt64
  package var length: UInt32

  package init(file: UInt32, offset: UInt64, length: UInt32) {
    self.file = file
    self.offset = offset
    self.length = length
  }
}

/// Writes the section `thumbnails`: entries of 20 bytes, sorted by document.
///
///     document u32, file number u32, length u32, offset u64
package final class ThumbnailsWriter {
  static let entrySize = 20

  private let segment: SegmentWriter
  private var entries: [(document: UInt32, reference: ThumbnailReference)] = []

  package init(_ segment: SegmentWriter) { self.segment = segment }

  /// Adds a document's thumbnail; at most one each.
  package func add(document: UInt32, _ reference: ThumbnailReference) {
    entries.append((document, reference))
  }

  /// Adds those of another segment, but for documents that `map` sends to `UInt32.max`.
  package func append(_ source: ThumbnailsReader, map: [UInt32]) throws(CorruptionError) {
    for index in 0..<source.count {
      let (document, reference) = try source.entry(index)
      if Int(document) < map.count, map[Int(document)] != .max {
        add(document: map[Int(document)], reference)
      }
    }
  }

  package func finish() {
    entries.sort { $0.document < $1.document }
    let section = segment.buffer(.thumbnails)
    for (document, reference) in entries {
      section.u32(document)
      section.u32(reference.file)
      section.u32(reference.length)
      section.u64(reference.offset)
    }
    segment.setCount(.thumbnails, entrySize: Self.entrySize, entries.count)
  }
}

/// Reads what `ThumbnailsWriter` wrote.
///
/// Valid while the segment lives, usable by any thread.
package struct ThumbnailsReader {
  private let view: SectionView
  private let documentCount: Int
  package let count: Int

  init(_ view: SectionView, documentCount: Int) throws(CorruptionError) {
    guard view.count % ThumbnailsWriter.entrySize == 0 else {
      throw view.corrupt("entries are cut short", at: 0)
    }
    self.view = view
    self.documentCount = documentCount
    count = view.count / ThumbnailsWriter.entrySize
  }

  /// The entry at an index, 0 ..< count, by document.
  package func entry(
    _ index: Int
  ) throws(CorruptionError) -> (document: UInt32, reference: ThumbnailReference) {
    let at = index * ThumbnailsWriter.entrySize
    let document = try view.u32(at: at)
    guard Int(document) < documentCount else {
      throw view.corrupt("a document number is out of range", at: at)
    }
    return (
      document,
      ThumbnailReference(
        file: try view.u32(at: at + 4), offset: try view.u64(at: at + 12),
        length: try view.u32(at: at + 8))
    )
  }

  /// A document's thumbnail, nil when it has none, in O(log n).
  package func find(_ document: UInt32) throws(CorruptionError) -> ThumbnailReference? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      let found = try view.u32(at: middle * ThumbnailsWriter.entrySize)
      if found < document { low = middle + 1 } else { high = middle }
    }
    guard low < count else { return nil }
    let (found, reference) = try entry(low)
    return found == document ? reference : nil
  }

  func verify() throws(CorruptionError) {
    var previous: UInt32?
    for index in 0..<count {
      let (document, _) = try entry(index)
      if let previous, previous >= document {
        throw view.corrupt("entries are out of order", at: index * ThumbnailsWriter.entrySize)
      }
      previous = document
    }
  }
}

extension Segment {
  /// The places of the thumbnails; nil when no item has one.
  package func thumbnails() throws(CorruptionError) -> ThumbnailsReader? {
    guard let view = section(.thumbnails) else { return nil }
    return try ThumbnailsReader(view, documentCount: documentCount)
  }
}
