// The terms of one field of one segment, read through the map.

internal import LimelightCodecs

/// Finds terms of a field and walks them in byte order.
///
/// Any number of threads may read at once.
package struct TermDictionary {
  /// Keeps the bytes alive.
  let segment: Segment
  /// The pages, for looking terms up.
  package let index: TermIndex
  /// The number of its first page among those of all fields.
  let firstPage: Int
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
      // All pages but the last are full.
      record.pageCount > 0, record.termCount <= UInt64(record.pageCount) * 32,
      record.termCount > (UInt64(record.pageCount) - 1) * 32,
      record.pagesOffset <= UInt64(pages.count),
      record.pagesLength <= UInt64(pages.count) - record.pagesOffset,
      record.postingCount < 1 << 50
    else { throw table.corrupt("a field's pages lie outside their section", at: entry) }
    self.segment = segment
    key = record.key
    postingCount = Int(record.postingCount)
    let first = Int(record.firstPage)
    let pageCount = Int(record.pageCount)
    firstPage = first
    try index.touch(first &* 8, pageCount &* 8)
    try index.touch(total &* 8 &+ first &* 4, pageCount &* 4)
    self.index = TermIndex(
      hasSets: record.hasSets, documents: segment.meta.documentCount, pages: pages,
      pagesStart: Int(record.pagesOffset), pagesLength: Int(record.pagesLength),
      prefixes: index.base + (first &* 8), offsets: index.base + (total &* 8 &+ first &* 4),
      pageCount: pageCount, termCount: Int(record.termCount))
  }

  /// Finds a term.
  package func find(_ term: UnsafeRawBufferPointer) throws(CorruptionError) -> TermEntry? {
    var entry = TermEntry()
    return try index.find(term, into: &entry) ? entry : nil
  }
}

extension TermDictionary {
  @inline(__always) var hasSets: Bool { index.hasSets }
  @inline(__always) var documents: UInt32 { index.documents }
  @inline(__always) var pages: SectionView { index.pages }
  @inline(__always) var pagesStart: Int { index.pagesStart }
  @inline(__always) var prefixes: UnsafeRawPointer { index.prefixes }
  package var pageCount: Int { index.pageCount }
  package var termCount: Int { index.termCount }

  @inline(__always) func prefix(_ page: Int) -> UInt64 { index.prefix(page) }

  /// Where a page stands in the section; its length is what remains of the field.
  func pageRange(_ page: Int) throws(CorruptionError) -> (start: Int, count: Int) {
    try index.pageRange(page)
  }

  /// The number of terms on a page.
  func terms(on page: Int) -> Int { index.terms(on: page) }

  /// The last page whose first term is not larger than `term`; 0 if all are larger.
  func page(for term: UnsafeRawBufferPointer) throws(CorruptionError) -> Int {
    try index.page(for: term)
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
