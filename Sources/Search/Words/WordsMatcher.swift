// The root of a flat query of words.

internal import LimelightSegments

/// A flat query of words, for the collector and the counter that know these.
///
/// Whoever asks it as a matcher, such as a search that must not pass over anything, gets the answers of
/// a general one, made of the same lists when first needed.
final class WordsMatcher: Matcher {
  private let query: WordQuery
  private var general: Matcher?

  init(_ query: WordQuery, _ context: SegmentContext) {
    self.query = query
    super.init(context)
  }

  override var flatQuery: WordQuery? { query }

  private var matcher: Matcher {
    if let general { return general }
    func matchers(_ lists: UnsafeMutablePointer<WordQuery.List>, _ count: Int) -> [Matcher] {
      (0..<count).map { TermMatcher(lists[$0], context) }
    }
    let must = matchers(query.lists, query.mustCount)
    let should = matchers(query.lists + query.mustCount, query.count - query.mustCount)
    let made =
      BooleanMatcher(
        required: must, optional: should,
        excluded: matchers(query.excluded, query.excludedCount), context)
      ?? AnyMatcher(should, context)
    general = made
    return made
  }

  override var threshold: Float {
    get { general?.threshold ?? -1 }
    set { general?.threshold = newValue }
  }

  override var cost: Int { matcher.cost }
  override var bits: UnsafePointer<UInt64>? { matcher.bits }

  override func rangeEnd(from document: UInt32) -> UInt32 { matcher.rangeEnd(from: document) }

  override func wideRangeEnd(from document: UInt32) -> UInt32 {
    matcher.wideRangeEnd(from: document)
  }

  override func bound(from: UInt32, to: UInt32) throws(CorruptionError) -> Float {
    try matcher.bound(from: from, to: to)
  }

  override func candidates(
    from: UInt32, to: UInt32, into batch: Batch
  ) throws(CorruptionError) -> UInt32 {
    try matcher.candidates(from: from, to: to, into: batch)
  }

  override func keep(_ batch: Batch) throws(CorruptionError) { try matcher.keep(batch) }
  override func addScores(_ batch: Batch) { matcher.addScores(batch) }

  override func unite(
    window: UInt32, into words: UnsafeMutablePointer<UInt64>, scratch: Batch
  ) throws(CorruptionError) {
    try matcher.unite(window: window, into: words, scratch: scratch)
  }
}
