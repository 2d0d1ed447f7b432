// The list of one word as matchers read it: postings, narrowed to an attribute if one was named.

internal import CWide
internal import LimelightCodecs
internal import LimelightSegments

/// A word's postings in one segment with what scores need.
///
/// Plain pointers and numbers, kept in an `UnsafeMutablePointer` from an arena and mutated in place.
/// Like `PostingsCursor`, whose contract it shares: a block is loaded, then `documents[0 ..< count]`
/// ascend. If the query names a standard attribute, the block holds only the postings whose set has
/// it, and may be empty; their frequencies are still those over all standard attributes (only
/// positions could tell them apart), and their boost is that attribute's weight.
struct TermList {
  var postings: PostingsCursor
  /// The word's weight; 1 for a word of a phrase, which is scored as a whole.
  let idf: Float
  /// Below it scores are rounded; 0 for a word of a phrase.
  let gridLimit: Float
  unowned(unsafe) let context: SegmentContext
  let documentCount: UInt32
  let norms: UnsafePointer<UInt8>
  let lengthFactors: UnsafePointer<Float>
  let boosts: BoostTable
  /// The boost of every posting, or negative if it depends on the posting's set.
  let fixedBoost: Float
  /// The standard attribute to which the list is narrowed.
  let filter: AttributeFilter?

  /// The current block, or -1.
  private(set) var block = -1
  /// The postings of the current block.
  private(set) var count = 0
  /// Their documents.
  let documents: UnsafeMutablePointer<UInt32>
  /// Their frequencies, once `loadFrequencies` was called.
  let frequencies: UnsafeMutablePointer<UInt32>
  /// Where they stand in the block of `postings`; nil if they stand there at the same place.
  private let origins: UnsafeMutablePointer<UInt32>?

  /// A place in the current block to start the next search at.
  private var lastPlace = 0
  /// Room for the places of a block.
  private let places: UnsafeMutablePointer<UInt32>

  // Bounds of blocks, worked out when first asked for, 32 at a time.
  var blockBounds: UnsafeMutablePointer<Float>?
  var superBounds: UnsafeMutablePointer<Float>?
  var boundsReady: UnsafeMutablePointer<Bool>?
  /// A block to start the next search for a bound at.
  var boundBlock = 0

  init(
    _ entry: TermEntry, in dictionary: TermDictionary, idf: Float, isPartOfPhrase: Bool = false,
    filter: AttributeFilter?, context: SegmentContext, arena: ScratchArena
  ) throws(CorruptionError) {
    postings = try PostingsCursor(entry, in: dictionary, arena: arena)
    self.idf = idf
    gridLimit = isPartOfPhrase ? 0 : ScoreFormula.gridLimit
    self.context = context
    documentCount = context.documentCount
    norms = context.norms
    lengthFactors = context.lengthFactors
    boosts = context.boosts
    self.filter = filter
    places = arena.allocate(UInt32.self, Batch.capacity + 1)
    if let filter {
      fixedBoost = context.weight(of: filter.attribute)
      documents = arena.allocate(UInt32.self, 144)
      frequencies = arena.allocate(UInt32.self, 144)
      origins = arena.allocate(UInt32.self, 144)
    } else {
      if dictionary.key != .standard {
        fixedBoost = context.weight(of: dictionary.key.attribute)
      } else {
        fixedBoost = boosts.isZero ? 0 : BoostTable.unknown
      }
      documents = postings.documents
      frequencies = postings.frequencies
      origins = nil
    }
  }

  /// Reads another word's list with the same buffers.
  mutating func reopen(
    _ entry: TermEntry, in dictionary: TermDictionary
  ) throws(CorruptionError) {
    block = -1
    count = 0
    blockBounds = nil
    superBounds = nil
    boundsReady = nil
    boundBlock = 0
    try postings.open(entry, in: dictionary)
  }

  var blockCount: Int { postings.blockCount }

  /// No more postings than these.
  var documentFrequency: Int { postings.documentFrequency }

  /// The words of exactly the list's documents, if it is kept as a bit set.
  var bits: UnsafePointer<UInt64>? { filter == nil ? postings.bits : nil }

  /// The first document behind the block.
  @inline(__always)
  func end(of number: Int) -> UInt32 {
    number &+ 1 < postings.blockCount ? postings.firstDocuments[number &+ 1] : documentCount
  }

