// Ranks the items that hold any of some words: MaxScore over intervals of documents.

internal import LimelightSegments

/// Block-max MaxScore, with the bounds of all lists laid out over equal intervals of documents.
///
/// 1. The bound of each list in each interval comes from its blocks; short lists are scored whole, so
///    that their bounds are exact and most intervals hold nothing of them.
/// 2. The intervals with the best sums are scored first, for a threshold to start from.
/// 3. Runs of intervals whose sums exceed the threshold are gone through in order. Lists whose bounds
///    in the run together do not exceed it are not essential: a hit must be in another list. The
///    essential ones are added up in an accumulator for each document, the others looked up for
///    the documents that can still win.
///
/// Sums of bounds are made in the order of the query like sums of scores, so they bound them without
/// any margin; sums in another order get one (`margin`), and what then seems to win is summed anew in
/// the order of the query.
final class DisjunctionCollector {
  /// With more lists, the bounds of each over all intervals would take too much room.
  static let listLimit = 256

  /// One list of the disjunction.
  struct Part {
    let list: UnsafeMutablePointer<TermList>
    /// Its bound in each interval.
    let bounds: UnsafeMutablePointer<Float>
    /// All of a short list, with a sentinel.
    var documents: UnsafeMutablePointer<UInt32>?
    var scores: UnsafeMutablePointer<Float>?
    var count = 0
    /// Its bound in the run at hand.
    var runBound: Float = 0
  }

  private static let shortBlocks = 8
  private static let runDocuments: UInt32 = 2_048

  private let collection: Collection
  private let context: SegmentContext
  private let heap: TopHeap
  private let parts: UnsafeMutablePointer<Part>
  private let partCount: Int
  /// The parts by their bounds in the run, least first, and the sums of the bounds before each.
  private let order: UnsafeMutablePointer<Int>
  private let sums: UnsafeMutablePointer<Float>
  private let shift: UInt32
  private let intervalCount: Int
  private let totals: UnsafeMutablePointer<Float>
  private let accumulators: UnsafeMutablePointer<Float>
  private let scores: UnsafeMutablePointer<Float>
  /// What a sum in another order than the query's may have lost to rounding.
  private let margin: Float

  init(_ lists: [UnsafeMutablePointer<TermList>], _ collection: Collection) {
    self.collection = collection
    context = collection.context
    heap = collection.heap
    let arena = context.scratch
    partCount = lists.count
    var shift: UInt32 = lists.count > 16 ? 12 : 8
    while context.documentCount &>> shift > 2_048 && shift < 12 { shift &+= 1 }
    self.shift = shift
    intervalCount = (Int(context.documentCount) &+ 1 &<< Int(shift) &- 1) &>> Int(shift)
    parts = arena.allocate(Part.self, lists.count)
    for (index, list) in lists.enumerated() {
      let bounds = arena.allocate(Float.self, intervalCount)
      bounds.initialize(repeating: 0, count: intervalCount)
      (parts + index).initialize(to: Part(list: list, bounds: bounds))
    }
    order = arena.allocate(Int.self, lists.count)
    sums = arena.allocate(Float.self, lists.count + 1)
    totals = arena.allocate(Float.self, intervalCount)
    totals.initialize(repeating: 0, count: intervalCount)
    accumulators = arena.allocate(Float.self, Int(max(Self.runDocuments, 1 &<< shift)) + 16)
    scores = arena.allocate(Float.self, Batch.capacity)
    margin = 1 + Float(lists.count + 2) * 0x1p-22
  }

  func collect() throws(CorruptionError) {
    for index in 0..<partCount { try prepare(index) }
    for index in 0..<partCount {
      let bounds = parts[index].bounds
      for interval in 0..<intervalCount { totals[interval] += bounds[interval] }
    }
    if !heap.isFull { try raiseThreshold() }
    var interval = 0
    while interval < intervalCount {
      guard totals[interval] > heap.threshold, totals[interval] > 0 else {
        interval &+= 1
        continue
      }
      if collection.isCancelled { return }
      let start = interval
      let limit = start &+ max(Int(Self.runDocuments &>> shift), 1)
      interval &+= 1
      while interval < min(limit, intervalCount) && totals[interval] > heap.threshold {
        interval &+= 1
      }
      try collectRun(start, interval)
    }
  }

  // MARK: Bounds

