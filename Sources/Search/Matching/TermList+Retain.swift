// Intersects candidates with a list and scores those that are left.

internal import LimelightCodecs
internal import LimelightSegments

/// What a word's matcher notes of the documents of a batch: the word's score, by slot.
struct PostingNotes {
  let scores: UnsafeMutablePointer<Float>
  /// Places in a block, plus 1, and scratch of `BlockIndex.retain`.
  let found: UnsafeMutablePointer<UInt8>
  let table: UnsafeMutablePointer<UInt8>
  /// By slot, for whoever reads positions.
  let places: UnsafeMutablePointer<PostingPlace>?

  init(arena: ScratchArena, notesPlaces: Bool) {
    places = notesPlaces ? arena.allocate(PostingPlace.self, Batch.capacity) : nil
    scores = arena.allocate(Float.self, Batch.capacity)
    found = arena.allocate(UInt8.self, Batch.capacity)
    table = arena.allocate(UInt8.self, BlockIndex.tableSize + 64)
  }
}

extension TermList {
  /// Drops the documents that the list does not have; if asked to, notes the scores of the others.
  ///
  /// A bit set is tested bit by bit. Else each block that some candidate falls into is decoded once,
  /// found by galloping over first documents.
  mutating func retain(
    _ batch: Batch, notes: PostingNotes, isScored: Bool
  ) throws(CorruptionError) {
    if let bits {
      batch.retain(in: bits)
      if let places = notes.places { note(batch, in: bits, into: places) }
      if isScored { try note(batch, in: bits, notes) }
      return
    }
    let count = batch.count
    let documents = batch.documents
    let slots = batch.slots
    var read = 0
    var kept = 0
    while read < count {
      let number = blockIndex(for: documents[read])
      let end = self.end(of: number)
      var stop = read &+ 1
      while stop < count && documents[stop] < end { stop &+= 1 }
      try load(number)
      let firstKept = kept
      kept = BlockIndex.retain(
        documents, slots, from: read, to: stop, at: kept, in: self.documents, size: self.count,
        table: notes.table, found: notes.found)
      if let places = notes.places {
        note(slots + firstKept, count: kept &- firstKept, into: places) {
          Int(notes.found[$0]) &- 1
        }
      }
      if isScored && kept > firstKept {
        try note(slots + firstKept, count: kept &- firstKept, notes)
      }
      read = stop
    }
    batch.count = kept
  }

  /// Notes the scores of documents that are all in the list, which is a bit set.
  ///
  /// Where they stand in their blocks follows from counting bits.
  private mutating func note(
    _ batch: Batch, in bits: UnsafePointer<UInt64>, _ notes: PostingNotes
  ) throws(CorruptionError) {
    let count = batch.count
    let documents = batch.documents
    var read = 0
    while read < count {
      let number = blockIndex(for: documents[read])
      let end = self.end(of: number)
      let first = postings.firstDocuments[number]
      try load(number)
      var word = Int(first &>> 6)
      var before = 0 &- (bits[word] & Self.below(first)).nonzeroBitCount
      var stop = read
      while stop < count && documents[stop] < end {
        let document = documents[stop]
        while word < Int(document &>> 6) {
          before &+= bits[word].nonzeroBitCount
          word &+= 1
        }
        let place = before &+ (bits[word] & Self.below(document)).nonzeroBitCount
        // What damaged bytes may say is cut to the block.
        notes.found[stop &- read] = UInt8(
          truncatingIfNeeded: max(min(place, self.count &- 1), 0) &+ 1)
        stop &+= 1
      }
      if stop == read {
        notes.found[0] = 1
        stop = read &+ 1
      }
      try note(batch.slots + read, count: stop &- read, notes)
      read = stop
    }
  }

  /// The bits of a document's word that stand before it.
  @inline(__always)
  static func below(_ document: UInt32) -> UInt64 {
    (1 &<< UInt64(document & 63)) &- 1
  }

  /// Notes the scores of the postings of the current block at the places in `notes.found`.
  private mutating func note(
    _ slots: UnsafePointer<UInt32>, count: Int, _ notes: PostingNotes
  ) throws(CorruptionError) {
    try note(slots, count: count, into: notes.scores) { Int(notes.found[$0]) &- 1 }
  }

  /// Notes the scores of postings of the current block, the `i`-th at the place `place(i)`.
  @inline(__always)
  mutating func note(
    _ slots: UnsafePointer<UInt32>, count: Int, into scores: UnsafeMutablePointer<Float>,
    place: (Int) -> Int
  ) throws(CorruptionError) {
    try loadFrequencies()
    let boost = try uniformBoost()
    let codes = postings.codes
    for i in 0..<count {
      let place = place(i)
      var own = boost
      if own < 0 {
        own = boosts.byCode[Int(min(codes[place], boosts.codeCount))]
        if own < 0 { own = try unknownBoost(at: place, codes[place]) }
      }
      let factor = lengthFactors[Int(norms[Int(documents[place])])]
      scores[Int(slots[i])] =
        rounded(idf * (ScoreFormula.saturation(frequencies[place], factor) + own))
    }
  }
}
