// The documents of prefixes, kept and united, against sets of numbers.

import LimelightSegments
import LimelightStorage
import Testing

@Suite struct PrefixListsTests {
  private static let documents = 5_000

  private let model: FieldsModel
  private let bytes: [UInt8]
  private let prefixes: [[UInt8]]
  /// The documents of each prefix as the model has them.
  private let expected: [[UInt8]: [UInt32]]

  init() {
    (model, prefixes) = Self.model(documents: Self.documents, seed: 5)
    bytes = contents(model.image(seed: 6).mappedBytes())
    var expected: [[UInt8]: Set<UInt32>] = [:]
    for prefix in prefixes { expected[prefix] = [] }
    for term in model.fields[0].terms {
      for count in 0...min(term.bytes.count, 9) {
        let prefix = Array(term.bytes.prefix(count))
        expected[prefix]?.formUnion(term.postings.map(\.document))
      }
    }
    self.expected = expected.mapValues { $0.sorted() }
  }

  /// Many terms with few beginnings, some spread over all documents, some in few of them.
  private static func model(documents: Int, seed: UInt64) -> (FieldsModel, [[UInt8]]) {
    var random = Random(seed)
    var model = FieldsModel(documents: documents, lengths: [], hasSets: false, seed: seed)
    let beginnings: [(text: String, terms: Int, longest: Int, below: Int)] = [
      ("ab", 700, 90, documents), ("abc", 500, 400, documents), ("d", 3_000, 2, 400),
      ("dé", 900, 60, 300), ("漢字", 800, 20, documents), ("e", 12, 4_000, documents),
      ("ef\0", 400, 90, documents), ("g", 40, 3, documents),
    ]
    var terms: [[UInt8]: [FieldsModel.Posting]] = [:]
    for beginning in beginnings {
      for _ in 0..<beginning.terms {
        let name = String(random.next() % 100_000, radix: 26)
        let length = Int.random(in: 1...beginning.longest, using: &random)
        var chosen: Set<UInt32> = []
        for _ in 0..<length {
          chosen.insert(UInt32.random(in: 0..<UInt32(beginning.below), using: &random))
        }
        terms[Array((beginning.text + name).utf8)] = chosen.sorted().map { document in
          let positions = document % 9 == 0 ? [3, 200, 201] : [document % 700]
          return FieldsModel.Posting(document: document, code: 0, positions: positions)
        }
      }
    }
    let sorted = terms.keys.sorted { $0.lexicographicallyPrecedes($1) }
    model.fields[0].terms = sorted.map { FieldsModel.Term(bytes: $0, postings: terms[$0] ?? []) }
    var prefixes: Set<[UInt8]> = [[], [0], [0xFF], Array("zz".utf8), Array("漢".utf8.prefix(2))]
    for term in sorted {
      for count in 1...min(term.count, 9) where count < 4 || random.next() % 40 == 0 {
        prefixes.insert(Array(term.prefix(count)))
      }
    }
    return (model, prefixes.sorted { $0.lexicographicallyPrecedes($1) })
  }

  private func open(_ bytes: [UInt8], verified: Bool = true) throws -> Segment {
    try Segment.open(mapped(bytes), name: "segment.1", verified: verified)
  }

  private func documents(
    _ prefix: [UInt8], in dictionary: TermDictionary, _ arena: ScratchArena
  ) throws -> DocumentUnion? {
    try prefix.withUnsafeBytes { try dictionary.documents(prefix: $0, arena: arena) }
  }

