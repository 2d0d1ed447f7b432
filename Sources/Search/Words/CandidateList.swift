// Documents that may still be hits, with what their words gave them so far.

internal import LimelightSegments

/// Ascending documents with the scores known so far.
///
/// Buffers in an arena, two of each: what a required list has is copied from one to the other.
struct CandidateList {
  private(set) var documents: UnsafeMutablePointer<UInt32>
  private(set) var scores: UnsafeMutablePointer<Float>
  private var otherDocuments: UnsafeMutablePointer<UInt32>
  private var otherScores: UnsafeMutablePointer<Float>
  var count = 0

  /// Room for `capacity` documents and a group of 16 behind them.
  init(capacity: Int, arena: ScratchArena) {
    documents = arena.allocate(UInt32.self, capacity + 16)
    otherDocuments = arena.allocate(UInt32.self, capacity + 16)
    scores = arena.allocate(Float.self, capacity + 16)
    otherScores = arena.allocate(Float.self, capacity + 16)
  }

  /// Where the documents go that a required list has; `swap` makes them the candidates.
  var nextDocuments: UnsafeMutablePointer<UInt32> { otherDocuments }
  var nextScores: UnsafeMutablePointer<Float> { otherScores }

  mutating func swap(count: Int) {
    (documents, otherDocuments) = (otherDocuments, documents)
    (scores, otherScores) = (otherScores, scores)
    self.count = count
  }

  /// Drops the candidates whose score does not exceed `cut`.
  @inline(__always)
  mutating func retain(above cut: Float) {
    let documents = self.documents
    let scores = self.scores
    var kept = 0
    for i in 0..<count {
      let document = documents[i]
      let score = scores[i]
      documents[kept] = document
      scores[kept] = score
      kept &+= exceeds(score, cut)
    }
    count = kept
  }

  /// Drops the candidates whose score is negative.
  mutating func dropNegative() {
    var kept = 0
    for i in 0..<count {
      let score = scores[i]
      documents[kept] = documents[i]
      scores[kept] = score
      kept &+= Int(truncatingIfNeeded: ~score.bitPattern &>> 31)
    }
    count = kept
  }
}
