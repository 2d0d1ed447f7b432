// Reads one list of postings, a block of up to 128 at a time.

internal import LimelightCodecs

/// A walk over the postings of a term.
///
/// Plain pointers and numbers: mutate it in place (in an `UnsafeMutablePointer` or as a local), never
/// copy one in use. Its buffers belong to the arena it was made with, its mapped bytes to the segment;
/// keep both alive.
///
/// A new cursor is before the first block (`block == -1`, `count == 0`). `load` makes a block current:
/// then `documents[0 ..< count]` are ascending and `documents[count]` is `.max`, so that a loop needs no
/// test for the end. Frequencies and set codes are decoded when asked for. To skip, search
/// `firstDocuments` (`blockIndex`), or compare impacts, before loading anything.
///
/// Whatever the bytes say, documents are below the segment's document count; frequencies and codes may
/// be any number.
@usableFromInline
package struct PostingsCursor {
  /// The postings of the list, those of deleted items included.
  @usableFromInline package private(set) var documentFrequency = 0
  /// The blocks of the list.
  @usableFromInline package private(set) var blockCount = 0
  /// The union of the attribute signatures; 0xFFFF where none are kept.
  @usableFromInline package private(set) var signature: UInt16 = 0xFFFF
  /// The words of the bit set over all documents, if the list is dense.
  @usableFromInline package private(set) var bits: UnsafePointer<UInt64>?
  /// The first document of each block.
  @usableFromInline package private(set) var firstDocuments: UnsafePointer<UInt32>
  /// Four (frequency, norm) pairs for each block; nil in a list of one block.
  @usableFromInline package private(set) var impacts: UnsafePointer<UInt8>?
  /// The same for each 32 blocks.
  @usableFromInline package private(set) var superImpacts: UnsafePointer<UInt8>?
  /// The attribute signature of each block; nil where none are kept.
  @usableFromInline package private(set) var signatures: UnsafePointer<UInt16>?
  /// The same for each 32 blocks.
  @usableFromInline package private(set) var superSignatures: UnsafePointer<UInt16>?

  /// The current block, or -1.
  @usableFromInline package private(set) var block = -1
  /// The postings of the current block.
  @usableFromInline package private(set) var count = 0
  /// Their documents, and `.max` behind the last.
  @usableFromInline package let documents: UnsafeMutablePointer<UInt32>
  /// Their frequencies, once `loadFrequencies` was called for this block.
  @usableFromInline package let frequencies: UnsafeMutablePointer<UInt32>
  /// Their set codes, once `loadCodes` was called for this block; zeros in fields without sets.
  @usableFromInline package let codes: UnsafeMutablePointer<UInt32>
  /// What was decoded so far, shared with the other cursors of the query.
  @usableFromInline package let counters: UnsafeMutablePointer<DecodeCounters>

  let onlyFirst: UnsafeMutablePointer<UInt32>
  @usableFromInline private(set) var byteOffsets: UnsafePointer<UInt32>?
  /// The bytes of a list of several blocks.
  @usableFromInline private(set) var listBytes: UnsafeRawPointer?
  private(set) var positionOffsets: UnsafePointer<UInt32>?
  private(set) var counts: UnsafePointer<UInt8>?
  private var hasSets = false
  private var documentLimit: UInt32 = 0
  private(set) var postings: SectionView
  private(set) var listStart = 0
  @usableFromInline private(set) var listLength = 0
  private(set) var blockEnd = 0
  private(set) var frequenciesAt = 0
  private var codesAt = 0
  private var hasDocuments = false
  private(set) var hasFrequencies = false
  private var hasCodes = false
  private(set) var positionsView: SectionView?
  private(set) var positionsStart = 0
  private(set) var positionsLength = 0
  /// Frequency and position of a posting that is the only one.
  private(set) var onlyFrequency: UInt32 = 0
  private(set) var onlyPosition: UInt32 = 0
  @usableFromInline var reader: PositionsReader

  /// Whether the list is a bit set.
  @inlinable package var isDense: Bool { bits != nil }

  /// Opens the list of a term.
  package init(
    _ entry: TermEntry, in dictionary: TermDictionary, arena: ScratchArena
  ) throws(CorruptionError) {
    documents = arena.allocate(UInt32.self, 272)
    frequencies = arena.allocate(UInt32.self, 144)
    codes = arena.allocate(UInt32.self, 128)
    onlyFirst = arena.allocate(UInt32.self, 2)
    firstDocuments = UnsafePointer(onlyFirst)
    counters = arena.counters
    reader = PositionsReader(arena, nowhere: onlyFirst)
    postings = dictionary.pages
    try open(entry, in: dictionary)
  }

  /// Opens another list with the same buffers.
  package mutating func open(
    _ entry: TermEntry, in dictionary: TermDictionary
  ) throws(CorruptionError) {
    let segment = dictionary.segment
    documentFrequency = Int(entry.documentFrequency)
    blockCount = Int(entry.blockCount)
    signature = entry.signature
    bits = nil
    byteOffsets = nil
    listBytes = nil
    impacts = nil
    superImpacts = nil
    signatures = nil
    superSignatures = nil
    block = -1
    count = 0
    hasSets = dictionary.hasSets
    documentLimit = dictionary.documents
    hasDocuments = false
    hasFrequencies = false
    hasCodes = false
    firstDocuments = UnsafePointer(onlyFirst)
    reader.leave()
    try openPositions(entry, segment, dictionary)
    if documentFrequency == 1 {
      onlyFirst[0] = entry.document
      onlyFirst[1] = .max
      documents[0] = entry.document
      documents[1] = .max
      frequencies[0] = entry.frequency
      codes[0] = entry.code
      onlyFrequency = entry.frequency
      onlyPosition = entry.position
      return
    }
    guard let view = segment.section(.postings) else {
      throw dictionary.pages.corrupt("a term has postings but the segment has none", at: 0)
    }
    postings = view
    guard entry.postingsOffset <= UInt64(view.count),
      entry.postingsLength <= UInt64(view.count) - entry.postingsOffset
    else { throw view.corrupt("a list lies outside the section", at: view.count) }
    listStart = Int(entry.postingsOffset)
    listLength = Int(entry.postingsLength)
    if documentFrequency > SkipLayout.postingsPerBlock {
      try openSkips(entry, segment)
    } else {
      Memory.prefetch(view.base + listStart, min(listLength, 256))
      try view.touch(listStart, listLength)
      var first: UInt64 = 0
      let used = Varint.get(view.base + listStart, listLength, into: &first)
      guard used > 0, first < UInt64(documentLimit) else {
        throw view.corrupt("the first document of a list is out of range", at: listStart)
      }
      onlyFirst[0] = UInt32(truncatingIfNeeded: first)
      onlyFirst[1] = .max
      listStart &+= used
      listLength &-= used
    }
  }

  private mutating func openPositions(
    _ entry: TermEntry, _ segment: Segment, _ dictionary: TermDictionary
  ) throws(CorruptionError) {
    positionsView = nil
    positionsLength = 0
    guard entry.positionsLength > 0 else { return }
    guard let view = segment.section(.positions) else {
      throw dictionary.pages.corrupt("a term has positions but the segment has none", at: 0)
    }
    guard entry.positionsOffset <= UInt64(view.count),
      entry.positionsLength <= UInt64(view.count) - entry.positionsOffset
    else { throw view.corrupt("positions of a list lie outside the section", at: view.count) }
    positionsView = view
    positionsStart = Int(entry.positionsOffset)
    positionsLength = Int(entry.positionsLength)
  }

  private mutating func openSkips(
    _ entry: TermEntry, _ segment: Segment
  ) throws(CorruptionError) {
    guard let view = segment.section(.skips) else {
      throw postings.corrupt("a long list has no skip area", at: listStart)
    }
    let layout = SkipLayout(blocks: blockCount, hasSets: hasSets)
    guard entry.skipsOffset <= UInt64(view.count), entry.skipsOffset & 7 == 0 else {
      throw view.corrupt("a skip area lies outside the section", at: view.count)
    }
    let start = Int(entry.skipsOffset)
    try view.touch(start, layout.byteCount)
    let base = view.base + start
    Memory.prefetch(base, min(layout.byteCount, 1_024))
    func array<T>(_ offset: Int, _ type: T.Type) -> UnsafePointer<T> {
      (base + offset).assumingMemoryBound(to: type)
    }
    firstDocuments = array(0, UInt32.self)
    byteOffsets = array(layout.byteOffsets, UInt32.self)
    listBytes = postings.base + listStart
    positionOffsets = array(layout.positionOffsets, UInt32.self)
    impacts = array(layout.impacts, UInt8.self)
    superImpacts = array(layout.superImpacts, UInt8.self)
    counts = array(layout.counts, UInt8.self)
    if hasSets {
      signatures = array(layout.signatures, UInt16.self)
      superSignatures = array(layout.superSignatures, UInt16.self)
    }
    guard entry.isDense else { return }
    guard let sets = segment.section(.bitSets) else {
      throw view.corrupt("a dense list has no bit set", at: start)
    }
    guard entry.bitSetOffset <= UInt64(sets.count), entry.bitSetOffset & 7 == 0 else {
      throw sets.corrupt("a bit set lies outside the section", at: sets.count)
    }
    let place = Int(entry.bitSetOffset)
    try sets.touch(place, SkipLayout.bitSetBytes(documents: Int(documentLimit)))
    bits = (sets.base + place).assumingMemoryBound(to: UInt64.self)
  }

  /// Makes a block current and decodes its documents.
  package mutating func load(block number: Int) throws(CorruptionError) {
    if number != block {
      try enter(block: number)
    } else if hasDocuments {
      return
    }
    guard !hasDocuments else { return }
    counters.pointee.blocks &+= 1
    guard bits != nil else { return try loadGaps() }
    guard extract(number, count) >= 0 else {
      let place = frequenciesAt
      forget()
      throw postings.corrupt("a block of postings is damaged", at: place)
    }
    documents[count] = .max
    hasDocuments = true
  }

  /// Makes a block current; its documents are decoded by `load`.
  ///
  /// For a dense list, whose bit set tells where a document stands in its block: frequencies can then
  /// be had without documents.
  package mutating func enter(block number: Int) throws(CorruptionError) {
    guard number != block else { return }
    if documentFrequency == 1 {
      counters.pointee.blocks &+= 1
      block = 0
      count = 1
      hasDocuments = true
      hasFrequencies = true
      hasCodes = true
      return
    }
    let (start, end, size) = try bytes(ofBlock: number)
    block = number
    count = size
    blockEnd = end
    frequenciesAt = start
    hasDocuments = false
    hasFrequencies = false
    hasCodes = false
  }

  /// Decodes the documents of the block that was entered, which has gaps.
  @inline(__always)
  private mutating func loadGaps() throws(CorruptionError) {
    let start = frequenciesAt
    let used = gaps(block, postings.base + start, blockEnd &- start, count)
    guard used >= 0 else {
      forget()
      throw postings.corrupt("a block of postings is damaged", at: start)
    }
    documents[count] = .max
    frequenciesAt = start &+ used
    hasDocuments = true
  }

  /// Makes no block current.
  private mutating func forget() {
    block = -1
    count = 0
    hasDocuments = false
  }

  /// Decodes gaps; the bytes used or -1.
  @inline(__always)
  private func gaps(_ number: Int, _ source: UnsafeRawPointer, _ available: Int, _ size: Int) -> Int
  {
    let first = firstDocuments[number]
    documents[0] = first
    guard size > 1 else { return first < documentLimit ? 0 : -1 }
    let used =
      size == 128
      ? PFOR.decodeSum(source, available: available, count: 128, base: first, into: documents)
      : PFOR.decodeSum(
        source, available: available, count: size &- 1, base: first, into: documents + 1)
    guard used > 0, documents[size &- 1] < documentLimit, first < documentLimit else { return -1 }
    // Gaps of up to 24 bits cannot wrap in 128 steps: the last document is the largest.
    if PFOR.bitLimit(source) > 24 {
      for i in 1..<size where documents[i] <= documents[i &- 1] { return -1 }
    }
    return used
  }

  /// Takes documents out of the bit set; 0, or -1 if they are not as many as they should be.
  @inline(__always)
  private func extract(_ number: Int, _ size: Int) -> Int {
    guard let bits else { return -1 }
    let from = Int(firstDocuments[number])
    let to =
      number &+ 1 < blockCount ? Int(firstDocuments[number &+ 1]) : Int(documentLimit)
    guard from < to, to <= Int(documentLimit) else { return -1 }
    return BitSet.extractAll(bits, from: from, to: to, limit: 129, into: documents) == size
      ? 0 : -1
  }

  /// Decodes the frequencies of the current block, unless that was done.
  package mutating func loadFrequencies() throws(CorruptionError) {
    guard !hasFrequencies, count > 0 else { return }
    counters.pointee.frequencyBlocks &+= 1
    let used = PFOR.decode(
      postings.base + frequenciesAt, available: blockEnd &- frequenciesAt, count: count,
      into: frequencies)
    guard used > 0 else {
      throw postings.corrupt("a block of frequencies is damaged", at: frequenciesAt)
    }
    for i in 0..<128 { frequencies[i] &+= 1 }
    hasFrequencies = true
    codesAt = frequenciesAt &+ used
  }

  /// Decodes the set codes of the current block, unless that was done.
  package mutating func loadCodes() throws(CorruptionError) {
    guard !hasCodes, count > 0 else { return }
    hasCodes = true
    guard hasSets else {
      codes.update(repeating: 0, count: 128)
      return
    }
    if !hasFrequencies {
      let used = PFOR.skip(
        postings.base + frequenciesAt, available: blockEnd &- frequenciesAt, count: count)
      guard used > 0 else {
        throw postings.corrupt("a block of frequencies is damaged", at: frequenciesAt)
      }
      codesAt = frequenciesAt &+ used
    }
    let used = PFOR.decode(
      postings.base + codesAt, available: blockEnd &- codesAt, count: count, into: codes)
    guard used > 0 else { throw postings.corrupt("a block of set codes is damaged", at: codesAt) }
  }
}
