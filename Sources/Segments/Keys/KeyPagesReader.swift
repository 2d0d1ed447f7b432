// Finds keys in a sorted dictionary.

internal import LimelightCodecs

/// Reads what `KeyPagesWriter` wrote.
///
/// Plain words: valid while the segment lives, usable by any number of threads.
struct KeyPagesReader {
  enum Payload { case number, bytes }

  /// Where a search came out.
  struct Place {
    /// The ordinal of the key found, or of the first one after it.
    var ordinal: Int
    /// Whether the key is there.
    var isExact: Bool
    /// The key's payload when it is there and a number.
    var number: UInt64 = 0
  }

  let count: Int
  let index: SectionView
  let pages: SectionView
  private let payload: Payload
  let shared: UnsafeRawBufferPointer
  private let prefixesAt: Int
  let pageCount: Int

  private static let keysPerPage = KeyPagesWriter.keysPerPage

  init(index: SectionView, pages: SectionView, payload: Payload) throws(CorruptionError) {
    self.index = index
    self.pages = pages
    self.payload = payload
    let sharedLength = Int(try index.u32(at: 0))
    count = Int(try index.u32(at: 4))
    try index.touch(8, sharedLength)
    shared = UnsafeRawBufferPointer(start: index.base + 8, count: sharedLength)
    prefixesAt = (8 + sharedLength + 7) & ~7
    pageCount = (count + Self.keysPerPage - 1) / Self.keysPerPage
    guard index.count == prefixesAt + pageCount * 16 else {
      throw index.corrupt("the prefixes and offsets do not fill the index", at: 0)
    }
  }

  // MARK: Searching

  /// The first key that is not less than `key`, in O(log n).
  func lowerBound(_ key: UnsafeRawBufferPointer) throws(CorruptionError) -> Place {
    try search(key, last: false)
  }

  /// The last key equal to `key`; inexact when there is none.
  func findLast(_ key: UnsafeRawBufferPointer) throws(CorruptionError) -> Place {
    try search(key, last: true)
  }

  private func search(
    _ key: UnsafeRawBufferPointer, last: Bool
  ) throws(CorruptionError) -> Place {
    let common = KeyBytes.sharedLength(key, shared)
    if common < shared.count {
      // The key leaves the shared prefix: it stands before or after all others.
      let isBefore = common == key.count || key[common] < shared[common]
      return Place(ordinal: isBefore ? 0 : count, isExact: false)
    }
    let rest = UnsafeRawBufferPointer(rebasing: key[common...])
    try touchPrefixes()
    let prefix = KeyBytes.prefix(rest)
    return try find(rest, prefix, from: firstPage(notBelow: prefix), last: last)
  }

  /// Makes sure of the prefixes of all pages.
  ///
  /// A bit a page of the file: the whole array at once is cheaper than each step of a search.
  @inline(__always)
  func touchPrefixes() throws(CorruptionError) { try index.touch(prefixesAt, pageCount &<< 3) }

  /// Finds a key without the shared prefix; `low` is the first page whose prefix is not below its own.
  func find(
    _ rest: UnsafeRawBufferPointer, _ prefix: UInt64, from low: Int, last: Bool
  ) throws(CorruptionError) -> Place {
    let page = try pageBefore(rest, prefix, from: low, orEqual: last)
    guard page >= 0 else { return Place(ordinal: 0, isExact: false) }
    var scanner = try scanner(page: page)
    let found = scanner.find(rest, last: last)
    if scanner.isCorrupt { throw corrupt(at: scanner.position) }
    return Place(
      ordinal: page &* Self.keysPerPage &+ found.index, isExact: found.isExact,
      number: found.number)
  }

  /// The number of pages of a smaller prefix, by halves without branches.
  private func firstPage(notBelow prefix: UInt64) -> Int {
    var low = 0
    var size = pageCount
    while size > 0 {
      let half = (size &+ 1) &>> 1
      low = prefixOfPage(low &+ half &- 1) < prefix ? low &+ half : low
      size &-= half
    }
    return low
  }

  /// The last page whose first key is less than `rest` (or equal to it); -1 when there is none.
  private func pageBefore(
    _ rest: UnsafeRawBufferPointer, _ prefix: UInt64, from first: Int, orEqual: Bool
  ) throws(CorruptionError) -> Int {
    var low = first
    // From here on prefixes are equal or larger: equal ones need the whole key.
    var high = low
    var step = 1
    while high < pageCount, prefixOfPage(high) == prefix {
      high = min(high &+ step, pageCount)
      step &<<= 1
    }
    while low < high {
      let middle = (low &+ high) &>> 1
      var order = 1
      if prefixOfPage(middle) == prefix { order = try compareFirstKey(ofPage: middle, rest) }
      if order < 0 || (orEqual && order == 0) { low = middle &+ 1 } else { high = middle }
    }
    return low &- 1
  }