  private func prepare(_ index: Int) throws(CorruptionError) {
    let list = parts[index].list
    let bounds = parts[index].bounds
    if list.pointee.blockCount <= Self.shortBlocks { return try materialise(index) }
    let first = list.pointee.postings.firstDocuments
    for block in 0..<list.pointee.blockCount {
      let bound = list.pointee.bound(ofBlock: block)
      var interval = Int(first[block] &>> shift)
      // Blocks ascend; what damaged bytes say is cut to the segment.
      let last = min(Int((list.pointee.end(of: block) &- 1) &>> shift), intervalCount &- 1)
      while interval <= last {
        if bounds[interval] < bound { bounds[interval] = bound }
        interval &+= 1
      }
    }
  }

  /// Scores all of a short list.
  private func materialise(_ index: Int) throws(CorruptionError) {
    let list = parts[index].list
    let bounds = parts[index].bounds
    let capacity = list.pointee.blockCount &* Batch.capacity
    let documents = context.scratch.allocate(UInt32.self, capacity + 1)
    let all = context.scratch.allocate(Float.self, capacity)
    var count = 0
    for block in 0..<list.pointee.blockCount {
      try list.pointee.load(block)
      let size = list.pointee.count
      // Blocks ascend; what damaged bytes say otherwise is left out.
      guard size > 0, count == 0 || list.pointee.documents[0] > documents[count &- 1] else {
        continue
      }
      try list.pointee.score(0..<size, into: all + count)
      (documents + count).update(from: list.pointee.documents, count: size)
      count &+= size
    }
    for i in 0..<count {
      let interval = Int(documents[i] &>> shift)
      if bounds[interval] < all[i] { bounds[interval] = all[i] }
    }
    documents[count] = .max
    parts[index].documents = documents
    parts[index].scores = all
    parts[index].count = count
  }

  /// Scores the intervals with the best sums for a score that enough documents reach.
  private func raiseThreshold() throws(CorruptionError) {
    let wanted = 3 &+ heap.capacity / 64
    guard intervalCount > 2 &* wanted else { return }
    let tried = context.scratch.allocate(Bool.self, intervalCount)
    tried.initialize(repeating: false, count: intervalCount)
    var sample = ScoreSample(capacity: heap.capacity, arena: context.scratch)
    for round in 0..<(4 &* wanted) where round < wanted || !sample.isFull {
      var best = -1
      for interval in 0..<intervalCount
      where !tried[interval] && (best < 0 || totals[interval] > totals[best]) {
        best = interval
      }
      guard best >= 0, totals[best] > sample.least else { break }
      tried[best] = true
      let (start, end) = documents(best, best &+ 1)
      clear(start, end)
      for index in 0..<partCount where parts[index].bounds[best] > 0 {
        try accumulate(index, start, end, others: .infinity)
      }
      for i in 0..<Int(end &- start)
      where accumulators[i] > 0
        && collection.accepted.contains(start &+ UInt32(truncatingIfNeeded: i))
      {
        sample.add(accumulators[i])
      }
    }
    if sample.isFull { heap.raise(to: sample.least) }
  }

  private func documents(_ first: Int, _ end: Int) -> (UInt32, UInt32) {
    (
      UInt32(truncatingIfNeeded: first) &<< shift,
      min(UInt32(truncatingIfNeeded: end) &<< shift, context.documentCount)
    )
  }

  // MARK: Runs

  private func collectRun(_ first: Int, _ last: Int) throws(CorruptionError) {
    let (start, end) = documents(first, last)
    let nonEssential = partition(first, last)
    clear(start, end)
    let all = sums[partCount]
    for index in 0..<partCount where parts[index].runBound > 0 {
      if isNonEssential(index, nonEssential) { continue }
      try accumulate(index, start, end, others: all - parts[index].runBound)
    }
    let count = Int(end &- start)
    // Accumulators up to here cannot win, whatever the other lists add.
    let missing = sums[nonEssential] * margin
    var cut = max((heap.threshold - missing) * (2 - margin), 0)
    var i = 0
    while i < count {
      let lanes = UnsafeRawPointer(accumulators + i).loadUnaligned(as: SIMD8<Float>.self)
      if any(lanes .> cut) {
        for lane in i..<min(i &+ 8, count) where accumulators[lane] > cut {
          let document = start &+ UInt32(truncatingIfNeeded: lane)
          guard collection.accepted.contains(document) else { continue }
          let before = heap.threshold
          try offer(document, accumulators[lane], nonEssential)
          if heap.threshold != before {
            cut = max((heap.threshold - missing) * (2 - margin), 0)
          }
        }
      }
      i &+= 8
    }
  }

