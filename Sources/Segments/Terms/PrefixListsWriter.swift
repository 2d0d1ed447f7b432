// Writes the section prefixLists: the documents of short prefixes that many terms start with.

internal import LimelightCodecs

/// Unites the lists of the terms of field 0 as they are written, and keeps what is dear to unite again.
///
/// **Which prefixes.** Those of 1 to 4 scalars in up to 8 bytes that a search would need at least 20 us
/// to unite, and 4 ns for each byte that the list takes, by `PrefixCosts`; of a millisecond and more 2 ns
/// a byte are enough. So prose that is not stored gets 4 % larger, short stored items 2 %, and small
/// segments have no lists.
///
/// The section:
///
///     lists     each at a multiple of 8, documents ascending, either
///               bits:    u64 words up to a multiple of 64 words, zeros behind the last document
///               blocks:  of 128 documents, the last of the rest
///                        first document of each block  u32 x blocks
///                        where each block starts       u32 x (blocks + 1), from the end of this array;
///                                                      the last is where the list ends
///                        blocks                        gaps as in a list of postings
///     entries   24 bytes a prefix, ascending; as many as the footer says
///                 0  the prefix, zeros behind it, read as a big-endian number: u64
///                 8  offset of its list in the section: u64
///                16  documents: u32
///                20  blocks, 0 for bits: u32
///
/// A document costs a bit set or a number stored; a prefix that closes is added to the one that
/// is shorter by a scalar. Memory: at most five sets of bits over all documents.
struct PrefixListsWriter {
  static let entrySize = 24
  /// The longest prefix in scalars.
  static let levels = 4
  /// The longest prefix in bytes.
  static let longest = 8
  /// Segments of fewer documents have no lists.
  static let fewestDocuments = 4_096
  private static let leastNanoseconds = 20_000
  private static let longNanoseconds = 1_000_000

