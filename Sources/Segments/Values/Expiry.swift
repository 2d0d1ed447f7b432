// When items expire, sorted by time.

internal import LimelightCodecs

/// Writes the section `expiry`: pairs sorted by date, then document.
///
///     dates      microseconds since 1970, i64 each
///     documents  u32 each
package final class ExpiryWriter {
  private let segment: SegmentWriter
  private var entries: [(date: Int64, document: UInt32)] = []

  package init(_ segment: SegmentWriter) { self.segment = segment }

  /// Adds a document that expires.
  package func add(document: UInt32, date: Int64) {
    entries.append((date, document))
  }

  /// Adds those of another segment, but for documents that `map` sends to `UInt32.max`.
  package func append(_ source: ExpiryReader, map: [UInt32]) throws(CorruptionError) {
    for index in 0..<source.count {
      let entry = try source.entry(index)
      if Int(entry.document) < map.count, map[Int(entry.document)] != .max {
        add(document: map[Int(entry.document)], date: entry.date)
      }
    }
  }

  package func finish() {
    guard !entries.isEmpty else { return }
    entries.sort { ($0.date, $0.document) < ($1.date, $1.document) }
    let section = segment.buffer(.expiry)
    for entry in entries { section.u64(UInt64(bitPattern: entry.date)) }
    for entry in entries { section.u32(entry.document) }
    segment.setCount(.expiry, entrySize: 12, entries.count)
  }
}

/// Reads what `ExpiryWriter` wrote.
///
/// Valid while the segment lives, usable by any thread.
package struct ExpiryReader {
  private let view: SectionView
  private let documentCount: Int
  package let count: Int

  init(_ view: SectionView, documentCount: Int) throws(CorruptionError) {
    guard view.count % 12 == 0 else { throw view.corrupt("entries are cut short", at: 0) }
    self.view = view
    self.documentCount = documentCount
    count = view.count / 12
  }

  /// The entry at an index, 0 ..< count, by date.
  package func entry(_ index: Int) throws(CorruptionError) -> (date: Int64, document: UInt32) {
    let document = try view.u32(at: count * 8 + index * 4)
    guard Int(document) < documentCount else {
      throw view.corrupt("a document number is out of range", at: count * 8 + index * 4)
    }
    return (try date(index), document)
  }

  private func date(_ index: Int) throws(CorruptionError) -> Int64 {
    Int64(bitPattern: try view.u64(at: index * 8))
  }

  /// The index of the first entry whose date is later than `date`; count when there is none.
  ///
  /// What stands before has expired at `date`. O(log n).
  package func firstIndex(after date: Int64) throws(CorruptionError) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if try self.date(middle) <= date { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func verify() throws(CorruptionError) {
    var previous: (date: Int64, document: UInt32)?
    for index in 0..<count {
      let entry = try entry(index)
      if let previous, previous >= entry {
        throw view.corrupt("entries are out of order", at: index * 8)
      }
      previous = entry
    }
  }
}

extension Segment {
  /// The expiry dates; nil when no item has one.
  package func expiry() throws(CorruptionError) -> ExpiryReader? {
    guard let view = section(.expiry) else { return nil }
    return try ExpiryReader(view, documentCount: documentCount)
  }
}