  /// The block that would hold a document; searched for from the current one.
  ///
  /// If the document stands before the first block, the first.
  @inline(__always)
  func blockIndex(for document: UInt32) -> Int {
    blockIndex(for: document, near: block)
  }

  @inline(__always)
  func blockIndex(for document: UInt32, near number: Int) -> Int {
    let from = number > 0 && postings.firstDocuments[number] <= document ? number : 0
    return postings.blockIndex(for: document, from: from)
  }

  /// Makes a block current.
  @inline(__always)
  mutating func load(_ number: Int) throws(CorruptionError) {
    guard number != block else { return }
    try enter(number)
  }

  @inline(never)
  private mutating func enter(_ number: Int) throws(CorruptionError) {
    block = -1
    count = 0
    lastPlace = 0
    try postings.load(block: number)
    if filter == nil { count = postings.count } else { try narrow() }
    block = number
  }

  /// Keeps the postings of the block whose sets have the wanted attribute.
  private mutating func narrow() throws(CorruptionError) {
    guard let filter, let origins else { return }
    try postings.loadFrequencies()
    try postings.loadCodes()
    var kept = 0
    for i in 0..<postings.count {
      let document = postings.documents[i]
      let known = filter.knows(postings.codes[i])
      let holds: Bool
      if known >= 0 {
        holds = known > 0
      } else if postings.codes[i] == AttributeSets.overflowCode {
        holds = try context.holds(
          filter.attribute, of: document, positions: postings.positions(at: i))
      } else {
        holds = filter.learn(postings.codes[i], context.sets)
      }
      documents[kept] = document
      frequencies[kept] = postings.frequencies[i]
      origins[kept] = UInt32(truncatingIfNeeded: i)
      kept &+= holds ? 1 : 0
    }
    documents[kept] = .max
    count = kept
  }

  /// Decodes the frequencies of the current block.
  @inline(__always)
  mutating func loadFrequencies() throws(CorruptionError) {
    if filter == nil { try postings.loadFrequencies() }
  }

  /// Where a document stands in the list's block for it, which is then current, or -1.
  ///
  /// Cheap when documents ascend. In a bit set the place follows from counting bits.
  mutating func locate(_ document: UInt32) throws(CorruptionError) -> Int {
    if let bits, !BitSet.test(bits, Int(document)) { return -1 }
    if block < 0 || document < postings.firstDocuments[block] || document >= end(of: block) {
      try load(blockIndex(for: document))
      lastPlace = 0
    }
    if let bits {
      let first = postings.firstDocuments[block]
      let place = BitSet.rank(bits, from: Int(first), to: Int(document))
      return place < count ? place : -1
    }
    if documents[lastPlace] > document { lastPlace = 0 }
    lastPlace = BlockIndex.first(
      notBelow: document, in: documents, from: lastPlace, count: count)
    return documents[lastPlace] == document ? lastPlace : -1
  }

  /// The positions of a posting of the current block; good until the next call.
  mutating func positions(
    at index: Int
  ) throws(CorruptionError) -> UnsafeBufferPointer<UInt32> {
    try postings.positions(at: origins.map { Int($0[index]) } ?? index)
  }

  // MARK: Scores

  /// A score as the list gives it.
  @inline(__always)
  func rounded(_ score: Float) -> Float {
    score < gridLimit ? (score + 192) - 192 : score
  }

  /// No score of the list is larger.
  var limit: Float { rounded(idf * (1 + (fixedBoost >= 0 ? fixedBoost : boosts.bound(0xFFFF)))) }

  /// The boost of a posting of the current block.
  @inline(__always)
  mutating func boost(at index: Int) throws(CorruptionError) -> Float {
    if fixedBoost >= 0 { return fixedBoost }
    try postings.loadCodes()
    let code = postings.codes[index]
    let known = boosts.byCode[Int(min(code, boosts.codeCount))]
    return known >= 0 ? known : try unknownBoost(at: index, code)
  }

  @inline(never)
  mutating func unknownBoost(at index: Int, _ code: UInt32) throws(CorruptionError) -> Float {
    guard code == AttributeSets.overflowCode else { return context.boost(ofCode: code) }
    return try context.boost(
      of: documents[index], positions: postings.positions(at: index))
  }

