// Matches the items that hold words one after the other.

internal import LimelightCodecs
internal import LimelightSegments

/// A phrase: the conjunction of its words, verified by positions.
///
/// **Score.** `idf * (sat + boost)` as for a word, with `idf` the sum of the words' and the number of
/// occurrences for `tf`; the boost is the largest weight of an attribute that holds an occurrence.
/// Candidates drop out by frequency, then from the rarest word to the most frequent; the places of the
/// others in their lists are noted on the way, so that positions are read without another search. Then
/// positions are compared, those of the two rarest words first. Without scores the first occurrence is
/// enough.
final class PhraseMatcher: Matcher {
  /// The words, rarest first, their lists, and their distances from the phrase's start.
  private let words: [TermMatcher]
  private let lists: UnsafeMutablePointer<UnsafeMutablePointer<TermList>>
  private let offsets: UnsafeMutablePointer<UInt32>
  /// Where the documents of a batch stand in the lists, by slot.
  private let places: UnsafeMutablePointer<UnsafeMutablePointer<PostingPlace>>
  private let wordCount: Int
  private let idf: Float
  private let lead: TermMatcher
  private let attribute: UInt16?
  /// The boost of every occurrence, or negative if it depends on where they are.
  private let fixedBoost: Float
  /// Whether occurrences must be known one by one.
  private let needsStarts: Bool
  /// Whether the words of the batch at hand were seen to.
  private var hasKeptWords = false
  /// The phrase's scores by slot.
  private let scores: UnsafeMutablePointer<Float>
  private var starts: UnsafeMutablePointer<UInt32>
  private var startsCapacity = 256

  /// - Parameters:
  ///   - words: The lists in the order of the phrase, at least two, each with an idf of 1; the offset of
  ///     one is 0, so that no occurrence starts before the first position.
  ///   - attribute: The standard attribute to which the lists are narrowed.
  init?(
    _ words: [(list: UnsafeMutablePointer<TermList>, offset: UInt32)], idf: Float,
    attribute: UInt16?,
    _ context: SegmentContext
  ) {
    let byCost = words.enumerated().sorted {
      ($0.element.list.pointee.documentFrequency, $0.offset)
        < ($1.element.list.pointee.documentFrequency, $1.offset)
    }
    guard let first = byCost.first, byCost.count > 1 else { return nil }
    let matchers = byCost.map { TermMatcher($0.element.list, context, notesPlaces: true) }
    lead = matchers[0]
    wordCount = matchers.count
    self.words = matchers
    lists = context.scratch.allocate(UnsafeMutablePointer<TermList>.self, wordCount)
    offsets = context.scratch.allocate(UInt32.self, wordCount)
    places = context.scratch.allocate(UnsafeMutablePointer<PostingPlace>.self, wordCount)
    for (index, word) in byCost.enumerated() {
      (lists + index).initialize(to: matchers[index].list)
      offsets[index] = word.element.offset
      guard let noted = matchers[index].places else { return nil }
      (places + index).initialize(to: noted)
    }
    self.idf = idf
    self.attribute = attribute
    fixedBoost = first.element.list.pointee.fixedBoost
    needsStarts = attribute != nil || wordCount > 2
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
    hasKeptWords = false
    return try lead.candidates(from: from, to: to, into: batch)
  }

  /// The words without their positions.
  override func keepCheaply(_ batch: Batch, below cost: Int) throws(CorruptionError) {
    // Maybe no document of the last batch was left for `keep`.
    hasKeptWords = false
    guard words[1].cost <= cost, !batch.isScored || fixedBoost >= 0 else { return }
    try keepWords(batch, isScored: false)
    hasKeptWords = true
  }

  override func keep(_ batch: Batch) throws(CorruptionError) {
    let prunes = batch.isScored && threshold > 0
    // Frequencies alone bound the score if the boost is known; else the words are scored.
    let scoresWords = prunes && fixedBoost < 0
    let ratio = prunes && !scoresWords ? frequencyRatio(above: threshold) : -1
    let leads = batch.leader == ObjectIdentifier(lead)
    if leads && !scoresWords {
      try lead.keep(batch, isScored: false)
      if ratio >= 0 { try dropRare(batch, 0, ratio) }
    }
    if !hasKeptWords { try keepWords(batch, isScored: scoresWords) }
    hasKeptWords = false
    guard batch.count > 0 else { return }
    if !leads || scoresWords { try lead.keep(batch, isScored: scoresWords) }
    for word in words.dropFirst() where word.bits != nil {
      if scoresWords { try word.keep(batch, isScored: true) } else { word.notePlaces(batch) }
    }
    if scoresWords { dropHopeless(batch) }
    if ratio >= 0 {
      for word in (leads ? 1 : 0)..<wordCount { try dropRare(batch, word, ratio) }
    }
    if batch.isScored || needsStarts {
      try keepOccurrences(batch)
    } else {
      try keepPairs(batch)
    }
  }

  /// Drops what the words but for the lead do not match: bit sets first, they cost least; then the
  /// lists, rarest first.
  private func keepWords(_ batch: Batch, isScored: Bool) throws(CorruptionError) {
    for word in words.dropFirst() {
      if let bits = word.bits { batch.retain(in: bits) }
    }
    for word in words.dropFirst() where word.bits == nil {
      guard batch.count > 0 else { return }
      try word.keep(batch, isScored: isScored)
    }
  }

