// Counts the items that match a flat query of words.

internal import LimelightCodecs
internal import LimelightSegments

/// Counts in windows, in which documents are bits: no score, no order, no candidate twice.
///
/// Of a disjunction all postings are set in a window's bits, and these are counted. Of a conjunction the
/// rarest list's documents are the candidates, and what another list has of them is found by looking its
/// postings up in the candidates' bits, or, if they are few, by searching for them.
struct WordCounter {
  typealias List = UnsafeMutablePointer<TermList>

  private let query: WordQuery
  private let context: SegmentContext
  private let accepted: AcceptedDocs
  private let cancellation: CancellationFlag?
  private let marks: UnsafeMutablePointer<UInt64>
  /// The candidates of a window, ascending.
  private let candidates: UnsafeMutablePointer<UInt32>
  private let others: UnsafeMutablePointer<UInt32>

  /// The documents of a window of a disjunction, and of a conjunction.
  private static let wide: UInt32 = 1 << 16
  private static let narrow: UInt32 = 1 << 14

  init(
    _ query: WordQuery, _ context: SegmentContext, _ accepted: AcceptedDocs,
    _ cancellation: CancellationFlag?
  ) {
    self.query = query
    self.context = context
    self.accepted = accepted
    self.cancellation = cancellation
    let arena = context.scratch
    if query.mustCount > 0 {
      marks = arena.allocate(UInt64.self, Int(Self.narrow) / 64)
      candidates = arena.allocate(UInt32.self, Int(Self.narrow) + 256)
      others = arena.allocate(UInt32.self, Int(Self.narrow) + 256)
    } else {
      marks = arena.allocate(UInt64.self, Int(Self.wide) / 64)
      candidates = arena.allocate(UInt32.self, 1)
      others = candidates
    }
  }

  /// The matches of a conjunction of bit sets, without any list; nil for another query.
  static func countSets(
    _ query: WordQuery, _ context: SegmentContext, _ accepted: AcceptedDocs
  ) throws(CorruptionError) -> Int? {
    guard query.mustCount > 0, accepted.isAll, let first = query.lists[0].pointee.bits else {
      return nil
    }
    for index in 1..<max(query.mustCount, 1) where query.lists[index].pointee.bits == nil {
      return nil
    }
    for index in 0..<query.excludedCount where query.excluded[index].pointee.bits == nil {
      return nil
    }
    let count = BitSet.wordCount(Int(context.documentCount))
    if query.mustCount == 2, query.excludedCount == 0,
      let second = query.lists[1].pointee.bits
    {
      return BitSet.countAnd(first, second, count)
    }
    let words = context.scratch.allocate(UInt64.self, count)
    words.update(from: first, count: count)
    for index in 1..<max(query.mustCount, 1) {
      if let bits = query.lists[index].pointee.bits {
        BitSet.and(words, bits, count, into: words)
      }
    }
    for index in 0..<query.excludedCount {
      if let bits = query.excluded[index].pointee.bits {
        BitSet.andNot(words, bits, count, into: words)
      }
    }
    return BitSet.popcount(words, count)
  }

  private var isCancelled: Bool { cancellation?.isCancelled ?? false }

  func count() throws(CorruptionError) -> Int {
    query.mustCount > 0 ? try countRequired() : try countAny()
  }

  // MARK: Disjunctions

  private func countAny() throws(CorruptionError) -> Int {
    var sum = 0
    var start: UInt32 = 0
    while start < context.documentCount && !isCancelled {
      let end = UInt32(min(UInt64(start) + UInt64(Self.wide), UInt64(context.documentCount)))
      let words = BitSet.wordCount(Int(end &- start))
      marks.initialize(repeating: 0, count: words)
      for index in 0..<query.count {
        let list = query.lists[index]
        if let bits = list.pointee.bits {
          BitSet.or(marks, bits + Int(start &>> 6), words, into: marks)
        } else {
          try mark(list, start, end)
        }
      }
      if !accepted.isAll {
        var window = start
        while window < end {
          accepted.intersect(window: window, marks + Int((window &- start) &>> 6))
          window &+= DocumentWords.windowSize
        }
      }
      sum &+= BitSet.popcount(marks, words)
      start = end
    }
    return sum
  }

