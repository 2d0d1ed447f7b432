// Disjunctions: windows of documents, in each of which one list leads or the sums of several.

internal import LimelightCodecs
internal import LimelightSegments

/// Windows of documents over all lists of a disjunction, with the bound of each list in each.
struct WordWindows {
  let shift: UInt32
  let count: Int
  /// The bound of list `l` in window `w` at `w * lists + l`.
  let bounds: UnsafeMutablePointer<Float>
  /// Their sums by window, in the order of the query.
  let totals: UnsafeMutablePointer<Float>

  /// The documents of the widest window.
  static let widest = 1 << 13

  /// Windows are wider where postings are rare.
  init(_ query: WordQuery, documents: UInt32, arena: ScratchArena) {
    var postings = 0
    for index in 0..<query.count { postings &+= query.lists[index].pointee.documentFrequency }
    var shift: UInt32 = 12
    while shift < 13 && postings &<< Int(shift) < Int(documents) &* 512 { shift &+= 1 }
    self.shift = shift
    count = Int((UInt64(documents) + (1 &<< UInt64(shift)) - 1) &>> UInt64(shift))
    bounds = arena.allocate(Float.self, count &* query.count + 1)
    totals = arena.allocate(Float.self, count + 1)
    for window in 0..<count {
      var total: Float = 0
      let start = UInt32(truncatingIfNeeded: window) &<< shift
      let end = UInt32(
        truncatingIfNeeded: min(UInt64(documents), UInt64(start) + 1 &<< UInt64(shift)))
      for index in 0..<query.count {
        let bound = max(query.lists[index].pointee.bound(from: start, to: end), 0)
        bounds[window &* query.count &+ index] = bound
        total += bound
      }
      totals[window] = total
    }
  }
}

extension WordCollector {
  /// Offers all items that hold any of the words and can win.
  func collectAny() throws(CorruptionError) {
    let arena = context.scratch
    let windows = WordWindows(query, documents: context.documentCount, arena: arena)
    let sums = WordSums(capacity: WordWindows.widest, arena: arena)
    if !heap.isFull {
      try sampleBestList()
      if windows.count > 4 { try sampleBestWindows(windows, sums) }
    }
    for window in 0..<windows.count where windows.totals[window] > 0 {
      guard windows.totals[window] > threshold else { continue }
      if collection.isCancelled { return }
      try collectWindow(window, windows, sums)
    }
  }

  /// Scores the best blocks of the list with the highest bound: what one word gives alone bounds from
  /// below what its documents get.
  private func sampleBestList() throws(CorruptionError) {
    var best = -1
    for index in 0..<query.count
    where lists[index].pointee.documentFrequency >= heap.capacity
      && (best < 0 || lists[index].pointee.idf > lists[best].pointee.idf)
    { best = index }
    guard best >= 0 else { return }
    let list = lists[best]
    var blocks = BestPlaces(1 &+ (heap.capacity &+ 31) / 32, arena: context.scratch)
    let count = min(list.pointee.blockCount, 64)
    for number in 0..<count { blocks.add(number, list.pointee.bound(ofBlock: number)) }
    try raiseThreshold { () throws(CorruptionError) in
      for number in blocks.places {
        try gather(list, number, from: 0, to: .max, above: threshold)
        for i in 0..<candidates.count where collection.accepted.contains(candidates.documents[i]) {
          sample?.add(candidates.scores[i])
        }
        threshold = max(heap.threshold, sample?.least ?? -1)
      }
    }
  }

  /// Looks at the windows with the best bounds first.
  private func sampleBestWindows(
    _ windows: WordWindows, _ sums: WordSums
  ) throws(CorruptionError) {
    var best = BestPlaces(1 &+ heap.capacity / 64, arena: context.scratch)
    for window in 0..<windows.count { best.add(window, windows.totals[window]) }
    try raiseThreshold { () throws(CorruptionError) in
      for window in best.places where windows.totals[window] > threshold {
        try collectWindow(window, windows, sums)
      }
    }
  }

  private func collectWindow(
    _ window: Int, _ windows: WordWindows, _ sums: WordSums
  ) throws(CorruptionError) {
    let start = UInt32(truncatingIfNeeded: window) &<< windows.shift
    let end = UInt32(
      truncatingIfNeeded: min(
        UInt64(context.documentCount), UInt64(start) + 1 &<< UInt64(windows.shift)))
    bounds.update(from: windows.bounds + window &* query.count, count: query.count)
    let (optional, rest) = partition()
    if optional &+ 1 == query.count {
      try collectLead(order[optional], optional, start, end, rest: rest)
    } else {
      try accumulate(optional, start, end, rest: rest, sums)
      try complete(0, optional, rest: rest)
    }
  }

  /// Puts the lists that cannot bring a hit without the others first, the largest of their bounds before
  /// the smaller ones; how many these are, and the sum of their bounds.
  private func partition() -> (count: Int, rest: Float) {
    let count = query.count
    for index in 0..<count {
      var place = index
      while place > 0 && bounds[order[place &- 1]] > bounds[index] {
        order[place] = order[place &- 1]
        place &-= 1
      }
      order[place] = index
    }
    var sum: Float = 0
    var optional = 0
    var rest: Float = 0
    for place in 0..<(count &- 1) {
      sum += bounds[order[place]]
      if canWin(sum) { break }
      optional = place &+ 1
      rest = sum
    }
    var low = 0
    var high = optional &- 1
    while low < high {
      (order[low], order[high]) = (order[high], order[low])
      low &+= 1
      high &-= 1
    }
    return (optional, rest)
  }

