// Ranks the items that match a flat query of words.

internal import LimelightCodecs
internal import LimelightSegments

/// Block-max MaxScore over candidates: one list leads, the others are looked up for what can still win.
///
/// With required words the rarest of them leads; else whichever list alone can bring a hit in the
/// window at hand, or, if several can, their sums in accumulators. A candidate drops out as soon as its
/// score and the bounds of the lists that it was not looked up in cannot exceed the threshold: of its
/// block, before the block is decoded.
///
/// Candidates are looked up in the order that drops most. Scores lie on a grid, so that their sum is the
/// same in any order (`ScoreFormula.onGrid`). Only if sums may be too large for that, those that seem to
/// win are made anew in the order of the query, and `margin` covers what other orders may round away.
final class WordCollector {
  typealias List = UnsafeMutablePointer<TermList>

  let collection: SegmentCollector
  let context: SegmentContext
  let heap: TopHeap
  let query: WordQuery
  let lists: UnsafeMutablePointer<List>
  let margin: Float
  /// Whether sums are exact.
  let isExact: Bool
  var candidates: CandidateList
  var hits: WordHits
  /// The score that a hit must exceed, without `query.base`.
  var threshold: Float
  /// Where scores go while the threshold is looked for.
  var sample: ScoreSample?
  /// The bounds of the lists in the range at hand, not negative; a negative one for a required list
  /// without anything in it.
  let bounds: UnsafeMutablePointer<Float>
  /// The lists to look candidates up in, in this order, by their place in the query.
  let order: UnsafeMutablePointer<Int>
  let blockScores: UnsafeMutablePointer<Float>

  init(_ query: WordQuery, _ collection: SegmentCollector) {
    self.query = query
    self.collection = collection
    context = collection.context
    heap = collection.heap
    threshold = Self.threshold(heap, query)
    lists = query.lists
    let arena = context.scratch
    var most: Float = 0
    for index in 0..<query.count { most += query.lists[index].pointee.limit }
    isExact = most < ScoreFormula.gridLimit
    margin = isExact ? 1 : 1 + Float(query.count + 2) * 0x1p-22
    candidates = CandidateList(
      capacity: query.mustCount > 0 ? Batch.capacity : WordWindows.widest, arena: arena)
    hits = WordHits(documents: context.documentCount, arena: arena)
    bounds = arena.allocate(Float.self, query.count)
    order = arena.allocate(Int.self, query.count + 1)
    blockScores = arena.allocate(Float.self, Batch.capacity + 16)
  }

  /// What must be exceeded beside what every match scores: exact, as both lie on the grid.
  private static func threshold(_ heap: TopHeap, _ query: WordQuery) -> Float {
    heap.threshold < 0 ? -1 : max(heap.threshold - query.base, -1)
  }

  /// Offers all matches that can win.
  func collect() throws(CorruptionError) {
    if query.mustCount > 0 { try collectRequired() } else { try collectAny() }
  }

  /// Whether a score that others' bounds are part of can exceed the threshold.
  @inline(__always)
  func canWin(_ score: Float) -> Bool { score * margin > threshold }

  /// The score that a candidate must exceed now, if others may add at most `rest`.
  @inline(__always)
  func cut(_ rest: Float) -> Float { (threshold - rest * margin) * (2 - margin) }

  // MARK: Candidates

  /// Makes the postings of one block of a list in `from ..< to` candidates, if they exceed a score.
  @inline(__always)
  func gather(
    _ list: List, _ number: Int, from: UInt32, to: UInt32, above floor: Float
  ) throws(CorruptionError) {
    try list.pointee.load(number)
    let documents = list.pointee.documents
    let count = list.pointee.count
    let first =
      documents[0] >= from
      ? 0 : BlockIndex.first(notBelow: from, in: documents, from: 0, count: count)
    let last =
      documents[count &- 1] < to
      ? count : BlockIndex.first(notBelow: to, in: documents, from: first, count: count)
    candidates.count = try list.pointee.select(
      first..<last, above: floor, scores: blockScores, into: candidates.documents,
      candidates.scores)
  }

  /// Goes through the lists of `order` from `start` on with the candidates at hand, and offers what is
  /// left.
  ///
  /// `rest` is what all of these lists together may add.
  func complete(_ start: Int, _ end: Int, rest: Float) throws(CorruptionError) {
    var rest = rest
    var members = query.members
    for place in start..<end {
      let index = order[place]
      if index >= query.mustCount, let set = members.take() { try keepMembers(of: set) }
      guard bounds[index] > 0 || index < query.mustCount else { continue }
      rest = max(rest - max(bounds[index], 0), 0)
      guard candidates.count > 0 else { return }
      if index < query.mustCount {
        try require(lists[index], rest: rest)
      } else {
        try add(lists[index], rest: rest)
      }
      if threshold >= 0 { candidates.retain(above: cut(rest)) }
    }
    if let members { try keepMembers(of: members) }
    for index in 0..<query.excludedCount {
      guard candidates.count > 0 else { return }
      try exclude(query.excluded[index])
    }
    try offer()
  }

  /// Offers the candidates with their scores.
  private func offer() throws(CorruptionError) {
    let documents = candidates.documents
    for i in 0..<candidates.count {
      var score = candidates.scores[i]
      guard canWin(score), score >= 0, collection.accepted.contains(documents[i]) else { continue }
      if !isExact && query.count > 2 { score = try sum(documents[i]) }
      guard score > threshold else { continue }
      if sample == nil {
        heap.insert(documents[i], view: collection.view, score: score + query.base)
        threshold = Self.threshold(heap, query)
      } else {
        sample?.add(score)
        threshold = max(Self.threshold(heap, query), sample?.least ?? -1)
      }
    }
  }

  /// A document's score, summed up in the order of the query.
  private func sum(_ document: UInt32) throws(CorruptionError) -> Float {
    var score: Float = 0
    for index in 0..<query.count {
      if let own = try lists[index].pointee.score(of: document) { score += own }
    }
    return score
  }

  // MARK: Bounds

  /// Notes the bounds of all lists in a range; their sum in the order of the query, or a negative
  /// number if a required one has nothing there.
  ///
  /// As long as everything is a hit, none is worked out: any number then does.
  func bound(from: UInt32, to: UInt32) -> Float {
    if threshold < 0 {
      bounds.initialize(repeating: 1, count: query.count)
      return 1
    }
    return boundOfAll(from: from, to: to)
  }

  /// The same always worked out.
  func boundOfAll(from: UInt32, to: UInt32) -> Float {
    var sum: Float = 0
    for index in 0..<query.count {
      let bound = lists[index].pointee.bound(from: from, to: to)
      if bound < 0 && index < query.mustCount { return -1 }
      bounds[index] = max(bound, 0)
      sum += bounds[index]
    }
    return sum
  }

  // MARK: A threshold to start from

  /// Looks at some places first, the best ones, for a score that enough documents reach; they come again
  /// in their turn.
  func raiseThreshold(_ body: () throws(CorruptionError) -> Void) throws(CorruptionError) {
    sample = ScoreSample(capacity: heap.capacity, arena: context.scratch)
    threshold = Self.threshold(heap, query)
    try body()
    if let sample, sample.isFull { heap.raise(to: sample.least + query.base) }
    sample = nil
    threshold = Self.threshold(heap, query)
  }
}
