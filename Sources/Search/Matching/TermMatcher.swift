// Matches the items that hold one word.

internal import LimelightCodecs
internal import LimelightSegments

/// A word: its list, and what it notes of the documents of a batch.
final class TermMatcher: Matcher {
  let list: UnsafeMutablePointer<TermList>
  private let notes: PostingNotes
  /// Where in the current block the batch that this matcher led begins.
  private var leadStart = 0

  /// Takes a list that lies in the memory of the query.
  init(
    _ list: UnsafeMutablePointer<TermList>, _ context: SegmentContext, notesPlaces: Bool = false
  ) {
    self.list = list
    notes = PostingNotes(arena: context.scratch, notesPlaces: notesPlaces)
    super.init(context)
  }

  override var cost: Int { list.pointee.documentFrequency }
  override var bits: UnsafePointer<UInt64>? { list.pointee.bits }

  /// Blocks are the ranges: their bounds are the tightest.
  override func rangeEnd(from document: UInt32) -> UInt32 {
    let first = list.pointee.postings.firstDocuments
    if document < first[0] { return min(first[0], context.documentCount) }
    let number = list.pointee.blockIndex(for: document, near: list.pointee.boundBlock)
    return min(max(list.pointee.end(of: number), document &+ 1), context.documentCount)
  }

  override func wideRangeEnd(from document: UInt32) -> UInt32 {
    let first = list.pointee.postings.firstDocuments
    let number = list.pointee.blockIndex(for: document, near: list.pointee.boundBlock)
    guard number & 31 == 0, document <= first[number] else { return rangeEnd(from: document) }
    let next = number &+ 32
    let end = next < list.pointee.blockCount ? first[next] : context.documentCount
    return min(max(end, document &+ 1), context.documentCount)
  }

  override func bound(from: UInt32, to: UInt32) throws(CorruptionError) -> Float {
    list.pointee.bound(from: from, to: to)
  }

  override func candidates(
    from: UInt32, to: UInt32, into batch: Batch
  ) throws(CorruptionError) -> UInt32 {
    let number = list.pointee.blockIndex(for: from)
    if list.pointee.postings.firstDocuments[number] >= to {
      batch.begin(count: 0)
      return to
    }
    try list.pointee.load(number)
    let count = list.pointee.count
    let documents = list.pointee.documents
    let start = BlockIndex.first(notBelow: from, in: documents, from: 0, count: count)
    let end = BlockIndex.first(notBelow: to, in: documents, from: start, count: count)
    batch.documents.update(from: documents + start, count: end &- start)
    batch.begin(count: end &- start)
    batch.leader = ObjectIdentifier(self)
    leadStart = start
    return min(max(list.pointee.end(of: number), from &+ 1), to)
  }

  override func keep(_ batch: Batch) throws(CorruptionError) {
    try keep(batch, isScored: batch.isScored)
  }

  /// Drops what the word does not match, and notes scores or not.
  func keep(_ batch: Batch, isScored: Bool) throws(CorruptionError) {
    guard batch.leader == ObjectIdentifier(self) else {
      try list.pointee.retain(batch, notes: notes, isScored: isScored)
      return
    }
    let slots = batch.slots
    let start = leadStart
    if let places = notes.places {
      list.pointee.note(slots, count: batch.count, into: places) { start &+ Int(slots[$0]) }
    }
    guard isScored, batch.count > 0 else { return }
    try list.pointee.note(slots, count: batch.count, into: notes.scores) {
      start &+ Int(slots[$0])
    }
  }

  override func addScores(_ batch: Batch) {
    for i in 0..<batch.count {
      let slot = Int(batch.slots[i])
      batch.scores[slot] += notes.scores[slot]
    }
  }

  /// Where the documents of a batch stand in the list, by slot, if they are noted.
  var places: UnsafeMutablePointer<PostingPlace>? { notes.places }

  /// Notes where the documents of a batch stand that are all in the list, which is a bit set.
  func notePlaces(_ batch: Batch) {
    guard let bits, let places else { return }
    list.pointee.note(batch, in: bits, into: places)
  }

  /// The score that was noted for a slot.
  @inline(__always)
  func score(ofSlot slot: Int) -> Float { notes.scores[slot] }

  override func unite(
    window: UInt32, into words: UnsafeMutablePointer<UInt64>, scratch: Batch
  ) throws(CorruptionError) {
    let limit = min(window &+ DocumentWords.windowSize, context.documentCount)
    if let bits = list.pointee.bits {
      let start = Int(window &>> 6)
      for i in 0..<(BitSet.wordCount(Int(limit)) &- start) { words[i] |= bits[start &+ i] }
      return
    }
    var number = list.pointee.blockIndex(for: window)
    let blocks = list.pointee.blockCount
    let first = list.pointee.postings.firstDocuments
    while number < blocks && first[number] < limit {
      try list.pointee.load(number)
      let documents = list.pointee.documents
      let count = list.pointee.count
      var i = BlockIndex.first(notBelow: window, in: documents, from: 0, count: count)
      // The sentinel behind the last document ends the walk.
      while documents[i] < limit {
        BitSet.set(words, Int(documents[i] &- window))
        i &+= 1
      }
      number &+= 1
    }
  }
}

extension ScratchArena {
  /// Moves a value of plain numbers and pointers into the arena.
  ///
  /// The arena never deinitialises it: for values without anything to release.
  func place<T>(_ value: T) -> UnsafeMutablePointer<T> {
    let bytes = allocate(UInt64.self, (MemoryLayout<T>.size + 7) / 8)
    let place = UnsafeMutableRawPointer(bytes).bindMemory(to: T.self, capacity: 1)
    place.initialize(to: value)
    return place
  }
}
