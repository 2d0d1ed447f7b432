// LiveDocs: which documents of a segment are still part of the index.

/// 32,768 documents' bits, 1 = live; never changed while two owners hold it.
@usableFromInline
package final class LiveDocsPage: @unchecked Sendable {
  /// The documents of a page: 4 KiB of bits.
  @usableFromInline package static let documents = 1 << shift
  @usableFromInline package static let shift = 15
  @usableFromInline package static let wordCount = documents / 64

  @usableFromInline package let words: UnsafeMutablePointer<UInt64>

  /// The first `live` documents are live, the rest of the page does not exist.
  init(live: Int) {
    words = .allocate(capacity: Self.wordCount)
    for word in 0..<Self.wordCount {
      let bits = min(max(live - word * 64, 0), 64)
      words[word] = bits == 64 ? .max : (1 << UInt64(bits)) - 1
    }
  }

  init(copying page: LiveDocsPage) {
    words = .allocate(capacity: Self.wordCount)
    words.update(from: page.words, count: Self.wordCount)
  }

  deinit { words.deallocate() }
}

/// The pages of one set of live docs, and their addresses in a flat array for readers.
@usableFromInline
final class LiveDocsTable: @unchecked Sendable {
  /// Nil where nothing was deleted yet.
  private(set) var pages: [LiveDocsPage?]
  /// The same as addresses: what hot loops read.
  @usableFromInline let addresses: UnsafeMutablePointer<UnsafePointer<UInt64>?>

  init(pageCount: Int) {
    pages = Array(repeating: nil, count: pageCount)
    addresses = .allocate(capacity: pageCount)
    addresses.initialize(repeating: nil, count: pageCount)
  }

  init(copying table: LiveDocsTable) {
    pages = table.pages
    addresses = .allocate(capacity: pages.count)
    addresses.initialize(from: table.addresses, count: pages.count)
  }

  deinit { addresses.deallocate() }

  func set(_ page: LiveDocsPage, at index: Int) {
    pages[index] = page
    addresses[index] = UnsafePointer(page.words)
  }

  /// The words of a page that nobody else holds, made or copied when need be.
  func writable(_ index: Int, live: Int) -> UnsafeMutablePointer<UInt64> {
    // The test must come before the page is bound to a name, which would be a second reference.
    let isShared = pages[index] != nil && !isKnownUniquelyReferenced(&pages[index])
    if let page = pages[index] {
      guard isShared else { return page.words }
      let copy = LiveDocsPage(copying: page)
      set(copy, at: index)
      return copy.words
    }
    let page = LiveDocsPage(live: live)
    set(page, at: index)
    return page.words
  }
}

/// The documents of one segment that were neither deleted nor replaced.
///
/// A value: copies share their 4 KiB pages of bits until one of them deletes, so a snapshot costs
/// a reference and a delete at most a page and the table. Not for use by two threads while one of
/// them deletes; copies are independent.
package struct LiveDocs: Sendable {
  /// The documents of the segment, dead ones included.
  package let count: Int
  package private(set) var liveCount: Int
  @usableFromInline var table: LiveDocsTable

  /// All of `count` documents live.
  package init(count: Int) {
    self.count = max(count, 0)
    liveCount = self.count
    table = LiveDocsTable(
      pageCount: (self.count + LiveDocsPage.documents - 1) >> LiveDocsPage.shift)
  }

  package var deadCount: Int { count - liveCount }
  package var pageCount: Int { table.pages.count }

  /// Whether a document is live; one that the segment does not have is not.
  @inlinable
  package func isLive(_ document: UInt32) -> Bool {
    let document = Int(document)
    guard document < count else { return false }
    guard let words = table.addresses[document >> LiveDocsPage.shift] else { return true }
    let bit = document & (LiveDocsPage.documents - 1)
    return words[bit >> 6] >> UInt64(bit & 63) & 1 != 0
  }

  /// The 512 words of a page, or nil when all of its documents are live (or it does not exist).
  ///
  /// Good for as long as this value, or a copy of it, is kept and not changed. Bits behind the last
  /// document are 0.
  @inlinable
  package func words(_ page: Int) -> UnsafePointer<UInt64>? {
    page >= 0 && page < (count + LiveDocsPage.documents - 1) >> LiveDocsPage.shift
      ? table.addresses[page] : nil
  }

  /// How many documents a page covers.
  package func documents(inPage page: Int) -> Int {
    min(max(count - page << LiveDocsPage.shift, 0), LiveDocsPage.documents)
  }

  /// Deletes a document: false when it was dead already or does not exist.
  package mutating func delete(_ document: UInt32) -> Bool {
    guard isLive(document) else { return false }
    let page = Int(document) >> LiveDocsPage.shift
    let bit = Int(document) & (LiveDocsPage.documents - 1)
    writable(page)[bit >> 6] &= ~(1 << UInt64(bit & 63))
    liveCount -= 1
    return true
  }

  /// Deletes every document whose bit is set; the bits cover all documents of the segment.
  ///
  /// Returns how many were live before. Pages without such a bit are not touched.
  package mutating func delete(_ bits: UnsafePointer<UInt64>) -> Int {
    var deleted = 0
    for page in 0..<pageCount {
      let documents = documents(inPage: page)
      let source = bits + page << (LiveDocsPage.shift - 6)
      let last = (documents - 1) >> 6
      let end: UInt64 = documents & 63 == 0 ? .max : (1 << UInt64(documents & 63)) - 1
      var target: UnsafeMutablePointer<UInt64>?
      for word in 0...last {
        let mask = source[word] & (word == last ? end : .max)
        guard mask != 0, mask & (words(page)?[word] ?? .max) != 0 else { continue }
        let words = target ?? writable(page)
        target = words
        deleted += (words[word] & mask).nonzeroBitCount
        words[word] &= ~mask
      }
    }
    liveCount -= deleted
    return deleted
  }

  /// Deletes all documents.
  package mutating func deleteAll() {
    let dead = LiveDocsPage(live: 0)
    let all = LiveDocsTable(pageCount: pageCount)
    // One page of zeros serves all: it is shared, so nothing is ever written to it.
    for page in 0..<pageCount { all.set(dead, at: page) }
    table = all
    liveCount = 0
  }

  /// Takes over the bits of a page, from a manifest; false when they are not possible.
  mutating func replace(_ page: Int, with bits: LiveDocsPage) -> Bool {
    let documents = documents(inPage: page)
    guard documents > 0, words(page) == nil else { return false }
    var live = 0
    for word in 0..<LiveDocsPage.wordCount {
      let room = min(max(documents - word * 64, 0), 64)
      let allowed: UInt64 = room == 64 ? .max : (1 << UInt64(room)) - 1
      guard bits.words[word] & ~allowed == 0 else { return false }
      live += bits.words[word].nonzeroBitCount
    }
    uniqueTable().set(bits, at: page)
    liveCount -= documents - live
    return true
  }

  private mutating func writable(_ page: Int) -> UnsafeMutablePointer<UInt64> {
    let documents = documents(inPage: page)
    return uniqueTable().writable(page, live: documents)
  }

  private mutating func uniqueTable() -> LiveDocsTable {
    if !isKnownUniquelyReferenced(&table) { table = LiveDocsTable(copying: table) }
    return table
  }
}
