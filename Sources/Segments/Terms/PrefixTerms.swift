// Finds the terms that start with a prefix, without rebuilding a key.

internal import LimelightCodecs

extension TermDictionary {
  /// The documents of all terms that start with a prefix; nil if there is no such term.
  ///
  /// Those of many short prefixes are kept and cost a look-up, what is then read of them their decoding.
  package func documents(
    prefix: UnsafeRawBufferPointer, arena: ScratchArena
  ) throws(CorruptionError) -> DocumentUnion? {
    if key == .standard, let list = try PrefixLists(segment)?.find(prefix, documents: documents) {
      return DocumentUnion(list, self, arena: arena)
    }
    let union = DocumentUnion(self, arena: arena)
    return try unite(prefix: prefix, into: union) ? union : nil
  }

  /// Adds the documents of all terms that start with a prefix; false if there is no such term.
  ///
  /// A term of one document, as most are, costs about 3 ns: its record is read in one piece and its
  /// bit set. Damage is found where memory depends on it; a record that is only written in another
  /// way than its writer would have done it is for `verify` to find.
  func unite(
    prefix: UnsafeRawBufferPointer, into union: DocumentUnion
  ) throws(CorruptionError) -> Bool {
    var pages = try PrefixPages(self, prefix)
    var found = false
    while try pages.next() {
      guard pages.count > 0 else { continue }
      found = true
      try unite(pages.count, &pages.records, &pages.places, into: union)
    }
    return found
  }

  /// Hands out the entries of all terms that start with a prefix; false if there is none.
  package func forEachTerm(
    prefix: UnsafeRawBufferPointer, _ body: (TermEntry) throws(CorruptionError) -> Void
  ) throws(CorruptionError) -> Bool {
    var pages = try PrefixPages(self, prefix)
    var found = false
    var entry = TermEntry()
    while try pages.next() {
      for _ in 0..<pages.count {
        try pages.decode(&entry)
        try body(entry)
        found = true
      }
    }
    return found
  }

  /// Adds the documents of the next terms of a page.
  @inline(__always)
  private func unite(
    _ count: Int, _ records: inout ByteReader, _ places: inout ListPlaces,
    into union: DocumentUnion
  ) throws(CorruptionError) {
    var entry = TermEntry()
    for _ in 0..<count {
      if let document = Self.onlyDocument(&records, hasSets: hasSets) {
        guard document < documents else {
          throw pages.corrupt("a term's only posting is out of range", at: pagesStart)
        }
        union.add(document: document)
        continue
      }
      do throws(DecodingError) {
        try entry.decode(&records, hasSets: hasSets, documents: documents, places: &places)
      } catch {
        throw pages.corrupt(error, at: pagesStart)
      }
      try union.add(entry)
    }
  }

  /// The document of a term that is in no other, and moves behind its record; nil if the record is of
  /// another kind, or too long or too near to the end to be read in one piece.
  ///
  /// Such a record is a 1 and three or, with a set code, four varints: document, frequency, code,
  /// position. The place of positions is not kept up: who unites documents needs none.
  @inline(__always)
  private static func onlyDocument(_ records: inout ByteReader, hasSets: Bool) -> UInt32? {
    guard records.remaining >= 9 else { return nil }
    let source = records.base + records.position
    guard source.load(as: UInt8.self) == 1 else { return nil }
    let word = UInt64(littleEndian: source.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
    // A bit at the end of the last byte of each number.
    let ends = ~word & 0x8080_8080_8080_8080
    var last = ends & (ends &- 1)
    last &= last &- 1
    if hasSets { last &= last &- 1 }
    let first = ends.trailingZeroBitCount
    guard last != 0, first < 32 else { return nil }
    records.position &+= 1 &+ (last.trailingZeroBitCount &+ 1) &>> 3
    let number = word & ((2 as UInt64) &<< UInt64(truncatingIfNeeded: first) &- 1)
    let low = number & 0x7F | number &>> 1 & 0x3F80
    return UInt32(truncatingIfNeeded: low | number &>> 2 & 0x1F_C000 | number &>> 3 & 0xFE0_0000)
  }
}

/// A walk over the pages that hold terms with a prefix, which tells where on them these stand.
private struct PrefixPages {
  private let dictionary: TermDictionary
  private let prefix: UnsafeRawBufferPointer
  /// Which bits of the head of a term tell whether it starts with the prefix; nil if they do not.
  private let mask: UInt64?
  private let head: UInt64
  private let first: Int
  private var page: Int
  private var isOver = false

