// Matches the items that hold words one after the other.

internal import LimelightSegments

/// A phrase: the conjunction of its words, verified by positions.
///
/// **Score.** `idf * (sat + boost)` as for a word, with `idf` the sum of the words' and the number of
/// occurrences for `tf`; the boost is the largest weight of an attribute that holds an occurrence.
/// Candidates drop out from the rarest word to the most frequent; then positions are compared, those of
/// the two rarest words first. Without scores the first occurrence is enough.
final class PhraseMatcher: Matcher {
  /// A word of the phrase.
  struct Word {
    let list: UnsafeMutablePointer<TermList>
    /// The distance from the phrase's start.
    let offset: UInt32
  }

  /// Rarest first.
  private let words: [Word]
  private let idf: Float
  private let lead: TermMatcher
  private let attribute: UInt16?
  private let notes: PostingNotes
  private let frequencies: UnsafeMutablePointer<UInt32>
  private let boosts: UnsafeMutablePointer<Float>
  private var starts: UnsafeMutablePointer<UInt32>
  private var startsCapacity = 256

  /// - Parameters:
  ///   - words: The lists in the order of the phrase, at least two, each with an idf of 1.
  ///   - attribute: The standard attribute to which the lists are narrowed.
  init?(
    _ words: [(list: TermList, offset: UInt32)], idf: Float, attribute: UInt16?,
    _ context: SegmentContext
  ) {
    let byCost = words.enumerated().sorted {
      ($0.element.list.documentFrequency, $0.offset)
        < ($1.element.list.documentFrequency, $1.offset)
    }
    guard let first = byCost.first, byCost.count > 1 else { return nil }
    lead = TermMatcher(first.element.list, context)
    self.words =
      [Word(list: lead.list, offset: first.element.offset)]
      + byCost.dropFirst().map {
        Word(list: context.scratch.place($0.element.list), offset: $0.element.offset)
      }
    self.idf = idf
    self.attribute = attribute
    notes = PostingNotes(arena: context.scratch)
    frequencies = context.scratch.allocate(UInt32.self, Batch.capacity)
    boosts = context.scratch.allocate(Float.self, Batch.capacity)
    starts = context.scratch.allocate(UInt32.self, startsCapacity)
    super.init(context)
  }

  override var cost: Int { lead.cost }

  override func rangeEnd(from document: UInt32) -> UInt32 { lead.rangeEnd(from: document) }
  override func wideRangeEnd(from document: UInt32) -> UInt32 {
    lead.wideRangeEnd(from: document)
  }

  /// The phrase occurs at most as often as each word, in no other attributes.
  override func bound(from: UInt32, to: UInt32) throws(CorruptionError) -> Float {
    var least = Float.infinity
    for word in words {
      let bound = word.list.pointee.bound(from: from, to: to)
      guard bound >= 0 else { return -1 }
      least = min(least, bound)
    }
    return idf * least
  }

  override func candidates(
    from: UInt32, to: UInt32, into batch: Batch
  ) throws(CorruptionError) -> UInt32 {
    try lead.candidates(from: from, to: to, into: batch)
  }

  override func keep(_ batch: Batch) throws(CorruptionError) {
    for (index, word) in words.enumerated()
    where index > 0 || batch.leader != ObjectIdentifier(lead) {
      guard batch.count > 0 else { return }
      try word.list.pointee.retain(batch, notes: notes, isScored: false)
    }
    var kept = 0
    for i in 0..<batch.count {
      let document = batch.documents[i]
      let slot = batch.slots[i]
      let count = try occurrences(in: document, all: batch.isScored)
      guard count > 0 else { continue }
      if batch.isScored {
        frequencies[Int(slot)] = UInt32(truncatingIfNeeded: count)
        boosts[Int(slot)] = try boost(of: document, occurrences: count)
      }
      batch.documents[kept] = document
      batch.slots[kept] = slot
      kept &+= 1
    }
    batch.count = kept
  }

  override func addScores(_ batch: Batch) {
    for i in 0..<batch.count {
      let slot = Int(batch.slots[i])
      let factor = context.lengthFactors[Int(context.norms[Int(batch.documents[i])])]
      let saturation = ScoreFormula.saturation(frequencies[slot], factor)
      batch.scores[slot] += idf * (saturation + boosts[slot])
    }
  }

  // MARK: Positions

  /// The occurrences in a document, their first positions in `starts`; 1 stands for any number
  /// unless all are wanted.
  private func occurrences(in document: UInt32, all: Bool) throws(CorruptionError) -> Int {
    var count = 0
    let isLast = words.count == 2
    for (index, word) in words.enumerated() {
      let place = try word.list.pointee.locate(document)
      guard place >= 0 else { return 0 }
      if index == 0 { continue }
      let positions = try word.list.pointee.positions(at: place)
      if index == 1 {
        let firstPlace = try words[0].list.pointee.locate(document)
        guard firstPlace >= 0 else { return 0 }
        let first = try words[0].list.pointee.positions(at: firstPlace)
        reserve(first.count)
        count = meet(
          first, words[0].offset, positions, word.offset,
          limit: isLast && !all && attribute == nil ? 1 : .max)
      } else {
        count = narrow(count, to: positions, word.offset)
      }
      guard count > 0 else { return 0 }
    }
    if let attribute {
      count = try context.keep(starts, count: count, in: attribute, of: document)
    }
    return count
  }

  private func reserve(_ count: Int) {
    guard count > startsCapacity else { return }
    startsCapacity = count &+ count / 2
    starts = context.scratch.allocate(UInt32.self, startsCapacity)
  }

  /// Stores where the phrase would start for each position of `a` that one of `b` fits to.
  private func meet(
    _ a: UnsafeBufferPointer<UInt32>, _ aOffset: UInt32, _ b: UnsafeBufferPointer<UInt32>,
    _ bOffset: UInt32, limit: Int
  ) -> Int {
    var found = 0
    var i = 0
    var j = 0
    while i < a.count && j < b.count {
      let x = a[i] &+ bOffset
      let y = b[j] &+ aOffset
      if x == y {
        // A position below the offset would have the phrase start before the first one.
        if a[i] >= aOffset {
          starts[found] = a[i] &- aOffset
          found &+= 1
          if found == limit { return found }
        }
        i &+= 1
        j &+= 1
      } else {
        i &+= x < y ? 1 : 0
        j &+= y < x ? 1 : 0
      }
    }
    return found
  }

  /// Drops the starts to which no position fits.
  private func narrow(
    _ count: Int, to positions: UnsafeBufferPointer<UInt32>, _ offset: UInt32
  ) -> Int {
    var kept = 0
    var j = 0
    for i in 0..<count {
      let wanted = starts[i] &+ offset
      while j < positions.count && positions[j] < wanted { j &+= 1 }
      guard j < positions.count else { break }
      if positions[j] == wanted {
        starts[kept] = starts[i]
        kept &+= 1
      }
    }
    return kept
  }

  private func boost(of document: UInt32, occurrences count: Int) throws(CorruptionError) -> Float {
    // What the words' own sets allow: mostly that settles it.
    var least = Float.infinity
    for word in words {
      if word.list.pointee.fixedBoost >= 0 { return word.list.pointee.fixedBoost }
      let place = try word.list.pointee.locate(document)
      guard place >= 0 else { return 0 }
      least = min(least, try word.list.pointee.boost(at: place))
      if least == 0 { return 0 }
    }
    return try context.boost(
      of: document, positions: UnsafeBufferPointer(start: starts, count: count))
  }
}
