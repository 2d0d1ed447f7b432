// Answers queries over one snapshot: ranked, counted, or as sets of documents.

internal import LimelightAnalysis
package import LimelightItems
package import LimelightSegments
package import LimelightSnapshots

/// A search over one snapshot.
///
/// Keeps the snapshot alive, and buffers from query to query: make one and ask it many times. For one
/// thread at a time; any number of searchers may share a snapshot.
package final class Searcher {
  package let snapshot: Snapshot
  private let now: Int64
  let analyzer: TextAnalyzer
  private var weights = Weights.standard
  let tokens = TokenBuffer()
  /// The segments as this searcher sees them; empty until the first query and when weights change.
  private var contexts: [SegmentContext] = []
  /// The terms of their standard fields; valid with them.
  let standard: UnsafeMutablePointer<TermIndex?>
  /// What lives as long as the weights stay the same.
  private let kept = ScratchArena()
  /// What lives as long as a query.
  private let scratch = ScratchArena()
  private let plan: QueryPlan
  private let heap = TopHeap()
  /// Whether searches pass over what cannot win; tests compare with runs that do not.
  package var prunes = true

  /// What the last query decoded.
  package var counters: DecodeCounters { scratch.counters.pointee }

  /// Whether no item of the snapshot is dead or may expire.
  let holdsOnlyLive: Bool

  /// Makes a searcher for which items expire at `now`; refuses an analyser that it does not know.
  package init(_ snapshot: Snapshot, now: Timestamp) throws(SearchError) {
    guard let kind = Analyzer(rawValue: snapshot.options.analyzerName),
      kind.version == snapshot.options.analyzerVersion
    else {
      throw .unsupported(
        "the analyser \(snapshot.options.analyzerName), version \(snapshot.options.analyzerVersion)"
      )
    }
    self.snapshot = snapshot
    self.now = now.microseconds
    analyzer = TextAnalyzer(kind)
    plan = QueryPlan(snapshot, analyzer: analyzer, tokens: tokens, arena: scratch)
    standard = .allocate(capacity: snapshot.views.count)
    standard.initialize(repeating: nil, count: snapshot.views.count)
    holdsOnlyLive = snapshot.views.allSatisfy {
      $0.live.deadCount == 0 && $0.segment.section(.expiry) == nil
    }
  }

  deinit { standard.deallocate() }

  // MARK: Questions

  /// The best documents for a query, from the `offset`-th on, at most `limit`.
  ///
  /// With `counting` the number of all matches is exact; without, only if there are fewer than
  /// `offset + limit`. Time grows with what cannot be passed over, memory with `offset + limit`.
  package func topDocs(
    _ query: Query, limit: Int, offset: Int = 0, counting: Bool = false,
    weights: Weights = .standard, cancellation: CancellationFlag? = nil
  ) throws(SearchError) -> TopDocs {
    let offset = min(max(offset, 0), snapshot.documentCount)
    let capacity = min(offset + min(max(limit, 0), snapshot.documentCount), snapshot.documentCount)
    guard capacity > offset else {
      let count = counting ? try count(query, cancellation: cancellation) : 0
      return TopDocs(hits: [], count: count, countIsExact: counting)
    }
    let matchers = try matchers(query, weights, cancellation)
    if matchers.isEmpty { return TopDocs(hits: [], count: 0, countIsExact: true) }
    heap.begin(capacity: capacity)
    let count: Int
    do throws(CorruptionError) {
      count = try collect(matchers, counting: counting, cancellation)
    } catch {
      throw .corrupt(error)
    }
    if let cancellation, cancellation.isCancelled { throw .cancelled }
    let met = heap.count
    return TopDocs(
      hits: heap.takeSorted(from: offset), count: count < 0 ? met : count,
      countIsExact: count >= 0)
  }

  /// How many documents match a query.
  package func count(
    _ query: Query, cancellation: CancellationFlag? = nil
  ) throws(SearchError) -> Int {
    if let cancellation, cancellation.isCancelled { throw .cancelled }
    if let count = try countByDictionary(query) { return count }
    let matchers = try matchers(query, nil, cancellation)
    let count: Int
    do throws(CorruptionError) {
      count = try self.count(matchers, cancellation)
    } catch {
      throw .corrupt(error)
    }
    if let cancellation, cancellation.isCancelled { throw .cancelled }
    return count
  }

  /// The documents of one view that match a query, a bit for each document of its segment.
  ///
  /// Dead and expired documents are not among them.
  package func matchingDocs(
    _ query: Query, view: Int, cancellation: CancellationFlag? = nil
  ) throws(SearchError) -> [UInt64] {
    let wordCount = (snapshot.views[view].documentCount + 63) / 64
    guard let matcher = try matchers(query, nil, cancellation, only: view).first
    else { return [UInt64](repeating: 0, count: wordCount) }
    let counting = Counting(
      context: matcher.root.context, accepted: matcher.accepted, cancellation: cancellation)
    let words: UnsafeMutablePointer<UInt64>
    do throws(CorruptionError) {
      words = try counting.matches(matcher.root)
    } catch {
      throw .corrupt(error)
    }
    if let cancellation, cancellation.isCancelled { throw .cancelled }
    return Array(UnsafeBufferPointer(start: words, count: wordCount))
  }

  // MARK: Running

  private struct SegmentMatcher {
    let view: Int
    let root: Matcher
    let accepted: AcceptedDocs
  }

  /// Plans a query and builds its matchers for the segments that may hold matches, oldest first.
  private func matchers(
    _ query: Query, _ weights: Weights?, _ cancellation: CancellationFlag?, only: Int? = nil
  ) throws(SearchError) -> [SegmentMatcher] {
    if let cancellation, cancellation.isCancelled { throw .cancelled }
    var matchers: [SegmentMatcher] = []
    do throws(CorruptionError) {
      scratch.reset()
      let isFirst = try prepareContexts(for: weights)
      try plan.plan(query, contexts, standard: standard, isFirst: isFirst)
      if plan.canMatch {
        try build(&matchers, only: only, isScored: weights != nil)
      }
    } catch {
      throw .corrupt(error)
    }
    if plan.isTooDeep { throw .tooDeep }
    return matchers
  }

  private func build(
    _ matchers: inout [SegmentMatcher], only: Int?, isScored: Bool
  ) throws(CorruptionError) {
    for (view, context) in contexts.enumerated() where only == nil || only == view {
      var builder = MatcherBuilder(plan, context, view: view, isScored: isScored)
      if let (root, accepted) = try builder.buildRoot() {
        matchers.append(SegmentMatcher(view: view, root: root, accepted: accepted))
      }
    }
  }

  /// Offers what matches to the heap: how many match, or -1 if nobody knows.
  private func collect(
    _ matchers: [SegmentMatcher], counting: Bool, _ cancellation: CancellationFlag?
  ) throws(CorruptionError) -> Int {
    // Positions are dear: with phrases one pass that scores all beats one that counts and another.
    let prunes = self.prunes && !(counting && plan.root.hasPhrase)
    var matched = 0
    for matcher in matchers {
      heap.enter(matcher.root.context.order)
      let collection = SegmentCollector(
        context: matcher.root.context, view: matcher.view, accepted: matcher.accepted, heap: heap,
        prunes: prunes, cancellation: cancellation)
      matched += try collection.collect(matcher.root)
    }
    if !heap.isFull { return heap.count }
    if !counting { return -1 }
    return prunes ? try count(matchers, cancellation) : matched
  }

  /// How many documents the matchers of all segments accept.
  private func count(
    _ matchers: [SegmentMatcher], _ cancellation: CancellationFlag?
  ) throws(CorruptionError) -> Int {
    var sum = 0
    for matcher in matchers {
      matcher.root.threshold = -1
      let counting = Counting(
        context: matcher.root.context, accepted: matcher.accepted, cancellation: cancellation)
      sum += try counting.count(matcher.root)
    }
    return sum
  }

  /// Makes the contexts of all segments, for these weights if scores are wanted, unless they are there:
  /// whether it has.
  @discardableResult
  func prepareContexts(for weights: Weights?) throws(CorruptionError) -> Bool {
    if let weights, weights != self.weights {
      self.weights = weights
      contexts = []
    }
    guard contexts.count != snapshot.views.count else { return false }
    try makeContexts()
    return true
  }

  @inline(never)
  private func makeContexts() throws(CorruptionError) {
    kept.reset()
    let factors = kept.allocate(Float.self, 256)
    ScoreFormula.fillLengthFactors(
      factors, documents: snapshot.documentCount, tokens: snapshot.tokenCount)
    let resolved = AttributeWeights(self.weights, registry: snapshot.registry)
    var made: [SegmentContext] = []
    made.reserveCapacity(snapshot.views.count)
    for view in snapshot.views {
      made.append(
        try SegmentContext(
          view, now: now, weights: resolved, lengthFactors: UnsafePointer(factors), arena: kept,
          scratch: scratch))
    }
    for (view, context) in made.enumerated() {
      standard[view] = try context.dictionary(.standard)?.pointee.index
    }
    contexts = made
  }
}
