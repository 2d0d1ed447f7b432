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

  private static func segment(of terms: [[UInt8]]) throws -> Segment {
    var model = FieldsModel(documents: 3, lengths: [1], hasSets: false, seed: 1)
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
    return try Segment.open(model.image(seed: 1).mappedBytes(), name: "terms", verified: true)
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
    (["a", "b", "c", "d", "è", "é", "ê"], 8),
  ])
  func findsWhatIsNear(letters: [String], longest: Int) throws {
    var random = Random(UInt64(longest))
    let terms = Self.terms(1_500, letters: letters, longest: longest, &random)
    let segment = try Self.segment(of: terms)
    let dictionary = try #require(try segment.field(.standard))
    let arena = ScratchArena()
    var found = 0
    for round in 0..<60 {
      var word = Self.scalars(terms[Int.random(in: 0..<terms.count, using: &random)])
      if round % 2 == 0 { word.removeAll { $0 > 127 } }
      if round % 3 == 0 { word.insert(0x71, at: word.count / 2) }
      if round % 5 == 0 && word.count > 1 { word.swapAt(0, word.count - 1) }
      let distances = terms.map { Self.distance(Self.scalars($0), word) }
      for distance in 1...2 {
        // Each term has its place in byte order as its only position.
        var places: [UInt32] = []
        var walk = dictionary.iterator(near: word, distance: distance, arena: arena)
        while try walk.next() { places.append(walk.entry.position) }
        let expected = terms.indices.filter { distances[$0] <= distance }
        #expect(places == expected.map(UInt32.init), "\(word) within \(distance)")
        found += places.count
        arena.reset()
      }
    }
    #expect(found > 100)
  }

  /// Words at the length up to which there is such a walk, and the empty one.
  @Test func findsLongAndEmptyWords() throws {
    let long = [UInt32](repeating: 0x61, count: FuzzyTermIterator.longestWord)
    let lengths = (1...80).map { [UInt8](repeating: 0x61, count: $0) }
    let dictionary = try #require(try Self.segment(of: lengths).field(.standard))
    let arena = ScratchArena()
    for (word, places) in [
      (long, long.count - 3..<long.count + 2), ([], 0..<2), ([0x62], 0..<2),
      ([0x62, 0x61], 0..<3), ([UInt32](repeating: 0x61, count: 40), 37..<42),
    ] {
      var walk = dictionary.iterator(near: word, distance: 2, arena: arena)
      var found: [UInt32] = []
      while try walk.next() { found.append(walk.entry.position) }
      let expected = lengths.indices.filter {
        Self.distance(Self.scalars(lengths[$0]), word) <= 2
      }
      #expect(found == expected.map(UInt32.init) && Array(places) == expected)
    }
  }
}