  /// The score of a posting of the current block.
  @inline(__always)
  mutating func score(at index: Int) throws(CorruptionError) -> Float {
    try loadFrequencies()
    let factor = lengthFactors[Int(norms[Int(documents[index])])]
    let saturation = ScoreFormula.saturation(frequencies[index], factor)
    return try rounded(idf * (saturation + boost(at: index)))
  }

  /// The boost of all postings of the current block, or negative if it depends on their codes, which
  /// are then decoded.
  @inline(__always)
  mutating func uniformBoost() throws(CorruptionError) -> Float {
    if fixedBoost >= 0 { return fixedBoost }
    let boost = boosts.uniform(signature(of: block))
    if boost < 0 { try postings.loadCodes() }
    return boost
  }

  /// The scores of the postings `range` of the current block, `scores[0]` that of the first.
  ///
  /// What cannot exceed `floor` may get 0 instead: a posting whose boost is so small that not even
  /// the highest frequency would do. If boosts decide, that saves the rest of the formula.
  mutating func score(
    _ range: Range<Int>, into scores: UnsafeMutablePointer<Float>, above floor: Float
  ) throws(CorruptionError) {
    let boost = try uniformBoost()
    // The margin covers the rounding of this line and of the scores that it stands for.
    let need = floor > 0 ? (floor - 0x1p-16) / idf * (1 - 0x1p-20) - (1 + 0x1p-20) : -1
    if boost >= 0 {
      if boost < need {
        scores.update(repeating: 0, count: range.count)
        return
      }
      try loadFrequencies()
      return score(range, into: scores, boost: boost)
    }
    try loadFrequencies()
    let codes = postings.codes
    var i = range.lowerBound
    var out = scores
    while i < range.upperBound {
      var own = boosts.byCode[Int(min(codes[i], boosts.codeCount))]
      if own < 0 { own = try unknownBoost(at: i, codes[i]) }
      if own < need {
        out.pointee = 0
      } else {
        let factor = lengthFactors[Int(norms[Int(documents[i])])]
        out.pointee = rounded(idf * (ScoreFormula.saturation(frequencies[i], factor) + own))
      }
      out += 1
      i &+= 1
    }
  }

  /// Length factors are gathered first, so that the rest is plain arithmetic on vectors.
  @inline(__always)
  private func score(
    _ range: Range<Int>, into scores: UnsafeMutablePointer<Float>, boost: Float
  ) {
    let documents = self.documents + range.lowerBound
    let frequencies = self.frequencies + range.lowerBound
    let norms = self.norms
    let factors = lengthFactors
    let count = range.count
    #if arch(x86_64)
      if context.isWide {
        return wide_score(formula(boost), documents, frequencies, count, scores)
      }
    #endif
    for i in 0..<count { scores[i] = factors[Int(norms[Int(documents[i])])] }
    let idf = self.idf
    let gridLimit = self.gridLimit
    for i in 0..<count {
      // Signed, for which there is one instruction; sound frequencies are below 2^31.
      let tf = Float(Int32(truncatingIfNeeded: frequencies[i]))
      let score = idf * (tf / (tf + scores[i]) + boost)
      scores[i] = score < gridLimit ? (score + 192) - 192 : score
    }
  }

  #if arch(x86_64)
    @inline(__always)
    private func formula(_ boost: Float) -> wide_formula {
      wide_formula(
        norms: norms, factors: lengthFactors, idf: idf, boost: boost, grid_limit: gridLimit)
    }
  #endif

  // MARK: Selecting

