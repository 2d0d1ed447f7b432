// The inputs of a merge that have a field, walked term by term in step.

internal import LimelightCodecs
internal import LimelightSegments

/// An input that has the field at hand, at one of its terms.
struct MergedSource {
  private let dictionary: TermDictionary
  /// For each document its new number.
  private let row: [UInt32]
  private let isWhole: Bool
  /// For each attribute set code the new one.
  private let newCodes: [UInt32]
  private let arena = ScratchArena()
  private(set) var terms: TermIterator
  private var cursor: PostingsCursor?

  init(
    _ dictionary: TermDictionary, row: [UInt32], isWhole: Bool, codes: [UInt32]
  ) throws(CorruptionError) {
    self.dictionary = dictionary
    self.row = row
    self.isWhole = isWhole
    newCodes = codes
    terms = try dictionary.iterator(arena: arena)
  }

  /// Goes to the next term; false at the end.
  mutating func next() throws(CorruptionError) -> Bool { try terms.next() }

  /// The postings of the term at hand that are taken over.
  mutating func liveFrequency() throws(CorruptionError) -> Int {
    let count = Int(terms.entry.documentFrequency)
    if isWhole { return count }
    if count == 1 { return row[Int(terms.entry.document)] == DocumentMap.dropped ? 0 : 1 }
    try open()
    guard let documents = cursor?.documents, let blocks = cursor?.blockCount else { return 0 }
    var live = 0
    for block in 0..<blocks {
      try cursor?.load(block: block)
      for i in 0..<(cursor?.count ?? 0) where row[Int(documents[i])] != DocumentMap.dropped {
        live &+= 1
      }
    }
    return live
  }

  /// Opens the list of the term at hand.
  private mutating func open() throws(CorruptionError) {
    if cursor == nil {
      cursor = try PostingsCursor(terms.entry, in: dictionary, arena: arena)
    } else {
      try cursor?.open(terms.entry, in: dictionary)
    }
  }

  /// A block of the list at hand, decoded.
  private struct Loaded {
    let documents: UnsafePointer<UInt32>
    let frequencies: UnsafePointer<UInt32>
    /// Unwritten unless they were asked for.
    let codes: UnsafePointer<UInt32>
    let positions: UnsafePointer<UInt32>
    let count: Int
  }

  private mutating func load(_ block: Int, _ hasCodes: Bool) throws(CorruptionError) -> Loaded? {
    try cursor?.load(block: block)
    try cursor?.loadFrequencies()
    if hasCodes { try cursor?.loadCodes() }
    guard let positions = try cursor?.allPositions(), let cursor else { return nil }
    return Loaded(
      documents: cursor.documents, frequencies: cursor.frequencies, codes: cursor.codes,
      positions: positions, count: cursor.count)
  }

  /// Writes the postings of the term at hand that are taken over.
  mutating func write(
    _ hasCodes: Bool, _ room: PostingsBlock, to writer: FieldsWriter, _ isCancelled: () -> Bool
  ) throws(CorruptionError) {
    if terms.entry.documentFrequency == 1, terms.entry.frequency == 1 {
      writeOnly(hasCodes, room, to: writer)
      return
    }
    try open()
    for block in 0..<(cursor?.blockCount ?? 0) {
      if isCancelled() { return }
      guard let loaded = try load(block, hasCodes) else { return }
      if isWhole {
        writeAll(loaded, hasCodes, room, to: writer)
      } else {
        visit(loaded, hasCodes) { document, frequency, code, positions in
          guard document != DocumentMap.dropped else { return }
          room.add(document, frequency: frequency, code: code, positions)
        }
        room.flush(hasCodes, to: writer)
      }
    }
  }

  /// Gathers the postings of the term at hand whose new documents are wanted.
  mutating func gather(
    _ wanted: Range<UInt32>, _ hasCodes: Bool, into gathered: GatheredPostings,
    _ isCancelled: () -> Bool
  ) throws(CorruptionError) {
    try open()
    for block in 0..<(cursor?.blockCount ?? 0) {
      if isCancelled() { return }
      guard let loaded = try load(block, hasCodes) else { return }
      visit(loaded, hasCodes) { document, frequency, code, positions in
        guard wanted.contains(document) else { return }
        gathered.add(document, frequency: frequency, code: code, positions)
      }
    }
  }

  /// Hands on the postings of a block as they are in the output: document, frequency, code, positions.
  @inline(__always)
  private func visit(
    _ loaded: Loaded, _ hasCodes: Bool,
    _ body: (UInt32, UInt32, UInt32, UnsafePointer<UInt32>) -> Void
  ) {
    var positions = loaded.positions
    for i in 0..<loaded.count {
      let frequency = loaded.frequencies[i]
      body(
        row[Int(loaded.documents[i])], frequency, hasCodes ? code(loaded.codes[i]) : 0, positions)
      positions += Int(frequency)
    }
  }