  private func compareFirstKey(
    ofPage page: Int, _ rest: UnsafeRawBufferPointer
  ) throws(CorruptionError) -> Int {
    var scanner = try scanner(page: page)
    guard scanner.next() else { throw corrupt(at: scanner.position) }
    return KeyBytes.compare(scanner.suffix, rest)
  }

  /// The prefix of a page that exists; the array has been touched.
  @inline(__always)
  func prefixOfPage(_ page: Int) -> UInt64 {
    UInt64(
      littleEndian: index.base.loadUnaligned(
        fromByteOffset: prefixesAt &+ page &<< 3, as: UInt64.self))
  }

  // MARK: Pages

  /// The entries of a page, touched.
  func scanner(page: Int) throws(CorruptionError) -> KeyPageScanner {
    let at = prefixesAt &+ (pageCount &+ page) &<< 3
    let start = try index.u64(at: at)
    let end = page &+ 1 < pageCount ? try index.u64(at: at &+ 8) : UInt64(pages.count)
    guard start < end, end <= UInt64(pages.count) else {
      throw index.corrupt("a page lies outside of its section", at: at)
    }
    let range = Int(truncatingIfNeeded: start)..<Int(truncatingIfNeeded: end)
    try pages.touch(range.lowerBound, range.count)
    return KeyPageScanner(
      pages.base, range, keyCount: min(Self.keysPerPage, count &- page &* Self.keysPerPage),
      hasBytes: payload == .bytes)
  }

  @inline(never)
  func corrupt(at position: Int) -> CorruptionError {
    pages.corrupt("a page of keys cannot be decoded", at: position)
  }

  /// Puts the key at an ordinal below `count` into `key` and returns its payload.
  ///
  /// Walks to it in its page, then back: each byte comes from the last entry that brings it.
  func key(
    at ordinal: Int, into key: inout [UInt8]
  ) throws(CorruptionError) -> (number: UInt64, bytes: UnsafeRawBufferPointer) {
    var scanner = try scanner(page: ordinal / Self.keysPerPage)
    let place = ordinal % Self.keysPerPage
    var entries = InlineArray<32, (shared: Int, at: Int)>(repeating: (0, 0))
    for index in 0...place {
      guard scanner.next() else { throw corrupt(at: scanner.position) }
      entries[index] = (scanner.shared, scanner.suffixAt)
    }
    let length = scanner.shared + scanner.suffixCount
    key.removeAll(keepingCapacity: true)
    key.append(contentsOf: shared)
    key.append(contentsOf: repeatElement(0, count: length))
    var end = length
    for index in stride(from: place, through: 0, by: -1) where end > 0 {
      let start = entries[index].shared
      guard start < end else { continue }
      key.withUnsafeMutableBytes { bytes in
        let source = UnsafeRawBufferPointer(
          start: pages.base + entries[index].at, count: end - start)
        bytes[(shared.count + start)...].copyBytes(from: source)
      }
      end = start
    }
    return (scanner.number, scanner.payload)
  }

  /// A walk over the keys from an ordinal on.
  func cursor(from ordinal: Int = 0) throws(CorruptionError) -> KeyPagesCursor {
    var cursor = KeyPagesCursor(self, page: ordinal / Self.keysPerPage)
    for _ in 0..<ordinal % Self.keysPerPage where try !cursor.next() { break }
    return cursor
  }

  /// Decodes everything and compares neighbours.
  func verify() throws(CorruptionError) {
    try index.touchAll()
    var cursor = try cursor()
    var previous: [UInt8] = []
    var found = 0
    while try cursor.next() {
      let inOrder = previous.withUnsafeBytes { before in
        cursor.key.withUnsafeBytes { KeyBytes.compare(before, $0) <= 0 }
      }
      guard inOrder else { throw pages.corrupt("keys are out of order", at: cursor.position) }
      if found % Self.keysPerPage == 0 {
        let expected = cursor.key.withUnsafeBytes { key in
          KeyBytes.prefix(UnsafeRawBufferPointer(rebasing: key[shared.count...]))
        }
        guard prefixOfPage(found / Self.keysPerPage) == expected else {
          throw index.corrupt("a prefix is not that of its page", at: prefixesAt)
        }
      }
      previous = cursor.key
      found += 1
    }
  }
}
