// The terms of one field of one segment, read through the map.

internal import LimelightCodecs

/// Finds terms of a field and walks them in byte order.
///
/// A look-up is a binary search in a flat array of 8-byte heads, then a walk over one page of 32
/// front-coded keys: about half a microsecond, hit or miss. Any number of threads may read at once.
package struct TermDictionary {
  /// Keeps the bytes alive.
  let segment: Segment
  let hasSets: Bool
  let documents: UInt32
  let pages: SectionView
  let pagesStart: Int
  let pagesLength: Int
  /// The heads of this field's pages.
  let prefixes: UnsafeRawPointer
  let offsets: UnsafeRawPointer
  package let pageCount: Int
  package let termCount: Int
  /// The postings of all its lists.
  package let postingCount: Int
  package let key: FieldKey

  init(
    _ segment: Segment, _ record: FieldRecord, _ table: SectionView, at entry: Int
  ) throws(CorruptionError) {
    guard let index = segment.section(.termIndex), let pages = segment.section(.termPages) else {
      throw table.corrupt("a field has no term pages", at: entry)
    }
    let total = index.count / 12
    guard record.firstPage <= UInt64(total),
      UInt64(record.pageCount) <= UInt64(total) - record.firstPage,
      record.pageCount > 0, record.termCount <= UInt64(record.pageCount) * 32,
      record.pagesOffset <= UInt64(pages.count),
      record.pagesLength <= UInt64(pages.count) - record.pagesOffset,
      record.postingCount < 1 << 50
    else { throw table.corrupt("a field's pages lie outside their section", at: entry) }
    self.segment = segment
    self.pages = pages
    hasSets = record.hasSets
    key = record.key
    documents = segment.meta.documentCount
    pagesStart = Int(record.pagesOffset)
    pagesLength = Int(record.pagesLength)
    pageCount = Int(record.pageCount)
    termCount = Int(record.termCount)
    postingCount = Int(record.postingCount)
    let first = Int(record.firstPage)
    try index.touch(first &* 8, pageCount &* 8)
    try index.touch(total &* 8 &+ first &* 4, pageCount &* 4)
    prefixes = index.base + (first &* 8)
    offsets = index.base + (total &* 8 &+ first &* 4)
  }

  @inline(__always)
  func prefix(_ page: Int) -> UInt64 {
    UInt64(littleEndian: prefixes.loadUnaligned(fromByteOffset: page &* 8, as: UInt64.self))
  }

  /// Where a page stands in the section; its length is what remains of the field.
  func pageRange(_ page: Int) throws(CorruptionError) -> (start: Int, count: Int) {
    let offset = Int(
      UInt32(littleEndian: offsets.loadUnaligned(fromByteOffset: page &* 4, as: UInt32.self)))
    var end = pagesLength
    if page &+ 1 < pageCount {
      end = Int(
        UInt32(
          littleEndian: offsets.loadUnaligned(fromByteOffset: page &* 4 &+ 4, as: UInt32.self)))
    }
    guard offset < end, end <= pagesLength else {
      throw pages.corrupt("a term page lies outside its field", at: pagesStart)
    }
    try pages.touch(pagesStart &+ offset, end &- offset)
    return (pagesStart &+ offset, end &- offset)
  }

  /// The number of terms on a page.
  func terms(on page: Int) -> Int {
    page &+ 1 < pageCount ? 32 : termCount &- 32 &* (pageCount &- 1)
  }

  /// The last page whose first term is not larger than `term`; 0 if all are larger.
  func page(for term: UnsafeRawBufferPointer) throws(CorruptionError) -> Int {
    let head = TermKey.prefix(term)
    // Pages below `low` have a smaller head, pages from `high` on a larger one.
    var low = 0
    var high = pageCount
    var count = pageCount
    while count > 0 {
      let half = count / 2
      if prefix(low &+ half) < head {
        low &+= half &+ 1
        count &-= half &+ 1
      } else {
        count = half
      }
    }
    high = low
    count = pageCount &- low
    while count > 0 {
      let half = count / 2
      if prefix(high &+ half) <= head {
        high &+= half &+ 1
        count &-= half &+ 1
      } else {
        count = half
      }
    }
    // Among pages with the same head the whole first terms decide.
    while low < high {
      let middle = (low &+ high) / 2
      if try firstTerm(of: middle, isAtMost: term) { low = middle &+ 1 } else { high = middle }
    }
    return max(low &- 1, 0)
  }

  private func firstTerm(
    of page: Int, isAtMost term: UnsafeRawBufferPointer
  ) throws(CorruptionError) -> Bool {
    let range = try pageRange(page)
    do throws(DecodingError) {
      var reader = ByteReader(pages.base + range.start, count: range.count)
      for _ in 0..<5 { _ = try reader.varint() }
      let length = try reader.length(atMost: TermDictionaryWriter.longestTerm)
      let first = try reader.bytes(length)
      return TermOrder.compare(first, term) <= 0
    } catch {
      throw pages.corrupt(error, at: range.start)
    }
  }

  /// Finds a term.
  package func find(_ term: UnsafeRawBufferPointer) throws(CorruptionError) -> TermEntry? {
    let page = try page(for: term)
    let range = try pageRange(page)
    do throws(DecodingError) {
      var reader = ByteReader(pages.base + range.start, count: range.count)
      var places = try TermPage.bases(&reader)
      let keyBytes = try reader.length(atMost: reader.remaining)
      var keys = ByteReader(try reader.bytes(keyBytes))
      guard let ordinal = try TermPage.find(term, &keys, count: terms(on: page)) else { return nil }
      var entry = TermEntry()
      for _ in 0...ordinal {
        try entry.decode(&reader, hasSets: hasSets, documents: documents, places: &places)
      }
      return entry
    } catch {
      throw pages.corrupt(error, at: range.start)
    }
  }
}

/// The byte order of terms.
package enum TermOrder {
  /// Negative, zero or positive as `a` is smaller than, equal to or larger than `b`.
  package static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    let count = min(a.count, b.count)
    var i = 0
    while i < count {
      if a[i] != b[i] { return Int(a[i]) &- Int(b[i]) }
      i &+= 1
    }
    return a.count &- b.count
  }
}
