// Merges the fields of several segments: terms in step, postings one input after the other.

internal import LimelightCodecs
internal import LimelightSegments
internal import LimelightSnapshots

/// Merges terms and postings of the inputs, whose documents keep their order.
struct FieldsMerger {
  private let views: [SegmentView]
  private let map: DocumentMap
  private let sets: MergedSets

  private let documents = UnsafeMutablePointer<UInt32>.allocate(capacity: 128)
  private let frequencies = UnsafeMutablePointer<UInt32>.allocate(capacity: 128)
  private let codes = UnsafeMutablePointer<UInt32>.allocate(capacity: 128)
  private let positions = ByteWriter(capacity: 4096)

  init(_ views: [SegmentView], map: DocumentMap, sets: MergedSets) {
    self.views = views
    self.map = map
    self.sets = sets
  }

  /// An input that has the field at hand, at one of its terms.
  private final class Source {
    let input: Int
    let dictionary: TermDictionary
    var terms: TermIterator
    var cursor: PostingsCursor?
    let arena: ScratchArena
    var head: UInt64 = 0

    init(_ input: Int, _ dictionary: TermDictionary) throws(CorruptionError) {
      self.input = input
      self.dictionary = dictionary
      arena = ScratchArena()
      terms = try dictionary.iterator(arena: arena)
    }
  }

  /// Writes the merged fields; stops when `isCancelled`, asked for each block, says so.
  func write(
    to writer: FieldsWriter, isCancelled: () -> Bool
  ) throws(CorruptionError) {
    defer {
      documents.deallocate()
      frequencies.deallocate()
      codes.deallocate()
    }
    var keys: Set<FieldKey> = []
    for view in views { keys.formUnion(try view.segment.fieldKeys()) }
    for key in keys.sorted() {
      if isCancelled() { return }
      var sources: [Source] = []
      for (input, view) in views.enumerated() {
        guard let dictionary = try view.segment.field(key) else { continue }
        let source = try Source(input, dictionary)
        if try advance(source) { sources.append(source) }
      }
      writer.beginField(key)
      try merge(&sources, key, into: writer, isCancelled)
      if isCancelled() { return }
      writer.endField()
    }
    writer.finish()
  }

  private func advance(_ source: Source) throws(CorruptionError) -> Bool {
    guard try source.terms.next() else { return false }
    let term = source.terms.term
    var head: UInt64 = 0
    if term.count >= 8, let base = term.baseAddress {
      head = UInt64(bigEndian: base.loadUnaligned(as: UInt64.self))
    } else {
      for i in 0..<term.count { head |= UInt64(term[i]) &<< UInt64(56 &- 8 &* i) }
    }
    source.head = head
    return true
  }

  private func merge(
    _ sources: inout [Source], _ key: FieldKey, into writer: FieldsWriter,
    _ isCancelled: () -> Bool
  ) throws(CorruptionError) {
    var matching: [Int] = []
    while !sources.isEmpty, !isCancelled() {
      // The smallest term, and in order of input all sources that stand at it.
      matching.removeAll(keepingCapacity: true)
      matching.append(0)
      for i in 1..<sources.count {
        let order = compare(sources[i], sources[matching[0]])
        if order < 0 {
          matching.removeAll(keepingCapacity: true)
          matching.append(i)
        } else if order == 0 {
          matching.append(i)
        }
      }
      try writeTerm(sources, matching, key, into: writer, isCancelled)
      for i in matching.reversed() where !(try advance(sources[i])) {
        sources.remove(at: i)
      }
    }
  }

  private func compare(_ a: Source, _ b: Source) -> Int {
    if a.head != b.head { return a.head < b.head ? -1 : 1 }
    return TermOrder.compare(a.terms.term, b.terms.term)
  }

  private func writeTerm(
    _ sources: [Source], _ matching: [Int], _ key: FieldKey, into writer: FieldsWriter,
    _ isCancelled: () -> Bool
  ) throws(CorruptionError) {
    var frequency = 0
    for i in matching {
      let entry = sources[i].terms.entry
      if sources[i].cursor == nil {
        sources[i].cursor = try PostingsCursor(
          entry, in: sources[i].dictionary, arena: sources[i].arena)
      } else {
        try sources[i].cursor?.open(entry, in: sources[i].dictionary)
      }
      frequency += try liveFrequency(sources[i])
    }
    guard frequency > 0 else { return }
    writer.beginTerm(sources[matching[0]].terms.term, documentFrequency: frequency)
    for i in matching {
      try sources[i].cursor?.open(sources[i].terms.entry, in: sources[i].dictionary)
      try writePostings(sources[i], key, into: writer, isCancelled)
      if isCancelled() { return }
    }
    writer.endTerm()
  }

  /// The postings of a list that are taken over.
  private func liveFrequency(_ source: Source) throws(CorruptionError) -> Int {
    if map.isWhole[source.input] { return Int(source.terms.entry.documentFrequency) }
    guard var cursor = source.cursor else { return 0 }
    var count = 0
    try map.rows[source.input].withUnsafeBufferPointer { row throws(CorruptionError) in
      for block in 0..<cursor.blockCount {
        try cursor.load(block: block)
        for i in 0..<cursor.count where row[Int(cursor.documents[i])] != DocumentMap.dropped {
          count &+= 1
        }
      }
    }
    return count
  }

  private func writePostings(
    _ source: Source, _ key: FieldKey, into writer: FieldsWriter, _ isCancelled: () -> Bool
  ) throws(CorruptionError) {
    guard var cursor = source.cursor else { return }
    defer { source.cursor = cursor }
    let hasCodes = sets.sets != nil && key == .standard
    let newCodes = sets.codes[source.input]
    try map.rows[source.input].withUnsafeBufferPointer { row throws(CorruptionError) in
      for block in 0..<cursor.blockCount {
        if isCancelled() { return }
        try cursor.load(block: block)
        try cursor.loadFrequencies()
        if hasCodes { try cursor.loadCodes() }
        let all = try cursor.allPositions()
        var place = 0
        var kept = 0
        positions.removeAll(keepingCapacity: true)
        for i in 0..<cursor.count {
          let size = Int(cursor.frequencies[i])
          let document = row[Int(cursor.documents[i])]
          if document != DocumentMap.dropped {
            documents[kept] = document
            frequencies[kept] = cursor.frequencies[i]
            let code = Int(cursor.codes[i])
            codes[kept] =
              hasCodes && code < newCodes.count ? newCodes[code] : AttributeSets.overflowCode
            positions.bytes(UnsafeRawBufferPointer(start: all + place, count: size &* 4))
            kept &+= 1
          }
          place &+= size
        }
        guard kept > 0 else { continue }
        writer.appendBlock(
          documents: documents, frequencies: frequencies,
          codes: hasCodes ? UnsafePointer(codes) : nil, count: kept,
          positions: UnsafePointer(positions.base.assumingMemoryBound(to: UInt32.self)))
      }
    }
  }
}
