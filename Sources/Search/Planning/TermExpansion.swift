// Expands prefixes and near words to the terms of a dictionary, and these to documents.

internal import LimelightSegments

/// Which terms a part of a query stands for.
enum TermPattern {
  case prefix([UInt8])
  case fuzzy(FuzzyPattern)
}

/// Unites the lists of all terms of a dictionary that fit a pattern.
///
/// There is no limit to how many, so the answer is exact. A term of one document costs a few
/// nanoseconds, one of up to 128 the decoding of its documents, a longer one that of the blocks that
/// are looked at.
struct TermExpansion {
  private let dictionary: TermDictionary
  private let filter: AttributeFilter?
  private let context: SegmentContext
  private let union: DocumentUnion
  private var list: UnsafeMutablePointer<TermList>?

  private init(
    _ dictionary: TermDictionary, _ filter: AttributeFilter?, _ context: SegmentContext
  ) {
    self.dictionary = dictionary
    self.filter = filter
    self.context = context
    union = DocumentUnion(dictionary, arena: context.scratch)
  }

  /// The documents that hold a term that fits; nil if no term does.
  static func documents(
    _ pattern: TermPattern, in dictionary: TermDictionary, filter: AttributeFilter?,
    _ context: SegmentContext
  ) throws(CorruptionError) -> DocumentUnion? {
    switch pattern {
    case .prefix(let prefix):
      let bytes = context.scratch.copy(prefix)
      if filter == nil { return try dictionary.documents(prefix: bytes, arena: context.scratch) }
      var expansion = TermExpansion(dictionary, filter, context)
      let found = try dictionary.forEachTerm(prefix: bytes) { entry throws(CorruptionError) in
        try expansion.unite(entry)
      }
      return found ? expansion.union : nil
    case .fuzzy(let fuzzy):
      var expansion = TermExpansion(dictionary, filter, context)
      return try expansion.unite(fuzzy: fuzzy) ? expansion.union : nil
    }
  }

  /// Adds the documents of a term.
  private mutating func unite(_ entry: TermEntry) throws(CorruptionError) {
    guard let filter else { return try union.add(entry) }
    if entry.signature & filter.signatureBit == 0 { return }
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
    for number in 0..<list.pointee.blockCount {
      try list.pointee.load(number)
      let documents = list.pointee.documents
      for i in 0..<list.pointee.count { union.add(document: documents[i]) }
    }
  }

  // MARK: Near words

  private mutating func unite(fuzzy: FuzzyPattern) throws(CorruptionError) -> Bool {
    guard fuzzy.scalars.count <= FuzzyTermIterator.longestWord else {
      return try unite(long: fuzzy)
    }
    var terms = try dictionary.iterator(
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

extension ScratchArena {
  /// A copy of bytes.
  fileprivate func copy(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
    let place = allocate(UInt8.self, max(bytes.count, 1))
    for (i, byte) in bytes.enumerated() { place[i] = byte }
    return UnsafeRawBufferPointer(start: place, count: bytes.count)
  }
}