  /// The records, from that of the first term with the prefix on.
  var records: ByteReader
  var places = ListPlaces()
  /// The terms with the prefix on this page.
  private(set) var count = 0

  init(
    _ dictionary: TermDictionary, _ prefix: UnsafeRawBufferPointer
  ) throws(CorruptionError) {
    self.dictionary = dictionary
    self.prefix = prefix
    head = TermKey.prefix(prefix)
    if let last = prefix.last {
      // Shorter terms have zeros in their heads.
      let isTold = prefix.count <= 8 && last != 0
      mask = isTold ? UInt64.max &<< UInt64(truncatingIfNeeded: 64 &- 8 &* prefix.count) : nil
    } else {
      mask = 0
    }
    first = try dictionary.page(for: prefix)
    page = first
    records = ByteReader(dictionary.pages.base, count: 0)
  }

  /// Moves to the next page; false behind the last.
  mutating func next() throws(CorruptionError) -> Bool {
    guard !isOver, page < dictionary.pageCount else { return false }
    let number = page
    page &+= 1
    if number > first, let mask, dictionary.prefix(number) & mask != head { return false }
    let range = try dictionary.pageRange(number)
    let size = dictionary.terms(on: number)
    var skipped = 0
    do throws(DecodingError) {
      var reader = ByteReader(dictionary.pages.base + range.start, count: range.count)
      places = try TermPage.bases(&reader)
      let keyBytes = try reader.length(atMost: reader.remaining)
      var keys = ByteReader(try reader.bytes(keyBytes))
      records = reader
      if let mask, number > first, page < dictionary.pageCount,
        dictionary.prefix(page) & mask == head
      {
        count = size
      } else {
        let range = try TermPage.range(prefix, &keys, count: size)
        skipped = range.lowerBound
        count = range.count
        isOver = range.upperBound < size
      }
    } catch {
      throw dictionary.pages.corrupt(error, at: range.start)
    }
    var entry = TermEntry()
    for _ in 0..<skipped { try decode(&entry) }
    return true
  }

  /// Decodes the next record.
  mutating func decode(_ entry: inout TermEntry) throws(CorruptionError) {
    do throws(DecodingError) {
      try entry.decode(
        &records, hasSets: dictionary.hasSets, documents: dictionary.documents, places: &places)
    } catch {
      throw dictionary.pages.corrupt(error, at: dictionary.pagesStart)
    }
  }
}

extension TermPage {
  /// Which terms of a page start with a prefix; if none does, an empty range where they would stand.
  ///
  /// As in `find`, no key is rebuilt: `matched` counts the bytes of the prefix with which the key at
  /// hand starts.
  fileprivate static func range(
    _ prefix: UnsafeRawBufferPointer, _ keys: inout ByteReader, count: Int
  ) throws(DecodingError) -> Range<Int> {
    let length = try keys.length(atMost: TermDictionaryWriter.longestTerm)
    var suffix = try keys.bytes(length)
    var matched = 0
    var ordinal = 0
    // Behind the smaller terms.
    while true {
      var i = 0
      let limit = min(suffix.count, prefix.count &- matched)
      while i < limit && suffix[i] == prefix[matched &+ i] { i &+= 1 }
      matched &+= i
      if matched == prefix.count { break }
      if i < suffix.count && suffix[i] > prefix[matched] { return ordinal..<ordinal }
      var shared = 0
      repeat {
        ordinal &+= 1
        guard ordinal < count else { return count..<count }
        let step = try step(&keys)
        shared = step.shared
        suffix = try keys.bytes(step.rest)
      } while shared > matched
      // Sharing less with a smaller key than the prefix does, the key is larger.
      if shared < matched { return ordinal..<ordinal }
    }
    let start = ordinal
    repeat {
      ordinal &+= 1
      guard ordinal < count else { break }
      let step = try step(&keys)
      try keys.skip(step.rest)
      if step.shared < prefix.count { break }
    } while true
    return start..<ordinal
  }
}
