// Items in, the bytes of one immutable segment out.

package import LimelightAnalysis
internal import LimelightCodecs
package import LimelightItems
package import LimelightSegments

/// A segment that was built, with what stands outside its file.
package struct BuiltSegment {
  package let image: SegmentImage
  package let documentCount: Int
  /// The ids of its items, in order.
  package let ids: [String]
  /// The thumbnails of its items by document, unless the segment refers to them already.
  package let thumbnails: [(document: UInt32, bytes: [UInt8])]
}

/// Builds segments: analyses items into inverted lists in memory, then writes them as sections.
///
/// Documents are numbered in the order of `add`. Reused from segment to segment; memory grows with the
/// text and stays below what `memory` says. Not for use by two threads at once.
package final class SegmentBuilder {
  private let analyzer: TextAnalyzer
  private let storesItems: Bool
  private let setLimit: Int
  private let tokens = TokenBuffer()
  private var table = TermTable()
  private var spans = ValueSpans()
  private var plans = AttributePlans()
  private var fields: [FieldKey] = [.standard]
  private var fieldNumbers: [UInt16: UInt16] = [:]

  // Document by document.
  private var norms: [UInt8] = []
  private var ids: [String] = []
  private var values: [[ValueEntry]] = []
  private var columns: [ColumnEntry] = []
  private var expirations: [(document: UInt32, date: Int64)] = []
  private var stored: [UInt8] = []
  private var storedEnds: [Int] = []
  /// The thumbnails of the items so far.
  package private(set) var thumbnails: [(document: UInt32, bytes: [UInt8])] = []

  // Of the whole segment.
  private var tokenCount: UInt64 = 0
  private var statistics: [UInt16: SegmentMeta.AttributeStatistics] = [:]
  private var otherMemory = 0

  /// A value of a column, kept until the columns are written.
  private struct ColumnEntry {
    let attribute: UInt16
    let document: UInt32
    let value: ColumnValue
  }

  private enum ColumnValue {
    case number(Double)
    case bool(Bool)
    case date(Int64)
    case text([UInt8], folded: [UInt8])
  }

  /// Makes a builder; `setLimit` lowers the number of attribute sets that get a code, for tests.
  package init(
    analyzer: Analyzer, storesItems: Bool, setLimit: Int = Int(AttributeSets.overflowCode)
  ) {
    self.analyzer = TextAnalyzer(analyzer)
    self.storesItems = storesItems
    self.setLimit = setLimit
  }

  deinit { table.deallocate() }

  /// The items added since the last `finish`.
  package var documentCount: Int { norms.count }

  /// The bytes of memory that the segment takes so far, about.
  package var memory: Int { table.memory &+ spans.memory &+ stored.count &+ otherMemory }

  /// Whether the segment should be finished before more is added, whatever the memory.
  package var isFull: Bool { table.isNearlyFull || norms.count >= Int(SegmentMeta.documentLimit) }

  /// Adds an item, which has an id.
  package func add(_ item: ResolvedItem, registry: AttributeRegistry) {
    let document = UInt32(truncatingIfNeeded: norms.count)
    var entries: [ValueEntry] = []
    var start: UInt32 = 0
    var length: UInt32 = 0
    for (id, value) in item.values {
      guard let plan = plans.plan(for: id, registry) else { continue }
      switch plan.searchClass {
      case .standard:
        addStandard(id, value, document, &start, &length, &entries)
      case .named:
        addNamed(id, value, document, &entries)
      case .filter:
        addFilter(id, value, document)
      case .none:
        continue
      }
      if plan.hasTextColumn { addTextColumn(id, value, document) }
    }
    spans.endDocument()
    if let contentType = item.contentType { addContentType(contentType, document, &entries) }
    addSystem(item, document)
    tokenCount &+= UInt64(length)
    norms.append(Norm.encode(length))
    ids.append(item.id)
    values.append(entries)
    otherMemory &+= 64 &+ item.id.utf8.count &+ entries.count &* 16
    if storesItems {
      ItemCodec.encode(item, into: &stored, thumbnail: .flag)
      storedEnds.append(stored.count)
    }
    if let thumbnail = item.thumbnail {
      thumbnails.append((document, thumbnail))
      otherMemory &+= thumbnail.count
    }
  }

  private func addStandard(
    _ id: UInt16, _ value: Value, _ document: UInt32, _ start: inout UInt32,
    _ length: inout UInt32, _ entries: inout [ValueEntry]
  ) {
    forEachIndexedText(value) { text in
      analyzer.analyze(UnsafeRawBufferPointer(text), into: tokens)
      let count = UInt32(truncatingIfNeeded: tokens.count)
      index(field: 0, document, start)
      spans.add(attribute: id, start: start, tokens: count)
      note(id, tokens: count)
      entries.append(
        ValueEntry(
          attribute: id, positionCount: tokens.positionCount, start: start, isNamed: false))
      start = PositionSpace.next(start: start, positionCount: tokens.positionCount)
      length &+= count
    }
  }

  private func addNamed(
    _ id: UInt16, _ value: Value, _ document: UInt32, _ entries: inout [ValueEntry]
  ) {
    var start: UInt32 = 0
    let field = fieldNumber(of: id)
    forEachIndexedText(value) { text in
      analyzer.analyze(UnsafeRawBufferPointer(text), into: tokens)
      index(field: field, document, start)
      note(id, tokens: UInt32(truncatingIfNeeded: tokens.count))
      entries.append(
        ValueEntry(
          attribute: id, positionCount: tokens.positionCount, start: start, isNamed: true))
      start = PositionSpace.next(start: start, positionCount: tokens.positionCount)
    }
  }

  /// Adds the tokens at hand to the table.
  @inline(__always)
  private func index(field: UInt16, _ document: UInt32, _ start: UInt32) {
    let (bytes, starts) = (tokens.bytes, tokens.start)
    let (lengths, positions) = (tokens.length, tokens.position)
    for i in 0..<tokens.count {
      table.add(
        UnsafePointer(bytes + Int(starts[i])), Int(lengths[i]), field: field, document: document,
        position: start &+ positions[i])
    }
  }

  private func fieldNumber(of id: UInt16) -> UInt16 {
    if let number = fieldNumbers[id] { return number }
    let number = UInt16(truncatingIfNeeded: fields.count)
    fields.append(.named(id))
    fieldNumbers[id] = number
    return number
  }

  private func note(_ id: UInt16, tokens: UInt32) {
    statistics[id, default: .init(attribute: id, tokens: 0, values: 0)].tokens &+= UInt64(tokens)
    statistics[id, default: .init(attribute: id, tokens: 0, values: 0)].values &+= 1
  }

  private func addFilter(_ id: UInt16, _ value: Value, _ document: UInt32) {
    switch value {
    case .number(let number): column(id, document, .number(number))
    case .bool(let truth): column(id, document, .bool(truth))
    case .date(let date): column(id, document, .date(date.microseconds))
    case .dates(let dates):
      for date in dates { column(id, document, .date(date.microseconds)) }
    case .text, .texts, .localized, .url, .data, .persons, .dictionary, .contentType: break
    }
    note(id, tokens: 0)
  }

  private func addTextColumn(_ id: UInt16, _ value: Value, _ document: UInt32) {
    forEachText(value) { text in
      // Longer texts are not worth a column; the writer counts those that it leaves out.
      let bytes = Array(text.prefix(ItemLimits.columnTextBytes + 1))
      column(id, document, .text(bytes, folded: foldedForColumn(bytes)))
    }
  }

  private func foldedForColumn(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count <= ItemLimits.columnTextBytes else { return [] }
    return bytes.withUnsafeBytes { text in
      var folded: [UInt8] = []
      Folding.fold(text, into: &folded)
      return folded
    }
  }

  private func write(_ entry: ColumnEntry, to writer: ColumnsWriter) {
    let (attribute, document) = (entry.attribute, entry.document)
    switch entry.value {
    case .number(let number): writer.add(attribute, document: document, number: number)
    case .bool(let truth): writer.add(attribute, document: document, bool: truth)
    case .date(let date): writer.add(attribute, document: document, date: date)
    case .text(let text, let folded):
      text.withUnsafeBytes { text in
        folded.withUnsafeBytes { folded in
          _ = writer.add(attribute, document: document, string: text, folded: folded)
        }
      }
    }
  }

  private func addContentType(
    _ text: String, _ document: UInt32, _ entries: inout [ValueEntry]
  ) {
    guard let definition = AttributeTable.definition(named: "contentType") else { return }
    addNamed(definition.id, .text(text), document, &entries)
    addTextColumn(definition.id, .text(text), document)
  }

  private func addSystem(_ item: ResolvedItem, _ document: UInt32) {
    if let domain = item.domain {
      let key = DomainKey.encode(domain)
      column(SystemColumn.domain, document, .text(key, folded: key))
    }
    if let expiration = item.expiration {
      column(SystemColumn.expiry, document, .date(expiration.microseconds))
      expirations.append((document, expiration.microseconds))
    }
  }

  private func column(_ attribute: UInt16, _ document: UInt32, _ value: ColumnValue) {
    columns.append(ColumnEntry(attribute: attribute, document: document, value: value))
    otherMemory &+= 48
  }

  /// Writes what was added as a segment and starts anew.
  ///
  /// `dictionary` compresses stored items; `compressesItems: false` keeps them as they are, for segments
  /// in memory, whose items are compressed when they are written to a file. `references` are the places of
  /// the thumbnails, if these were written already.
  package func finish(
    uuid: [UInt8], segmentID: UInt64, dictionary: StoredDictionary? = nil,
    compressesItems: Bool = true,
    thumbnails references: [(document: UInt32, reference: ThumbnailReference)]? = nil
  ) -> BuiltSegment {
    let segment = SegmentWriter(
      uuid: uuid, segmentID: segmentID, dictionary: dictionary, compressesItems: compressesItems)
    segment.meta.documentCount = UInt32(truncatingIfNeeded: norms.count)
    segment.meta.tokenCount = tokenCount
    segment.meta.attributeStatistics = statistics.values.sorted { $0.attribute < $1.attribute }
    segment.buffer(.norms).bytes(norms)
    norms.withUnsafeBufferPointer { norms in
      guard let base = norms.baseAddress else { return }
      FieldsFlush(
        table: table, spans: spans, fields: fields, documentCount: norms.count, setLimit: setLimit
      ).write(to: segment, norms: base)
    }
    writeItems(segment)
    if let references, !references.isEmpty {
      let writer = ThumbnailsWriter(segment)
      for entry in references { writer.add(document: entry.document, entry.reference) }
      writer.finish()
    }
    let built = BuiltSegment(
      image: segment.finish(), documentCount: norms.count, ids: ids,
      thumbnails: references == nil ? thumbnails : [])
    removeAll()
    return built
  }

  private func writeItems(_ segment: SegmentWriter) {
    let idsWriter = IdsWriter(segment)
    let valuesWriter = ValueTableWriter(segment)
    for document in ids.indices {
      idsWriter.add(ids[document])
      valuesWriter.add(values[document])
    }
    idsWriter.finish()
    valuesWriter.finish()
    if !columns.isEmpty {
      let writer = ColumnsWriter(segment)
      for entry in columns { write(entry, to: writer) }
      writer.finish(documentCount: norms.count)
    }
    if !expirations.isEmpty {
      let writer = ExpiryWriter(segment)
      for entry in expirations { writer.add(document: entry.document, date: entry.date) }
      writer.finish()
    }
    guard storesItems else { return }
    let writer = StoredWriter(segment)
    stored.withUnsafeBytes { bytes in
      var start = 0
      for end in storedEnds {
        writer.add(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        start = end
      }
    }
    writer.finish()
  }

  /// The bytes of the stored items so far.
  package var storedBytes: Int { stored.count }

  /// A sample of the stored items, for the dictionary of an index that has none yet.
  package func storedSample(_ limit: Int) -> [UInt8] {
    guard stored.count > limit else { return stored }
    // Evenly spaced pieces, so that no kind of item fills it alone.
    let piece = 1024
    let pieces = limit / piece
    var sample: [UInt8] = []
    for i in 0..<pieces {
      let start = (stored.count - piece) / max(pieces - 1, 1) * i
      sample.append(contentsOf: stored[start..<(start + piece)])
    }
    return sample
  }

  private func removeAll() {
    table.removeAll()
    spans.removeAll()
    fields.removeSubrange(1...)
    fieldNumbers.removeAll(keepingCapacity: true)
    norms.removeAll()
    ids.removeAll()
    values.removeAll()
    columns.removeAll()
    expirations.removeAll()
    stored.removeAll()
    storedEnds.removeAll()
    thumbnails.removeAll()
    tokenCount = 0
    statistics.removeAll(keepingCapacity: true)
    otherMemory = 0
  }
}

/// The texts of a value that are indexed: its texts, and the text of an HTML document.
func forEachIndexedText(_ value: Value, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
  if case .data(let bytes) = value {
    HTMLText.extract(bytes).withUnsafeBufferPointer(body)
  } else {
    forEachText(value, body)
  }
}