  /// Compares all prefixes, each filled at once, in order, and here and there.
  private func compare(_ segment: Segment) throws {
    let dictionary = try #require(try segment.field(.standard))
    var random = Random(7)
    for (prefix, wanted) in expected {
      for way in 0..<3 {
        guard let union = try documents(prefix, in: dictionary, ScratchArena()) else {
          #expect(wanted.isEmpty)
          continue
        }
        if way == 0 { #expect(try union.count() == wanted.count) }
        #expect(union.bound >= wanted.count)
        var windows = Array(0...(Self.documents / 4_096)).map { $0 * 4_096 }
        if way == 2 { windows.shuffle(using: &random) }
        for window in windows {
          try union.fill(windowOf: UInt32(window))
          let found = (window..<min(window + 4_096, Self.documents)).filter {
            union.words[$0 / 64] >> UInt64($0 % 64) & 1 == 1
          }
          #expect(found == wanted.filter { Int($0) / 4_096 == window / 4_096 }.map { Int($0) })
        }
        #expect(union.isComplete)
        #expect(try union.count() == wanted.count)
      }
    }
  }

  @Test func keptAndUnitedListsAreThoseOfTheTerms() throws {
    let segment = try open(bytes, verified: false)
    let view = try #require(segment.section(.prefixLists))
    #expect(view.entryCount >= 10)
    let forms = try forms(view)
    #expect(forms.contains(0) && forms.contains { $0 > 0 })
    try compare(segment)
    #expect(segment.verify().isEmpty)
    let small = FieldsModel(documents: 1_000, lengths: [900, 900, 90, 3], hasSets: true, seed: 1)
    let without = try open(contents(small.image(seed: 1).mappedBytes()))
    #expect(without.section(.prefixLists) == nil)
  }

  /// The numbers of blocks of all lists.
  private func forms(_ view: SectionView) throws -> [UInt32] {
    let entries = view.count - Int(view.entryCount) * 24
    return try (0..<Int(view.entryCount)).map { try view.u32(at: entries + $0 * 24 + 20) }
  }

  /// Where the section stands, and its entry in the footer.
  private func place() throws -> (range: Range<Int>, entry: Int) {
    let view = try #require(try open(bytes).section(.prefixLists))
    let footer = bytes.withUnsafeBytes {
      Int($0.loadUnaligned(fromByteOffset: bytes.count - 64, as: UInt64.self))
    }
    let entry = try #require(
      stride(from: footer, to: bytes.count - 64, by: 32).first { bytes[$0] == 23 })
    return (view.fileOffset..<(view.fileOffset + view.count), entry)
  }

  /// What earlier versions wrote, and what they make of a section that they do not know.
  @Test func aSegmentWithoutTheSectionAnswersTheSame() throws {
    var old = bytes
    let entry = try place().entry
    #expect(old[entry + 2] == 0)
    old[entry] = 250
    let segment = try open(old)
    #expect(segment.section(.prefixLists) == nil)
    try compare(segment)
    #expect(segment.verify().isEmpty)
    // As a required one it is refused, of whatever kind.
    old[entry + 2] = 1
    #expect(throws: SegmentError.self) { try open(old) }
  }

  @Test func flippedBitsAreFoundByTheirChecksum() throws {
    let range = try place().range
    for offset in [range.lowerBound, range.lowerBound + range.count / 2, range.upperBound - 1] {
      var damaged = bytes
      damaged[offset] ^= 0x10
      let segment = try open(damaged, verified: false)
      #expect(throws: CorruptionError.self) { try segment.verifyPages() }
      guard let terms = try? segment.field(.standard) else { continue }
      for (prefix, wanted) in expected where prefix.count < 3 {
        guard let union = try? documents(prefix, in: terms, ScratchArena()) else { continue }
        if let count = try? union.count() { #expect(count == wanted.count) }
      }
    }
  }

  /// Behind right checksums: a typed error or some answer, and `verify` notices other documents.
  @Test func bytesThatNoWriterWroteAreRefusedOrRead() throws {
    let range = try place().range
    let entries = try #require(try open(bytes).section(.prefixLists)).entryCount * 24
    var random = Random(9)
    var found = 0
    for round in 0..<300 {
      var damaged = bytes
      let from = round % 2 == 0 ? range.lowerBound : range.upperBound - Int(entries)
      let offset = Int.random(in: from..<range.upperBound, using: &random)
      let value = [0, 0xFF, damaged[offset] ^ 1 << UInt8(round % 8)][round % 3]
      if damaged[offset] == value { continue }
      damaged[offset] = value
      let segment = try open(damaged)
      let dictionary = try #require(try segment.field(.standard))
      for prefix in prefixes where prefix.count < 4 {
        guard let union = try? documents(prefix, in: dictionary, ScratchArena()) else { continue }
        _ = try? union.fill(windowOf: UInt32(Self.documents - 1))
        _ = try? union.count()
        #expect(union.words[Self.documents / 64] >> UInt64(Self.documents % 64) == 0)
      }
      if round % 60 == 0 {
        // Its checksum is not right either; of all else only the section is to blame.
        let errors = segment.verify().filter { !$0.message.contains("checksum") }
        if !errors.isEmpty { found += 1 }
        #expect(errors.allSatisfy { $0.section == "prefixLists" })
      }
    }
    #expect(found > 1)
  }
}
