// Encodes one column, block after block, as its entries arrive.

internal import LimelightCodecs

/// The blocks of a column and what stands outside of them.
///
/// Most segments in memory hold one item, so a column of one value must cost little: two
/// allocations, and no checks of exclusivity (`@exclusivity(unchecked)`; nothing here runs while
/// a property is being changed).
final class ColumnBuilder {
  private struct Entry {
    var document: UInt32
    /// The value; of a string column its number among `strings`.
    var value: Int64
  }

  /// What stands outside of a block.
  private struct Summary {
    var minimum: Int64
    var maximum: Int64
    var offset: Int
    var firstDocument: UInt32
  }

  let attribute: UInt16
  let kind: ColumnKind
  /// Only of a string column.
  let strings: ColumnStrings?
  @exclusivity(unchecked) var skipped = 0

  /// Entries without a block as yet: fewer than 128, but all of a string column, whose values are
  /// known only when the dictionary is complete.
  @exclusivity(unchecked) private var pending: [Entry] = []
  @exclusivity(unchecked) private var summaries: [Summary] = []
  @exclusivity(unchecked) private var blocks: ByteWriter?
  @exclusivity(unchecked) private var documentCount = 0
  @exclusivity(unchecked) private var valueCount = 0
  @exclusivity(unchecked) private var lastDocument: UInt32?
  @exclusivity(unchecked) private var isAligned = true

  init(_ attribute: UInt16, _ kind: ColumnKind) {
    self.attribute = attribute
    self.kind = kind
    strings = kind == .string ? ColumnStrings() : nil
  }

  var isEmpty: Bool { valueCount == 0 && skipped == 0 }

  /// Adds an entry, documents in ascending order; the value of a string is its number.
  func add(_ document: UInt32, _ value: Int64) {
    if Int(document) != valueCount { isAligned = false }
    if document != lastDocument { documentCount += 1 }
    lastDocument = document
    pending.append(Entry(document: document, value: value))
    valueCount += 1
    if pending.count == ColumnFormat.blockSize, kind != .string {
      let blocks = blocks ?? ByteWriter(capacity: 1024)
      self.blocks = blocks
      pending.withUnsafeBufferPointer { summaries.append(encode($0, into: blocks)) }
      pending.removeAll(keepingCapacity: true)
    }
  }

  /// Encodes 1 to 128 entries.
  private func encode(
    _ entries: UnsafeBufferPointer<Entry>, into blocks: ByteWriter
  ) -> Summary {
    let first = entries[0]
    var summary = Summary(
      minimum: first.value, maximum: first.value, offset: blocks.count,
      firstDocument: first.document)
    let count = entries.count
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: ColumnFormat.blockSize) { gaps in
      withUnsafeTemporaryAllocation(of: Int64.self, capacity: ColumnFormat.blockSize) { values in
        guard let gaps = gaps.baseAddress, let values = values.baseAddress else { return }
        var isConsecutive = true
        var isIntegral = kind == .number
        var previous = first.document
        for index in 0..<count {
          let entry = entries[index]
          summary.minimum = min(summary.minimum, entry.value)
          summary.maximum = max(summary.maximum, entry.value)
          gaps[index] = entry.document &- previous
          if index > 0, gaps[index] != 1 { isConsecutive = false }
          previous = entry.document
          if isIntegral, Self.whole(entry.value) == nil { isIntegral = false }
        }
        for index in 0..<count {
          let value = entries[index].value
          values[index] = isIntegral ? Self.whole(value) ?? 0 : value
        }
        blocks.u8(
          (isConsecutive ? ColumnFormat.consecutive : 0) | (isIntegral ? ColumnFormat.integral : 0))
        if !isConsecutive { PFOR.encode(gaps, count: count, into: blocks) }
        PackedIntegers.encode(values, count: count, into: blocks)
      }
    }
    return summary
  }

  /// The integer that a number's code stands for, nil when it is not a whole number that a Double
  /// holds exactly.
  private static func whole(_ code: Int64) -> Int64? {
    let number = Ordered.number(code)
    guard number.magnitude < 9_007_199_254_740_992, number.rounded(.towardZero) == number else {
      return nil
    }
    return Int64(number)
  }

  /// Appends the column to its section and its entry to the directory.
  ///
  /// `scratch` is for the blocks of a column that has had none so far.
  func finish(
    into section: ByteWriter, directory: ByteWriter, scratch: ByteWriter, documentCount total: Int
  ) {
    section.align(to: 8)
    let start = section.count
    var indexLength = 0
    var pagesLength = 0
    if let strings {
      for entry in pending { strings.use(Int(entry.value)) }
      (indexLength, pagesLength) = strings.write(into: section, pages: scratch)
      section.align(to: 8)
      for index in pending.indices {
        pending[index].value = Int64(strings.ordinal(of: Int(pending[index].value)))
      }
    }
    let blocks = self.blocks ?? scratch
    if self.blocks == nil { scratch.removeAll() }
    pending.withUnsafeBufferPointer { entries in
      for first in stride(from: 0, to: entries.count, by: ColumnFormat.blockSize) {
        let end = min(first + ColumnFormat.blockSize, entries.count)
        summaries.append(
          encode(UnsafeBufferPointer(rebasing: entries[first..<end]), into: blocks))
      }
    }
    for summary in summaries { section.u64(UInt64(bitPattern: summary.minimum)) }
    for summary in summaries { section.u64(UInt64(bitPattern: summary.maximum)) }
    for summary in summaries { section.u64(UInt64(summary.offset)) }
    for summary in summaries { section.u32(summary.firstDocument) }
    section.align(to: 8)
    section.bytes(blocks.written)

    var minimum = summaries.first?.minimum ?? 0
    var maximum = summaries.first?.maximum ?? 0
    for summary in summaries {
      minimum = min(minimum, summary.minimum)
      maximum = max(maximum, summary.maximum)
    }
    let isDense = isAligned && valueCount == total && valueCount > 0
    directory.u16(attribute)
    directory.u8(kind.rawValue)
    directory.u8(isDense ? ColumnFormat.aligned : 0)
    directory.u32(UInt32(documentCount))
    directory.u64(UInt64(valueCount))
    directory.u64(UInt64(bitPattern: minimum))
    directory.u64(UInt64(bitPattern: maximum))
    directory.u64(UInt64(start))
    directory.u64(UInt64(section.count - start))
    directory.u64(UInt64(indexLength))
    directory.u64(UInt64(pagesLength))
    directory.u32(UInt32(clamping: skipped))
    directory.u32(0)
  }
}
