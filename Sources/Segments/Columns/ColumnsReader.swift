// Finds a segment's columns.

internal import LimelightCodecs

/// Reads what `ColumnsWriter` wrote.
///
/// Valid while the segment lives, usable by any thread.
package struct ColumnsReader {
  private let directory: SectionView
  private let section: SectionView
  private let documentCount: Int
  package let count: Int

  init(
    directory: SectionView, section: SectionView, documentCount: Int
  ) throws(CorruptionError) {
    guard directory.count % ColumnFormat.entrySize == 0 else {
      throw directory.corrupt("entries are cut short", at: 0)
    }
    self.directory = directory
    self.section = section
    self.documentCount = documentCount
    count = directory.count / ColumnFormat.entrySize
  }

  /// The column at an index, 0 ..< count, by attribute, then kind.
  package func column(at index: Int) throws(CorruptionError) -> Column {
    try Column(
      entry: index * ColumnFormat.entrySize, of: directory, in: section,
      documentCount: documentCount)
  }

  /// The column of an attribute, nil when no item has a value, in O(log columns).
  package func column(_ attribute: UInt16) throws(CorruptionError) -> Column? {
    let index = try firstIndex(of: attribute)
    guard index < count, try self.attribute(index) == attribute else { return nil }
    return try column(at: index)
  }

  /// The column of an attribute that holds values of one kind.
  package func column(
    _ attribute: UInt16, _ kind: ColumnKind
  ) throws(CorruptionError) -> Column? {
    var index = try firstIndex(of: attribute)
    while index < count, try self.attribute(index) == attribute {
      let column = try column(at: index)
      if column.kind == kind { return column }
      index += 1
    }
    return nil
  }

  private func attribute(_ index: Int) throws(CorruptionError) -> UInt16 {
    try directory.u16(at: index * ColumnFormat.entrySize)
  }

  private func firstIndex(of attribute: UInt16) throws(CorruptionError) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if try self.attribute(middle) < attribute { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// All columns, by attribute, then kind.
  package func all() throws(CorruptionError) -> [Column] {
    var columns: [Column] = []
    columns.reserveCapacity(count)
    for index in 0..<count { columns.append(try column(at: index)) }
    return columns
  }

  func verify() throws(CorruptionError) {
    try directory.touchAll()
    try section.touchAll()
    var previous: (UInt16, UInt8)?
    for (index, column) in try all().enumerated() {
      let at = index * ColumnFormat.entrySize
      let key = (column.attribute, column.kind.rawValue)
      if let previous, previous >= key {
        throw directory.corrupt("columns are out of order", at: at)
      }
      previous = key
      try column.verifyStrings()
      try verify(column, at: at)
    }
  }

  /// Decodes all blocks of a column and compares what stands outside of them.
  private func verify(_ column: Column, at: Int) throws(CorruptionError) {
    let cursor = column.cursor()
    var documents = 0
    var previous: UInt32?
    var smallest = Int64.max
    var largest = Int64.min
    for block in 0..<column.blockCount {
      try cursor.load(block)
      var blockSmallest = Int64.max
      var blockLargest = Int64.min
      for index in 0..<cursor.count {
        let document = cursor.documents[index]
        guard document >= previous ?? 0 else {
          throw section.corrupt("documents are out of order", at: 0)
        }
        if document != previous { documents += 1 }
        previous = document
        blockSmallest = min(blockSmallest, cursor.values[index])
        blockLargest = max(blockLargest, cursor.values[index])
      }
      guard try column.minimum(ofBlock: block) == blockSmallest,
        try column.maximum(ofBlock: block) == blockLargest
      else { throw section.corrupt("a block's bounds are not those of its values", at: 0) }
      smallest = min(smallest, blockSmallest)
      largest = max(largest, blockLargest)
    }
    guard documents == column.documentCount,
      column.blockCount == 0 || (smallest, largest) == (column.minimum, column.maximum)
    else { throw directory.corrupt("a column's facts are not those of its values", at: at) }
  }
}

extension Segment {
  /// The columns; nil when no item has a value for one.
  package func columns() throws(CorruptionError) -> ColumnsReader? {
    guard let directory = section(.columnDirectory) else { return nil }
    guard let section = section(.columns) else {
      throw missing("the section is missing", from: .columns)
    }
    return try ColumnsReader(
      directory: directory, section: section, documentCount: documentCount)
  }
}
