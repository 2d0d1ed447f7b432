// Fields written and read back against plain arrays: terms, blocks, skips, positions, damage.

import LimelightCodecs
import LimelightSegments
import LimelightStorage
import Testing

@Suite struct PostingsTests {
  /// Lists of one posting, of one block, of many, dense and sparse, over both skip levels.
  static let lengths =
    [1, 2, 5, 127, 128, 129, 256, 300, 1000, 5000, 12_000, 3, 64]
    + [Int](repeating: 1, count: 40)

  private func open(_ model: FieldsModel, seed: UInt64) throws -> Segment {
    try Segment.open(
      model.image(seed: seed).mappedBytes(), name: "test", verified: false)
  }

  @Test(arguments: [true, false], [UInt64(1), 2, 3])
  func readsWhatWasWritten(hasSets: Bool, seed: UInt64) throws {
    let model = FieldsModel(
      documents: 30_000, lengths: Self.lengths, hasSets: hasSets, seed: seed)
    let segment = try open(model, seed: seed)
    #expect(try segment.fieldKeys() == model.fields.map(\.key))
    #expect(segment.verify().isEmpty)
    var kinds: Set<ListKind> = []
    for field in model.fields {
      let dictionary = try #require(try segment.field(field.key))
      for term in field.terms {
        let arena = ScratchArena()
        let entry = try #require(try term.bytes.withUnsafeBytes { try dictionary.find($0) })
        #expect(Int(entry.documentFrequency) == term.postings.count)
        var cursor = try PostingsCursor(entry, in: dictionary, arena: arena)
        kinds.formUnion(ListKind.kinds(of: cursor, term.postings))
        try compare(
          &cursor, term.postings, hasSets: hasSets && field.key == .standard,
          norms: model.norms, sets: model.sets)
      }
    }
    // Every form in which a list can be written has been read.
    #expect(kinds == Set(ListKind.allCases))
  }

  private func compare(
    _ cursor: inout PostingsCursor, _ postings: [FieldsModel.Posting], hasSets: Bool,
    norms: [UInt8], sets: AttributeSets?
  ) throws {
    var place = 0
    for block in 0..<cursor.blockCount {
      try cursor.load(block: block)
      try cursor.loadFrequencies()
      try cursor.loadCodes()
      #expect(cursor.documents[cursor.count] == .max)
      let all = try cursor.allPositions()
      var allPlace = 0
      for i in 0..<cursor.count {
        let expected = postings[place + i]
        #expect(cursor.documents[i] == expected.document)
        #expect(Int(cursor.frequencies[i]) == expected.positions.count)
        #expect(cursor.codes[i] == (hasSets ? expected.code : 0))
        for position in expected.positions {
          #expect(all[allPlace] == position)
          allPlace += 1
        }
        checkBound(cursor, block, Int(cursor.frequencies[i]), norms[Int(expected.document)])
        if hasSets, let signatures = cursor.signatures, let sets {
          let own = sets.signatures[Int(expected.code)]
          #expect(signatures[block] & own == own)
        }
      }
      for i in stride(from: cursor.count - 1, through: 0, by: -7) {
        #expect(Array(try cursor.positions(at: i)) == postings[place + i].positions)
      }
      place += cursor.count
    }
    #expect(place == postings.count)
    for (number, posting) in postings.enumerated() where number % 97 == 0 {
      let block = cursor.blockIndex(for: posting.document, from: 0)
      try cursor.load(block: block)
      #expect((0..<cursor.count).contains { cursor.documents[$0] == posting.document })
    }
  }

  /// Some stored pair of the block, and of its super block, is at least as good as a posting's own.
  private func checkBound(_ cursor: PostingsCursor, _ block: Int, _ frequency: Int, _ norm: UInt8) {
    for (pairs, index) in [
      (cursor.impacts, block), (cursor.superImpacts, block / SkipLayout.blocksPerSuper),
    ] {
      guard let pairs else { continue }
      let bounds = (0..<4).contains { i in
        let pair = pairs + index * 8 + i * 2
        return Int(pair[0]) >= min(frequency, 255) && pair[1] <= norm
      }
      #expect(bounds)
    }
  }

