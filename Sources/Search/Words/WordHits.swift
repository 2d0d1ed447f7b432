// Finds candidates in a list, and scores those that are there.

internal import LimelightCodecs
internal import LimelightSegments

/// Looks candidates up in the blocks of lists.
///
/// A few candidates are searched for. Of many, the slots are noted in a table by document, and each
/// block's postings looked up in it: no branch depends on what is where.
struct WordHits {
  /// The candidates found in the block at hand: their slots, ascending, and their places in it.
  let slots: UnsafeMutablePointer<UInt32>
  let places: UnsafeMutablePointer<UInt8>
  var count = 0
  /// Scores of the block's hits.
  let scores: UnsafeMutablePointer<Float>

  /// Slots plus 1 by document, of candidates that lie no further apart than its size; else zeros.
  private let table: UnsafeMutablePointer<UInt16>

  /// Whether the table was cleared since the arena gave it.
  private var isClear = false
  private let used: Int

  static let tableSize = 16_384
  private static let mask: UInt32 = 16_383
  /// So many candidates in a block are worth a look at all its postings.
  static let sweepLimit = 8

  /// - Parameter documents: The segment's, which bound the table.
  init(documents: UInt32, arena: ScratchArena) {
    slots = arena.allocate(UInt32.self, Batch.capacity + 16)
    places = arena.allocate(UInt8.self, Batch.capacity + 16)
    scores = arena.allocate(Float.self, Batch.capacity + 16)
    table = arena.allocate(UInt16.self, Self.tableSize)
    used = min(Int(documents), Self.tableSize)
  }

  /// Whether it is worth to look up all postings of a list's blocks between the first candidate and the
  /// last: there are many candidates a block, and they lie close enough together.
  func sweeps(
    _ documents: UnsafePointer<UInt32>, _ count: Int, _ list: UnsafeMutablePointer<TermList>
  ) -> Bool {
    let span = documents[count &- 1] &- documents[0]
    guard count >= Self.sweepLimit, span < UInt32(truncatingIfNeeded: Self.tableSize) else {
      return false
    }
    let blocks =
      UInt64(list.pointee.blockCount) &* UInt64(span) / UInt64(list.pointee.documentCount)
    return count >= (Int(blocks) &+ 1) &* Self.sweepLimit
  }

  /// Notes the candidates' slots, for `sweep`; until `end` they must stay as they are.
  mutating func begin(_ documents: UnsafePointer<UInt32>, count: Int) {
    if !isClear {
      table.initialize(repeating: 0, count: used)
      isClear = true
    }
    for i in 0..<count {
      table[Int(documents[i] & Self.mask)] = UInt16(truncatingIfNeeded: i &+ 1)
    }
  }

  /// Forgets the candidates.
  func end(_ documents: UnsafePointer<UInt32>, count: Int) {
    for i in 0..<count { table[Int(documents[i] & Self.mask)] = 0 }
  }

  /// Finds the postings of a block among the candidates `all`.
  mutating func sweep(
    _ all: UnsafePointer<UInt32>, _ block: UnsafePointer<UInt32>, _ size: Int
  ) {
    let table = self.table
    let slots = self.slots
    let places = self.places
    var met = 0
    for i in 0..<size {
      let slot = table[Int(block[i] & Self.mask)]
      slots[met] = UInt32(slot) &- 1
      places[met] = UInt8(truncatingIfNeeded: i)
      met &+= exceeds(UInt32(slot), 0)
    }
    // A document may stand for another one a table's size away.
    var found = 0
    for i in 0..<met {
      let slot = slots[i]
      let place = places[i]
      slots[found] = slot
      places[found] = place
      found &+= equals(all[Int(slot)], block[Int(place)])
    }
    count = found
  }