  /// Drops the documents in which a phrase of two words does not occur.
  private func keepPairs(_ batch: Batch) throws(CorruptionError) {
    let (first, firstPlaces) = (lists[0], places[0])
    let (second, secondPlaces) = (lists[1], places[1])
    let distance = offsets[1] &- offsets[0]
    let documents = batch.documents
    let slots = batch.slots
    var kept = 0
    for i in 0..<batch.count {
      let slot = slots[i]
      let a = try first.pointee.run(at: firstPlaces[Int(slot)])
      let b = try second.pointee.run(at: secondPlaces[Int(slot)])
      documents[kept] = documents[i]
      slots[kept] = slot
      kept &+= a.hasPair(with: b, distance: distance)
    }
    batch.count = kept
  }

  /// Drops the documents in which the phrase does not occur; in a scored batch notes its scores.
  private func keepOccurrences(_ batch: Batch) throws(CorruptionError) {
    let isScored = batch.isScored
    let floor =
      isScored && threshold <= 0 && fixedBoost >= 0 ? frequencyRatio(above: scoreFloor) : -1
    let norms = context.norms
    let factors = context.lengthFactors
    var kept = 0
    for i in 0..<batch.count {
      let document = batch.documents[i]
      let slot = Int(batch.slots[i])
      let factor = isScored ? factors[Int(norms[Int(document)])] : 0
      let count = try occurrences(
        in: document, slot, all: isScored, least: isScored ? floor * factor : .infinity)
      guard count > 0 else { continue }
      if isScored {
        let saturation = ScoreFormula.saturation(UInt32(truncatingIfNeeded: count), factor)
        scores[slot] = try idf * (saturation + boost(of: document, occurrences: count))
      }
      batch.documents[kept] = document
      batch.slots[kept] = UInt32(truncatingIfNeeded: slot)
      kept &+= 1
    }
    batch.count = kept
  }

  // MARK: Frequencies

  /// What a frequency must exceed, as a multiple of the length factor, for a score to exceed `score`;
  /// negative if any frequency may do.
  ///
  /// From `idf * (tf / (tf + K) + boost) > score`, with a margin for the rounding of both.
  private func frequencyRatio(above score: Float) -> Float {
    guard score > 0 else { return -1 }
    let needed = score / idf * (1 - 0x1p-19) - fixedBoost * (1 + 0x1p-19) - 0x1p-19
    guard needed > 0 else { return -1 }
    return needed < 1 ? needed / (1 - needed) * (1 - 0x1p-18) : .infinity
  }

  /// Drops the documents that hold a word too rarely.
  private func dropRare(
    _ batch: Batch, _ word: Int, _ ratio: Float
  ) throws(CorruptionError) {
    let list = lists[word]
    let places = places[word]
    let norms = context.norms
    let factors = context.lengthFactors
    let documents = batch.documents
    let slots = batch.slots
    var kept = 0
    for i in 0..<batch.count {
      let document = documents[i]
      let slot = slots[i]
      let frequency = try list.pointee.frequency(at: places[Int(slot)])
      documents[kept] = document
      slots[kept] = slot
      let least = ratio * factors[Int(norms[Int(document)])]
      // The sign of the difference, as a number: which way it goes cannot be guessed.
      let difference = least - Float(Int32(bitPattern: frequency))
      kept &+= Int(truncatingIfNeeded: difference.bitPattern &>> 31)
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

  /// The occurrences in a document that has all words, their first positions in `starts` if something
  /// asks for them; 1 stands for any number unless all are wanted, or if a word is not more frequent
  /// than `least`.
  @inline(__always)
  private func occurrences(
    in document: UInt32, _ slot: Int, all: Bool, least: Float
  ) throws(CorruptionError) -> Int {
    let first = try lists[0].pointee.run(at: places[0][slot])
    let second = try lists[1].pointee.run(at: places[1][slot])
    let distance = offsets[1] &- offsets[0]
    if !needsStarts {
      if Float(min(first.count, second.count)) <= least {
        return first.hasPair(with: second, distance: distance)
      }
      if fixedBoost >= 0 { return first.pairCount(with: second, distance: distance) }
    }
    return try starts(in: document, slot, first, second)
  }

  /// Finds where the phrase starts, its rarest words first.
  @inline(never)
  private func starts(
    in document: UInt32, _ slot: Int, _ first: AscendingRun, _ second: AscendingRun
  ) throws(CorruptionError) -> Int {
    reserve(first.count)
    var count = first.pairs(
      with: second, distance: offsets[1] &- offsets[0], shift: offsets[0], into: starts)
    var next = 2
    while next < wordCount && count > 0 {
      count = narrow(count, to: try lists[next].pointee.run(at: places[next][slot]), offsets[next])
      next &+= 1
    }
    if let attribute, count > 0 {
      count = try context.keep(starts, count: count, in: attribute, of: document)
    }
    return count
  }

  private func reserve(_ count: Int) {
    // One more: it is written before it is known to count.
    guard count >= startsCapacity else { return }
    startsCapacity = count &+ count / 2 &+ 1
    starts = context.scratch.allocate(UInt32.self, startsCapacity)
  }

  /// Drops the starts to which no position fits.
  private func narrow(_ count: Int, to positions: AscendingRun, _ offset: UInt32) -> Int {
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
