// Items in, the bytes of one immutable segment out.

package import LimelightAnalysis
internal import LimelightCodecs
package import LimelightItems
package import LimelightSegments

/// A segment that was built, with what stands outside its file.
package struct BuiltSegment {
  package let image: SegmentImage
  package let documentCount: Int
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
  private var ids = IdsWriter()
  /// The values of all documents, and where those of each end.
  private var values: [ValueEntry] = []
  private var valueEnds: [Int] = []
  private var columns = ColumnsWriter()
  private var expirations: [(document: UInt32, date: Int64)] = []
  private var stored: [UInt8] = []
  private var storedEnds: [Int] = []
  /// The thumbnails of the items so far.
  package private(set) var thumbnails: [(document: UInt32, bytes: [UInt8])] = []

  // Of the whole segment.
  private var tokenCount: UInt64 = 0
  private var statistics: [UInt16: SegmentMeta.AttributeStatistics] = [:]
  private var otherMemory = 0

  /// The folded form of a column's text.
  private var folded: [UInt8] = []

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
  package var memory: Int {
    table.memory &+ spans.memory &+ stored.count &+ ids.memory &+ columns.memory &+ otherMemory
  }

  /// Whether the segment should be finished before more is added, whatever the memory.
  package var isFull: Bool { table.isNearlyFull || norms.count >= Int(SegmentMeta.documentLimit) }

  /// Adds an item, which has an id.
  package func add(_ item: ResolvedItem, registry: AttributeRegistry) {
    let document = UInt32(truncatingIfNeeded: norms.count)
    var start: UInt32 = 0
    var length: UInt32 = 0
    for (id, value) in item.values {
      guard let plan = plans.plan(for: id, registry) else { continue }
      switch plan.searchClass {
      case .standard:
        addStandard(id, value, document, &start, &length)
      case .named:
        addNamed(id, value, document)
      case .filter:
        addFilter(id, value, document)
      case .none:
        continue
      }
      if plan.hasTextColumn { addTextColumn(id, value, document) }
    }
    spans.endDocument()
    if let contentType = item.contentType { addContentType(contentType, document) }
    addSystem(item, document)
    tokenCount &+= UInt64(length)
    norms.append(Norm.encode(length))
    ids.add(item.id)
    let firstValue = valueEnds.last ?? 0
    valueEnds.append(values.count)
    otherMemory &+= 24 &+ (values.count &- firstValue) &* MemoryLayout<ValueEntry>.stride
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
    _ length: inout UInt32
  ) {
    forEachIndexedText(value) { text in
      analyzer.analyze(UnsafeRawBufferPointer(text), into: tokens)
      let count = UInt32(truncatingIfNeeded: tokens.count)
      index(field: 0, document, start)
      spans.add(attribute: id, start: start, tokens: count)
      note(id, tokens: count)
      values.append(
        ValueEntry(
          attribute: id, positionCount: tokens.positionCount, start: start, isNamed: false))
      start = PositionSpace.next(start: start, positionCount: tokens.positionCount)
      length &+= count
    }
  }

  private func addNamed(_ id: UInt16, _ value: Value, _ document: UInt32) {
    var start: UInt32 = 0
    let field = fieldNumber(of: id)
    forEachIndexedText(value) { text in
      analyzer.analyze(UnsafeRawBufferPointer(text), into: tokens)
      index(field: field, document, start)
      note(id, tokens: UInt32(truncatingIfNeeded: tokens.count))
      values.append(
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
    case .number(let number): columns.add(id, document: document, number: number)
    case .bool(let truth): columns.add(id, document: document, bool: truth)
    case .date(let date): columns.add(id, document: document, date: date.microseconds)
    case .dates(let dates):
      for date in dates { columns.add(id, document: document, date: date.microseconds) }
    case .text, .texts, .localized, .url, .data, .persons, .dictionary, .contentType: break
    }
    note(id, tokens: 0)
  }

  private func addTextColumn(_ id: UInt16, _ value: Value, _ document: UInt32) {
    forEachText(value) { text in
      let text = UnsafeRawBufferPointer(text)
      // Longer texts are not worth a column, and only counted.
      folded.removeAll(keepingCapacity: true)
      if text.count <= ItemLimits.columnTextBytes { Folding.fold(text, into: &folded) }
      folded.withUnsafeBytes { _ = columns.add(id, document: document, string: text, folded: $0) }
    }
  }

  private func addContentType(_ text: String, _ document: UInt32) {
    guard let definition = AttributeTable.definition(named: "contentType") else { return }
    addNamed(definition.id, .text(text), document)
    addTextColumn(definition.id, .text(text), document)
  }

  private func addSystem(_ item: ResolvedItem, _ document: UInt32) {
    if let domain = item.domain {
      DomainKey.encode(domain).withUnsafeBytes {
        _ = columns.add(SystemColumn.domain, document: document, string: $0, folded: $0)
      }
    }
    if let expiration = item.expiration {
      columns.add(SystemColumn.expiry, document: document, date: expiration.microseconds)
      expirations.append((document, expiration.microseconds))
    }
  }

  /// Writes what was added as a segment and starts anew.
  ///
  /// `dictionary` compresses stored items; `compressesItems: false` keeps them as they are, for segments
  /// in memory, whose items are compressed when they are written to a file. `references` are the places of
  /// the thumbnails, if these were written already. With `spill` the image can be written to a file only.
  package func finish(
    uuid: [UInt8], segmentID: UInt64, dictionary: StoredDictionary? = nil,
    compressesItems: Bool = true, spill: SpillFile? = nil,
    thumbnails references: [(document: UInt32, reference: ThumbnailReference)]? = nil
  ) -> BuiltSegment {
    let segment = SegmentWriter(
      uuid: uuid, segmentID: segmentID, dictionary: dictionary, compressesItems: compressesItems,
      spill: spill)
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
      image: segment.finish(), documentCount: norms.count,
      thumbnails: references == nil ? thumbnails : [])
    removeAll()
    return built
  }

  private func writeItems(_ segment: SegmentWriter) {
    ids.finish(into: segment)
    let valuesWriter = ValueTableWriter(segment)
    var firstValue = 0
    for end in valueEnds {
      valuesWriter.add(values[firstValue..<end])
      firstValue = end
    }
    valuesWriter.finish()
    columns.finish(into: segment, documentCount: norms.count)
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
    ids = IdsWriter()
    values.removeAll()
    valueEnds.removeAll()
    columns = ColumnsWriter()
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
