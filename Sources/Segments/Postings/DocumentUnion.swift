// The documents of many lists as one bit set, which is filled where it is looked at.

internal import LimelightCodecs

/// The union of lists, without frequencies.
///
/// Lists of up to 128 postings are decoded as they are added. The blocks of longer ones are decoded
/// only for the windows of 4,096 documents that someone asks for, so that whoever needs the first ten
/// documents, or a few here and there, does not pay for the others. Used by one thread; lives as long
/// as its arena's memory and the segment.
package final class DocumentUnion {
  private static let windowShift = 12
  /// The words of a window.
  package static let windowWords = 64

  /// The bits of all documents, up to whole windows; those of windows that were not filled may lack
  /// some.
  package let words: UnsafePointer<UInt64>
  /// Whether all windows are filled.
  package private(set) var isComplete = true
  /// At least as many documents as there are.
  package private(set) var bound = 0

  let dictionary: TermDictionary
  let documents: UInt32
  private let arena: ScratchArena
  private let wordCount: Int
  /// `words`, unless they are the segment's.
  private let target: UnsafeMutablePointer<UInt64>
  /// How many documents there are, if that is known.
  private var knownCount: Int?
  private let postings: SectionView?
  private let buffer: UnsafeMutablePointer<UInt32>
  private var lists: UnsafeMutablePointer<BlockList>
  private var listCount = 0
  private var room = 16
  private let filled: UnsafeMutablePointer<UInt64>
  private var windowsLeft: Int

  /// Makes an empty union of lists of a dictionary.
  package convenience init(_ dictionary: TermDictionary, arena: ScratchArena) {
    self.init(dictionary, words: nil, arena: arena)
  }

  /// Takes the documents of a prefix as they are kept.
  convenience init(_ list: PrefixList, _ dictionary: TermDictionary, arena: ScratchArena) {
    self.init(dictionary, words: list.bits, arena: arena)
    knownCount = list.count
    bound = list.count
    if list.bits == nil { add(BlockList(list)) }
  }

  private init(
    _ dictionary: TermDictionary, words given: UnsafePointer<UInt64>?, arena: ScratchArena
  ) {
    self.dictionary = dictionary
    self.arena = arena
    documents = dictionary.documents
    wordCount = BitSet.wordCount(Int(documents))
    postings = dictionary.segment.section(.postings)
    let windows = (wordCount &+ Self.windowWords &- 1) / Self.windowWords
    windowsLeft = windows
    // Words of its own, behind them the marks of the windows.
    let size = given == nil ? max(windows, 1) &* Self.windowWords : 0
    let marks = BitSet.wordCount(windows)
    target = arena.allocate(UInt64.self, size &+ marks)
    target.initialize(repeating: 0, count: size &+ marks)
    filled = target + size
    words = given ?? UnsafePointer(target)
    buffer = arena.allocate(UInt32.self, 272)
    lists = arena.allocate(BlockList.self, room)
  }

  // MARK: Adding

  /// Adds a document, which is below the segment's count.
  @inline(__always)
  package func add(document: UInt32) {
    BitSet.set(target, Int(document))
    bound &+= 1
  }

  /// Adds the documents of a term's list.
  package func add(_ entry: TermEntry) throws(CorruptionError) {
    if entry.documentFrequency == 1 { return add(document: entry.document) }
    bound &+= Int(entry.documentFrequency)
    guard let postings else {
      throw dictionary.pages.corrupt("a term has postings but the segment has none", at: 0)
    }
    guard entry.postingsOffset <= UInt64(postings.count),
      entry.postingsLength <= UInt64(postings.count) &- entry.postingsOffset
    else { throw postings.corrupt("a list lies outside the section", at: postings.count) }
    let start = Int(entry.postingsOffset)
    let length = Int(entry.postingsLength)
    if Int(entry.documentFrequency) > SkipLayout.postingsPerBlock {
      add(try BlockList(entry, in: dictionary, postings, start: start, length: length))
      return
    }
    try postings.touch(start, length)
    var first: UInt64 = 0
    let used = Varint.get(postings.base + start, length, into: &first)
    guard used > 0, first < UInt64(documents) else {
      throw postings.corrupt("the first document of a list is out of range", at: start)
    }
    try set(
      first: UInt32(truncatingIfNeeded: first), count: Int(entry.documentFrequency), postings,
      at: start &+ used, available: length &- used)
  }

  private func add(_ list: BlockList) {
    if listCount == room {
      let more = arena.allocate(BlockList.self, room &* 2)
      more.update(from: lists, count: listCount)
      lists = more
      room &*= 2
    }
    (lists + listCount).initialize(to: list)
    listCount &+= 1
    isComplete = false
  }

  /// Decodes the gaps of a block and sets the bits of its 1 to 128 documents.
  @inline(__always)
  private func set(
    first: UInt32, count: Int, _ view: SectionView, at start: Int, available: Int
  ) throws(CorruptionError) {
    guard first < documents else {
      throw view.corrupt("a block of postings is damaged", at: start)
    }
    BitSet.set(target, Int(first))
    guard count > 1 else { return }
    let gaps = count == 128 ? 128 : count &- 1
    let source = view.base + start
    if available >= 9 {
      // Most lists are so short that their gaps are read in one piece.
      let width = Int(source.load(as: UInt8.self))
      if width <= 32, gaps &* width <= 64 {
        var word = UInt64(littleEndian: source.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
        let mask = (1 as UInt64) &<< UInt64(truncatingIfNeeded: width) &- 1
        var document = UInt64(first)
        for _ in 0..<gaps {
          document &+= word & mask
          word &>>= UInt64(truncatingIfNeeded: width)
          guard document < UInt64(documents) else {
            throw view.corrupt("a block of postings is damaged", at: start)
          }
          BitSet.set(target, Int(truncatingIfNeeded: document))
        }
        return
      }
    }
    guard
      PFOR.decodeSum(source, available: available, count: gaps, base: first, into: buffer) > 0
    else { throw view.corrupt("a block of postings is damaged", at: start) }
    // Gaps of up to 24 bits cannot wrap in 128 steps: the last document is the largest.
    if buffer[gaps &- 1] >= documents || PFOR.bitLimit(source) > 24 {
      for i in 0..<gaps where buffer[i] >= documents {
        throw view.corrupt("a block of postings is damaged", at: start)
      }
    }
    for i in 0..<gaps { BitSet.set(target, Int(buffer[i])) }
  }

  // MARK: Filling

  /// Makes sure that all bits of the window of 4,096 documents that holds `document` are there.
  package func fill(windowOf document: UInt32) throws(CorruptionError) {
    let window = Int(document) &>> Self.windowShift
    guard !isComplete, document < documents, !BitSet.test(filled, window) else { return }
    let start = UInt32(truncatingIfNeeded: window &<< Self.windowShift)
    let end = UInt32(truncatingIfNeeded: min(Int(start) &+ 4_096, Int(documents)))
    for index in 0..<listCount {
      if let bits = lists[index].bits {
        unite(bits, from: Int(start) &>> 6, to: BitSet.wordCount(Int(end)))
        continue
      }
      var number = lists[index].block(for: start)
      while number < lists[index].blockCount, lists[index].firstDocuments[number] < end {
        try decode(&lists[index], number)
        number &+= 1
      }
    }
    BitSet.set(filled, window)
    windowsLeft &-= 1
    isComplete = windowsLeft == 0
  }

  /// Fills all windows: each block is decoded once.
  package func complete() throws(CorruptionError) {
    guard !isComplete else { return }
    for index in 0..<listCount {
      if let bits = lists[index].bits {
        unite(bits, from: 0, to: wordCount)
      } else {
        for number in 0..<lists[index].blockCount { try decode(&lists[index], number) }
      }
    }
    isComplete = true
  }

  /// How many documents there are; fills all windows if that is not known.
  package func count() throws(CorruptionError) -> Int {
    if let knownCount { return knownCount }
    try complete()
    let count = BitSet.popcount(words, wordCount)
    knownCount = count
    return count
  }

  /// Whether it holds the documents of another one, and knows how many these are.
  func equals(_ other: DocumentUnion) throws(CorruptionError) -> Bool {
    try complete()
    try other.complete()
    for word in 0..<wordCount where words[word] != other.words[word] { return false }
    return try count() == BitSet.popcount(words, wordCount)
  }

  private func unite(_ bits: UnsafePointer<UInt64>, from: Int, to: Int) {
    BitSet.unite(target + from, with: bits + from, to &- from)
    let rest = UInt64(documents & 63)
    if to == wordCount, rest > 0 { target[to &- 1] &= (1 &<< rest) &- 1 }
  }

  @inline(__always)
  private func decode(_ list: inout BlockList, _ number: Int) throws(CorruptionError) {
    guard number != list.lastBlock else { return }
    arena.counters.pointee.blocks &+= 1
    let start = Int(list.offsets[number])
    let end = number &+ 1 < list.blockCount ? Int(list.offsets[number &+ 1]) : list.length
    let size = list.size(of: number)
    guard start <= end, end <= list.length, size <= SkipLayout.postingsPerBlock else {
      throw list.view.corrupt("a block lies outside its list", at: list.start)
    }
    try list.view.touch(list.start &+ start, end &- start)
    try set(
      first: list.firstDocuments[number], count: size, list.view, at: list.start &+ start,
      available: end &- start)
    list.lastBlock = number
  }
}

/// Where the documents of a list of more than one block are.
private struct BlockList: BitwiseCopyable {
  /// All documents as words, if the list is kept so; then there are no blocks to decode.
  private(set) var bits: UnsafePointer<UInt64>?
  let firstDocuments: UnsafePointer<UInt32>
  /// Where each block starts in the list.
  let offsets: UnsafePointer<UInt32>
  /// The postings of each block, minus one; nil if all but the last have 128.
  private let counts: UnsafePointer<UInt8>?
  private let lastCount: Int
  let blockCount: Int
  let view: SectionView
  let start: Int
  let length: Int
  /// The block that was decoded last.
  var lastBlock = -1

  init(
    _ entry: TermEntry, in dictionary: TermDictionary, _ postings: SectionView, start: Int,
    length: Int
  ) throws(CorruptionError) {
    view = postings
    self.start = start
    self.length = length
    blockCount = Int(entry.blockCount)
    guard let skips = dictionary.segment.section(.skips) else {
      throw postings.corrupt("a long list has no skip area", at: start)
    }
    let layout = SkipLayout(blocks: blockCount, hasSets: dictionary.hasSets)
    guard entry.skipsOffset <= UInt64(skips.count), entry.skipsOffset & 7 == 0 else {
      throw skips.corrupt("a skip area lies outside the section", at: skips.count)
    }
    let place = Int(entry.skipsOffset)
    try skips.touch(place, layout.byteCount)
    let base = skips.base + place
    firstDocuments = base.assumingMemoryBound(to: UInt32.self)
    offsets = (base + layout.byteOffsets).assumingMemoryBound(to: UInt32.self)
    counts = (base + layout.counts).assumingMemoryBound(to: UInt8.self)
    lastCount = 0
    guard entry.isDense else { return }
    guard let sets = dictionary.segment.section(.bitSets) else {
      throw skips.corrupt("a dense list has no bit set", at: place)
    }
    guard entry.bitSetOffset <= UInt64(sets.count), entry.bitSetOffset & 7 == 0 else {
      throw sets.corrupt("a bit set lies outside the section", at: sets.count)
    }
    let offset = Int(entry.bitSetOffset)
    try sets.touch(offset, SkipLayout.bitSetBytes(documents: Int(dictionary.documents)))
    bits = (sets.base + offset).assumingMemoryBound(to: UInt64.self)
  }

  /// The blocks of a prefix.
  init(_ list: PrefixList) {
    view = list.view
    blockCount = list.blocks
    let base = view.base + list.start
    firstDocuments = base.assumingMemoryBound(to: UInt32.self)
    offsets = (base + blockCount &* 4).assumingMemoryBound(to: UInt32.self)
    counts = nil
    lastCount = list.count &- (blockCount &- 1) &* SkipLayout.postingsPerBlock
    start = list.start &+ blockCount &* 8 &+ 4
    length = Int(offsets[blockCount])
  }

  /// The postings of a block.
  @inline(__always)
  func size(of number: Int) -> Int {
    if let counts { return Int(counts[number]) &+ 1 }
    return number &+ 1 < blockCount ? SkipLayout.postingsPerBlock : lastCount
  }

  /// The block that holds a document if any does: the last that starts at or before it, else the first.
  @inline(__always)
  func block(for document: UInt32) -> Int {
    var low = lastBlock > 0 && firstDocuments[lastBlock] <= document ? lastBlock : 0
    var step = 1
    while low &+ step < blockCount && firstDocuments[low &+ step] <= document {
      low &+= step
      step &+= step
    }
    var high = min(low &+ step, blockCount)
    while high &- low > 1 {
      let middle = (low &+ high) &>> 1
      if firstDocuments[middle] <= document { low = middle } else { high = middle }
    }
    return low
  }
}
