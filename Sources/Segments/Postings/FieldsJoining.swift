// Puts the parts of a segment's fields together, which several threads have written.

internal import LimelightCodecs

/// The sections that fields are written to: a segment's own, or those of a part of it.
struct FieldSections {
  /// The segment whose sections these are; nil for a part.
  let segment: SegmentWriter?
  let pages: SectionBuffer
  let postings: SectionBuffer
  let positions: SectionBuffer
  let skips: SectionBuffer
  let bitSets: SectionBuffer
  let tails: SectionBuffer

  init(_ segment: SegmentWriter) {
    self.segment = segment
    pages = segment.section(.termPages)
    postings = segment.section(.postings)
    positions = segment.section(.positions)
    skips = segment.section(.skips)
    bitSets = segment.section(.bitSets)
    tails = segment.section(.termTails)
  }

  /// Pages stay in memory: joining reads them again.
  init(partOf segment: SegmentWriter) {
    self.segment = nil
    pages = SectionBuffer(nil)
    postings = SectionBuffer(segment.spill)
    positions = SectionBuffer(segment.spill)
    skips = SectionBuffer(segment.spill)
    bitSets = SectionBuffer(segment.spill)
    tails = SectionBuffer(segment.spill)
  }
}

/// What the section `fields` says of a field.
struct WrittenField {
  let key: FieldKey
  let hasSets: Bool
  var pages: Int
  var terms: Int
  var postings: UInt64
  /// Where its pages start in the section, and their length.
  let start: Int
  var length: Int

  /// Writes the sections `fields` and `termIndex`.
  static func write(
    _ records: [WrittenField], prefixes: ByteWriter, offsets: ByteWriter, to segment: SegmentWriter
  ) {
    let fields = segment.buffer(.fields)
    var firstPage = 0
    for record in records {
      fields.u16(record.key.attribute)
      fields.u8(record.key.kind)
      fields.u8(record.hasSets ? 1 : 0)
      fields.u32(UInt32(truncatingIfNeeded: record.pages))
      fields.u64(UInt64(record.terms))
      fields.u64(UInt64(firstPage))
      fields.u64(record.postings)
      fields.u64(UInt64(record.start))
      fields.u64(UInt64(record.length))
      firstPage &+= record.pages
    }
    let index = segment.buffer(.termIndex)
    index.bytes(prefixes.written)
    index.bytes(offsets.written)
    segment.setCount(.fields, entrySize: 48, records.count)
    segment.setCount(.termIndex, entrySize: 12, firstPage)
    segment.setCount(.termTails, entrySize: TermTails.pageSize, firstPage)
  }
}

extension FieldsWriter {
  /// Writes the sections of a segment from its parts, in the order of their terms, as one writer would
  /// have written them.
  ///
  /// Lists are moved as they are; only the heads of pages, which say where their lists start, change.
  package static func join(_ parts: [FieldsWriter], into segment: SegmentWriter) {
    let target = FieldSections(segment)
    let heads = ByteWriter()
    let offsets = ByteWriter()
    var prefixes = parts.lazy.compactMap { $0.prefixes }.first.flatMap {
      PrefixListsWriter.make(segment, documents: $0.documents)
    }
    defer { prefixes?.deallocate() }
    var records: [WrittenField] = []
    var base = ListPlaces()
    for part in parts {
      appendPages(of: part, movedBy: base, to: target.pages, &records, offsets)
      heads.bytes(part.dictionary.prefixes.written)
      if let part = part.prefixes { prefixes?.append(part) }
      base.postings &+= UInt64(part.sections.postings.count)
      base.positions &+= UInt64(part.sections.positions.count)
      base.skips &+= UInt64(part.sections.skips.count)
      base.bitSets &+= UInt64(part.sections.bitSets.count)
      target.postings.append(part.sections.postings)
      target.positions.append(part.sections.positions)
      target.skips.append(part.sections.skips)
      target.bitSets.append(part.sections.bitSets)
      target.tails.append(part.sections.tails)
    }
    WrittenField.write(records, prefixes: heads, offsets: offsets, to: segment)
    if let lists = prefixes?.finish() {
      segment.setCount(.prefixLists, entrySize: PrefixListsWriter.entrySize, lists)
    }
  }

  private static func appendPages(
    of part: FieldsWriter, movedBy base: ListPlaces, to pages: SectionBuffer,
    _ records: inout [WrittenField], _ offsets: ByteWriter
  ) {
    let source = part.sections.pages.bytes.written
    let starts = part.dictionary.offsets.base
    var page = 0
    for record in part.records {
      // A field goes on in this part, or begins.
      if records.last?.key != record.key {
        records.append(
          WrittenField(
            key: record.key, hasSets: record.hasSets, pages: 0, terms: 0, postings: 0,
            start: pages.count, length: 0))
      }
      let last = records.count - 1
      for number in 0..<record.pages {
        let start = start(ofPage: page, starts)
        let end = number + 1 < record.pages ? Self.start(ofPage: page + 1, starts) : record.length
        offsets.u32(UInt32(truncatingIfNeeded: pages.count &- records[last].start))
        move(
          UnsafeRawBufferPointer(
            rebasing: source[(record.start + start)..<(record.start + end)]), by: base, to: pages)
        page += 1
      }
      records[last].pages += record.pages
      records[last].terms += record.terms
      records[last].postings += record.postings
      records[last].length = pages.count - records[last].start
    }
  }

  private static func start(ofPage page: Int, _ starts: UnsafeMutableRawPointer) -> Int {
    Int(starts.load(fromByteOffset: page * 4, as: UInt32.self).littleEndian)
  }

  /// Writes a page whose lists have moved.
  private static func move(
    _ page: UnsafeRawBufferPointer, by base: ListPlaces, to pages: SectionBuffer
  ) {
    guard let start = page.baseAddress else { return }
    var used = 0
    for distance in [base.postings, base.positions, base.skips, base.bitSets] {
      var place: UInt64 = 0
      used += Varint.get(start + used, page.count - used, into: &place)
      pages.bytes.varint(place &+ distance)
    }
    pages.bytes.bytes(UnsafeRawBufferPointer(rebasing: page[used...]))
    pages.spillIfLarge()
  }
}
