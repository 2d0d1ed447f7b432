// Merges the postings of a term whose documents change their order.

internal import LimelightCodecs
internal import LimelightSegments

/// The postings of a term, or some of them, to be sorted by their new documents.
final class GatheredPostings {
  /// So many are gathered at once: a longer list is read once for each part of the documents.
  static let bound = 1 << 20

  /// New document, then place in the arrays below.
  private(set) var keys: [UInt64] = []
  private var frequencies: [UInt32] = []
  private var codes: [UInt32] = []
  private var starts: [Int] = []
  private let positions = ByteWriter(capacity: 4096)

  func removeAll() {
    keys.removeAll(keepingCapacity: true)
    frequencies.removeAll(keepingCapacity: true)
    codes.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    positions.removeAll(keepingCapacity: positions.capacity <= Self.bound &* 8)
  }

  func add(_ document: UInt32, frequency: UInt32, code: UInt32, _ source: UnsafePointer<UInt32>) {
    keys.append(UInt64(document) &<< 32 | UInt64(frequencies.count))
    frequencies.append(frequency)
    codes.append(code)
    starts.append(positions.count)
    positions.bytes(UnsafeRawBufferPointer(start: source, count: Int(frequency) &* 4))
  }

  func sort() { keys.sort() }

  /// Adds the posting at a place of the sorted `keys` to a block.
  func move(_ place: Int, to block: PostingsBlock) {
    let index = Int(keys[place] & 0xFFFF_FFFF)
    block.add(
      UInt32(truncatingIfNeeded: keys[place] &>> 32), frequency: frequencies[index],
      code: codes[index],
      (positions.base + starts[index]).assumingMemoryBound(to: UInt32.self))
  }
}

extension FieldsMerger {
  /// Writes the postings of a term by ascending new documents, wherever they come from.
  func writeReordered(
    _ sources: MergedSources, _ hasCodes: Bool, frequency: Int, items: Int,
    to writer: FieldsWriter, _ isCancelled: () -> Bool
  ) throws(CorruptionError) {
    let passes = (frequency + GatheredPostings.bound - 1) / GatheredPostings.bound
    let width = UInt32(truncatingIfNeeded: items / passes + 1)
    for pass in 0..<UInt32(truncatingIfNeeded: passes) {
      gathered.removeAll()
      let first = pass &* width
      let end = UInt32(min(UInt64(first) + UInt64(width), UInt64(DocumentMap.dropped)))
      for i in 0..<sources.matchCount {
        try sources.match(i).pointee.gather(first..<end, hasCodes, into: gathered, isCancelled)
        if isCancelled() { return }
      }
      gathered.sort()
      writeGathered(hasCodes: hasCodes, to: writer)
    }
  }

  private func writeGathered(hasCodes: Bool, to writer: FieldsWriter) {
    for place in gathered.keys.indices {
      gathered.move(place, to: block)
      if block.isFull { block.flush(hasCodes, to: writer) }
    }
    block.flush(hasCodes, to: writer)
  }
}
