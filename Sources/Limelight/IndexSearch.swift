// Searching: typed text or a query tree in, ranked hits out.

internal import LimelightAnalysis
internal import LimelightIndexing
internal import LimelightSearch
internal import LimelightSnapshots
internal import LimelightStorage

/// Ends calls from another thread: searches, counts, loads, merges, verifications, deletes by query.
///
/// A call that was given a cancellation ends with the error `cancelled` soon after `cancel`; one that
/// starts later does so at once. The index is then as if the call had not been made, but for loads, of
/// which stays what was read until then.
public final class Cancellation: Sendable {
  let flag = CancellationFlag()

  /// Makes a cancellation that was not cancelled.
  public init() {}

  /// Ends the calls that were given this.
  ///
  /// Any thread, any number of times.
  public func cancel() { flag.cancel() }

  /// Whether it was cancelled.
  public var isCancelled: Bool { flag.isCancelled }

  /// Throws `cancelled` if it was.
  func check() throws(LimelightError) {
    if isCancelled { throw .cancelled }
  }
}

/// How a search is done.
public struct SearchOptions: Sendable {
  /// Whether all matches are counted exactly; without, the search may pass over what cannot be among
  /// the hits, and ``Results/total`` is a lower bound.
  public var countsAll: Bool
  /// What a match in an attribute adds to a word's score.
  public var weights: Weights
  /// Whether the last typed word also finds words that it begins.
  public var lastWordIsPrefix: Bool
  /// Lets another thread end the search.
  public var cancellation: Cancellation?

  /// Describes a search.
  public init(
    countsAll: Bool = true, weights: Weights = .standard, lastWordIsPrefix: Bool = true,
    cancellation: Cancellation? = nil
  ) {
    self.countsAll = countsAll
    self.weights = weights
    self.lastWordIsPrefix = lastWordIsPrefix
    self.cancellation = cancellation
  }
}

extension Index {
  /// Finds what a person types: words that must all be there, the last one perhaps unfinished,
  /// `"phrases"`, `-word` for what must not be there, `OR` between alternatives.
  ///
  /// Any text is a search: there is no syntax that could be wrong.
  ///
  /// - Parameters:
  ///   - text: What was typed.
  ///   - limit: The most hits to return.
  ///   - offset: How many of the best hits to pass over.
  ///   - domain: Only items of this domain and of those below it.
  ///   - options: How to search.
  /// - Throws: ``LimelightError``: `cancelled`, `damaged`, `closed`, `invalidArgument`.
  public func search(
    _ text: String, limit: Int = 10, offset: Int = 0, domain: String? = nil,
    options: SearchOptions = SearchOptions()
  ) throws(LimelightError) -> Results {
    let query = TypedText.parse(
      text, analyzer: TextAnalyzer(analyzer), lastWordIsPrefix: options.lastWordIsPrefix)
    return try search(query, limit: limit, offset: offset, domain: domain, options: options)
  }

  /// Finds what matches a query tree, best first; of the same score, the older first.
  ///
  /// Time grows with what cannot be passed over; memory with `offset + limit`.
  public func search(
    _ query: Query, limit: Int = 10, offset: Int = 0, domain: String? = nil,
    options: SearchOptions = SearchOptions()
  ) throws(LimelightError) -> Results {
    guard limit >= 0, offset >= 0 else {
      throw LimelightError(.invalidArgument, "limit and offset cannot be negative")
    }
    if let domain {
      return try find(Self.query(query, in: domain), limit, offset, options)
    }
    return try find(query, limit, offset, options)
  }

  private static func query(
    _ query: Query, in domain: String
  ) throws(LimelightError) -> Query {
    try DomainName.check(domain)
    return .all([query, .domain(domain)])
  }

  private func find(
    _ query: Query, _ limit: Int, _ offset: Int, _ options: SearchOptions
  ) throws(LimelightError) -> Results {
    let ready = try publicly { try takeSearcher() }
    let root = ready.root
    let start = Clock.monotonicNanoseconds()
    let found = try publicly(reading: root) {
      defer { searchers.giveBack(ready) }
      return try ready.searcher.topDocs(
        query, limit: limit, offset: offset, counting: options.countsAll,
        weights: options.weights, cancellation: options.cancellation?.flag)
    }
    let nanoseconds = Clock.monotonicNanoseconds() - start
    return Results(root, found, query: query, analyzer: analyzer, nanoseconds: nanoseconds)
  }

  /// A searcher of the index as it is now.
  private func takeSearcher() throws -> RootSearcher {
    let known = searchers.take()
    if let known, try isNewest(known.root) { return known }
    let made = try RootSearcher(try root())
    searchers.begin(made.root)
    return made
  }

  /// How many items match what a person typed.
  public func count(
    _ text: String, domain: String? = nil, options: SearchOptions = SearchOptions()
  ) throws(LimelightError) -> Int {
    let query = TypedText.parse(
      text, analyzer: TextAnalyzer(analyzer), lastWordIsPrefix: options.lastWordIsPrefix)
    return try count(query, domain: domain, cancellation: options.cancellation)
  }

  /// How many items match a query tree; nothing is scored.
  public func count(
    _ query: Query, domain: String? = nil, cancellation: Cancellation? = nil
  ) throws(LimelightError) -> Int {
    if let domain { return try count(Self.query(query, in: domain), cancellation) }
    return try count(query, cancellation)
  }

  private func count(
    _ query: Query, _ cancellation: Cancellation?
  ) throws(LimelightError) -> Int {
    let ready = try publicly { try takeSearcher() }
    return try publicly(reading: ready.root) {
      defer { searchers.giveBack(ready) }
      return try ready.searcher.count(query, cancellation: cancellation?.flag)
    }
  }
}
