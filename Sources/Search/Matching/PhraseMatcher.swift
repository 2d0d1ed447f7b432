// Matches the items that hold words one after the other.

internal import LimelightSegments

/// A phrase: the conjunction of its words, verified by positions.
///
/// **Score.** `idf * (sat + boost)` as for a word, with `idf` the sum of the words' and the number of
/// occurrences for `tf`; the boost is the largest weight of an attribute that holds an occurrence.
/// Candidates drop out from the rarest word to the most frequent; then positions are compared, those of
/// the two rarest words first. Without scores the first occurrence is enough.
final class PhraseMatcher: Matcher {
  /// The words, rarest first, their lists, and their distances from the phrase's start.
  private let words: [TermMatcher]
  private let lists: UnsafeMutablePointer<UnsafeMutablePointer<TermList>>
  private let offsets: UnsafeMutablePointer<UInt32>
  private let wordCount: Int
  private let idf: Float
  private let lead: TermMatcher
  private let attribute: UInt16?
  /// The phrase's scores by slot.
  private let scores: UnsafeMutablePointer<Float>
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
    self.words = [lead] + byCost.dropFirst().map { TermMatcher($0.element.list, context) }
    wordCount = byCost.count
    lists = context.scratch.allocate(UnsafeMutablePointer<TermList>.self, byCost.count)
    offsets = context.scratch.allocate(UInt32.self, byCost.count)
    for (place, word) in byCost.enumerated() {
      (lists + place).initialize(to: self.words[place].list)
      offsets[place] = word.element.offset
    }
    self.idf = idf
    self.attribute = attribute
    scores = context.scratch.allocate(Float.self, Batch.capacity)
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
    for word in 0..<wordCount {
      let bound = lists[word].pointee.bound(from: from, to: to)
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
    // Bit sets first, they cost least; then the lists, rarest first, the lead's own documents last.
    for word in words {
      if let bits = word.bits { batch.retain(in: bits) }
    }
    let prunes = batch.isScored && threshold > 0
    for word in words.dropFirst() where word.bits == nil || prunes {
      guard batch.count > 0 else { return }
      try word.keep(batch, isScored: prunes)
    }
    try lead.keep(batch, isScored: prunes)
    if prunes { dropHopeless(batch) }
    var kept = 0
    for i in 0..<batch.count {
      let document = batch.documents[i]
      let slot = batch.slots[i]
      let count = try occurrences(in: document, all: batch.isScored)
      guard count > 0 else { continue }
      if batch.isScored {
        let factor = context.lengthFactors[Int(context.norms[Int(document)])]
        let saturation = ScoreFormula.saturation(UInt32(truncatingIfNeeded: count), factor)
        scores[Int(slot)] = try idf * (saturation + boost(of: document, occurrences: count))
      }
      batch.documents[kept] = document
      batch.slots[kept] = slot
      kept &+= 1
    }
    batch.count = kept
  }

  /// Drops documents in which the words themselves score too little.
  ///
  /// The margin is for frequencies beyond 255, where rounding may turn the order of two quotients.
  private func dropHopeless(_ batch: Batch) {
    var kept = 0
    for i in 0..<batch.count {
      let slot = batch.slots[i]
      var least = Float.infinity
      for word in words { least = min(least, word.score(ofSlot: Int(slot))) }
      batch.documents[kept] = batch.documents[i]
      batch.slots[kept] = slot
      kept &+= idf * least * (1 + 0x1p-20) > threshold ? 1 : 0
    }
    batch.count = kept
  }

  override func addScores(_ batch: Batch) {
    for i in 0..<batch.count {
      let slot = Int(batch.slots[i])
      batch.scores[slot] += scores[slot]
    }
  }

  // MARK: Positions

  /// The occurrences in a document that has all words, their first positions in `starts`; 1 stands
  /// for any number unless all are wanted.
  private func occurrences(in document: UInt32, all: Bool) throws(CorruptionError) -> Int {
    let stopsAtFirst = !all && attribute == nil && wordCount == 2
    let aPlace = try lists[0].pointee.locate(document)
    let bPlace = try lists[1].pointee.locate(document)
    guard aPlace >= 0, bPlace >= 0 else { return 0 }
    let first = try lists[0].pointee.positions(at: aPlace)
    reserve(first.count)
    var count = meet(
      first, offsets[0], try lists[1].pointee.positions(at: bPlace), offsets[1],
      limit: stopsAtFirst ? 1 : .max)
    var next = 2
    while next < wordCount && count > 0 {
      let place = try lists[next].pointee.locate(document)
      guard place >= 0 else { return 0 }
      count = narrow(count, to: try lists[next].pointee.positions(at: place), offsets[next])
      next &+= 1
    }
    if let attribute, count > 0 {
      count = try context.keep(starts, count: count, in: attribute, of: document)
    }
    return count
  }

  private func reserve(_ count: Int) {
    // One more: the walk writes before it knows.
    guard count >= startsCapacity else { return }
    startsCapacity = count &+ count / 2
    starts = context.scratch.allocate(UInt32.self, startsCapacity)
  }

  /// Stores where the phrase would start for each position of `a` that one of `b` fits to.
  private func meet(
    _ a: UnsafeBufferPointer<UInt32>, _ aOffset: UInt32, _ b: UnsafeBufferPointer<UInt32>,
    _ bOffset: UInt32, limit: Int
  ) -> Int {
    let starts = self.starts
    var found = 0
    var i = 0
    var j = 0
    while i < a.count && j < b.count {
      let position = a[i]
      let x = position &+ bOffset
      let y = b[j] &+ aOffset
      starts[found] = position &- aOffset
      // A position below the offset would have the phrase start before the first one.
      if x == y && position >= aOffset {
        found &+= 1
        if found == limit { return found }
      }
      i &+= x <= y ? 1 : 0
      j &+= y <= x ? 1 : 0
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
    for word in 0..<wordCount {
      let list = lists[word]
      if list.pointee.fixedBoost >= 0 { return list.pointee.fixedBoost }
      let place = try list.pointee.locate(document)
      guard place >= 0 else { return 0 }
      least = min(least, try list.pointee.boost(at: place))
      if least == 0 { return 0 }
    }
    return try context.boost(
      of: document, positions: UnsafeBufferPointer(start: starts, count: count))
  }
}
