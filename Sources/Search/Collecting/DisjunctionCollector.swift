// Ranks the items that hold any of some words: MaxScore over intervals of documents.

internal import LimelightCodecs
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
    /// A place in a short list to start the next search at.
    var place = 0
    /// Its bound in the run at hand.
    var runBound: Float = 0
  }

  static let shortBlocks = 8
  static let runDocuments: UInt32 = 2_048

  let collection: SegmentCollector
  let context: SegmentContext
  let heap: TopHeap
  let parts: UnsafeMutablePointer<Part>
  let partCount: Int
  /// The parts by their bounds in the run, least first, and the sums of the bounds before each.
  let order: UnsafeMutablePointer<Int>
  let sums: UnsafeMutablePointer<Float>
  let shift: UInt32
  let intervalCount: Int
  let totals: UnsafeMutablePointer<Float>
  let accumulators: UnsafeMutablePointer<Float>
  /// A bit for each accumulator that is not 0; used when few are.
  let touched: UnsafeMutablePointer<UInt64>
  let scores: UnsafeMutablePointer<Float>
  /// The documents of the run that can still win, with their scores in the essential lists.
  let candidates: UnsafeMutablePointer<UInt32>
  let candidateScores: UnsafeMutablePointer<Float>
  var candidateCount = 0
  /// The documents of the longest run.
  let runCapacity: Int
  /// For each interval of the run the bounds of the lists that are not essential, together, and the
  /// score in the essential ones that a document must exceed to be worth a look.
  let missing: UnsafeMutablePointer<Float>
  let cuts: UnsafeMutablePointer<Float>
  var runIntervals = 0
  /// What a sum in another order than the query's may have lost to rounding.
  let margin: Float

  init(_ lists: [UnsafeMutablePointer<TermList>], _ collection: SegmentCollector) {
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
    runCapacity = Int(max(Self.runDocuments, 1 &<< shift))
    accumulators = arena.allocate(Float.self, runCapacity + 16)
    touched = arena.allocate(UInt64.self, runCapacity / 64 + 1)
    scores = arena.allocate(Float.self, Batch.capacity)
    candidates = arena.allocate(UInt32.self, runCapacity + 1)
    candidateScores = arena.allocate(Float.self, runCapacity + 1)
    missing = arena.allocate(Float.self, Int(max(Self.runDocuments &>> shift, 1)))
    cuts = arena.allocate(Float.self, Int(max(Self.runDocuments &>> shift, 1)))
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
      try list.pointee.score(0..<size, into: all + count, above: -1)
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
    let wanted = min(3 &+ heap.capacity / 20, intervalCount / 8)
    guard wanted > 0 else { return }
    let best = bestIntervals(4 &* wanted)
    var sample = ScoreSample(capacity: heap.capacity, arena: context.scratch)
    for (round, best) in best.enumerated() where round < wanted || !sample.isFull {
      guard totals[best] > sample.least else { break }
      let (start, end) = documents(best, best &+ 1)
      clear(start, end)
      for index in 0..<partCount where parts[index].bounds[best] > 0 {
        try accumulate(index, start, end, others: .infinity, marks: false)
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

  /// The intervals with the largest sums of bounds, best first.
  private func bestIntervals(_ count: Int) -> UnsafeBufferPointer<Int> {
    let best = context.scratch.allocate(Int.self, count + 1)
    var found = 0
    for interval in 0..<intervalCount {
      let total = totals[interval]
      if found == count && total <= totals[best[found &- 1]] { continue }
      var place = found
      while place > 0 && totals[best[place &- 1]] < total {
        best[place] = best[place &- 1]
        place &-= 1
      }
      best[place] = interval
      found = min(found &+ 1, count)
    }
    return UnsafeBufferPointer(start: best, count: found)
  }

  func documents(_ first: Int, _ end: Int) -> (UInt32, UInt32) {
    (
      UInt32(truncatingIfNeeded: first) &<< shift,
      min(UInt32(truncatingIfNeeded: end) &<< shift, context.documentCount)
    )
  }

}

extension AnyMatcher {
  /// The lists of its parts, if they are all words.
  var lists: [UnsafeMutablePointer<TermList>]? {
    let terms = children.compactMap { $0 as? TermMatcher }
    return terms.count == children.count ? terms.map { $0.list } : nil
  }
}
