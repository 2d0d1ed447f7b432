// Walks over near terms, compared with the distance of every term.

import LimelightCodecs
import LimelightSegments
import Testing

@Suite struct FuzzyTermsTests {
  /// Terms over few letters of one to four bytes, so that pages begin, share and end in any way.
  private static func terms(
    _ count: Int, letters: [String], longest: Int, _ random: inout Random
  ) -> [[UInt8]] {
    var terms = Set<[UInt8]>()
    for _ in 0..<count {
      let size = Int.random(in: 1...longest, using: &random)
      let word = (0..<size).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] }
      terms.insert(Array(word.joined().utf8))
    }
    return terms.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func bytes(
    of terms: [[UInt8]], documents: Int = TermTails.fewestDocuments
  ) -> [UInt8] {
    var model = FieldsModel(documents: documents, lengths: [1], hasSets: false, seed: 1)
    model.fields = [
      (
        .standard,
        terms.enumerated().map { place, bytes in
          FieldsModel.Term(
            bytes: bytes,
            postings: [.init(document: UInt32(place % 3), code: 0, positions: [UInt32(place)])])
        }
      )
    ]
    return contents(model.image(seed: 1).mappedBytes())
  }

  /// A segment, of few documents if it is to have no tails.
  private static func segment(of terms: [[UInt8]], hasTails: Bool = true) throws -> Segment {
    let documents = TermTails.fewestDocuments - (hasTails ? 0 : 1)
    return try Segment.open(
      mapped(bytes(of: terms, documents: documents)), name: "terms", verified: true)
  }

  /// Where the section table has the entry of the tails.
  private static func tailsEntry(_ bytes: [UInt8]) throws -> Int {
    let footer = (0..<8).reduce(0) { $0 | Int(bytes[bytes.count - 64 + $1]) << (8 * $1) }
    return try #require(
      stride(from: footer, to: bytes.count - 64, by: 32).first {
        bytes[$0] == UInt8(SectionKind.termTails.rawValue)
      })
  }

  /// The places in byte order of the terms that a walk hands out: each has its own as its only position.
  private static func places(
    near word: [UInt32], _ distance: Int, in segment: Segment
  ) throws -> [Int] {
    let dictionary = try #require(try segment.field(.standard))
    let arena = ScratchArena()
    defer { withExtendedLifetime(arena) {} }
    var walk = try dictionary.iterator(near: word, distance: distance, arena: arena)
    var places: [Int] = []
    while try walk.next() { places.append(Int(walk.entry.position)) }
    return places
  }

  /// The optimal string alignment distance, by the whole table.
  private static func distance(_ a: [UInt32], _ b: [UInt32]) -> Int {
    var rows = [Array(0...b.count)]
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var cell = min(rows[i][j] + (a[i] == b[j] ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
        if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
          cell = min(cell, rows[i - 1][j - 1] + 1)
        }
        row.append(cell)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }

  private static func scalars(_ bytes: [UInt8]) -> [UInt32] {
    String(decoding: bytes, as: UTF8.self).unicodeScalars.map(\.value)
  }

  @Test(arguments: [
    (["a", "b", "c"], 9), (["a", "b", "é", "語", "😀"], 6), (["x", "\u{0}", "y"], 7),
    ((0..<26).map { String(UnicodeScalar(UInt8(97 + $0))) }, 5), (["ж", "з", "и", "a"], 8),
    (["a", "b", "c", "d", "è", "é", "ê"], 8), (["a", "ab", "abc", "語語", "cba"], 10),
  ])
  func findsWhatIsNear(letters: [String], longest: Int) throws {
    var random = Random(UInt64(longest))
    let terms = Self.terms(1_500, letters: letters, longest: longest, &random)
    let segments = [
      try Self.segment(of: terms), try Self.segment(of: terms, hasTails: false),
    ]
    #expect(segments.map { $0.section(.termTails) != nil } == [true, false])
    var found = 0
    for round in 0..<60 {
      var word = Self.scalars(terms[Int.random(in: 0..<terms.count, using: &random)])
      if round % 2 == 0 { word.removeAll { $0 > 127 } }
      if round % 3 == 0 { word.insert(0x71, at: word.count / 2) }
      if round % 5 == 0 && word.count > 1 { word.swapAt(0, word.count - 1) }
      let distances = terms.map { Self.distance(Self.scalars($0), word) }
      for distance in 0...2 {
        let expected = terms.indices.filter { distances[$0] <= distance }
        for segment in segments {
          let places = try Self.places(near: word, distance, in: segment)
          #expect(places == expected, "\(word) within \(distance)")
        }
        found += expected.count
      }
    }
    #expect(found > 100)
  }

  /// Words with a slip at each place, among so many terms that most pages are passed by.
  @Test func findsSlipsAtEachPlace() throws {
    var random = Random(11)
    let terms = Self.terms(
      5_000, letters: ["ba", "ne", "to", "ing", "er", "s", "é", "ж", "co", "il", "语", "u"],
      longest: 5, &random)
    #expect(terms.count > 2_500)
    let scalars = terms.map(Self.scalars)
    let segments = [
      try Self.segment(of: terms), try Self.segment(of: terms, hasTails: false),
    ]
    let word = Self.scalars(Array("banetoing".utf8))
    var words = [word]
    for place in word.indices {
      var other = word
      other[place] = 0x71
      words.append(other)
      other.remove(at: place)
      words.append(other)
      other = word
      other.insert(place % 2 == 0 ? 0x436 : 0x74, at: place)
      words.append(other)
      guard place > 0 else { continue }
      other = word
      other.swapAt(place - 1, place)
      words.append(other)
      other[word.count - 1 - place] = 0xE9
      words.append(other)
    }
    var found = 0
    for word in words {
      let near = scalars.indices.filter { abs(scalars[$0].count - word.count) <= 2 }
      let distances = near.map { Self.distance(scalars[$0], word) }
      for distance in 0...2 {
        let expected = zip(near, distances).filter { $0.1 <= distance }.map(\.0)
        found += expected.count
        for segment in segments {
          let places = try Self.places(near: word, distance, in: segment)
          #expect(places == expected, "\(word) within \(distance)")
        }
      }
    }
    #expect(found > 20)
  }

  /// Damage behind right checksums: an error or an answer, never a trap or a read past the end.
  @Test func survivesDamage() throws {
    var random = Random(5)
    let terms = Self.terms(
      3_000, letters: ["a", "b", "c", "é", "语", "ing"], longest: 7, &random)
    let whole = Self.bytes(of: terms)
    let sections = try Segment.open(mapped(whole), name: "whole", verified: true)
    let word = terms[1_000]
    var errors = 0
    for kind: SectionKind in [.termIndex, .termPages, .termTails] {
      let view = try #require(sections.section(kind))
      for round in 0..<300 {
        var damaged = whole
        // Some damage to one page, or a little everywhere.
        let from = Int.random(in: 0..<view.count, using: &random)
        let range = round % 2 == 0 ? from..<min(from + 40, view.count) : 0..<view.count
        for _ in 0..<Int.random(in: 1...30, using: &random) {
          let place = view.fileOffset + Int.random(in: range, using: &random)
          damaged[place] ^= UInt8.random(in: 1...255, using: &random)
        }
        let segment = try Segment.open(mapped(damaged), name: "damaged", verified: true)
        for distance in 0...2 {
          do {
            _ = try Self.places(near: Self.scalars(word), distance, in: segment)
          } catch is CorruptionError {
            errors += 1
          }
        }
      }
    }
    #expect(errors > 100)
  }

  /// Tails that are not there or not those of the terms.
  @Test func findsWrongTails() throws {
    var random = Random(6)
    let terms = Self.terms(500, letters: ["a", "b", "c"], longest: 9, &random)
    let whole = Self.bytes(of: terms)
    let segment = try Segment.open(mapped(whole), name: "whole", verified: true)
    let view = try #require(segment.section(.termTails))
    #expect(view.count == (terms.count + 31) / 32 * 32)
    #expect(segment.verify().filter { $0.section == "termPages" } == [])
    var other = whole
    other[view.fileOffset + 77] ^= 1
    let wrong = try Segment.open(mapped(other), name: "wrong", verified: true)
    #expect(wrong.verify().contains { $0.description.contains("tail") })
    var short = whole
    short[try Self.tailsEntry(whole) + 16] -= 1
    let cut = try Segment.open(mapped(short), name: "cut", verified: true)
    #expect(throws: CorruptionError.self) {
      try Self.places(near: Self.scalars(terms[7]), 1, in: cut)
    }
    // A reader that does not know the section passes it by.
    var unknown = whole
    unknown[try Self.tailsEntry(whole)] = 200
    let old = try Segment.open(mapped(unknown), name: "old", verified: true)
    #expect(old.section(.termTails) == nil)
    #expect(try Self.places(near: Self.scalars(terms[7]), 1, in: old).contains(7))
  }

  /// The codes are part of the file format.
  @Test func codesOfTails() throws {
    let terms = ["", "ab", "ing", "king", "语"].map { Array($0.utf8) }
    let segment = try Segment.open(
      mapped(Self.bytes(of: terms)), name: "codes", verified: true)
    let view = try #require(segment.section(.termTails))
    func code(_ tail: UInt32) -> UInt8 { UInt8((UInt64(tail) * 2_654_435_761) >> 24 & 0xFF) }
    let codes = (0..<5).map { view.base.load(fromByteOffset: $0, as: UInt8.self) }
    #expect(codes == [0, 0, code(0x696E67), code(0x696E67), code(0xE8AFAD)])
  }

  /// Words at the length up to which there is such a walk, and the empty one.
  @Test func findsLongAndEmptyWords() throws {
    let long = [UInt32](repeating: 0x61, count: FuzzyTermIterator.longestWord)
    let lengths = (1...80).map { [UInt8](repeating: 0x61, count: $0) }
    let segment = try Self.segment(of: lengths)
    for (word, places) in [
      (long, long.count - 3..<long.count + 2), ([], 0..<2), ([0x62], 0..<2),
      ([0x62, 0x61], 0..<3), ([UInt32](repeating: 0x61, count: 40), 37..<42),
    ] {
      let expected = lengths.indices.filter {
        Self.distance(Self.scalars(lengths[$0]), word) <= 2
      }
      #expect(try Self.places(near: word, 2, in: segment) == expected)
      #expect(Array(places) == expected)
    }
  }
}