  private let section: SectionBuffer
  private let entries = ByteWriter()
  private let costs: PrefixCosts
  let documents: Int
  private let wordCount: Int
  private var open: [PrefixDocuments]
  /// The prefixes that are open: their first `ends[level]` bytes, of `depth` levels.
  private let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.longest)
  private var ends = InlineArray<4, Int>(repeating: 0)
  private var depth = 0
  /// The entries of prefixes that closed, which come before those of the longer ones that they begin.
  private var found: [Found] = []
  private let list = ByteWriter()
  private var block = PostingsBlockWriter()
  private let buffer = UnsafeMutablePointer<UInt32>.allocate(capacity: 144)

  /// A prefix that has a list.
  private struct Found {
    let prefix: UInt64
    let offset: UInt64
    let length: Int
    let count: UInt32
    let blocks: UInt32
  }

  // In a part of the terms, the prefixes of its first term may begin before it: when they close, their
  // documents are held for `append`.

  private let isPart: Bool
  /// The first term's prefixes, as `bytes`, `ends` and `depth` are those of the last one.
  private var first: Path?
  /// How many of the open prefixes are the first term's.
  private var leading = 0
  private var held: [(before: Int, documents: PrefixDocuments)] = []

  private struct Path {
    var bytes: [UInt8]
    var ends: InlineArray<4, Int>
    var depth: Int
  }

  /// A writer, nil where there would be no lists; without a segment for those of a part of the terms.
  static func make(_ segment: SegmentWriter?, documents: Int) -> PrefixListsWriter? {
    documents >= fewestDocuments ? PrefixListsWriter(segment, documents) : nil
  }

  private init(_ segment: SegmentWriter?, _ documents: Int) {
    section = segment?.section(.prefixLists) ?? SectionBuffer(nil)
    isPart = segment == nil
    self.documents = documents
    costs = PrefixCosts(documents: documents)
    // Whole windows, as readers want them.
    wordCount = (BitSet.wordCount(documents) &+ 63) & ~63
    let words = wordCount
    open = (0..<Self.levels).map { _ in PrefixDocuments(wordCount: words) }
  }

  func deallocate() {
    bytes.deallocate()
    buffer.deallocate()
    block.deallocate()
  }

  // MARK: Terms

  /// Starts a term, larger than the one before it.
  mutating func begin(_ term: UnsafeRawBufferPointer, documentFrequency: Int) {
    enter(term)
    if isPart, first == nil {
      first = path
      leading = depth
    }
    guard depth > 0 else { return }
    open[depth &- 1].nanoseconds &+= costs.nanoseconds(documentFrequency)
  }

  private var path: Path {
    let count = depth > 0 ? ends[depth &- 1] : 0
    return Path(
      bytes: Array(UnsafeBufferPointer(start: bytes, count: count)), ends: ends, depth: depth)
  }

  /// Closes the prefixes that a term does not start with, and opens its own.
  private mutating func enter(_ term: UnsafeRawBufferPointer) {
    var common = 0
    while common < depth, starts(term, with: ends[common]) { common &+= 1 }
    while depth > common { close() }
    var end = common > 0 ? ends[common &- 1] : 0
    while depth < Self.levels, end < term.count {
      end &+= 1
      while end < term.count, term[end] & 0xC0 == 0x80 { end &+= 1 }
      guard end <= Self.longest else { break }
      for i in 0..<end { bytes[i] = term[i] }
      ends[depth] = end
      depth &+= 1
    }
  }

  private func starts(_ term: UnsafeRawBufferPointer, with count: Int) -> Bool {
    guard term.count >= count else { return false }
    for i in 0..<count where term[i] != bytes[i] { return false }
    return true
  }

  /// Adds documents of the term.
  @inline(__always)
  mutating func add(_ documents: UnsafePointer<UInt32>, _ count: Int) {
    guard depth > 0 else { return }
    open[depth &- 1].add(documents, count)
  }

  /// Closes the longest open prefix: writes its list if that is worth it, and hands its documents on.
  private mutating func close() {
    depth &-= 1
    let closing = open[depth]
    if depth < leading {
      leading = depth
      held.append((found.count, closing))
      open[depth] = PrefixDocuments(wordCount: wordCount)
      return
    }
    if closing.nanoseconds >= Self.leastNanoseconds { write(closing) }
    if depth > 0 { open[depth &- 1].add(closing) }
    closing.removeAll()
  }

  // MARK: Lists

  private mutating func write(_ closing: PrefixDocuments) {
    // Its entry would be that of the prefix without the zero.
    guard bytes[ends[depth] &- 1] != 0 else { return }
    let words = closing.asWords()
    let count = BitSet.popcount(words, wordCount)
    list.removeAll(keepingCapacity: true)
    var blocks = 0
    if count > documents / 8 {
      list.bytes(UnsafeRawBufferPointer(start: words, count: wordCount &* 8))
    } else {
      blocks = (count &+ 127) / 128
      writeBlocks(words, blocks)
    }
    let isLong = closing.nanoseconds >= Self.longNanoseconds
    guard closing.nanoseconds >= list.count &* (isLong ? 2 : 4) else { return }
    section.align(to: 8)
    let prefix = TermKey.prefix(UnsafeRawBufferPointer(start: bytes, count: ends[depth]))
    found.append(
      Found(
        prefix: prefix, offset: UInt64(section.count), length: list.count,
        count: UInt32(truncatingIfNeeded: count), blocks: UInt32(truncatingIfNeeded: blocks)))
    section.bytes.bytes(list.written)
    section.spillIfLarge()
  }

  private mutating func writeBlocks(_ words: UnsafePointer<UInt64>, _ blocks: Int) {
    list.zeros(blocks &* 8 &+ 4)
    let start = list.count
    var place = 0
    for number in 0..<blocks {
      let count = BitSet.extract(words, from: &place, to: documents, into: buffer, limit: 128)
      list.patchU32(at: number &* 4, buffer[0])
      list.patchU32(
        at: (blocks &+ number) &* 4, UInt32(truncatingIfNeeded: list.count &- start))
      block.gaps(buffer, count, into: list)
    }
    list.patchU32(at: blocks &* 8, UInt32(truncatingIfNeeded: list.count &- start))
  }

  // MARK: Parts

  /// Goes on with the lists of the next part of the terms, as if these had come here.
  mutating func append(_ part: PrefixListsWriter) {
    guard let first = part.first else { return }
    enter(first)
    var held = part.held[...]
    for number in 0...part.found.count {
      while let next = held.first, next.before == number, depth > 0 {
        held.removeFirst()
        open[depth &- 1].add(next.documents)
        close()
      }
      guard number < part.found.count else { break }
      let list = part.found[number]
      section.align(to: 8)
      let start = Int(list.offset)
      found.append(
        Found(
          prefix: list.prefix, offset: UInt64(section.count), length: list.length,
          count: list.count, blocks: list.blocks))
      section.bytes.bytes(
        UnsafeRawBufferPointer(
          rebasing: part.section.bytes.written[start..<(start + list.length)]))
      section.spillIfLarge()
    }
    enter(part.path)
    for level in 0..<min(depth, part.depth) { open[level].add(part.open[level]) }
  }

  private mutating func enter(_ path: Path) {
    path.bytes.withUnsafeBytes { enter($0) }
  }

  /// Ends the section and returns how many prefixes have a list.
  mutating func finish() -> Int {
    while depth > 0 { close() }
    guard !found.isEmpty else { return 0 }
    section.align(to: 8)
    for entry in found.sorted(by: { $0.prefix < $1.prefix }) {
      section.bytes.u64(entry.prefix)
      section.bytes.u64(entry.offset)
      section.bytes.u32(entry.count)
      section.bytes.u32(entry.blocks)
    }
    section.spillIfLarge()
    return found.count
  }
}

