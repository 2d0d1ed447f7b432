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
  /// Only of a string column whose values are numbers of strings in here, not ordinals yet.
  let strings: ColumnStrings?
  private let spill: SpillFile?
  private let keepsValues: Bool
  @exclusivity(unchecked) var skipped = 0

  /// Entries without a block as yet: fewer than 128, but all of them where ordinals are known only when
  /// the dictionary is complete, or where values are to be moved to another column.
  @exclusivity(unchecked) private var pending: [Entry] = []
  @exclusivity(unchecked) private var summaries: [Summary] = []
  @exclusivity(unchecked) private var blocks: SectionBuffer?
  @exclusivity(unchecked) private var documentCount = 0
  @exclusivity(unchecked) private var valueCount = 0
  @exclusivity(unchecked) private var lastDocument: UInt32?
  @exclusivity(unchecked) private var isAligned = true
  /// How many of the entries were moved to another column, and what they call the strings here.
  @exclusivity(unchecked) private var moved = 0
  @exclusivity(unchecked) private var movedStrings: [UInt32] = []

  /// Begins a column; the strings of one that is `gathering` come in any order.
  init(
    _ attribute: UInt16, _ kind: ColumnKind, gathering: Bool = true, keepsValues: Bool = false,
    spill: SpillFile? = nil
  ) {
    self.attribute = attribute
    self.kind = kind
    self.spill = spill
    self.keepsValues = keepsValues
    strings = gathering && kind == .string ? ColumnStrings() : nil
  }

  var isEmpty: Bool { valueCount == 0 && skipped == 0 }

  /// The bytes of memory that the column takes so far, about.
  var memory: Int {
    pending.count &* MemoryLayout<Entry>.stride
      &+ summaries.count &* MemoryLayout<Summary>.stride
      &+ (blocks?.bytes.count ?? 0) &+ (strings?.memory ?? 0)
  }

  /// Adds an entry, documents in ascending order; the value of a string is its number in `strings`, or
  /// without these its ordinal.
  func add(_ document: UInt32, _ value: Int64) {
    if Int(document) != valueCount { isAligned = false }
    if document != lastDocument { documentCount += 1 }
    lastDocument = document
    pending.append(Entry(document: document, value: value))
    valueCount += 1
    if pending.count == ColumnFormat.blockSize, strings == nil, !keepsValues {
      let blocks = blocks ?? SectionBuffer(spill, capacity: 1024)
      self.blocks = blocks
      pending.withUnsafeBufferPointer { summaries.append(encode($0, into: blocks)) }
      pending.removeAll(keepingCapacity: true)
    }
  }

  /// Moves entries of a column that keeps its values to here; see `ColumnsWriter.append`.
  func append(_ source: ColumnBuilder, upTo end: UInt32, movedBy distance: UInt32) {
    skipped += source.skipped
    source.skipped = 0
    while source.moved < source.pending.count, source.pending[source.moved].document < end {
      let entry = source.pending[source.moved]
      add(entry.document &+ distance, number(of: entry.value, from: source))
      source.moved += 1
    }
  }

  /// The value here of a value of another column: a string may have another number.
  private func number(of value: Int64, from source: ColumnBuilder) -> Int64 {
    guard let strings, let sourceStrings = source.strings else { return value }
    let number = Int(value)
    while source.movedStrings.count <= number { source.movedStrings.append(.max) }
    if source.movedStrings[number] == .max {
      source.movedStrings[number] = sourceStrings.move(number, to: strings)
    }
    return Int64(source.movedStrings[number])
  }

  /// Encodes 1 to 128 entries.
  private func encode(
    _ entries: UnsafeBufferPointer<Entry>, into target: SectionBuffer
  ) -> Summary {
    let first = entries[0]
    var summary = Summary(
      minimum: first.value, maximum: first.value, offset: target.count,
      firstDocument: first.document)
    let blocks = target.bytes
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
    target.spillIfLarge()
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
  /// `dictionary` is that of a column of ordinals, else empty; `scratch` is empty and for the blocks of
  /// a column that has had none so far. Both are empty afterwards.
  func finish(
    into section: SectionBuffer, directory: ByteWriter, dictionary: ColumnDictionary,
    scratch: SectionBuffer, documentCount total: Int
  ) {
    section.align(to: 8)
    let start = section.count
    if let strings {
      strings.write(to: dictionary)
      for index in pending.indices {
        pending[index].value = Int64(strings.ordinal(of: Int(pending[index].value)))
      }
    }
    let indexLength = dictionary.index.count
    let pagesLength = dictionary.pages.count
    if indexLength > 0 {
      section.bytes.bytes(dictionary.index.written)
      section.append(dictionary.pages)
      section.align(to: 8)
      dictionary.removeAll()
    }
    let blocks = self.blocks ?? scratch
    pending.withUnsafeBufferPointer { entries in
      for first in stride(from: 0, to: entries.count, by: ColumnFormat.blockSize) {
        let end = min(first + ColumnFormat.blockSize, entries.count)
        summaries.append(
          encode(UnsafeBufferPointer(rebasing: entries[first..<end]), into: blocks))
      }
    }
    let arrays = section.bytes
    for summary in summaries { arrays.u64(UInt64(bitPattern: summary.minimum)) }
    for summary in summaries { arrays.u64(UInt64(bitPattern: summary.maximum)) }
    for summary in summaries { arrays.u64(UInt64(summary.offset)) }
    for summary in summaries { arrays.u32(summary.firstDocument) }
    section.align(to: 8)
    section.append(blocks)

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