  /// One list must be in every hit of the window.
  private func collectLead(
    _ lead: Int, _ optional: Int, _ start: UInt32, _ end: UInt32, rest: Float
  ) throws(CorruptionError) {
    let list = lists[lead]
    let first = list.pointee.postings.firstDocuments
    var number = list.pointee.blockIndex(for: start)
    while number < list.pointee.blockCount && first[number] < end {
      let bound = list.pointee.bound(ofBlock: number)
      if canWin(bound + rest) {
        // In the block alone the others' bounds are lower.
        let rest = threshold < 0 ? rest : narrow(optional, list, number, start, end, rest)
        if canWin(bound + rest) {
          try gather(
            list, number, from: start, to: end, above: threshold < 0 ? -1 : cut(rest))
          try complete(0, optional, rest: rest)
        }
      }
      number &+= 1
    }
  }

  /// Notes the bounds of the lists to look up in the documents of one block of a list; their sum.
  private func narrow(
    _ optional: Int, _ list: List, _ number: Int, _ start: UInt32, _ end: UInt32, _ rest: Float
  ) -> Float {
    let from = max(list.pointee.postings.firstDocuments[number], start)
    let to = min(list.pointee.end(of: number), end)
    // Only if the block is a small part of the window.
    guard to > from, (to &- from) &* 4 < end &- start else { return rest }
    var sum: Float = 0
    for place in 0..<optional {
      let index = order[place]
      bounds[index] = max(lists[index].pointee.bound(from: from, to: to), 0)
      sum += bounds[index]
    }
    return min(sum, rest)
  }

  /// Adds the lists from `optional` on up; what exceeds the threshold together with `rest` become the
  /// candidates.
  private func accumulate(
    _ optional: Int, _ start: UInt32, _ end: UInt32, rest: Float, _ sums: WordSums
  ) throws(CorruptionError) {
    sums.clear(Int(end &- start))
    let cut = threshold < 0 ? 0 : max(self.cut(rest), 0)
    var all = rest
    for place in optional..<query.count { all += bounds[order[place]] }
    for place in optional..<query.count {
      let index = order[place]
      guard bounds[index] > 0 else { continue }
      let list = lists[index]
      let others = max(all - bounds[index], 0)
      let floor = threshold < 0 ? -1 : self.cut(others)
      let first = list.pointee.postings.firstDocuments
      var number = list.pointee.blockIndex(for: start)
      while number < list.pointee.blockCount && first[number] < end {
        if canWin(list.pointee.bound(ofBlock: number) + others) {
          try gather(list, number, from: start, to: end, above: floor)
          sums.add(candidates, from: start, cut: cut)
        }
        number &+= 1
      }
    }
    candidates.count = sums.take(
      Int(end &- start), from: start, into: candidates.documents, candidates.scores)
  }
}

/// Sums of scores by document of a window, and which of them exceed a cut.
final class WordSums {
  private let sums: UnsafeMutablePointer<Float>
  private let marks: UnsafeMutablePointer<UInt64>
  /// Places whose sums exceeded the cut when a list was added, some more than once.
  private let above: UnsafeMutablePointer<UInt32>
  private var aboveCount = 0
  private let capacity: Int

  init(capacity: Int, arena: ScratchArena) {
    self.capacity = capacity
    sums = arena.allocate(Float.self, capacity)
    marks = arena.allocate(UInt64.self, capacity / 64)
    above = arena.allocate(UInt32.self, capacity + Batch.capacity + 16)
  }

  func clear(_ count: Int) {
    sums.initialize(repeating: 0, count: count)
    marks.initialize(repeating: 0, count: BitSet.wordCount(count))
    aboveCount = 0
  }

  /// Adds scores of one list, at most a block of them.
  func add(_ postings: CandidateList, from start: UInt32, cut: Float) {
    let documents = postings.documents
    let scores = postings.scores
    let sums = self.sums
    let above = self.above
    var count = aboveCount
    for i in 0..<postings.count {
      let place = documents[i] &- start
      let sum = sums[Int(place)] + scores[i]
      sums[Int(place)] = sum
      above[count] = place
      count &+= exceeds(sum, cut)
    }
    aboveCount = count
    if count > capacity { mark() }
  }

  private func mark() {
    for i in 0..<aboveCount { BitSet.set(marks, Int(above[i])) }
    aboveCount = 0
  }

  /// Takes the sums that exceeded the cut.
  func take(
    _ size: Int, from start: UInt32, into documents: UnsafeMutablePointer<UInt32>,
    _ scores: UnsafeMutablePointer<Float>
  ) -> Int {
    mark()
    var count = 0
    for word in 0..<BitSet.wordCount(size) {
      var bits = marks[word]
      while bits != 0 {
        let place = word &* 64 &+ bits.trailingZeroBitCount
        bits &= bits &- 1
        documents[count] = start &+ UInt32(truncatingIfNeeded: place)
        scores[count] = sums[place]
        count &+= 1
      }
    }
    return count
  }
}
