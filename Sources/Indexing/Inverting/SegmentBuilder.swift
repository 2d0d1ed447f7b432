// Items in, inverted lists and everything else of one immutable segment in memory.

package import LimelightAnalysis
internal import LimelightCodecs
package import LimelightItems
package import LimelightSegments

/// Builds segments: analyses items into inverted lists in memory, which are written as sections then.
///
/// Documents are numbered in the order of `add`. Reused from segment to segment; memory grows with the
/// text and stays below what `memory` says. Not for use by two threads at once.
package final class SegmentBuilder {
  private let analyzer: TextAnalyzer
  let storesItems: Bool
  let setLimit: Int
  private let isJoined: Bool
  private let tokens = TokenBuffer()
  private(set) var table = TermTable()
  private(set) var spans = ValueSpans()
  private var plans = AttributePlans()
  private(set) var fields: [FieldKey] = [.standard]
  private var fieldNumbers: [UInt16: UInt16] = [:]

  // Document by document.
  private(set) var norms: [UInt8] = []
  private(set) var ids = IdsWriter()
  /// The values of all documents, and where those of each end.
  private(set) var values: [ValueEntry] = []
  private(set) var valueEnds: [Int] = []
  private(set) var columns: ColumnsWriter
  private(set) var expirations: [(document: UInt32, date: Int64)] = []
  private(set) var stored: [UInt8] = []
  private(set) var storedEnds: [Int] = []
  /// The thumbnails of the items so far.
  package private(set) var thumbnails: [(document: UInt32, bytes: [UInt8])] = []

  // Of the whole segment.
  private(set) var tokenCount: UInt64 = 0
  private(set) var statistics: [UInt16: SegmentMeta.AttributeStatistics] = [:]
  private var otherMemory = 0

  /// The folded form of a column's text.
  private var folded: [UInt8] = []

  /// Makes a builder; `setLimit` lowers the number of attribute sets that get a code, for tests.
  ///
  /// What one that `isJoined` holds may become a segment together with what others hold.
  package init(
    analyzer: Analyzer, storesItems: Bool, setLimit: Int = Int(AttributeSets.overflowCode),
    isJoined: Bool = false
  ) {
    self.isJoined = isJoined
    columns = ColumnsWriter(keepsValues: isJoined)
    self.analyzer = TextAnalyzer(analyzer)
    self.storesItems = storesItems
    self.setLimit = setLimit
  }

  deinit { table.deallocate() }

  /// The items added since the last `finish`.
  package var documentCount: Int { norms.count }

  /// The bytes of memory that the segment takes so far, with those that writing it will take, about.
  package var memory: Int {
    // Terms are sorted, postings of several default attributes get a code, what is joined is copied.
    let codes = spans.known.count > 1 ? table.postingCount &* MemoryLayout<UInt32>.stride : 0
    let copied = ids.memory &+ columns.memory
    return table.memory &+ table.count &* TermTable.sortedBytes &+ codes &+ spans.memory
      &+ stored.count &+ copied &* (isJoined ? 2 : 1) &+ otherMemory
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

  /// Writes what was added as a segment and starts anew; see `SegmentAssembly.finish`.
  package func finish(
    uuid: [UInt8], segmentID: UInt64, dictionary: StoredDictionary? = nil,
    compressesItems: Bool = true, spill: SpillFile? = nil,
    thumbnails references: [(document: UInt32, reference: ThumbnailReference)]? = nil
  ) -> BuiltSegment {
    SegmentAssembly(self).finish(
      uuid: uuid, segmentID: segmentID, dictionary: dictionary, compressesItems: compressesItems,
      spill: spill, thumbnails: references)
  }

  /// Forgets all items.
  func removeAll() {
    table.removeAll()
    spans.removeAll()
    fields.removeSubrange(1...)
    fieldNumbers.removeAll(keepingCapacity: true)
    norms.removeAll()
    ids = IdsWriter()
    values.removeAll()
    valueEnds.removeAll()
    columns = ColumnsWriter(keepsValues: isJoined)
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