  /// Writes the postings `range` of the current block that score more than `floor`, with their scores,
  /// and returns how many these are; the buffers need room for 16 more than the range has.
  ///
  /// If the block's impacts say that only high frequencies can exceed the floor, the others are passed
  /// over without a look at their documents' lengths.
  mutating func select(
    _ range: Range<Int>, above floor: Float, scores: UnsafeMutablePointer<Float>,
    into documents: UnsafeMutablePointer<UInt32>, _ selected: UnsafeMutablePointer<Float>
  ) throws(CorruptionError) -> Int {
    let boost = try uniformBoost()
    if boost >= 0, floor > 0 {
      // The margins cover the rounding of these lines and of the scores that they stand for.
      let need = (floor - 0x1p-16) / idf * (1 - 0x1p-20) - boost * (1 + 0x1p-20) - 0x1p-20
      if need >= 1 { return 0 }
      if need > 0, let impacts = postings.impacts {
        let pairs = impacts + block &* 8
        let norm = min(min(pairs[1], pairs[3]), min(pairs[5], pairs[7]))
        let most = lengthFactors[Int(norm)] * need / (1 - need) * (1 - 0x1p-16)
        if most >= 1.125 {
          try loadFrequencies()
          return selectFrequent(
            range, UInt32(min(most, 0x1p30)), above: floor, boost: boost, into: documents, selected)
        }
      }
    }
    #if arch(x86_64)
      if boost >= 0, context.isWide {
        try loadFrequencies()
        return wide_select(
          formula(boost), self.documents + range.lowerBound, frequencies + range.lowerBound,
          range.count, 0, floor, documents, selected)
      }
    #endif
    try score(range, into: scores, above: floor)
    let own = self.documents + range.lowerBound
    var count = 0
    for i in 0..<range.count {
      let score = scores[i]
      documents[count] = own[i]
      selected[count] = score
      count &+= exceeds(score, floor)
    }
    return count
  }

  /// The postings of `range` with a frequency above `least` that score more than `floor`.
  private func selectFrequent(
    _ range: Range<Int>, _ least: UInt32, above floor: Float, boost: Float,
    into documents: UnsafeMutablePointer<UInt32>, _ selected: UnsafeMutablePointer<Float>
  ) -> Int {
    #if arch(x86_64)
      if context.isWide {
        return wide_select(
          formula(boost), self.documents + range.lowerBound, frequencies + range.lowerBound,
          range.count, least, floor, documents, selected)
      }
    #endif
    let places = self.places
    var frequent = 0
    for i in range {
      places[frequent] = UInt32(truncatingIfNeeded: i)
      frequent &+= exceeds(frequencies[i], least)
    }
    var count = 0
    for i in 0..<frequent {
      let place = Int(places[i])
      let document = self.documents[place]
      let factor = lengthFactors[Int(norms[Int(document)])]
      let score = rounded(
        idf * (ScoreFormula.saturation(frequencies[place], factor) + boost))
      documents[count] = document
      selected[count] = score
      count &+= exceeds(score, floor)
    }
    return count
  }

  /// Makes a block of a dense list current without its documents, for frequencies by rank.
  mutating func enterOnly(_ number: Int) throws(CorruptionError) {
    guard number != block else { return }
    block = -1
    count = 0
    try postings.enter(block: number)
  }
}

/// Which attribute sets hold one attribute, worked out code by code.
struct AttributeFilter {
  let attribute: UInt16
  /// The bit that postings with the attribute have in their signatures, at least.
  let signatureBit: UInt16
  private let place: Int
  /// By code: 1 if the set holds it, 0 if not, negative where it is not known yet; behind the last
  /// set an entry that stays negative.
  private let byCode: UnsafeMutablePointer<Int8>
  private let codeCount: UInt32

  /// Nil if no item of the segment has the attribute.
  init?(_ attribute: UInt16, _ sets: AttributeSets, arena: ScratchArena) {
    guard let place = sets.attributes.firstIndex(of: attribute) else { return nil }
    self.attribute = attribute
    self.place = place
    signatureBit = 1 << UInt16(min(place, 15))
    codeCount = UInt32(sets.sets.count)
    byCode = arena.allocate(Int8.self, sets.sets.count + 1)
    byCode.initialize(repeating: -1, count: sets.sets.count + 1)
  }

  /// 1 or 0 if it is known that a set holds the attribute or not, else -1.
  @inline(__always)
  func knows(_ code: UInt32) -> Int8 { byCode[Int(min(code, codeCount))] }

  /// Looks a set up and remembers it; a code without a set has no attribute.
  @inline(never)
  func learn(_ code: UInt32, _ sets: AttributeSets) -> Bool {
    guard code < codeCount else { return false }
    let set = sets.sets[Int(code)]
    let word = place >> 6
    let holds = word < set.count && set[word] >> UInt64(place & 63) & 1 == 1
    byCode[Int(code)] = holds ? 1 : 0
    return holds
  }
}
