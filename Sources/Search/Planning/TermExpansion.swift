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

  /// Walks the sorted terms along with the rows of the distance table for their shared beginnings.
  ///
  /// Where a row shows that no term with this beginning can match, the walk goes on behind the
  /// beginning: at the next scalar that could match there if no edit is left, else at the next one.
  private mutating func unite(fuzzy: FuzzyPattern) throws(CorruptionError) -> Bool {
    var path = FuzzyPath(fuzzy, arena: context.scratch)
    var terms = try dictionary.iterator(arena: context.scratch)
    var found = false
    guard try terms.next() else { return false }
    while true {
      let term = terms.term
      if path.follow(term) {
        if path.accepts {
          try unite(terms.entry)
          found = true
        }
        guard try terms.next() else { return found }
        continue
      }
      guard let target = path.successor() else { return found }
      // The next terms are often far enough; only else is a search in the dictionary worth it.
      var steps = 0
      var isThere = false
      while !isThere {
        if steps == 4 { try terms.seek(to: target) }
        guard try terms.next() else { return found }
        isThere = steps >= 4 || TermOrder.compare(terms.term, target) >= 0
        steps += 1
      }
    }
  }
}

/// The scalars of a term along which the rows of a distance table are known.
struct FuzzyPath {
  private let pattern: FuzzyPattern
  /// Row d, behind d scalars, at `d * rowLength`.
  private let rows: UnsafeMutablePointer<UInt8>
  private let scratchRow: UnsafeMutablePointer<UInt8>
  private let scalars: UnsafeMutablePointer<UInt32>
  /// The bytes of the first d scalars.
  private let ends: UnsafeMutablePointer<Int>
  private let bytes: UnsafeMutablePointer<UInt8>
  private var depth = 0
  private var size = 0
  /// The scalar behind the path with which nothing matches.
  private var dead: UInt32 = 0
  private let target: UnsafeMutablePointer<UInt8>

  init(_ pattern: FuzzyPattern, arena: ScratchArena) {
    self.pattern = pattern
    let depths = pattern.depthLimit + 2
    rows = arena.allocate(UInt8.self, depths * pattern.rowLength)
    scratchRow = arena.allocate(UInt8.self, pattern.rowLength)
    scalars = arena.allocate(UInt32.self, depths)
    ends = arena.allocate(Int.self, depths)
    bytes = arena.allocate(UInt8.self, depths * 4)
    target = arena.allocate(UInt8.self, depths * 4)
    ends[0] = 0
    pattern.fillFirst(rows)
  }

  /// Whether the term at the path's end is within the distance.
  var accepts: Bool { pattern.accepts(rows + depth * pattern.rowLength) }

  /// Moves along a term; false if it, and all with the same beginning up to `dead`, cannot match.
  mutating func follow(_ term: UnsafeRawBufferPointer) -> Bool {
    var shared = 0
    let limit = min(term.count, size)
    while shared < limit && term[shared] == bytes[shared] { shared += 1 }
    while ends[depth] > shared { depth -= 1 }
    size = ends[depth]
    while size < term.count {
      let (scalar, length) = UTF8Scalars.next(term, size)
      guard depth < pattern.depthLimit, step(scalar, into: row(depth + 1)) <= pattern.distance
      else {
        dead = scalar
        return false
      }
      scalars[depth] = scalar
      for i in 0..<length { bytes[size + i] = term[size + i] }
      size += length
      depth += 1
      ends[depth] = size
    }
    return true
  }

  private func row(_ depth: Int) -> UnsafeMutablePointer<UInt8> {
    rows + depth * pattern.rowLength
  }

  private func step(_ scalar: UInt32, into row: UnsafeMutablePointer<UInt8>) -> Int {
    pattern.step(
      scalar, from: self.row(depth),
      before: depth > 0 ? (UnsafePointer(self.row(depth - 1)), scalars[depth - 1]) : nil, into: row)
  }

  /// The least bytes behind the dead beginning with which a match can begin; nil if there are none.
  ///
  /// Shortens the path to what they share with it.
  mutating func successor() -> UnsafeRawBufferPointer? {
    var scalar = dead
    while true {
      if let next = next(after: scalar) {
        (target).update(from: bytes, count: size)
        var encoded: [UInt8] = []
        UTF8Scalars.append(next, to: &encoded)
        for (i, byte) in encoded.enumerated() { target[size + i] = byte }
        return UnsafeRawBufferPointer(start: target, count: size + encoded.count)
      }
      guard depth > 0 else { return nil }
      depth -= 1
      size = ends[depth]
      scalar = scalars[depth]
    }
  }

  /// The next scalar behind the path with which it can go on.
  private func next(after scalar: UInt32) -> UInt32? {
    guard depth < pattern.depthLimit else { return nil }
    if canEdit {
      let next = scalar == 0xD7FF ? 0xE000 : scalar &+ 1
      return next <= 0x10FFFF ? next : nil
    }
    for candidate in pattern.alphabet where candidate > scalar && candidate <= 0x10FFFF {
      if step(candidate, into: scratchRow) <= pattern.distance { return candidate }
    }
    return nil
  }

  /// Whether an edit is left for any scalar at all.
  private var canEdit: Bool {
    for i in 0..<pattern.rowLength where Int(row(depth)[i]) < pattern.distance { return true }
    return false
  }
}
