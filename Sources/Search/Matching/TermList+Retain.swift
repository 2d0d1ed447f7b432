// Intersects candidates with a list.

internal import LimelightCodecs
internal import LimelightSegments

/// What a word's matcher notes of the documents of a batch, by slot.
struct PostingNotes {
  let frequencies: UnsafeMutablePointer<UInt32>
  let boosts: UnsafeMutablePointer<Float>
  /// Scratch of `BlockIndex.find`.
  let table: UnsafeMutablePointer<UInt8>
  let found: UnsafeMutablePointer<UInt8>

  init(arena: ScratchArena) {
    frequencies = arena.allocate(UInt32.self, Batch.capacity)
    boosts = arena.allocate(Float.self, Batch.capacity)
    table = arena.allocate(UInt8.self, BlockIndex.tableSize + 64)
    found = arena.allocate(UInt8.self, Batch.capacity)
  }
}

extension TermList {
  /// Drops the documents that the list does not have; if asked to, notes frequencies and boosts.
  ///
  /// A bit set is tested bit by bit. Else each block that some candidate falls into is decoded once,
  /// found by galloping over first documents.
  mutating func retain(
    _ batch: Batch, notes: PostingNotes, isScored: Bool
  ) throws(CorruptionError) {
    let count = batch.count
    let documents = batch.documents
    let slots = batch.slots
    if let bits {
      batch.retain(in: bits)
      if isScored { try note(batch, notes) }
      return
    }
    var read = 0
    var kept = 0
    while read < count {
      let number = blockIndex(for: documents[read])
      let end = self.end(of: number)
      var stop = read &+ 1
      while stop < count && documents[stop] < end { stop &+= 1 }
      try load(number)
      BlockIndex.find(
        documents + read, count: stop &- read, in: self.documents, size: self.count,
        table: notes.table, into: notes.found)
      let firstKept = kept
      for i in 0..<(stop &- read) {
        let place = notes.found[i]
        documents[kept] = documents[read &+ i]
        slots[kept] = slots[read &+ i]
        notes.found[kept &- firstKept] = place
        kept &+= place > 0 ? 1 : 0
      }
      if isScored && kept > firstKept {
        try loadFrequencies()
        for i in firstKept..<kept {
          let place = Int(notes.found[i &- firstKept]) &- 1
          let slot = Int(slots[i])
          notes.frequencies[slot] = frequencies[place]
          notes.boosts[slot] = try boost(at: place)
        }
      }
      read = stop
    }
    batch.count = kept
  }

  /// Notes frequencies and boosts of documents that are all in the list, which is a bit set.
  private mutating func note(_ batch: Batch, _ notes: PostingNotes) throws(CorruptionError) {
    var index = 0
    for i in 0..<batch.count {
      let document = batch.documents[i]
      if block < 0 || document >= end(of: block) || document < postings.firstDocuments[block] {
        try load(blockIndex(for: document))
        index = 0
      }
      index = BlockIndex.first(
        notBelow: document, in: documents, from: index, count: self.count)
      let slot = Int(batch.slots[i])
      guard index < self.count else {
        index = 0
        notes.frequencies[slot] = 0
        continue
      }
      try loadFrequencies()
      notes.frequencies[slot] = frequencies[index]
      notes.boosts[slot] = try boost(at: index)
    }
  }
}