  @inline(__always)
  private func code(_ code: UInt32) -> UInt32 {
    Int(code) < newCodes.count ? newCodes[Int(code)] : AttributeSets.overflowCode
  }

  /// Writes a block of which everything is taken over; frequencies and positions stay where they are.
  private func writeAll(
    _ loaded: Loaded, _ hasCodes: Bool, _ room: PostingsBlock, to writer: FieldsWriter
  ) {
    for i in 0..<loaded.count { room.documents[i] = row[Int(loaded.documents[i])] }
    if hasCodes {
      for i in 0..<loaded.count { room.codes[i] = code(loaded.codes[i]) }
    }
    writer.appendBlock(
      documents: room.documents, frequencies: loaded.frequencies,
      codes: hasCodes ? UnsafePointer(room.codes) : nil, count: loaded.count,
      positions: loaded.positions)
  }

  /// Writes the only posting of a list, all of which stands in the dictionary.
  private func writeOnly(_ hasCodes: Bool, _ room: PostingsBlock, to writer: FieldsWriter) {
    let entry = terms.entry
    let document = row[Int(entry.document)]
    guard document != DocumentMap.dropped else { return }
    var position = entry.position
    room.add(document, frequency: 1, code: hasCodes ? code(entry.code) : 0, &position)
    room.flush(hasCodes, to: writer)
  }
}

/// Sources in the order of the inputs, those at the smallest term found by the heads of their terms.
///
/// For one thread.
final class MergedSources {
  private let sources: UnsafeMutablePointer<MergedSource>
  private var sourceCount = 0
  /// The sources that are not at their end, in order, and the first 8 bytes of the term of each.
  private let places: UnsafeMutablePointer<Int>
  private let heads: UnsafeMutablePointer<UInt64>
  @exclusivity(unchecked) private var count = 0
  /// Which of `places` stand at the smallest term.
  private let matches: UnsafeMutablePointer<Int>
  @exclusivity(unchecked) private(set) var matchCount = 0

  init(capacity: Int) {
    sources = .allocate(capacity: max(capacity, 1))
    places = .allocate(capacity: max(capacity, 1))
    heads = .allocate(capacity: max(capacity, 1))
    matches = .allocate(capacity: max(capacity, 1))
  }

  deinit {
    sources.deinitialize(count: sourceCount)
    sources.deallocate()
    places.deallocate()
    heads.deallocate()
    matches.deallocate()
  }

  /// Adds the next input.
  func add(_ source: MergedSource) throws(CorruptionError) {
    (sources + sourceCount).initialize(to: source)
    sourceCount += 1
    guard try sources[sourceCount - 1].next() else { return }
    places[count] = sourceCount - 1
    heads[count] = head(of: sourceCount - 1)
    count += 1
  }

  /// One of the sources that stand at the smallest term, in the order of the inputs.
  @inline(__always)
  func match(_ number: Int) -> UnsafeMutablePointer<MergedSource> {
    sources + places[matches[number]]
  }

  private func head(of source: Int) -> UInt64 {
    let term = sources[source].terms.term
    if term.count >= 8, let base = term.baseAddress {
      return UInt64(bigEndian: base.loadUnaligned(as: UInt64.self))
    }
    var head: UInt64 = 0
    for i in 0..<term.count { head |= UInt64(term[i]) &<< UInt64(56 &- 8 &* i) }
    return head
  }

  /// Finds the smallest term; false if there is none left.
  func nextTerm() -> Bool {
    guard count > 0 else { return false }
    var least = heads[0]
    for i in 1..<count { least = min(least, heads[i]) }
    matchCount = 0
    for i in 0..<count where heads[i] == least {
      if matchCount > 0 {
        let order = TermOrder.compare(sources[places[i]].terms.term, match(0).pointee.terms.term)
        if order > 0 { continue }
        if order < 0 { matchCount = 0 }
      }
      matches[matchCount] = i
      matchCount &+= 1
    }
    return true
  }

  /// Moves the sources that stand at the smallest term.
  func advance() throws(CorruptionError) {
    var ended = 0
    for i in 0..<matchCount {
      let place = matches[i]
      if try sources[places[place]].next() {
        heads[place] = head(of: places[place])
      } else {
        places[place] = -1
        ended &+= 1
      }
    }
    guard ended > 0 else { return }
    var left = 0
    for i in 0..<count where places[i] >= 0 {
      places[left] = places[i]
      heads[left] = heads[i]
      left &+= 1
    }
    count = left
  }
}
