// The contract of matchers: what a part of a query can tell about the documents of a segment.

internal import LimelightCodecs
internal import LimelightSegments

/// A part of a query over one segment.
///
/// A search asks the matcher at the root for **candidates** of a range, a batch at a time, has it
/// **keep** those that match, and then **add** their scores; before all that it may ask for a **bound**
/// and pass over the range. Every call handles up to 128 documents or a window of 4,096, so that a
/// dynamic call costs nothing a document. The reference for all of it:
///
///     for document in segment where root.matches(document) {
///       var score: Float = 0
///       for word in query.words where word counts for document { score += word.score(document) }
///     }
///
/// Scores are added to one running sum in the order of the query, however deeply it is nested.
/// Ranges must ascend within a pass; a new pass may start over. Used by one thread.
class Matcher {
  /// The segment, which outlives the matcher.
  unowned(unsafe) let context: SegmentContext
  /// An upper bound of the number of documents that match.
  var cost: Int { 0 }
  /// Whether it can add to a score.
  var isScored: Bool { true }
  /// Exactly the matching documents as words, if it has them at hand.
  var bits: UnsafePointer<UInt64>? { nil }

  /// The lists, if it is a flat query of words.
  var flatQuery: WordQuery? { nil }

  /// At the root of a ranked search, the same query as flat ones, if it is of words and one expansion.
  var expandedWords: ExpandedWords?

  /// At the root of a ranked search, the score that a hit must exceed; a matcher may leave out
  /// candidates that cannot.
  var threshold: Float = -1

  /// At the root of a ranked search, a cheaper matcher of some of the same documents, whose scores are not
  /// higher: what they reach can start the threshold.
  var seed: Matcher?

  /// At the root of a ranked search that counts all matches: where a score is not larger, it need not
  /// be right, only not be larger.
  var scoreFloor: Float = -1

  /// What the matcher above was told about the range at hand.
  var rangeBound: Float = 0

  init(_ context: SegmentContext) { self.context = context }

  /// The end of the range from `document` on that is best looked at as one; past `document`.
  func rangeEnd(from document: UInt32) -> UInt32 {
    min(
      DocumentWords.window(of: document) &+ DocumentWords.windowSize, context.documentCount)
  }

  /// The end of a wider range whose bound is cheap, or the same.
  func wideRangeEnd(from document: UInt32) -> UInt32 { rangeEnd(from: document) }

  /// No score of a match in `from ..< to` is larger; negative if nothing can match there.
  func bound(from: UInt32, to: UInt32) throws(CorruptionError) -> Float { 0 }

  /// Fills a batch with documents of `from ..< to` that may match, ascending, and returns up to where
  /// it looked: call again from there.
  ///
  /// No match before that is left out.
  func candidates(
    from: UInt32, to: UInt32, into batch: Batch
  ) throws(CorruptionError) -> UInt32 {
    batch.begin(count: 0)
    return to
  }

  /// Drops documents that do not match as far as that costs less than a list of `cost` postings.
  ///
  /// `keep` follows for those that are left after such a list, if any.
  func keepCheaply(_ batch: Batch, below cost: Int) throws(CorruptionError) {}

  /// Drops the documents that do not match; in a scored batch also notes what scores need.
  func keep(_ batch: Batch) throws(CorruptionError) {}

  /// Adds this matcher's scores to the documents of a batch that `keep` went over.
  ///
  /// The batch may have become smaller since, not different.
  func addScores(_ batch: Batch) {}

  /// Sets the bits of all matches in the window of 4,096 documents that starts at `window`.
  func unite(
    window: UInt32, into words: UnsafeMutablePointer<UInt64>, scratch: Batch
  ) throws(CorruptionError) {
    let end = min(window &+ DocumentWords.windowSize, context.documentCount)
    var from = window
    while from < end {
      from = try candidates(from: from, to: end, into: scratch)
      try keep(scratch)
      for i in 0..<scratch.count { BitSet.set(words, Int(scratch.documents[i] &- window)) }
    }
  }
}
