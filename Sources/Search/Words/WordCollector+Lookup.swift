// What a list does to candidates: keep those that it has, add to their scores, or drop them.

internal import LimelightCodecs
internal import LimelightSegments

extension WordCollector {
  /// Keeps the candidates that a list has, with its score on top, as far as they can still win.
  func require(_ list: List, rest: Float) throws(CorruptionError) {
    var kept = 0
    try visit(list, rest: rest, prunes: true) { (hits: borrowing WordHits) in
      // Blocks of a damaged list may overlap: no more comes out than went in.
      for i in 0..<min(hits.count, candidates.count &- kept) {
        let slot = Int(hits.slots[i])
        candidates.nextDocuments[kept] = candidates.documents[slot]
        candidates.nextScores[kept] = candidates.scores[slot] + hits.scores[i]
        kept &+= 1
      }
    }
    candidates.swap(count: kept)
  }

  /// Adds a list's scores to the candidates that it has; candidates that cannot win without it may miss
  /// theirs.
  func add(_ list: List, rest: Float) throws(CorruptionError) {
    try visit(list, rest: rest, prunes: true) { (hits: borrowing WordHits) in
      for i in 0..<hits.count { candidates.scores[Int(hits.slots[i])] += hits.scores[i] }
    }
  }

  /// Keeps the candidates that are in a set, which is filled where they are.
  func keepMembers(of set: DocumentUnion) throws(CorruptionError) {
    let documents = candidates.documents
    let scores = candidates.scores
    try set.fill(windowsOf: documents, count: candidates.count)
    let words = set.words
    var kept = 0
    for i in 0..<candidates.count {
      let document = documents[i]
      documents[kept] = document
      scores[kept] = scores[i]
      let bit = words[Int(document &>> 6)] &>> UInt64(document & 63) & 1
      kept &+= Int(truncatingIfNeeded: bit)
    }
    candidates.count = kept
  }

  /// Drops the candidates that a list has.
  func exclude(_ list: List) throws(CorruptionError) {
    try visit(list, rest: 0, prunes: false) { (hits: borrowing WordHits) in
      for i in 0..<hits.count { candidates.scores[Int(hits.slots[i])] = -1 }
    }
    candidates.dropNegative()
  }

  /// Finds the candidates in a list, block by block, and hands the hits of each block on, scored if
  /// `prunes`: then blocks in which no candidate can win are passed over.
  @inline(__always)
  private func visit(
    _ list: List, rest: Float, prunes: Bool, _ body: (borrowing WordHits) -> Void
  ) throws(CorruptionError) {
    if let bits = list.pointee.bits {
      return try visitDense(list, bits, rest: rest, prunes: prunes, body)
    }
    if hits.sweeps(candidates.documents, candidates.count, list) {
      return try visitAll(list, rest: rest, prunes: prunes, body)
    }
    let documents = candidates.documents
    let scores = candidates.scores
    let count = candidates.count
    list.pointee.prefetch(for: documents, count)
    var read = 0
    while read < count {
      let number = list.pointee.blockIndex(for: documents[read])
      let end = list.pointee.end(of: number)
      let start = read
      var best = scores[read]
      read &+= 1
      while read < count && documents[read] < end {
        best = scores[read] > best ? scores[read] : best
        read &+= 1
      }
      if prunes && threshold >= 0 && !canWin(best + list.pointee.bound(ofBlock: number) + rest) {
        continue
      }
      try list.pointee.load(number)
      hits.search(start..<read, documents, list.pointee.documents, list.pointee.count)
      try score(list, number, isScored: prunes)
      if hits.count > 0 { body(hits) }
    }
  }

  /// The same if most blocks have many candidates: all blocks in turn.
  @inline(__always)
  private func visitAll(
    _ list: List, rest: Float, prunes: Bool, _ body: (borrowing WordHits) -> Void
  ) throws(CorruptionError) {
    let documents = candidates.documents
    let count = candidates.count
    hits.begin(documents, count: count)
    defer { hits.end(documents, count: count) }
    let last = documents[count &- 1]
    var best: Float = 0
    for i in 0..<count { best = candidates.scores[i] > best ? candidates.scores[i] : best }
    let first = list.pointee.postings.firstDocuments
    var number = list.pointee.blockIndex(for: documents[0])
    while number < list.pointee.blockCount && first[number] <= last {
      if !prunes || threshold < 0 || canWin(best + list.pointee.bound(ofBlock: number) + rest) {
        try list.pointee.load(number)
        hits.sweep(documents, list.pointee.documents, list.pointee.count)
        try score(list, number, isScored: prunes)
        if hits.count > 0 { body(hits) }
      }
      number &+= 1
    }
  }

  @inline(__always)
  private func score(
    _ list: List, _ number: Int, isScored: Bool
  ) throws(CorruptionError) {
    guard isScored, hits.count > 0 else { return }
    let documents = candidates.documents
    let slots = hits.slots
    try list.pointee.scoreHits(
      hits.count, hits.places, into: hits.scores, block: number
    ) { documents[Int(slots[$0])] }
  }

  /// The same in a bit set: tested bit by bit, and only what is there is looked at further.
  @inline(__always)
  private func visitDense(
    _ list: List, _ bits: UnsafePointer<UInt64>, rest: Float, prunes: Bool,
    _ body: (borrowing WordHits) -> Void
  ) throws(CorruptionError) {
    let documents = candidates.documents
    let scores = candidates.scores
    let count = candidates.count
    let slots = hits.slots
    var read = 0
    while read < count {
      // A hundred of them at a time: what is there, and can win.
      let stop = min(read &+ Batch.capacity, count)
      var found = 0
      for i in read..<stop {
        slots[found] = UInt32(truncatingIfNeeded: i)
        let document = documents[i]
        let bit = bits[Int(document &>> 6)] &>> UInt64(document & 63) & 1
        found &+= Int(truncatingIfNeeded: bit)
      }
      read = stop
      guard prunes else {
        hits.count = found
        body(hits)
        continue
      }
      list.pointee.prefetch(for: documents, slots, found)
      try scoreDense(list, bits, found, documents, scores, rest: rest)
      body(hits)
    }
  }

  /// Scores hits in a bit set, and drops those that cannot win.
  private func scoreDense(
    _ list: List, _ bits: UnsafePointer<UInt64>, _ found: Int,
    _ documents: UnsafePointer<UInt32>, _ scores: UnsafePointer<Float>, rest: Float
  ) throws(CorruptionError) {
    let slots = hits.slots
    var kept = 0
    var next = 0
    while next < found {
      let document = documents[Int(slots[next])]
      let number = list.pointee.blockIndex(for: document, near: list.pointee.boundBlock)
      list.pointee.boundBlock = number
      let end = list.pointee.end(of: number)
      let most = threshold < 0 ? 0 : list.pointee.bound(ofBlock: number) + rest
      let first = kept
      repeat {
        let slot = slots[next]
        slots[kept] = slot
        kept &+= exceeds((scores[Int(slot)] + most) * margin, threshold)
        next &+= 1
      } while next < found && documents[Int(slots[next])] < end
      guard kept > first else { continue }
      let own = slots + first
      try list.pointee.ranks(kept &- first, in: number, bits, into: hits.places + first) {
        documents[Int(own[$0])]
      }
      try list.pointee.scoreHits(
        kept &- first, hits.places + first, into: hits.scores + first, block: number
      ) { documents[Int(own[$0])] }
    }
    hits.count = kept
  }
}