  /// Sets the bits of a list's documents in `start ..< end`.
  private func mark(_ list: List, _ start: UInt32, _ end: UInt32) throws(CorruptionError) {
    let first = list.pointee.postings.firstDocuments
    var number = list.pointee.blockIndex(for: start)
    while number < list.pointee.blockCount && first[number] < end {
      try list.pointee.load(number)
      let documents = list.pointee.documents
      let count = list.pointee.count
      number &+= 1
      if count == Batch.capacity, documents[0] >= start, documents[count &- 1] < end {
        // Four places of the block in turn: neighbours mostly share a word, and a word that was just
        // written cannot be read at once.
        for i in 0..<32 {
          BitSet.set(marks, Int(documents[i] &- start))
          BitSet.set(marks, Int(documents[i &+ 32] &- start))
          BitSet.set(marks, Int(documents[i &+ 64] &- start))
          BitSet.set(marks, Int(documents[i &+ 96] &- start))
        }
        continue
      }
      for i in range(list, start, end) { BitSet.set(marks, Int(documents[i] &- start)) }
    }
  }

  /// The postings of a list's current block in `start ..< end`.
  @inline(__always)
  private func range(_ list: List, _ start: UInt32, _ end: UInt32) -> Range<Int> {
    let documents = list.pointee.documents
    let count = list.pointee.count
    let first =
      documents[0] >= start
      ? 0 : BlockIndex.first(notBelow: start, in: documents, from: 0, count: count)
    let last =
      count > 0 && documents[count &- 1] < end
      ? count : BlockIndex.first(notBelow: end, in: documents, from: first, count: count)
    return first..<last
  }

  // MARK: Conjunctions

  private func countRequired() throws(CorruptionError) -> Int {
    let order = self.order()
    let lead = order[0]
    let first = lead.pointee.postings.firstDocuments
    let blocks = lead.pointee.blockCount
    var sum = 0
    var start: UInt32 = first[0] & ~(Self.narrow &- 1)
    while start < context.documentCount && !isCancelled {
      let end = UInt32(min(UInt64(start) + UInt64(Self.narrow), UInt64(context.documentCount)))
      var count = try gather(lead, start, end)
      for index in 1..<max(query.mustCount, 1) where count > 0 {
        count = try intersect(order[index], count, start, end)
      }
      for index in 0..<query.excludedCount where count > 0 {
        count = try subtract(query.excluded[index], count, start, end)
      }
      sum &+= count
      // The next window in which the lead has something.
      let number = lead.pointee.blockIndex(for: end)
      if number &+ 1 >= blocks, try lastDocument(lead) < end { break }
      start = max(end, first[number] & ~(Self.narrow &- 1))
    }
    return sum
  }

  /// The required lists: the rarest first, but bit sets, which cost least, right after it.
  private func order() -> UnsafeMutablePointer<List> {
    let order = context.scratch.allocate(List.self, query.mustCount + 1)
    for index in 0..<query.mustCount {
      let list = query.lists[index]
      var place = index
      while place > 0
        && list.pointee.documentFrequency < order[place &- 1].pointee.documentFrequency
      {
        order[place] = order[place &- 1]
        place &-= 1
      }
      order[place] = list
    }
    // Bit sets are the longest lists: they stand last.
    var dense = query.mustCount
    while dense > 1 && order[dense &- 1].pointee.bits != nil { dense &-= 1 }
    var low = 1
    while dense < query.mustCount {
      let list = order[dense]
      var place = dense
      while place > low {
        order[place] = order[place &- 1]
        place &-= 1
      }
      order[low] = list
      low &+= 1
      dense &+= 1
    }
    return order
  }

  private func lastDocument(_ list: List) throws(CorruptionError) -> UInt32 {
    try list.pointee.load(list.pointee.blockCount &- 1)
    return list.pointee.count > 0 ? list.pointee.documents[list.pointee.count &- 1] : 0
  }

