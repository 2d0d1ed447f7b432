// Writes the fields of a segment: for each its terms, for each term its list.

internal import LimelightCodecs

/// Writes fields in the order of their keys, in them terms in byte order, in them postings in document
/// order.
///
/// Sections: `fields`, `termIndex`, `termPages`, `skips`, `postings`, `bitSets`, `positions`, `termTails`,
/// and `prefixLists` by `PrefixListsWriter`. An entry of `fields`, 48 bytes, little-endian:
///
///     attribute u16, kind u8, flags u8 (1: attribute sets), pages u32, terms u64, first page u64,
///     postings u64, offset of its pages u64, their length u64
///
/// Blocks may come in any size up to 128; they are cut anew so that all but the last of a list have
/// 128 postings. Several threads may write a part of the terms each, which `join` puts together. Not for
/// use by two threads at once.
package final class FieldsWriter {
  let sections: FieldSections
  private(set) var records: [WrittenField] = []
  private var lists: PostingsListWriter
  private(set) var dictionary: TermDictionaryWriter
  private(set) var prefixes: PrefixListsWriter?
  private let hasSets: Bool

  private var key = FieldKey.standard
  private var fieldStart = 0
  private var fieldPostings: UInt64 = 0
  private let term = ByteWriter()

  // Postings that do not fill a block yet.
  private let pendingDocuments: UnsafeMutablePointer<UInt32>
  private let pendingFrequencies: UnsafeMutablePointer<UInt32>
  private let pendingCodes: UnsafeMutablePointer<UInt32>
  private let pendingPositions = ByteWriter()
  private var pending = 0
  /// The postings of the term that were not added yet.
  private var missing = 0

  /// Writes into the sections of `segment`, whose documents have `norms`.
  ///
  /// `sets` are the attribute sets to which the codes of field 0 belong; without them field 0 has no
  /// codes. `norms` must outlive the writer.
  package convenience init(
    segment: SegmentWriter, documentCount: Int, norms: UnsafePointer<UInt8>, sets: AttributeSets?
  ) {
    self.init(FieldSections(segment), documentCount, norms, sets)
  }

  /// Writes a part of the fields of `segment`, to be joined with others.
  ///
  /// Every part but the last ends with a field, or with a multiple of `termsPerPage` terms of it.
  package convenience init(
    partOf segment: SegmentWriter, documentCount: Int, norms: UnsafePointer<UInt8>,
    sets: AttributeSets?
  ) {
    self.init(FieldSections(partOf: segment), documentCount, norms, sets)
  }

  private init(
    _ sections: FieldSections, _ documentCount: Int, _ norms: UnsafePointer<UInt8>,
    _ sets: AttributeSets?
  ) {
    self.sections = sections
    hasSets = sets != nil
    lists = PostingsListWriter(
      postings: sections.postings, positions: sections.positions, skips: sections.skips,
      bitSets: sections.bitSets, documentCount: documentCount, norms: norms,
      setSignatures: sets?.signatures)
    let hasTails = documentCount >= TermTails.fewestDocuments
    dictionary = TermDictionaryWriter(
      pages: sections.pages, tails: hasTails ? sections.tails : nil, documents: documentCount)
    prefixes = PrefixListsWriter.make(sections.segment, documents: documentCount)
    pendingDocuments = .allocate(capacity: 128)
    pendingFrequencies = .allocate(capacity: 128)
    pendingCodes = .allocate(capacity: 128)
  }

  deinit {
    lists.deallocate()
    prefixes?.deallocate()
    pendingDocuments.deallocate()
    pendingFrequencies.deallocate()
    pendingCodes.deallocate()
  }

  /// Starts a field, larger than the one before it.
  package func beginField(_ key: FieldKey) {
    self.key = key
    fieldStart = sections.pages.count
    fieldPostings = 0
    dictionary.begin(hasSets: hasSets && key == .standard)
  }

  /// Starts a term, larger than the one before it, of which exactly `documentFrequency` (at least 1)
  /// postings follow.
  package func beginTerm(_ bytes: UnsafeRawBufferPointer, documentFrequency: Int) {
    term.removeAll(keepingCapacity: true)
    term.bytes(bytes)
    fieldPostings &+= UInt64(documentFrequency)
    missing = documentFrequency
    lists.begin(documentFrequency: documentFrequency, hasSets: hasSets && key == .standard)
    if key == .standard { prefixes?.begin(bytes, documentFrequency: documentFrequency) }
  }

  /// Adds 1 to 128 postings: ascending documents, frequencies of at least 1, set codes (field 0 with
  /// sets only), and for each posting as many ascending positions as its frequency says.
  package func appendBlock(
    documents: UnsafePointer<UInt32>, frequencies: UnsafePointer<UInt32>,
    codes: UnsafePointer<UInt32>?, count: Int, positions: UnsafePointer<UInt32>
  ) {
    missing &-= count
    if key == .standard { prefixes?.add(documents, count) }
    if pending == 0 && (count == 128 || missing == 0) {
      lists.append(
        documents: documents, frequencies: frequencies, codes: codes, count: count,
        positions: positions)
      return
    }
    var done = 0
    var place = positions
    while done < count {
      let take = min(128 &- pending, count &- done)
      (pendingDocuments + pending).update(from: documents + done, count: take)
      (pendingFrequencies + pending).update(from: frequencies + done, count: take)
      if let codes {
        (pendingCodes + pending).update(from: codes + done, count: take)
      }
      var size = 0
      for i in done..<(done &+ take) { size &+= Int(frequencies[i]) }
      pendingPositions.bytes(UnsafeRawBufferPointer(start: place, count: size &* 4))
      place += size
      pending &+= take
      done &+= take
      if pending == 128 { flush() }
    }
  }

  private func flush() {
    lists.append(
      documents: pendingDocuments, frequencies: pendingFrequencies,
      codes: hasSets && key == .standard ? UnsafePointer(pendingCodes) : nil, count: pending,
      positions: UnsafePointer(pendingPositions.base.assumingMemoryBound(to: UInt32.self)))
    pending = 0
    pendingPositions.removeAll(keepingCapacity: true)
  }

  /// Ends the term.
  package func endTerm() {
    if pending > 0 { flush() }
    dictionary.add(term.written, lists.end())
  }

  /// Ends the field; one without terms leaves no trace.
  package func endField() {
    dictionary.end()
    guard dictionary.termCount > 0 else { return }
    records.append(
      WrittenField(
        key: key, hasSets: hasSets && key == .standard, pages: dictionary.pageCount,
        terms: dictionary.termCount, postings: fieldPostings, start: fieldStart,
        length: sections.pages.count &- fieldStart))
  }

  /// Ends the fields of a segment; a part is only joined.
  package func finish() {
    guard let segment = sections.segment else { return }
    WrittenField.write(
      records, prefixes: dictionary.prefixes, offsets: dictionary.offsets, to: segment)
    if let lists = prefixes?.finish() {
      segment.setCount(.prefixLists, entrySize: PrefixListsWriter.entrySize, lists)
    }
  }

  /// The terms of a page: where a part may end.
  package static var termsPerPage: Int { TermDictionaryWriter.termsPerPage }
}
