// The list of one word as matchers read it: postings, narrowed to an attribute if one was named.

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
  let origins: UnsafeMutablePointer<UInt32>?

  /// A place in the current block to start the next search at.
  private var lastPlace = 0
  /// Room for the places of a block.
  let places: UnsafeMutablePointer<UInt32>
  /// A block to start the next search for places at.
  var placeBlock = 0
  /// Room for the boosts of a block.
  let ownBoosts: UnsafeMutablePointer<Float>

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
    ownBoosts = arena.allocate(Float.self, Batch.capacity + 16)
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
    placeBlock = 0
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

  /// Makes a block of a dense list current without its documents, for frequencies by rank.
  mutating func enterOnly(_ number: Int) throws(CorruptionError) {
    guard number != block else { return }
    block = -1
    count = 0
    try postings.enter(block: number)
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
