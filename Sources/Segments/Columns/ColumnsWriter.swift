// Writes the columns of a segment: for each attribute and type the values of the items.

internal import LimelightCodecs

/// Writes the sections `columnDirectory` and `columns`; the bytes are drawn at `ColumnFormat`.
///
/// Entries of one column arrive in document order, any number a document. Strings bring their
/// folded form, by which they are sorted: folding is the analysis' business.
package final class ColumnsWriter {
  private let segment: SegmentWriter
  @exclusivity(unchecked) private var builders: [ColumnBuilder] = []
  /// Where the last column was found: items add their columns in about the same order.
  @exclusivity(unchecked) private var last = 0

  package init(_ segment: SegmentWriter) { self.segment = segment }

  private func builder(_ attribute: UInt16, _ kind: ColumnKind) -> ColumnBuilder {
    for step in 0..<builders.count {
      var place = last + step
      if place >= builders.count { place -= builders.count }
      let builder = builders[place]
      if builder.attribute == attribute, builder.kind == kind {
        last = place
        return builder
      }
    }
    let builder = ColumnBuilder(attribute, kind)
    last = builders.count
    if builders.isEmpty { builders.reserveCapacity(8) }
    builders.append(builder)
    return builder
  }

  package func add(_ attribute: UInt16, document: UInt32, integer: Int64) {
    builder(attribute, .integer).add(document, integer)
  }

  /// Adds a number, which is not NaN.
  package func add(_ attribute: UInt16, document: UInt32, number: Double) {
    builder(attribute, .number).add(document, Ordered.integer(number))
  }

  package func add(_ attribute: UInt16, document: UInt32, bool: Bool) {
    builder(attribute, .bool).add(document, bool ? 1 : 0)
  }

  /// Adds a date in microseconds since 1970.
  package func add(_ attribute: UInt16, document: UInt32, date: Int64) {
    builder(attribute, .date).add(document, date)
  }

  /// Adds a string; false when it is too long (`ColumnFormat.stringLimit`) and only counted.
  @discardableResult
  package func add(
    _ attribute: UInt16, document: UInt32, string: UnsafeRawBufferPointer,
    folded: UnsafeRawBufferPointer
  ) -> Bool {
    let builder = builder(attribute, .string)
    guard string.count <= ColumnFormat.stringLimit(attribute), let strings = builder.strings else {
      builder.skipped += 1
      return false
    }
    builder.add(document, Int64(strings.number(of: string, folded: folded)))
    return true
  }

  /// Adds the columns of another segment, whose documents follow those added so far.
  ///
  /// `map` gives for each of its documents the new number, or `UInt32.max` when it is left out.
  package func append(_ source: ColumnsReader, map: [UInt32]) throws(CorruptionError) {
    for column in try source.all() {
      let builder = builder(column.attribute, column.kind)
      builder.skipped += column.skipped
      let numbers = try intern(column, into: builder)
      let cursor = column.cursor()
      for block in 0..<column.blockCount {
        try cursor.load(block)
        for index in 0..<cursor.count {
          let document = Int(cursor.documents[index])
          guard document < map.count, map[document] != .max else { continue }
          let value = cursor.values[index]
          builder.add(map[document], numbers.isEmpty ? value : Int64(numbers[Int(value)]))
        }
      }
    }
  }

  /// For each ordinal of a string column its number among the builder's strings.
  private func intern(
    _ column: Column, into builder: ColumnBuilder
  ) throws(CorruptionError) -> [UInt32] {
    guard let strings = builder.strings else { return [] }
    var numbers: [UInt32] = []
    numbers.reserveCapacity(column.stringCount)
    var walk = try column.strings(from: 0)
    while let (text, folded) = try walk.next() {
      numbers.append(
        text.withUnsafeBytes { text in
          folded.withUnsafeBytes { strings.number(of: text, folded: $0) }
        })
    }
    return numbers
  }

  /// Writes the sections of a segment of so many documents.
  package func finish(documentCount: Int) {
    builders.removeAll { $0.isEmpty }
    guard !builders.isEmpty else { return }
    builders.sort { ($0.attribute, $0.kind.rawValue) < ($1.attribute, $1.kind.rawValue) }
    let directory = segment.buffer(.columnDirectory)
    let section = segment.buffer(.columns)
    let scratch = ByteWriter(capacity: 64)
    for builder in builders {
      builder.finish(
        into: section, directory: directory, scratch: scratch, documentCount: documentCount)
    }
    // A column can be empty but for what was left out of it: then so can the section.
    if section.count == 0 { section.u8(0) }
    segment.setCount(
      .columnDirectory, entrySize: ColumnFormat.entrySize, builders.count)
    builders = []
  }
}