  /// Makes the documents of a list in a window the candidates.
  private func gather(_ list: List, _ start: UInt32, _ end: UInt32) throws(CorruptionError) -> Int {
    let first = list.pointee.postings.firstDocuments
    var number = list.pointee.blockIndex(for: start)
    var count = 0
    while number < list.pointee.blockCount && first[number] < end {
      try list.pointee.load(number)
      let range = range(list, start, end)
      // Sound blocks do not overlap; what damaged ones say is cut to the window.
      let take = min(range.count, Int(Self.narrow) &- count)
      (candidates + count).update(from: list.pointee.documents + range.lowerBound, count: take)
      count &+= take
      number &+= 1
    }
    guard !accepted.isAll else { return count }
    var kept = 0
    for i in 0..<count {
      let document = candidates[i]
      candidates[kept] = document
      kept &+= accepted.contains(document) ? 1 : 0
    }
    return kept
  }

  private func intersect(
    _ list: List, _ count: Int, _ start: UInt32, _ end: UInt32
  ) throws(CorruptionError) -> Int {
    let found = try find(list, count, start, end)
    candidates.update(from: others, count: found)
    return found
  }

  /// Drops the candidates that a list has.
  private func subtract(
    _ list: List, _ count: Int, _ start: UInt32, _ end: UInt32
  ) throws(CorruptionError) -> Int {
    let found = try find(list, count, start, end)
    if query.excludedCount == 1 { return count &- found }
    var kept = 0
    var next = 0
    others[found] = .max
    for i in 0..<count {
      let document = candidates[i]
      while others[next] < document { next &+= 1 }
      candidates[kept] = document
      kept &+= 1 &- equals(others[next], document)
    }
    return kept
  }

  /// Writes the candidates that a list has to `others`, and returns how many.
  private func find(
    _ list: List, _ count: Int, _ start: UInt32, _ end: UInt32
  ) throws(CorruptionError) -> Int {
    if let bits = list.pointee.bits {
      var found = 0
      for i in 0..<count {
        let document = candidates[i]
        others[found] = document
        found &+= Int(
          truncatingIfNeeded: bits[Int(document &>> 6)] &>> UInt64(document & 63) & 1)
      }
      return found
    }
    let blocks =
      1
      &+ Int(
        UInt64(list.pointee.blockCount) &* UInt64(end &- start) / UInt64(context.documentCount))
    return count >= blocks &* WordHits.sweepLimit
      ? try sweep(list, count, start, end) : try search(list, count)
  }

  /// Looks a list's postings up in the bits of the candidates.
  private func sweep(
    _ list: List, _ count: Int, _ start: UInt32, _ end: UInt32
  ) throws(CorruptionError) -> Int {
    marks.initialize(repeating: 0, count: BitSet.wordCount(Int(end &- start)))
    for i in 0..<count { BitSet.set(marks, Int(candidates[i] &- start)) }
    let first = list.pointee.postings.firstDocuments
    var number = list.pointee.blockIndex(for: start)
    var found = 0
    while number < list.pointee.blockCount && first[number] < end {
      try list.pointee.load(number)
      let documents = list.pointee.documents
      let range = range(list, start, end)
      number &+= 1
      guard found &+ range.count <= Int(Self.narrow) else { break }
      for i in range {
        let document = documents[i]
        let place = document &- start
        others[found] = document
        found &+= Int(
          truncatingIfNeeded: marks[Int(place &>> 6)] &>> UInt64(place & 63) & 1)
      }
    }
    return found
  }

  /// Searches for each candidate.
  private func search(_ list: List, _ count: Int) throws(CorruptionError) -> Int {
    list.pointee.prefetch(for: candidates, count)
    var found = 0
    var read = 0
    while read < count {
      let number = list.pointee.blockIndex(for: candidates[read])
      let end = list.pointee.end(of: number)
      try list.pointee.load(number)
      let documents = list.pointee.documents
      let size = list.pointee.count
      var place = 0
      repeat {
        let document = candidates[read]
        place = BlockIndex.first(notBelow: document, in: documents, from: place, count: size)
        others[found] = document
        found &+= equals(documents[place], document)
        read &+= 1
      } while read < count && candidates[read] < end
    }
    return found
  }
}
