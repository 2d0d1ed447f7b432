// Expands prefixes and near words to the terms of a dictionary, and these to documents.

internal import LimelightCodecs
internal import LimelightSegments

/// Which terms a part of a query stands for.
enum TermPattern {
  case prefix([UInt8])
  case fuzzy(FuzzyPattern)
}

/// Unites the lists of all terms of a dictionary that fit a pattern.
///
/// There is no limit to how many, so the answer is exact. Each term costs a step of the dictionary and
/// the decoding of its documents; a dense list costs one pass over its words, a list of one posting
/// nothing.
struct TermExpansion {
  private let dictionary: TermDictionary
  private let filter: AttributeFilter?
  private let context: SegmentContext
  private let words: UnsafeMutablePointer<UInt64>
  private var list: UnsafeMutablePointer<TermList>?

  private init(
    _ dictionary: TermDictionary, _ filter: AttributeFilter?, _ context: SegmentContext
  ) {
    self.dictionary = dictionary
    self.filter = filter
    self.context = context
    words = DocumentWords.allocate(context.documentCount, arena: context.scratch)
  }

  /// The documents that hold a term that fits; nil if no term does.
  static func documents(
    _ pattern: TermPattern, in dictionary: TermDictionary, filter: AttributeFilter?,
    _ context: SegmentContext
  ) throws(CorruptionError) -> UnsafeMutablePointer<UInt64>? {
    var expansion = TermExpansion(dictionary, filter, context)
    let found =
      switch pattern {
      case .prefix(let prefix): try expansion.unite(prefix: prefix)
      case .fuzzy(let fuzzy): try expansion.unite(fuzzy: fuzzy)
      }
    return found ? expansion.words : nil
  }

  private mutating func unite(prefix: [UInt8]) throws(CorruptionError) -> Bool {
    let arena = context.scratch
    let size = prefix.count
    let bytes = arena.allocate(UInt8.self, max(size, 1))
    for (i, byte) in prefix.enumerated() { bytes[i] = byte }
    var terms = try dictionary.iterator(
      from: UnsafeRawBufferPointer(start: bytes, count: size), arena: arena)
    var found = false
    while try terms.next() {
      let term = terms.term
      guard term.count >= size, Self.shared(term, bytes, size) == size else { break }
      try unite(terms.entry)
      found = true
    }
    return found
  }

  /// How many bytes a term and a path have in common.
  @inline(__always)
  private static func shared(
    _ term: UnsafeRawBufferPointer, _ path: UnsafePointer<UInt8>, _ size: Int
  ) -> Int {
    let count = min(term.count, size)
    var i = 0
    while i < count && term[i] == path[i] { i &+= 1 }
    return i
  }

  /// Adds the documents of a term.
  private mutating func unite(_ entry: TermEntry) throws(CorruptionError) {
    if let filter, entry.signature & filter.signatureBit == 0 { return }
    if entry.documentFrequency == 1 && filter == nil {
      BitSet.set(words, Int(entry.document))
      return
    }
    let list: UnsafeMutablePointer<TermList>
    if let known = self.list {
      list = known
      try list.pointee.reopen(entry, in: dictionary)
    } else {
      list = context.scratch.place(
        try TermList(
          entry, in: dictionary, idf: 0, filter: filter, context: context, arena: context.scratch))
      self.list = list
    }
    if let bits = list.pointee.bits {
      BitSet.or(words, bits, BitSet.wordCount(Int(context.documentCount)), into: words)
      return
    }
    for number in 0..<list.pointee.blockCount {
      try list.pointee.load(number)
      let documents = list.pointee.documents
      for i in 0..<list.pointee.count { BitSet.set(words, Int(documents[i])) }
    }
  }

  // MARK: Near words

  private mutating func unite(fuzzy: FuzzyPattern) throws(CorruptionError) -> Bool {
    guard fuzzy.scalars.count <= FuzzyTermIterator.longestWord else {
      return try unite(long: fuzzy)
    }
    var terms = dictionary.iterator(
      near: fuzzy.scalars, distance: fuzzy.distance, arena: context.scratch)
    var found = false
    while try terms.next() {
      try unite(terms.entry)
      found = true
    }
    return found
  }

  /// Words so long are rare, and so are the terms that are long enough to be compared with them.
  private mutating func unite(long fuzzy: FuzzyPattern) throws(CorruptionError) -> Bool {
    var terms = try dictionary.iterator(arena: context.scratch)
    var found = false
    while try terms.next() {
      let term = terms.term
      guard term.count + fuzzy.distance >= fuzzy.scalars.count, fuzzy.matches(term) else {
        continue
      }
      try unite(terms.entry)
      found = true
    }
    return found
  }
}
