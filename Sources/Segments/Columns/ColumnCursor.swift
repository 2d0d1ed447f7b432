// Decodes the blocks of a column.

internal import LimelightCodecs

/// A walk over one column; owns the buffers of a block, so it belongs to one thread.
///
/// Keeps the last block decoded: values of neighbouring documents cost one decode.
package final class ColumnCursor {
  package let column: Column
  /// The entries of the loaded block, by document; valid up to `count`.
  package let documents: UnsafeMutablePointer<UInt32>
  package let values: UnsafeMutablePointer<Int64>
  package private(set) var count = 0
  /// Whether the loaded block's documents follow each other, one value each.
  package private(set) var isConsecutive = false

  private var withDocuments = -1
  private var withValues = -1
  private var bytes: SectionView?
  private var valuesAt = 0
  private var isIntegral = false

  init(_ column: Column) {
    self.column = column
    documents = .allocate(capacity: ColumnFormat.blockSize)
    values = .allocate(capacity: ColumnFormat.blockSize)
    documents.initialize(repeating: 0, count: ColumnFormat.blockSize)
    values.initialize(repeating: 0, count: ColumnFormat.blockSize)
  }

  deinit {
    documents.deallocate()
    values.deallocate()
  }

  /// Decodes the documents of a block, 0 ..< blockCount.
  package func loadDocuments(_ block: Int) throws(CorruptionError) {
    guard block != withDocuments else { return }
    withDocuments = -1
    withValues = -1
    let view = try column.bytes(ofBlock: block)
    let first = try column.firstDocument(ofBlock: block)
    let size = column.count(ofBlock: block)
    let form = try view.u8(at: 0)
    guard form <= ColumnFormat.consecutive | ColumnFormat.integral else {
      throw view.corrupt("no such form of block", at: 0)
    }
    isConsecutive = form & ColumnFormat.consecutive != 0
    isIntegral = form & ColumnFormat.integral != 0
    valuesAt = 1
    if isConsecutive {
      for index in 0..<size { documents[index] = first &+ UInt32(truncatingIfNeeded: index) }
    } else {
      let used = PFOR.decodeSum(
        view.base + 1, available: view.count - 1, count: size, base: first, into: documents)
      guard used > 0 else { throw view.corrupt("documents cannot be decoded", at: 1) }
      valuesAt += used
    }
    var previous = first
    for index in 0..<size {
      guard documents[index] >= previous else {
        throw view.corrupt("documents are out of order", at: 1)
      }
      previous = documents[index]
    }
    guard documents[0] == first, Int(previous) < column.segmentDocuments,
      !column.isDense || Int(first) == block * ColumnFormat.blockSize && isConsecutive
    else { throw view.corrupt("a document number is out of range", at: 1) }
    count = size
    bytes = view
    withDocuments = block
  }

  /// Decodes a block, 0 ..< blockCount.
  package func load(_ block: Int) throws(CorruptionError) {
    guard block != withValues else { return }
    try loadDocuments(block)
    guard let view = bytes else { return }
    let used = PackedIntegers.decode(
      view.base + valuesAt, available: view.count - valuesAt, count: count, into: values)
    guard used == view.count - valuesAt else {
      throw view.corrupt("values cannot be decoded", at: valuesAt)
    }
    if isIntegral {
      for index in 0..<count { values[index] = Ordered.integer(Double(values[index])) }
    }
    if column.kind == .string {
      let limit = Int64(column.stringCount)
      for index in 0..<count {
        guard values[index] >= 0, values[index] < limit else {
          throw view.corrupt("an ordinal is out of range", at: valuesAt)
        }
      }
    }
    withValues = block
  }

  /// Puts the values of a document into `result`, in the order in which they were added.
  package func values(
    of document: UInt32, into result: inout [Int64]
  ) throws(CorruptionError) {
    result.removeAll(keepingCapacity: true)
    guard var block = try firstBlock(of: document) else { return }
    while block < column.blockCount, try column.firstDocument(ofBlock: block) <= document {
      try load(block)
      for index in firstIndex(of: document)..<count {
        guard documents[index] == document else { return }
        result.append(values[index])
      }
      block += 1
    }
  }

  /// The first value of a document, nil when it has none.
  package func firstValue(of document: UInt32) throws(CorruptionError) -> Int64? {
    guard var block = try firstBlock(of: document) else { return nil }
    if column.isDense, block != withDocuments { return try denseValue(of: document, in: block) }
    while block < column.blockCount, try column.firstDocument(ofBlock: block) <= document {
      try loadDocuments(block)
      let index = firstIndex(of: document)
      if index < count { return documents[index] == document ? try value(at: index) : nil }
      block += 1
    }
    return nil
  }

  /// The value of a document whose place follows from its number.
  private func denseValue(
    of document: UInt32, in block: Int
  ) throws(CorruptionError) -> Int64? {
    let view = try column.bytes(ofBlock: block)
    let index = Int(document) % ColumnFormat.blockSize
    guard index < column.count(ofBlock: block) else { return nil }
    let form = try view.u8(at: 0)
    guard form & ~ColumnFormat.integral == ColumnFormat.consecutive else {
      throw view.corrupt("no such form of block", at: 0)
    }
    return try Self.value(
      at: index, of: column.count(ofBlock: block), in: view, 1, column,
      isIntegral: form & ColumnFormat.integral != 0)
  }

  /// One value of the block whose documents are loaded, without decoding the others.
  private func value(at index: Int) throws(CorruptionError) -> Int64? {
    if withValues == withDocuments { return values[index] }
    guard let view = bytes else { return nil }
    return try Self.value(at: index, of: count, in: view, valuesAt, column, isIntegral: isIntegral)
  }

  private static func value(
    at index: Int, of count: Int, in view: SectionView, _ start: Int, _ column: Column,
    isIntegral: Bool
  ) throws(CorruptionError) -> Int64 {
    let value = PackedIntegers.get(
      view.base + start, available: view.count - start, count: count, index: index)
    guard let value else { throw view.corrupt("a value cannot be decoded", at: start) }
    guard column.kind != .string || (0..<Int64(column.stringCount)).contains(value) else {
      throw view.corrupt("an ordinal is out of range", at: start)
    }
    return isIntegral ? Ordered.integer(Double(value)) : value
  }

  /// The first block that can hold a document's values.
  private func firstBlock(of document: UInt32) throws(CorruptionError) -> Int? {
    if column.isDense {
      let block = Int(document) / ColumnFormat.blockSize
      return block < column.blockCount ? block : nil
    }
    if withDocuments >= 0, count > 0, documents[0] < document, document <= documents[count - 1] {
      return withDocuments
    }
    var block = try column.lastBlock(beginningBy: document)
    guard block >= 0 else { return nil }
    // A document's values can begin in an earlier block than the one that they fill.
    while block > 0, try column.firstDocument(ofBlock: block) == document { block -= 1 }
    return block
  }

  /// The first entry of the loaded block that is not before a document.
  private func firstIndex(of document: UInt32) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) &>> 1
      if documents[middle] < document { low = middle &+ 1 } else { high = middle }
    }
    return low
  }
}