  @Test func findsTermsAndWalksThem() throws {
    let lengths = (0..<3000).map { _ in 1 }
    let model = FieldsModel(documents: 500, lengths: lengths, hasSets: true, seed: 9)
    let segment = try open(model, seed: 9)
    let dictionary = try #require(try segment.field(.standard))
    let terms = Set(model.fields[0].terms.map(\.bytes)).sorted { $0.lexicographicallyPrecedes($1) }
    // Names may repeat in a model; a real field holds each term once.
    try #require(terms.count == model.fields[0].terms.count)
    let arena = ScratchArena()
    var walk = try dictionary.iterator(arena: arena)
    for term in terms {
      #expect(try walk.next())
      #expect(Array(walk.term) == term)
    }
    #expect(try !walk.next())
    for term in terms {
      for probe in [term, term + [0], Array(term.dropLast()), term + [0xFF]] {
        let found = try probe.withUnsafeBytes { try dictionary.find($0) }
        let isThere = terms.binarySearch(probe)
        #expect((found != nil) == isThere)
        var seeking = try dictionary.iterator(arena: arena)
        try probe.withUnsafeBytes { try seeking.seek(to: $0) }
        let expected = terms.first { !$0.lexicographicallyPrecedes(probe) }
        #expect(try seeking.next() == (expected != nil))
        if let expected { #expect(Array(seeking.term) == expected) }
      }
      arena.reset()
    }
  }

  /// Damage behind right checksums: an error or an answer, never a trap or a read past the end.
  @Test func survivesDamage() throws {
    let model = FieldsModel(
      documents: 1500, lengths: [1, 2, 60, 128, 200, 900], hasSets: true, seed: 5)
    let bytes = model.image(seed: 5).mappedBytes()
    let whole = bytes.withBytes { Array($0) }
    let sections = try Segment.open(bytes, name: "whole", verified: true)
    var random = Random(77)
    for kind: SectionKind in [
      .fields, .termIndex, .termPages, .skips, .postings, .bitSets, .positions,
    ] {
      let view = try #require(sections.section(kind))
      for _ in 0..<300 {
        var damaged = whole
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let place = view.fileOffset + Int.random(in: 0..<view.count, using: &random)
          damaged[place] ^= UInt8.random(in: 1...255, using: &random)
        }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: damaged.count, alignment: 64)
        memory.copyMemory(from: damaged, byteCount: damaged.count)
        let segment = try Segment.open(
          .owning(memory, count: damaged.count), name: "damaged", verified: true)
        _ = segment.verify()
      }
    }
  }
}

/// The forms of lists: each takes branches of its own in writers and readers.
private enum ListKind: CaseIterable {
  case onlyPostingOnePosition, onlyPostingManyPositions, oneShortBlock, oneFullBlock
  case manyBlocksSparse, manyBlocksDense, lastBlockShort, lastBlockFull, manySuperBlocks

  static func kinds(
    of cursor: PostingsCursor, _ postings: [FieldsModel.Posting]
  ) -> Set<ListKind> {
    if postings.count == 1 {
      return [
        postings[0].positions.count == 1 ? .onlyPostingOnePosition : .onlyPostingManyPositions
      ]
    }
    if postings.count <= 128 { return [postings.count == 128 ? .oneFullBlock : .oneShortBlock] }
    var kinds: Set<ListKind> = [
      cursor.isDense ? .manyBlocksDense : .manyBlocksSparse,
      postings.count % 128 == 0 ? .lastBlockFull : .lastBlockShort,
    ]
    if cursor.blockCount > SkipLayout.blocksPerSuper { kinds.insert(.manySuperBlocks) }
    return kinds
  }
}

extension [[UInt8]] {
  /// Whether a sorted list holds a value.
  fileprivate func binarySearch(_ value: [UInt8]) -> Bool {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].lexicographicallyPrecedes(value) { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == value
  }
}