/// What it costs a search to unite the lists of terms, measured on a machine of 2026.
struct PrefixCosts {
  let documents: Int

  /// For a term with so many documents.
  func nanoseconds(_ documentFrequency: Int) -> Int {
    if documentFrequency == 1 { return 8 }
    if SkipLayout.isDense(documentFrequency: documentFrequency, documents: documents) {
      return 100 &+ documents / 256
    }
    let isShort = documentFrequency <= SkipLayout.postingsPerBlock
    return (isShort ? 40 : 100) &+ documentFrequency &* 6 / 5
  }
}

/// The documents of an open prefix: numbers as they come, from some on bits.
private final class PrefixDocuments {
  private let words: UnsafeMutablePointer<UInt64>
  private let wordCount: Int
  private let numbers: UnsafeMutablePointer<UInt32>
  private let room: Int
  @exclusivity(unchecked) private var count = 0
  @exclusivity(unchecked) private var isBits = false
  @exclusivity(unchecked) var nanoseconds = 0

  init(wordCount: Int) {
    self.wordCount = wordCount
    words = .allocate(capacity: wordCount)
    words.initialize(repeating: 0, count: wordCount)
    // Until clearing all words costs less than the numbers did.
    room = max(wordCount, 256)
    numbers = .allocate(capacity: room)
  }

  deinit {
    words.deallocate()
    numbers.deallocate()
  }

  @inline(__always)
  func add(_ documents: UnsafePointer<UInt32>, _ count: Int) {
    if !isBits {
      if self.count &+ count <= room {
        (numbers + self.count).update(from: documents, count: count)
        self.count &+= count
        return
      }
      _ = asWords()
    }
    for i in 0..<count { BitSet.set(words, Int(documents[i])) }
  }

  /// Adds those of a longer prefix.
  func add(_ other: PrefixDocuments) {
    nanoseconds &+= other.nanoseconds
    guard other.isBits else { return add(other.numbers, other.count) }
    _ = asWords()
    BitSet.unite(words, with: other.words, wordCount)
  }

  /// All as bits, and those to come.
  func asWords() -> UnsafePointer<UInt64> {
    if !isBits {
      for i in 0..<count { BitSet.set(words, Int(numbers[i])) }
      isBits = true
    }
    return UnsafePointer(words)
  }

  func removeAll() {
    if isBits { words.update(repeating: 0, count: wordCount) }
    count = 0
    nanoseconds = 0
    isBits = false
  }
}
