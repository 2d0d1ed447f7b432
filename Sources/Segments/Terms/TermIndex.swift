// The pages of one field's terms, and the way to the page of a term.

internal import LimelightCodecs

/// Finds terms on the pages of a field.
///
/// A look-up is a binary search in a flat array of 8-byte heads, then a walk over one page of 32
/// front-coded keys: some 80 ns for a miss, twice that for a hit, whose place follows from the records
/// before it. Plain numbers and pointers, so that copying one counts nothing: good while the segment
/// lives.
package struct TermIndex {
  let hasSets: Bool
  let documents: UInt32
  let pages: SectionView
  let pagesStart: Int
  let pagesLength: Int
  /// The heads of this field's pages.
  let prefixes: UnsafeRawPointer
  let offsets: UnsafeRawPointer
  let pageCount: Int
  let termCount: Int

  @inline(__always)
  func prefix(_ page: Int) -> UInt64 {
    UInt64(littleEndian: prefixes.loadUnaligned(fromByteOffset: page &* 8, as: UInt64.self))
  }

  /// Where a page stands in the section; its length is what remains of the field.
  func pageRange(_ page: Int) throws(CorruptionError) -> (start: Int, count: Int) {
    let offset = offset(page)
    let end = page &+ 1 < pageCount ? self.offset(page &+ 1) : pagesLength
    guard offset < end, end <= pagesLength else {
      throw pages.corrupt("a term page lies outside its field", at: pagesStart)
    }
    try pages.touch(pagesStart &+ offset, end &- offset)
    return (pagesStart &+ offset, end &- offset)
  }

  @inline(__always)
  private func offset(_ page: Int) -> Int {
    Int(UInt32(littleEndian: offsets.loadUnaligned(fromByteOffset: page &* 4, as: UInt32.self)))
  }

  /// The number of terms on a page.
  func terms(on page: Int) -> Int {
    page &+ 1 < pageCount ? 32 : termCount &- 32 &* (pageCount &- 1)
  }

  /// The last page whose first term is not larger than `term`; 0 if all are larger.
  func page(for term: UnsafeRawBufferPointer) throws(CorruptionError) -> Int {
    let head = TermKey.prefix(term)
    // The last page whose head is not larger, by steps without a branch: which half it is cannot be
    // foretold.
    var last = 0
    var count = pageCount
    while count > 1 {
      let half = count &>> 1
      let isBehind = prefix(last &+ half) <= head ? -1 : 0
      last &+= half & isBehind
      count &-= half
    }
    guard prefix(last) == head else { return last }
    // Among pages with the same head the whole first terms decide: the first of them is found first.
    var low = 0
    count = last
    while count > 0 {
      let half = count / 2
      if prefix(low &+ half) < head {
        low &+= half &+ 1
        count &-= half &+ 1
      } else {
        count = half
      }
    }
    var high = last &+ 1
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

  /// Asks the system for the page of a term.
  package func prefetch(_ term: UnsafeRawBufferPointer) throws(CorruptionError) {
    let page = try page(for: term)
    pages.prefetch(pagesStart &+ offset(page), 1)
  }

  /// Finds a term: true with its entry, or false with an entry of no use.
  package func find(
    _ term: UnsafeRawBufferPointer, into entry: inout TermEntry
  ) throws(CorruptionError) -> Bool {
    let page = try page(for: term)
    let range = try pageRange(page)
    do throws(DecodingError) {
      var reader = ByteReader(pages.base + range.start, count: range.count)
      let keys = try TermPage.keys(&reader)
      guard let ordinal = try TermPage.find(term, keys, count: terms(on: page)) else {
        return false
      }
      var places = try TermPage.quickBases(
        ByteReader(pages.base + range.start, count: range.count))
      try TermEntry.skip(
        ordinal, &reader, hasSets: hasSets, documents: documents, places: &places)
      try entry.decode(&reader, hasSets: hasSets, documents: documents, places: &places)
      return true
    } catch {
      throw pages.corrupt(error, at: range.start)
    }
  }
}
