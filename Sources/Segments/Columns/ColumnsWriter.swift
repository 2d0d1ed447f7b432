// Writes the columns of a segment: for each attribute and type the values of the items.

internal import LimelightCodecs

/// Writes the sections `columnDirectory` and `columns`; the bytes are drawn at `ColumnFormat`.
///
/// Entries of one column arrive in document order, any number a document. Strings bring their
/// folded form, by which they are sorted: folding is the analysis' business.
package final class ColumnsWriter {
  @exclusivity(unchecked) private var builders: [ColumnBuilder] = []
  /// Where the last column was found: items add their columns in about the same order.
  @exclusivity(unchecked) private var last = 0

  /// Whether values stay as they came, so that `append` can take them from here.
  private let keepsValues: Bool

  /// Makes a writer without columns; one that `keepsValues` takes more memory, and other writers can
  /// take stretches of its documents.
  package init(keepsValues: Bool = false) { self.keepsValues = keepsValues }

  /// The bytes of memory that the columns take so far, about.
  package var memory: Int {
    var sum = 0
    for builder in builders { sum &+= builder.memory }
    return sum
  }

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
    let builder = ColumnBuilder(attribute, kind, keepsValues: keepsValues)
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

  /// Moves what `other`, a writer that keeps its values, has of the documents before `end` and was not
  /// moved yet; their numbers grow by `distance`, modulo 2^32.
  package func append(_ other: ColumnsWriter, upTo end: UInt32, movedBy distance: UInt32) {
    for source in other.builders {
      builder(source.attribute, source.kind).append(source, upTo: end, movedBy: distance)
    }
  }

  /// Writes the sections of a segment of so many documents.
  package func finish(into segment: SegmentWriter, documentCount: Int) {
    builders.removeAll { $0.isEmpty }
    guard !builders.isEmpty else { return }
    builders.sort { ($0.attribute, $0.kind.rawValue) < ($1.attribute, $1.kind.rawValue) }
    let target = ColumnsTarget(segment, documentCount: documentCount)
    for builder in builders { target.add(builder) }
    target.finish()
    builders = []
  }
}

/// Where finished columns go, one behind the other.
final class ColumnsTarget {
  private let segment: SegmentWriter
  private let documentCount: Int
  private let directory: ByteWriter
  private let section: SectionBuffer
  private let scratch: SectionBuffer
  /// The dictionary of the column at hand.
  let dictionary: ColumnDictionary
  @exclusivity(unchecked) private var count = 0

  init(_ segment: SegmentWriter, documentCount: Int) {
    self.segment = segment
    self.documentCount = documentCount
    directory = segment.buffer(.columnDirectory)
    section = segment.section(.columns)
    scratch = SectionBuffer(segment.spill, capacity: 64)
    dictionary = ColumnDictionary(segment.spill)
  }

  /// Adds a column, larger than the one before it and not empty.
  func add(_ builder: ColumnBuilder) {
    builder.finish(
      into: section, directory: directory, dictionary: dictionary, scratch: scratch,
      documentCount: documentCount)
    count += 1
  }

  func finish() {
    guard count > 0 else { return }
    // A column can be empty but for what was left out of it: then so can the section.
    if section.count == 0 { section.bytes.u8(0) }
    segment.setCount(.columnDirectory, entrySize: ColumnFormat.entrySize, count)
  }
}
