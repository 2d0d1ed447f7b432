// Merges the columns of several segments, a column at a time.

internal import LimelightCodecs

/// What a merge takes of one segment's columns.
package struct ColumnsInput {
  /// The segment's columns, nil if it has none.
  let reader: ColumnsReader?
  /// For each of its documents the new number, or `UInt32.max` when it is left out.
  let map: [UInt32]
  /// The put sequence of all its documents, where no column says theirs; nil if it is not known.
  let putSequence: Int64?

  package init(_ reader: ColumnsReader?, map: [UInt32], putSequence: Int64? = nil) {
    self.reader = reader
    self.map = map
    self.putSequence = putSequence
  }
}

/// Writes the columns of inputs as if their items were added anew.
///
/// Strings are merged in step from the sorted dictionaries and, if documents keep their order, blocks are
/// written as they come: beside a number for each string of the column at hand, nothing grows with the
/// inputs. Otherwise the values of the column at hand are sorted, with 24 bytes each.
package struct ColumnsMerger {
  private struct Key: Hashable, Comparable {
    let attribute: UInt16
    let kind: ColumnKind

    static func < (a: Key, b: Key) -> Bool {
      (a.attribute, a.kind.rawValue) < (b.attribute, b.kind.rawValue)
    }
  }

  private let segment: SegmentWriter
  private let inputs: [ColumnsInput]
  private let documentCount: Int
  private let keepsOrder: Bool

  /// Prepares to write the columns of a segment of so many documents, which follow each other as in the
  /// inputs or do not.
  package init(
    _ segment: SegmentWriter, _ inputs: [ColumnsInput], documentCount: Int,
    keepsOrder: Bool = true
  ) {
    self.keepsOrder = keepsOrder
    self.segment = segment
    self.inputs = inputs
    self.documentCount = documentCount
  }

  /// Writes the sections; stops when `isCancelled`, asked for each column, says so.
  package func write(isCancelled: () -> Bool = { false }) throws(CorruptionError) {
    var keys: Set<Key> = []
    for input in inputs {
      for column in try input.reader?.all() ?? [] {
        keys.insert(Key(attribute: column.attribute, kind: column.kind))
      }
      if input.putSequence != nil {
        keys.insert(Key(attribute: SystemColumn.putSequence, kind: .integer))
      }
    }
    let target = ColumnsTarget(segment, documentCount: documentCount)
    for key in keys.sorted() {
      if isCancelled() { return }
      try write(key, to: target)
    }
    target.finish()
  }

  private func write(_ key: Key, to target: ColumnsTarget) throws(CorruptionError) {
    let builder = ColumnBuilder(key.attribute, key.kind, gathering: false, spill: segment.spill)
    var columns: [Column?] = []
    for input in inputs { columns.append(try input.reader?.column(key.attribute, key.kind)) }
    var ordinals: [[UInt32]] = []
    if key.kind == .string { ordinals = try mergeStrings(of: columns, into: target.dictionary) }
    var unsorted: [(document: UInt32, place: Int, value: Int64)] = []
    func add(_ document: UInt32, _ value: Int64) {
      if keepsOrder {
        builder.add(document, value)
      } else {
        unsorted.append((document, unsorted.count, value))
      }
    }
    for (place, input) in inputs.enumerated() {
      if let column = columns[place] {
        builder.skipped += column.skipped
        try append(column, input.map, ordinals.isEmpty ? [] : ordinals[place], add)
      } else if key.attribute == SystemColumn.putSequence, let sequence = input.putSequence,
        try input.reader?.column(key.attribute) == nil
      {
        for new in input.map where new != .max { add(new, sequence) }
      }
    }
    // The values of a document keep their order.
    unsorted.sort { ($0.document, $0.place) < ($1.document, $1.place) }
    for entry in unsorted { builder.add(entry.document, entry.value) }
    if !builder.isEmpty { target.add(builder) }
  }

  private func append(
    _ column: Column, _ map: [UInt32], _ ordinals: [UInt32],
    _ add: (_ document: UInt32, _ value: Int64) -> Void
  ) throws(CorruptionError) {
    let cursor = column.cursor()
    for block in 0..<column.blockCount {
      try cursor.load(block)
      for index in 0..<cursor.count {
        let document = Int(cursor.documents[index])
        guard document < map.count, map[document] != .max else { continue }
        let value = cursor.values[index]
        add(map[document], column.kind == .string ? Int64(ordinals[Int(value)]) : value)
      }
    }
  }

  // MARK: Strings

  /// An input's strings that some document of the output has.
  private struct Source {
    let place: Int
    var strings: Column.Strings
    /// Whether a string is used, by ordinal; empty if all are.
    let used: [Bool]
    var ordinal = -1
    var text: [UInt8] = []
    var folded: [UInt8] = []
    /// The first bytes of the folded form, which tell most strings apart.
    var head: UInt64 = 0

    /// Goes to the next string that is used.
    mutating func next() throws(CorruptionError) -> Bool {
      while let (text, folded) = try strings.next() {
        ordinal += 1
        guard used.isEmpty || used[ordinal] else { continue }
        (self.text, self.folded) = (text, folded)
        head = folded.withUnsafeBytes { KeyBytes.prefix($0) }
        return true
      }
      return false
    }

    /// Less than zero, zero or more, as this one's string stands before, at or after the other's.
    func compare(_ other: Source) -> Int {
      if head != other.head { return head < other.head ? -1 : 1 }
      let order = Self.compare(folded, other.folded)
      return order == 0 ? Self.compare(text, other.text) : order
    }

    private static func compare(_ a: [UInt8], _ b: [UInt8]) -> Int {
      a.withUnsafeBytes { a in b.withUnsafeBytes { KeyBytes.compare(a, $0) } }
    }
  }

  /// Writes the strings of all inputs; gives for each input and ordinal the new ordinal.
  private func mergeStrings(
    of columns: [Column?], into dictionary: ColumnDictionary
  ) throws(CorruptionError) -> [[UInt32]] {
    var ordinals: [[UInt32]] = []
    var sources: [Source] = []
    var last: [UInt8] = []
    for (place, column) in columns.enumerated() {
      ordinals.append([UInt32](repeating: .max, count: column?.stringCount ?? 0))
      guard let column, column.stringCount > 0 else { continue }
      let used = try usedStrings(of: column, inputs[place].map)
      var source = Source(place: place, strings: try column.strings(from: 0), used: used)
      guard try source.next() else { continue }
      sources.append(source)
      let largest = used.isEmpty ? column.stringCount - 1 : used.lastIndex(of: true) ?? 0
      let folded = try column.foldedString(largest)
      if last.lexicographicallyPrecedes(folded) { last = folded }
    }
    guard var first = sources.first else { return ordinals }
    for source in sources where source.compare(first) < 0 { first = source }
    first.folded.withUnsafeBytes { first in
      last.withUnsafeBytes { dictionary.begin(first: first, last: $0) }
    }
    var held = HeldKey()
    while !sources.isEmpty {
      var least = 0
      for place in sources.indices.dropFirst() where sources[place].compare(sources[least]) < 0 {
        least = place
      }
      let ordinal = UInt32(truncatingIfNeeded: dictionary.count)
      let next = (text: sources[least].text, folded: sources[least].folded)
      next.text.withUnsafeBytes { dictionary.add($0, folded: held.hold(next.folded)) }
      for place in sources.indices.reversed()
      where sources[place].text == next.text && sources[place].folded == next.folded {
        ordinals[sources[place].place][sources[place].ordinal] = ordinal
        if !(try sources[place].next()) { sources.remove(at: place) }
      }
    }
    dictionary.finish()
    return ordinals
  }

  /// Which strings documents that are kept have; empty, for all, if all documents are.
  private func usedStrings(
    of column: Column, _ map: [UInt32]
  ) throws(CorruptionError) -> [Bool] {
    guard map.count < column.segmentDocuments || map.contains(.max) else { return [] }
    var used = [Bool](repeating: false, count: column.stringCount)
    let cursor = column.cursor()
    for block in 0..<column.blockCount {
      try cursor.load(block)
      for index in 0..<cursor.count {
        let document = Int(cursor.documents[index])
        if document < map.count, map[document] != .max { used[Int(cursor.values[index])] = true }
      }
    }
    return used
  }
}