  /// Finds the candidates `range`, all of them that lie in the block, one after the other.
  mutating func search(
    _ range: Range<Int>, _ all: UnsafePointer<UInt32>, _ block: UnsafePointer<UInt32>, _ size: Int
  ) {
    var place = 0
    var found = 0
    for i in range {
      place = BlockSearch.firstIndex(notBelow: all[i], in: block, from: place, count: size)
      slots[found] = UInt32(truncatingIfNeeded: i)
      places[found] = UInt8(truncatingIfNeeded: place)
      // Behind the block's last document stands a sentinel.
      found &+= equals(block[place], all[i])
    }
    count = found
  }
}

extension TermList {
  /// The score of one document, or nil if the list does not have it.
  mutating func score(of document: UInt32) throws(CorruptionError) -> Float? {
    guard let bits else {
      let place = try locate(document)
      return place >= 0 ? try score(at: place) : nil
    }
    guard BitSet.test(bits, Int(document)) else { return nil }
    let number = blockIndex(for: document, near: boundBlock)
    boundBlock = number
    var place: UInt8 = 0
    var score: Float = 0
    try ranks(1, in: number, bits, into: &place) { _ in document }
    try scoreHits(1, &place, into: &score, block: number) { _ in document }
    return score
  }

  /// The scores of postings of the current block, of which a few or many are wanted.
  ///
  /// `document(i)` is that of the `i`-th; the block's own documents need not be decoded in a dense list.
  @inline(__always)
  mutating func scoreHits(
    _ count: Int, _ places: UnsafePointer<UInt8>, into scores: UnsafeMutablePointer<Float>,
    block number: Int, document: (Int) -> UInt32
  ) throws(CorruptionError) {
    let boost = fixedBoost >= 0 ? fixedBoost : boosts.uniform(signature(of: number))
    guard boost >= 0 else {
      try load(number)
      for i in 0..<count { scores[i] = try score(at: Int(places[i])) }
      return
    }
    if count > 5 { try postings.loadFrequencies() }
    for i in 0..<count {
      let frequency = try postings.frequency(at: Int(places[i]))
      let factor = lengthFactors[Int(norms[Int(document(i))])]
      scores[i] = rounded(idf * (ScoreFormula.saturation(frequency, factor) + boost))
    }
  }

  /// Asks for the bytes of the blocks in which ascending documents would stand, 32 at most.
  @inline(__always)
  func prefetch(for documents: UnsafePointer<UInt32>, _ count: Int) {
    var number = -1
    for i in 0..<min(count, 32) {
      if number >= 0, documents[i] < end(of: number) { continue }
      number = blockIndex(for: documents[i], near: number < 0 ? block : number)
      if let address = postings.address(ofBlock: number) { Memory.prefetch(address, 192) }
    }
  }

  /// The same for documents by their slots.
  @inline(__always)
  func prefetch(
    for documents: UnsafePointer<UInt32>, _ slots: UnsafePointer<UInt32>, _ count: Int
  ) {
    var number = -1
    for i in 0..<min(count, 32) {
      let document = documents[Int(slots[i])]
      if number >= 0, document < end(of: number) { continue }
      number = blockIndex(for: document, near: number < 0 ? boundBlock : number)
      if let address = postings.address(ofBlock: number) { Memory.prefetch(address, 192) }
    }
  }

  /// Where ascending documents, all of them in one block of a dense list, stand in it; the block is
  /// then entered, its documents maybe not decoded.
  mutating func ranks(
    _ count: Int, in number: Int, _ bits: UnsafePointer<UInt64>,
    into places: UnsafeMutablePointer<UInt8>, document: (Int) -> UInt32
  ) throws(CorruptionError) {
    try enterOnly(number)
    var from = Int(postings.firstDocuments[number])
    var before = 0
    let last = postings.count &- 1
    for i in 0..<count {
      let document = Int(document(i))
      before &+= BitSet.rank(bits, from: from, to: document)
      from = document
      // What damaged bytes may say is cut to the block.
      places[i] = UInt8(truncatingIfNeeded: max(min(before, last), 0))
    }
  }
}
