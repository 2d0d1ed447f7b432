// Writes the pages of a field's terms and the index over them.

internal import LimelightCodecs

/// Writes terms in byte order into pages of 32.
///
/// A page:
///
///     bases          4 varints: where its first term's postings, positions, skips and bit sets start
///     bytes of keys  varint
///     keys           the first: varint length, bytes
///                    each further one: a byte with the bytes shared with the key before (high
///                    nibble) and the bytes that follow (low nibble), 15 meaning "15 and a varint
///                    more follows", the high one's varint first; then the bytes
///     records        of the terms, in the same order: see `TermEntry`
///
/// The page index, two flat arrays over the pages of all fields: the first 8 bytes of each page's
/// first term as a big-endian number, stored as u64; and the offset of the page from the first page
/// of its field, u32. Beside them a byte a term: see `TermTails`.
struct TermDictionaryWriter {
  static let termsPerPage = 32
  /// Longer terms are refused when reading; analysers cut terms at 255 bytes.
  static let longestTerm = 4096

  private let pages: SectionBuffer
  /// Not in segments of few documents.
  private let tails: SectionBuffer?
  private let keys = ByteWriter()
  private let records = ByteWriter()
  private let previous = ByteWriter()
  private var inPage = 0
  private var firstKey: UInt64 = 0
  private var places = ListPlaces()
  private var pageBases = ListPlaces()
  private var hasSets = false
  private var documents = 0
  private var fieldStart = 0

  let prefixes = ByteWriter()
  let offsets = ByteWriter()
  private(set) var pageCount = 0
  private(set) var termCount = 0

  init(pages: SectionBuffer, tails: SectionBuffer?, documents: Int) {
    self.pages = pages
    self.tails = tails
    self.documents = documents
  }

  /// Starts a field.
  mutating func begin(hasSets: Bool) {
    self.hasSets = hasSets
    fieldStart = pages.count
    pageCount = 0
    termCount = 0
  }

  /// Adds a term, larger than the one before it.
  mutating func add(_ term: UnsafeRawBufferPointer, _ entry: TermEntry) {
    if inPage == 0 {
      firstKey = TermKey.prefix(term)
      pageBases = places
      keys.varint(UInt64(term.count))
      keys.bytes(term)
    } else {
      let limit = min(term.count, previous.count)
      var shared = 0
      while shared < limit
        && term[shared] == previous.base.load(fromByteOffset: shared, as: UInt8.self)
      { shared &+= 1 }
      let rest = term.count &- shared
      keys.u8(UInt8(min(shared, 15) << 4 | min(rest, 15)))
      if shared >= 15 { keys.varint(UInt64(shared &- 15)) }
      if rest >= 15 { keys.varint(UInt64(rest &- 15)) }
      keys.bytes(UnsafeRawBufferPointer(rebasing: term[shared...]))
    }
    previous.removeAll(keepingCapacity: true)
    previous.bytes(term)
    if let tails { tails.bytes.u8(TermTails.code(of: term)) }
    entry.encode(hasSets: hasSets, into: records)
    if entry.documentFrequency > 1 {
      places.postings &+= entry.postingsLength
      places.positions &+= entry.positionsLength
      if entry.documentFrequency > 128 {
        let layout = SkipLayout(blocks: Int(entry.blockCount), hasSets: hasSets)
        places.skips &+= UInt64(layout.byteCount)
        if entry.isDense {
          places.bitSets &+= UInt64(SkipLayout.bitSetBytes(documents: documents))
        }
      }
    } else if entry.frequency > 1 {
      places.positions &+= entry.positionsLength
    }
    inPage &+= 1
    termCount &+= 1
    if inPage == Self.termsPerPage { endPage() }
  }

  /// Ends the field.
  mutating func end() {
    if inPage > 0 { endPage() }
  }

  private mutating func endPage() {
    prefixes.u64(firstKey)
    offsets.u32(UInt32(truncatingIfNeeded: pages.count &- fieldStart))
    let bytes = pages.bytes
    bytes.varint(pageBases.postings)
    bytes.varint(pageBases.positions)
    bytes.varint(pageBases.skips)
    bytes.varint(pageBases.bitSets)
    bytes.varint(UInt64(keys.count))
    bytes.bytes(keys.written)
    bytes.bytes(records.written)
    pages.spillIfLarge()
    if let tails {
      tails.bytes.zeros(Self.termsPerPage &- inPage)
      tails.spillIfLarge()
    }
    keys.removeAll(keepingCapacity: true)
    records.removeAll(keepingCapacity: true)
    inPage = 0
    pageCount &+= 1
  }
}

/// The fixed-size head of a key, for comparing without touching pages.
enum TermKey {
  /// The first 8 bytes, zeros behind a shorter term, as a big-endian number.
  ///
  /// If two heads differ, the terms compare as they do; if they are equal, the terms may differ.
  @inline(__always)
  static func prefix(_ term: UnsafeRawBufferPointer) -> UInt64 {
    guard let base = term.baseAddress else { return 0 }
    if term.count >= 8 { return UInt64(bigEndian: base.loadUnaligned(as: UInt64.self)) }
    var key: UInt64 = 0
    for i in 0..<term.count { key |= UInt64(term[i]) &<< UInt64(56 &- 8 &* i) }
    return key
  }
}
