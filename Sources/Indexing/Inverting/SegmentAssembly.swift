// What one or more builders hold becomes the bytes of one segment.

internal import LimelightCodecs
package import LimelightSegments
internal import LimelightStorage

/// A segment that was built, with what stands outside its file.
package struct BuiltSegment {
  package let image: SegmentImage
  package let documentCount: Int
  /// The thumbnails of its items by document, unless the segment refers to them already.
  package let thumbnails: [(document: UInt32, bytes: [UInt8])]
}

/// Documents of a builder that stand one behind the other in the segment.
package struct BuiltStretch: Sendable {
  let builder: Int
  let documents: Range<Int>

  package init(builder: Int, documents: Range<Int>) {
    self.builder = builder
    self.documents = documents
  }
}

/// Writes the items of builders as one segment, in several threads if there are any.
///
/// Each builder may have analysed in a thread of its own: the segment has the same bytes as if one had
/// taken all items in the order of the stretches.
package struct SegmentAssembly {
  let builders: [SegmentBuilder]
  /// All documents of all builders, in the order of the segment; those of one builder ascend.
  let stretches: [BuiltStretch]
  let documentCount: Int
  private let threads: Int

  /// All documents of one builder.
  package init(_ builder: SegmentBuilder) {
    self.init(
      [builder], [BuiltStretch(builder: 0, documents: 0..<builder.documentCount)], threads: 1)
  }

  /// All documents of builders that are joined, in the order of `stretches`.
  package init(_ builders: [SegmentBuilder], _ stretches: [BuiltStretch], threads: Int) {
    self.builders = builders
    self.stretches = stretches
    self.threads = threads
    documentCount = builders.reduce(0) { $0 + $1.documentCount }
  }

  /// Writes the segment; the builders start anew.
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
    writeMeta(segment)
    if builders.count == 1 {
      writeAlone(segment)
    } else {
      writeTogether(segment)
    }
    if let references, !references.isEmpty {
      let writer = ThumbnailsWriter(segment)
      for entry in references { writer.add(document: entry.document, entry.reference) }
      writer.finish()
    }
    let built = BuiltSegment(
      image: segment.finish(), documentCount: documentCount,
      thumbnails: references == nil ? thumbnails : [])
    for builder in builders { builder.removeAll() }
    return built
  }

  /// The thumbnails of all items.
  package var thumbnails: [(document: UInt32, bytes: [UInt8])] {
    if builders.count == 1 { return builders[0].thumbnails }
    guard builders.contains(where: { !$0.thumbnails.isEmpty }) else { return [] }
    return inOrder(builders.map(\.thumbnails)) {
      $0.document
    } moved: {
      ($1, $0.bytes)
    }
  }

  /// Entries of each builder by document, in the order of the segment and with its numbers.
  func inOrder<Entry>(
    _ entries: [[Entry]], document: (Entry) -> UInt32, moved: (Entry, UInt32) -> Entry
  ) -> [Entry] {
    var all: [Entry] = []
    var places = [Int](repeating: 0, count: builders.count)
    var first = 0
    for stretch in stretches {
      let own = entries[stretch.builder]
      while places[stretch.builder] < own.count {
        let entry = own[places[stretch.builder]]
        let number = Int(document(entry))
        guard number < stretch.documents.upperBound else { break }
        all.append(
          moved(
            entry, UInt32(truncatingIfNeeded: first + number - stretch.documents.lowerBound)))
        places[stretch.builder] += 1
      }
      first += stretch.documents.count
    }
    return all
  }

  private func writeMeta(_ segment: SegmentWriter) {
    segment.meta.documentCount = UInt32(truncatingIfNeeded: documentCount)
    var statistics = builders[0].statistics
    for builder in builders.dropFirst() {
      statistics.merge(builder.statistics) { a, b in
        .init(attribute: a.attribute, tokens: a.tokens &+ b.tokens, values: a.values &+ b.values)
      }
    }
    segment.meta.tokenCount = builders.reduce(0) { $0 &+ $1.tokenCount }
    segment.meta.attributeStatistics = statistics.values.sorted { $0.attribute < $1.attribute }
  }

  private func writeAlone(_ segment: SegmentWriter) {
    let builder = builders[0]
    segment.buffer(.norms).bytes(builder.norms)
    builder.norms.withUnsafeBufferPointer { norms in
      guard let base = norms.baseAddress else { return }
      let flush = FieldsFlush(
        [
          FlushPart(
            table: builder.table, spans: builder.spans, fields: builder.fields, documents: nil)
        ], documentCount: documentCount, setLimit: builder.setLimit, threads: 1, ranges: 1)
      flush.writeSets(to: segment)
      flush.write(to: segment, norms: base)
    }
    builder.ids.finish(into: segment)
    writeValues(segment)
    builder.columns.finish(into: segment, documentCount: documentCount)
    if builder.storesItems { writeStored(segment) }
  }

  /// The same by several threads: ranges of terms, and beside them what is not made of terms.
  private func writeTogether(_ segment: SegmentWriter) {
    var norms: [UInt8] = []
    norms.reserveCapacity(documentCount)
    let numbers = builders.map { builder in
      UnsafeMutableBufferPointer<UInt32>.allocate(capacity: max(builder.documentCount, 1))
    }
    defer { for numbers in numbers { numbers.deallocate() } }
    for stretch in stretches {
      for document in stretch.documents {
        numbers[stretch.builder][document] = UInt32(truncatingIfNeeded: norms.count)
        norms.append(builders[stretch.builder].norms[document])
      }
    }
    segment.buffer(.norms).bytes(norms)
    norms.withUnsafeBufferPointer { norms in
      guard let base = norms.baseAddress else { return }
      let parts = zip(builders, numbers).map { builder, numbers in
        FlushPart(
          table: builder.table, spans: builder.spans, fields: builder.fields,
          documents: numbers.baseAddress.map { UnsafePointer($0) })
      }
      let flush = FieldsFlush(
        parts, documentCount: documentCount, setLimit: builders[0].setLimit, threads: threads,
        ranges: threads * Self.rangesPerThread)
      flush.writeSets(to: segment)
      writeTasks(segment, flush, base)
    }
  }

  private func writeTasks(
    _ segment: SegmentWriter, _ flush: FieldsFlush, _ norms: UnsafePointer<UInt8>
  ) {
    var items: [(SegmentWriter) -> Void] = [writeIds, writeValues, writeColumns]
    if builders[0].storesItems { items.insert(writeStored, at: 0) }
    let ranges = flush.ranges.indices
    let own = items.map { _ in segment.part() }
    let written = UnsafeMutablePointer<FieldsWriter?>.allocate(capacity: ranges.count)
    written.initialize(repeating: nil, count: ranges.count)
    ParallelTasks.run(threads: threads, count: items.count + ranges.count) { number in
      if number < items.count {
        items[number](own[number])
      } else {
        let range = number - items.count
        written[range] = flush.part(range, of: segment, norms: norms)
      }
    }
    FieldsWriter.join(ranges.compactMap { written[$0] }, into: segment)
    written.deinitialize(count: ranges.count)
    written.deallocate()
    for part in own { segment.adopt(part) }
  }

  /// So many ranges even out what they take; each costs a little when they are joined.
  private static let rangesPerThread = 8

  // MARK: Items

  private func writeIds(_ segment: SegmentWriter) {
    let ids = IdsWriter()
    for stretch in stretches {
      ids.append(builders[stretch.builder].ids, documents: stretch.documents)
    }
    ids.finish(into: segment)
  }

  /// The value table, and when items expire.
  private func writeValues(_ segment: SegmentWriter) {
    let writer = ValueTableWriter(segment)
    for stretch in stretches {
      let builder = builders[stretch.builder]
      var first =
        stretch.documents.lowerBound == 0 ? 0 : builder.valueEnds[stretch.documents.lowerBound - 1]
      for document in stretch.documents {
        let end = builder.valueEnds[document]
        writer.add(builder.values[first..<end])
        first = end
      }
    }
    writer.finish()
    guard builders.contains(where: { !$0.expirations.isEmpty }) else { return }
    let expiry = ExpiryWriter(segment)
    let entries =
      builders.count == 1
      ? builders[0].expirations
      : inOrder(builders.map(\.expirations)) {
        $0.document
      } moved: {
        ($1, $0.date)
      }
    for entry in entries { expiry.add(document: entry.document, date: entry.date) }
    expiry.finish()
  }

  private func writeColumns(_ segment: SegmentWriter) {
    let columns = ColumnsWriter()
    var first = 0
    for stretch in stretches {
      columns.append(
        builders[stretch.builder].columns, upTo: UInt32(stretch.documents.upperBound),
        movedBy: UInt32(truncatingIfNeeded: first - stretch.documents.lowerBound))
      first += stretch.documents.count
    }
    columns.finish(into: segment, documentCount: documentCount)
  }

  private func writeStored(_ segment: SegmentWriter) {
    let writer = StoredWriter(segment)
    for stretch in stretches {
      let builder = builders[stretch.builder]
      builder.stored.withUnsafeBytes { bytes in
        var start = storedRange(stretch).lowerBound
        for document in stretch.documents {
          let end = builder.storedEnds[document]
          writer.add(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
          start = end
        }
      }
    }
    writer.finish()
  }

  // MARK: The dictionary of stored items

  /// The bytes of the stored items.
  package var storedBytes: Int { builders.reduce(0) { $0 + $1.stored.count } }

  private func storedRange(_ stretch: BuiltStretch) -> Range<Int> {
    let ends = builders[stretch.builder].storedEnds
    func end(_ document: Int) -> Int { document == 0 ? 0 : ends[document - 1] }
    return end(stretch.documents.lowerBound)..<end(stretch.documents.upperBound)
  }

  /// A sample of the stored items, for the dictionary of an index that has none yet.
  package func storedSample(_ limit: Int) -> [UInt8] {
    let total = storedBytes
    guard total > limit else { return storedBytes(0..<total) }
    // Evenly spaced pieces, so that no kind of item fills it alone.
    let piece = 1024
    let pieces = limit / piece
    var sample: [UInt8] = []
    for i in 0..<pieces {
      let start = (total - piece) / max(pieces - 1, 1) * i
      sample.append(contentsOf: storedBytes(start..<(start + piece)))
    }
    return sample
  }

  /// Bytes of the stored items, as if they stood one behind the other.
  private func storedBytes(_ range: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    var first = 0
    for stretch in stretches {
      let own = storedRange(stretch)
      let start = max(range.lowerBound, first)
      let end = min(range.upperBound, first + own.count)
      if start < end {
        let shift = own.lowerBound - first
        bytes += builders[stretch.builder].stored[(start + shift)..<(end + shift)]
      }
      first += own.count
    }
    return bytes
  }
}
