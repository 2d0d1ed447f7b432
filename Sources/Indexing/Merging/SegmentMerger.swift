// Several segments in, one out: live items only, in the order of the inputs.

internal import LimelightCodecs
package import LimelightSegments
package import LimelightSnapshots

/// Merges neighbouring segments into one.
///
/// The items keep the order in which they arrived, or get another one and their ranks by arrival with it.
/// Everything is copied from the inputs, nothing is analysed again: terms and postings are merged in
/// step, per-item sections appended with new document numbers. Time and memory grow with the size of
/// the output. After a merge of all segments the index answers exactly as one built afresh.
package struct SegmentMerger {
  private let views: [SegmentView]
  private let sequences: [UInt64]
  private let thumbnails: [[(document: UInt32, reference: ThumbnailReference)]]
  private var map: DocumentMap

  /// Prepares to merge the live items of `views`, oldest first.
  ///
  /// `sequences` are the journal numbers of inputs that do not know theirs (segments built in memory).
  ///
  /// `thumbnails` are the places of thumbnails that inputs do not know, for each input by ascending
  /// document; empty if there are none at all.
  package init(
    _ views: [SegmentView], sequences: [UInt64],
    thumbnails: [[(document: UInt32, reference: ThumbnailReference)]]
  ) throws(CorruptionError) {
    self.views = views
    self.sequences = sequences
    self.thumbnails = thumbnails
    map = try DocumentMap(views)
  }

  /// Gives the items an order in which those with the same words stand together.
  ///
  /// The output is smaller, and keeps the order of arrival in a section of its own.
  package mutating func reorder(isCancelled: () -> Bool) throws(CorruptionError) {
    guard map.count > 1 else { return }
    map.reorder(try DocumentOrdering(views, map: map).order(isCancelled: isCancelled))
  }

  /// The items of the output.
  package var documentCount: Int { map.count }

  /// Where each document of each input went; `UInt32.max` for those left out.
  package var documentRows: [[UInt32]] { map.rows }

  /// Writes the output, which is not whole if `isCancelled` says so or the writer fails.
  ///
  /// `isCancelled` is asked for each block of postings and each part of an input.
  package func write(
    to segment: SegmentWriter, isCancelled: () -> Bool = { false }
  ) throws(CorruptionError) {
    func isOver() -> Bool { segment.hasFailed || isCancelled() }
    var tokens: [UInt16: UInt64] = [:]
    for view in views {
      for entry in view.segment.meta.attributeStatistics {
        tokens[entry.attribute, default: 0] += entry.tokens
      }
    }
    let norms = try writeNorms(segment)
    defer { norms.deallocate() }
    let sets = MergedSets(
      try tables(), documents: views.map { $0.segment.documentCount }, tokens: tokens)
    if !sets.stored.attributes.isEmpty {
      sets.stored.encode(into: segment.buffer(.attributeSets))
    }
    let fields = FieldsWriter(
      segment: segment, documentCount: map.count, norms: UnsafePointer(norms), sets: sets.sets)
    try FieldsMerger(views, map: map, sets: sets).write(to: fields, isCancelled: isOver)
    if isOver() { return }
    try writeItems(segment, isOver)
    if isOver() { return }
    if !map.ranks.isEmpty { ArrivalOrder.write(map.ranks, to: segment) }
    try writeMeta(segment)
  }

  private func tables() throws(CorruptionError) -> [AttributeSets] {
    var tables: [AttributeSets] = []
    for view in views { tables.append(try view.segment.attributeSets()) }
    return tables
  }

  private func writeNorms(
    _ segment: SegmentWriter
  ) throws(CorruptionError) -> UnsafeMutablePointer<UInt8> {
    let norms = UnsafeMutablePointer<UInt8>.allocate(capacity: max(map.count, 1))
    do throws(CorruptionError) {
      for (input, view) in views.enumerated() {
        let source = try view.segment.norms()
        for (document, new) in map.rows[input].enumerated() where new != DocumentMap.dropped {
          norms[Int(new)] = source[document]
        }
      }
    } catch {
      norms.deallocate()
      throw error
    }
    segment.buffer(.norms).bytes(UnsafeRawBufferPointer(start: norms, count: map.count))
    segment.spillIfLarge(.norms)
    return norms
  }

  private func writeItems(
    _ segment: SegmentWriter, _ isCancelled: () -> Bool
  ) throws(CorruptionError) {
    var sources: [IdsReader] = []
    var rows: [[UInt32]] = []
    var columns: [ColumnsInput] = []
    let values = ValueTableWriter(segment)
    let expiry = ExpiryWriter(segment)
    let thumbnailsWriter = ThumbnailsWriter(segment)
    let storesItems = views.contains { $0.segment.meta.storesItems }
    let stored = storesItems ? StoredWriter(segment) : nil
    for (input, view) in views.enumerated() {
      if isCancelled() { return }
      let row = map.rows[input]
      if let reader = try view.segment.ids() {
        sources.append(reader)
        rows.append(row)
      }
      if map.keepsOrder, let reader = try view.segment.valueTable() {
        try values.append(reader, map: row)
      }
      if isCancelled() { return }
      columns.append(
        ColumnsInput(
          try view.segment.columns(), map: row,
          putSequence: sequences[input] > 0 ? Int64(bitPattern: sequences[input]) : nil))
      if let reader = try view.segment.expiry() { try expiry.append(reader, map: row) }
      if let reader = try view.segment.thumbnails() {
        try thumbnailsWriter.append(reader, map: row)
      }
      if input < thumbnails.count {
        for entry in thumbnails[input] where row[Int(entry.document)] != DocumentMap.dropped {
          thumbnailsWriter.add(document: row[Int(entry.document)], entry.reference)
        }
      }
      if isCancelled() { return }
      if map.keepsOrder, let stored, let reader = try view.segment.storedItems() {
        try stored.append(reader, map: row, isCancelled: isCancelled)
      }
    }
    if !map.keepsOrder { try appendReordered(values, stored, isCancelled) }
    if isCancelled() { return }
    try IdsMerger(segment, sources, maps: rows).write(isCancelled: isCancelled)
    try ColumnsMerger(
      segment, columns, documentCount: map.count, keepsOrder: map.keepsOrder
    ).write(isCancelled: isCancelled)
    values.finish()
    expiry.finish()
    thumbnailsWriter.finish()
    stored?.finish()
  }

  /// Adds values and stored items one by one, wherever they come from.
  private func appendReordered(
    _ values: ValueTableWriter, _ stored: StoredWriter?, _ isCancelled: () -> Bool
  ) throws(CorruptionError) {
    var tables: [ValueTableReader?] = []
    var items: [StoredReader?] = []
    for view in views {
      tables.append(try view.segment.valueTable())
      items.append(try view.segment.storedItems())
    }
    for (new, origin) in map.origins().enumerated() {
      if new & 0xFFF == 0, isCancelled() { return }
      if let reader = tables[Int(origin.input)] {
        try values.append(reader, document: origin.document)
      }
      if let stored, let reader = items[Int(origin.input)] {
        stored.add(try reader.record(of: origin.document))
      }
    }
  }

  private func writeMeta(_ segment: SegmentWriter) throws(CorruptionError) {
    var statistics: [UInt16: SegmentMeta.AttributeStatistics] = [:]
    var tokens: UInt64 = 0
    var first = UInt64.max
    var last: UInt64 = 0
    for (input, view) in views.enumerated() {
      let meta = view.segment.meta
      first = min(first, meta.firstSequence > 0 ? meta.firstSequence : sequences[input])
      last = max(last, meta.lastSequence, sequences[input])
      if map.isWhole[input] {
        for entry in meta.attributeStatistics { add(entry, to: &statistics) }
        tokens += meta.tokenCount
      } else {
        tokens += try countLive(input, into: &statistics)
      }
    }
    segment.meta.documentCount = UInt32(truncatingIfNeeded: map.count)
    segment.meta.tokenCount = tokens
    segment.meta.firstSequence = first == .max ? 0 : first
    segment.meta.lastSequence = last
    segment.meta.attributeStatistics = statistics.values.sorted { $0.attribute < $1.attribute }
  }

  private func add(
    _ entry: SegmentMeta.AttributeStatistics,
    to statistics: inout [UInt16: SegmentMeta.AttributeStatistics]
  ) {
    statistics[entry.attribute, default: .init(attribute: entry.attribute, tokens: 0, values: 0)]
      .tokens += entry.tokens
    statistics[entry.attribute, default: .init(attribute: entry.attribute, tokens: 0, values: 0)]
      .values += entry.values
  }

  /// Counts tokens and values of the live items of an input; the tokens of default attributes.
  private func countLive(
    _ input: Int, into statistics: inout [UInt16: SegmentMeta.AttributeStatistics]
  ) throws(CorruptionError) -> UInt64 {
    var tokens: UInt64 = 0
    var texts: Set<UInt16> = []
    if let reader = try views[input].segment.valueTable() {
      var values: [ValueEntry] = []
      // What is dropped may be so because it is damaged.
      for (document, new) in map.rows[input].enumerated() where new != DocumentMap.dropped {
        try reader.values(of: UInt32(truncatingIfNeeded: document), into: &values)
        for value in values {
          texts.insert(value.attribute)
          add(
            .init(attribute: value.attribute, tokens: UInt64(value.positionCount), values: 1),
            to: &statistics)
          if !value.isNamed { tokens += UInt64(value.positionCount) }
        }
      }
    }
    for column in try views[input].segment.columns()?.all() ?? []
    where column.attribute < SystemColumn.first && !texts.contains(column.attribute) {
      let items = try countItems(of: column, map.rows[input])
      if items > 0 {
        add(.init(attribute: column.attribute, tokens: 0, values: items), to: &statistics)
      }
    }
    return tokens
  }

  /// Counts the live items that have a value in a column: what filters has no entry in the value table.
  private func countItems(
    of column: Column, _ row: [UInt32]
  ) throws(CorruptionError) -> UInt64 {
    let cursor = column.cursor()
    var items: UInt64 = 0
    var last = UInt32.max
    for block in 0..<column.blockCount {
      try cursor.loadDocuments(block)
      for index in 0..<column.count(ofBlock: block) {
        let document = cursor.documents[index]
        guard document != last else { continue }
        last = document
        if Int(document) < row.count, row[Int(document)] != DocumentMap.dropped { items += 1 }
      }
    }
    return items
  }
}