  /// Orders the lists by their bounds in a run; how many of the least do not exceed the threshold.
  private func partition(_ first: Int, _ last: Int) -> Int {
    for index in 0..<partCount {
      var bound: Float = 0
      for interval in first..<last { bound = max(bound, parts[index].bounds[interval]) }
      parts[index].runBound = bound
      var place = index
      while place > 0 && parts[order[place &- 1]].runBound > bound {
        order[place] = order[place &- 1]
        place &-= 1
      }
      order[place] = index
    }
    sums[0] = 0
    var nonEssential = 0
    for place in 0..<partCount {
      sums[place &+ 1] = sums[place] + parts[order[place]].runBound
      if sums[place &+ 1] * margin <= heap.threshold { nonEssential = place &+ 1 }
    }
    return nonEssential
  }

  private func isNonEssential(_ index: Int, _ nonEssential: Int) -> Bool {
    for place in 0..<nonEssential where order[place] == index { return true }
    return false
  }

  private func clear(_ start: UInt32, _ end: UInt32) {
    accumulators.initialize(repeating: 0, count: Int(end &- start) &+ 8)
  }

  /// Adds a list's scores in `start ..< end` to the accumulators.
  ///
  /// Blocks whose bound together with the `others` does not exceed the threshold are left out:
  /// none of their documents can win, and what the others add up for them is too little.
  private func accumulate(
    _ index: Int, _ start: UInt32, _ end: UInt32, others: Float
  ) throws(CorruptionError) {
    if let documents = parts[index].documents, let scores = parts[index].scores {
      var i = lowerBound(start, documents, parts[index].count)
      while documents[i] < end {
        accumulators[Int(documents[i] &- start)] += scores[i]
        i &+= 1
      }
      return
    }
    let list = parts[index].list
    let first = list.pointee.postings.firstDocuments
    var number = list.pointee.blockIndex(for: start)
    while number < list.pointee.blockCount && first[number] < end {
      if (list.pointee.bound(ofBlock: number) + others) * margin > heap.threshold {
        try list.pointee.load(number)
        let documents = list.pointee.documents
        let size = list.pointee.count
        let from = BlockIndex.first(notBelow: start, in: documents, from: 0, count: size)
        let to = BlockIndex.first(notBelow: end, in: documents, from: from, count: size)
        try list.pointee.score(from..<to, into: scores)
        for i in from..<to { accumulators[Int(documents[i] &- start)] += scores[i &- from] }
      }
      number &+= 1
    }
  }

  private func lowerBound(
    _ document: UInt32, _ documents: UnsafePointer<UInt32>, _ count: Int
  ) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) / 2
      if documents[middle] < document { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  // MARK: Candidates

  /// Looks a document up in the lists that are not essential, the best first, while it can still win.
  private func offer(
    _ document: UInt32, _ accumulated: Float, _ nonEssential: Int
  ) throws(CorruptionError) {
    var score = accumulated
    var place = nonEssential
    while place > 0 {
      guard (score + sums[place]) * margin > heap.threshold else { return }
      place &-= 1
      let index = order[place]
      if parts[index].runBound > 0 { score += try self.score(of: document, in: index) }
    }
    guard score * margin > heap.threshold else { return }
    // The sum of two is the same either way; all lists were added up in the query's order.
    if nonEssential > 0 && partCount > 2 {
      score = 0
      for index in 0..<partCount { score += try self.score(of: document, in: index) }
    }
    if score > heap.threshold {
      heap.insert(document, view: collection.view, score: score)
    }
  }

  /// The score that one list gives a document, or 0.
  private func score(of document: UInt32, in index: Int) throws(CorruptionError) -> Float {
    if let documents = parts[index].documents, let scores = parts[index].scores {
      let place = lowerBound(document, documents, parts[index].count)
      return documents[place] == document ? scores[place] : 0
    }
    let place = try parts[index].list.pointee.locate(document)
    return place >= 0 ? try parts[index].list.pointee.score(at: place) : 0
  }
}

extension AnyMatcher {
  /// The lists of its parts, if they are all words.
  var lists: [UnsafeMutablePointer<TermList>]? {
    let terms = children.compactMap { $0 as? TermMatcher }
    return terms.count == children.count ? terms.map { $0.list } : nil
  }
}
