// Ids found, missed, and read back.

import LimelightCodecs
import LimelightSegments
import Testing

@Suite struct IdsTests {
  private func segment(_ ids: [String]) throws -> Segment {
    let writer = testWriter()
    writer.meta.documentCount = UInt32(ids.count)
    let section = IdsWriter()
    for id in ids { section.add(id) }
    section.finish(into: writer)
    for _ in ids { writer.buffer(.norms).u8(1) }
    return try open(writer.finish().mappedBytes())
  }

  private func check(_ ids: [String], misses: [String]) throws {
    let segment = try segment(ids)
    let reader = try #require(try segment.ids())
    var newest: [String: UInt32] = [:]
    for (document, id) in ids.enumerated() { newest[id] = UInt32(document) }
    for (document, id) in ids.enumerated() {
      #expect(try reader.find(id) == newest[id])
      #expect(try reader.id(of: UInt32(document)) == id)
    }
    for id in misses where newest[id] == nil { #expect(try reader.find(id) == nil) }
    var walked: [(String, UInt32)] = []
    try reader.forEachSorted { walked.append((String(decoding: $0, as: UTF8.self), $1)) }
    let expected = ids.enumerated().map { ($1, UInt32($0)) }.sorted {
      $0.0 == $1.0 ? $0.1 < $1.1 : Array($0.0.utf8).lexicographicallyPrecedes(Array($1.0.utf8))
    }
    #expect(walked.elementsEqual(expected, by: ==))
    #expect(segment.verify() == [])
    #expect(throws: CorruptionError.self) { try reader.id(of: UInt32(ids.count)) }
  }

  @Test(arguments: sizes.dropFirst())
  func randomIds(count: Int) throws {
    var random = Random(UInt64(count))
    let ids = (0..<count).map { _ in String(random.next(), radix: 36) }
    try check(ids, misses: ids.flatMap { [$0 + "0", String($0.dropLast())] } + ["", "~"])
  }

  @Test(arguments: sizes.dropFirst())
  func idsThatShareMuchAndRepeat(count: Int) throws {
    var random = Random(UInt64(count))
    let ids = (0..<count).map { _ in
      "https://example.com/\(random.next() % 3)/aaaaaaaaaaaaaaaa/\(random.next() % 2000)"
    }
    try check(ids, misses: ids.flatMap { [$0 + "0", "h" + $0, "zz", "https://example.com/"] })
  }

  @Test func manyEqualIds() throws {
    let ids = (0..<300).map { $0 % 3 == 0 ? "same" : $0 % 3 == 1 ? "samf\($0)" : "samd\($0)" }
    try check(ids, misses: ["sam", "samea", "s"])
  }

  @Test func prefixesZerosAndLongIds() throws {
    let long = String(repeating: "x", count: 4096)
    let ids = ["a", "a\0", "a\0\0", "a\0b", "ab", "", long, long.dropLast() + "y", "a\u{ff}"]
    try check(ids, misses: ["a\0\0\0", "b", String(long.dropLast())])
  }

  @Test func mergeKeepsWhatTheMapKeeps() throws {
    var random = Random(3)
    var kept: [String] = []
    var sources: [Segment] = []
    var maps: [[UInt32]] = []
    for count in [400, 0, 1, 77] {
      let ids = (0..<count).map { _ in String(random.next() % 5000) }
      sources.append(try segment(ids))
      maps.append(
        ids.map { id in
          guard random.next() % 4 != 0 else { return .max }
          kept.append(id)
          return UInt32(kept.count - 1)
        })
    }
    let writer = testWriter()
    writer.meta.documentCount = UInt32(kept.count)
    var readers: [IdsReader] = []
    var readerMaps: [[UInt32]] = []
    for (source, map) in zip(sources, maps) {
      guard let reader = try source.ids() else { continue }
      readers.append(reader)
      readerMaps.append(map)
    }
    try IdsMerger(writer, readers, maps: readerMaps).write()
    for _ in kept { writer.buffer(.norms).u8(1) }
    let segment = try open(writer.finish().mappedBytes())
    let reader = try #require(try segment.ids())
    for (document, id) in kept.enumerated() {
      #expect(try reader.id(of: UInt32(document)) == id)
      #expect(try reader.find(id) == kept.lastIndex(of: id).map { UInt32($0) })
    }
    #expect(segment.verify() == [])
  }

  /// The pairs of documents that a search for each id finds.
  @Test(arguments: [(400, 90), (90, 400), (1, 300), (300, 300)])
  func sharedIDsAreThoseThatASearchFinds(counts: (Int, Int)) throws {
    var random = Random(UInt64(counts.0))
    for range in [50, 3000, 1 << 40] as [UInt64] {
      for prefix in ["", "item/"] {
        let sides = [counts.0, counts.1].map { count in
          (0..<count).map { _ in prefix + String(random.next() % range) }
        }
        let segments = try sides.map { try segment($0) }
        let (a, b) = (try #require(try segments[0].ids()), try #require(try segments[1].ids()))
        var found: Set<[UInt32]> = []
        try a.forEachShared(with: b) { found.insert([$0, $1]) }
        var expected: Set<[UInt32]> = []
        for (document, id) in sides[counts.0 <= counts.1 ? 0 : 1].enumerated() {
          let target = counts.0 <= counts.1 ? b : a
          guard let other = try target.find(id) else { continue }
          let pair = [UInt32(document), other]
          expected.insert(counts.0 <= counts.1 ? pair : pair.reversed())
        }
        #expect(found == expected)
      }
    }
  }

  @Test func supersededDocumentsAreAllButTheLastOfAnID() throws {
    var random = Random(4)
    for range in [1, 7, 500] as [UInt64] {
      let ids = (0..<300).map { _ in "x" + String(random.next() % range) }
      let source = try segment(ids)
      let reader = try #require(try source.ids())
      var found: Set<UInt32> = []
      try reader.forEachSuperseded { found.insert($0) }
      let expected = ids.indices.filter { ids.lastIndex(of: ids[$0]) != $0 }
      #expect(found == Set(expected.map { UInt32($0) }))
    }
  }
}
