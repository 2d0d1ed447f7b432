// Which documents may be hits at all: live, not expired, and let through by the query's filters.

internal import LimelightCodecs
internal import LimelightSegments
internal import LimelightSnapshots

/// A set of documents as pages of bits, where a missing page means all of them.
///
/// Plain pointers, to the live docs of the snapshot or into an arena.
struct AcceptedDocs {
  /// Nil when every document is accepted.
  private(set) var pages: UnsafeMutablePointer<UnsafePointer<UInt64>?>?
  let documentCount: UInt32

  private static let shift: UInt32 = 15
  private static let wordsPerPage = 512

  /// The documents of a segment that are live and have not expired at `now`.
  ///
  /// Costs a pointer a page; with expired items, the words of all documents.
  init(_ view: SegmentView, now: Int64, arena: ScratchArena) throws(CorruptionError) {
    documentCount = view.segment.meta.documentCount
    pages = nil
    let live = view.live
    if live.deadCount > 0 {
      let count = live.pageCount
      let pages = arena.allocate(UnsafePointer<UInt64>?.self, count)
      for page in 0..<count { (pages + page).initialize(to: live.words(page)) }
      self.pages = pages
    }
    guard let expiry = try view.segment.expiry() else { return }
    let expired = try expiry.firstIndex(after: now)
    guard expired > 0 else { return }
    let words = flatWords(arena: arena)
    for index in 0..<expired {
      let document = Int(try expiry.entry(index).document)
      BitSet.clear(words, document)
    }
    use(words, arena: arena)
  }

  /// Whether every document is accepted.
  var isAll: Bool { pages == nil }

  private var wordCount: Int { BitSet.wordCount(Int(documentCount)) }

  /// The set as words of its own, a multiple of 64 of them.
  func flatWords(arena: ScratchArena) -> UnsafeMutablePointer<UInt64> {
    let words = DocumentWords.allocate(documentCount, arena: arena)
    guard let pages else {
      BitSet.setRange(words, from: 0, to: Int(documentCount))
      return words
    }
    var page = 0
    var done = 0
    while done < wordCount {
      let take = min(Self.wordsPerPage, wordCount &- done)
      if let source = pages[page] {
        (words + done).update(from: source, count: take)
      } else {
        BitSet.setRange(
          words, from: done &* 64, to: min((done &+ take) &* 64, Int(documentCount)))
      }
      page &+= 1
      done &+= take
    }
    return words
  }

  private mutating func use(_ words: UnsafeMutablePointer<UInt64>, arena: ScratchArena) {
    let count = (wordCount &+ Self.wordsPerPage &- 1) / Self.wordsPerPage
    let pages = arena.allocate(UnsafePointer<UInt64>?.self, count)
    for page in 0..<count {
      (pages + page).initialize(to: UnsafePointer(words + page &* Self.wordsPerPage))
    }
    self.pages = pages
  }

  /// The accepted documents that are also in a set of words.
  func intersected(
    with filter: UnsafePointer<UInt64>, arena: ScratchArena
  ) -> AcceptedDocs {
    var result = self
    let words = DocumentWords.allocate(documentCount, arena: arena)
    words.update(from: filter, count: wordCount)
    var window: UInt32 = 0
    while window < documentCount {
      intersect(window: window, words + Int(window &>> 6))
      window &+= DocumentWords.windowSize
    }
    result.use(words, arena: arena)
    return result
  }

  /// Whether a document, below the document count, is accepted.
  @inline(__always)
  func contains(_ document: UInt32) -> Bool {
    guard let pages, let words = pages[Int(document &>> Self.shift)] else { return true }
    return BitSet.test(words, Int(document & 0x7FFF))
  }

  /// Takes what is not accepted out of the 64 words of a window.
  @inline(__always)
  func intersect(window: UInt32, _ words: UnsafeMutablePointer<UInt64>) {
    guard let pages, let page = pages[Int(window &>> Self.shift)] else { return }
    let start = Int(window & 0x7FFF) &>> 6
    let take = min(64, wordCount &- Int(window &>> 6))
    for i in 0..<take { words[i] &= page[start &+ i] }
  }

  /// Takes what is not accepted out of a batch.
  func retain(_ batch: Batch) {
    guard pages != nil else { return }
    var kept = 0
    for i in 0..<batch.count {
      let document = batch.documents[i]
      batch.documents[kept] = document
      batch.slots[kept] = batch.slots[i]
      kept &+= contains(document) ? 1 : 0
    }
    batch.count = kept
  }
}

/// Sets of documents as flat words, and the windows in which they are worked on.
enum DocumentWords {
  /// The documents of a window: 64 words.
  static let windowSize: UInt32 = 4_096
  static let windowWords = 64

  /// Words of zeros for all documents, up to whole windows.
  static func allocate(_ documents: UInt32, arena: ScratchArena) -> UnsafeMutablePointer<UInt64> {
    let count = (BitSet.wordCount(Int(documents)) &+ windowWords) & ~(windowWords &- 1)
    let words = arena.allocate(UInt64.self, count)
    words.initialize(repeating: 0, count: count)
    return words
  }

  /// The window that holds a document.
  @inline(__always)
  static func window(of document: UInt32) -> UInt32 { document & ~(windowSize &- 1) }
}
