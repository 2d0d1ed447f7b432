// Walks the terms of a field in byte order.

internal import LimelightCodecs

/// Walks terms with their entries.
///
/// Before the first `next` there is no term. `term` lends bytes of the iterator's arena and holds
/// until the next call. A walk from a lower bound costs one look-up and about 10 ns a term. Terms
/// that do not ascend are damage: whoever seeks from one to the next would never come to an end.
package struct TermIterator {
  private let dictionary: TermDictionary
  private let buffer: UnsafeMutablePointer<UInt8>
  private var length = 0
  private var page: Int
  private var ordinal = 0
  private var onPage = 0
  private var keys: ByteReader
  private var records: ByteReader
  private var places = ListPlaces()
  /// Whether the term at hand was placed by a seek and not handed out yet.
  private var isWaiting = false

  /// The entry of the term at hand.
  package private(set) var entry = TermEntry()

  /// The term at hand.
  package var term: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: buffer, count: length)
  }

  init(_ dictionary: TermDictionary, arena: ScratchArena) {
    self.dictionary = dictionary
    buffer = arena.allocate(UInt8.self, TermDictionaryWriter.longestTerm * 2)
    page = -1
    keys = ByteReader(UnsafeRawPointer(buffer), count: 0)
    records = keys
  }

  /// Moves to the next term; false at the end.
  package mutating func next() throws(CorruptionError) -> Bool {
    if isWaiting {
      isWaiting = false
      return true
    }
    if ordinal &+ 1 < onPage {
      ordinal &+= 1
      try read()
      return true
    }
    guard page &+ 1 < dictionary.pageCount else {
      onPage = 0
      page = dictionary.pageCount
      return false
    }
    try enter(page &+ 1, ascending: page >= 0)
    return true
  }

  /// Moves so that `next` gives the first term that is not smaller than `bound`.
  package mutating func seek(to bound: UnsafeRawBufferPointer) throws(CorruptionError) {
    isWaiting = false
    try enter(try dictionary.page(for: bound))
    while TermOrder.compare(term, bound) < 0 {
      guard try next() else { return }
    }
    isWaiting = true
  }

  /// Reads the first term of a page, which must be larger than the one at hand when `ascending`.
  private mutating func enter(
    _ number: Int, ascending: Bool = false
  ) throws(CorruptionError) {
    page = number
    ordinal = 0
    onPage = dictionary.terms(on: number)
    let range = try dictionary.pageRange(number)
    do throws(DecodingError) {
      var reader = ByteReader(dictionary.pages.base + range.start, count: range.count)
      places = try TermPage.bases(&reader)
      let keyBytes = try reader.length(atMost: reader.remaining)
      keys = ByteReader(try reader.bytes(keyBytes))
      records = reader
    } catch {
      throw dictionary.pages.corrupt(error, at: range.start)
    }
    if !ascending { length = 0 }
    try read()
  }

  private mutating func read() throws(CorruptionError) {
    do throws(DecodingError) {
      var shared = 0
      var rest = 0
      let suffix: UnsafeRawBufferPointer
      if ordinal == 0 {
        rest = try keys.length(atMost: TermDictionaryWriter.longestTerm)
        suffix = try keys.bytes(rest)
        guard length == 0 || TermOrder.compare(suffix, term) > 0 else {
          throw .corrupt("terms do not ascend", at: keys.position)
        }
      } else {
        (shared, rest) = try TermPage.step(&keys)
        guard shared <= length, shared &+ rest <= TermDictionaryWriter.longestTerm else {
          throw .corrupt("a term shares more bytes than the one before it has", at: keys.position)
        }
        suffix = try keys.bytes(rest)
        // Behind the bytes that both have, the byte of the later one is the larger.
        guard rest > 0, shared == length || suffix[0] > buffer[shared] else {
          throw .corrupt("terms do not ascend", at: keys.position)
        }
      }
      if let source = suffix.baseAddress, rest > 0 {
        UnsafeMutableRawPointer(buffer + shared).copyMemory(from: source, byteCount: rest)
      }
      length = shared &+ rest
      try entry.decode(
        &records, hasSets: dictionary.hasSets, documents: dictionary.documents, places: &places)
    } catch {
      throw dictionary.pages.corrupt(error, at: dictionary.pagesStart)
    }
  }
}

extension TermDictionary {
  /// A walk from the first term that is not smaller than `lowerBound`, or from the first of all.
  package func iterator(
    from lowerBound: UnsafeRawBufferPointer? = nil, arena: ScratchArena
  ) throws(CorruptionError) -> TermIterator {
    var iterator = TermIterator(self, arena: arena)
    if let lowerBound { try iterator.seek(to: lowerBound) }
    return iterator
  }
}
