// The frame of a segment: what was put in comes out, on disk and in memory alike.

import LimelightCodecs
import LimelightSegments
import LimelightStorage
import Testing

@Suite struct SegmentTests {
  @Test(arguments: sizes)
  func everythingComesBack(count: Int) throws {
    let items = modelItems(count, seed: UInt64(count))
    let segment = try open(segmentImage(items).mappedBytes())
    #expect(segment.segmentID == 42)
    #expect(segment.uuid == testUUID)
    #expect(segment.documentCount == count)
    #expect(segment.meta.tokenCount == (count == 0 ? 0 : 1234))
    let statistics = [SegmentMeta.AttributeStatistics(attribute: 3, tokens: 5, values: 6)]
    #expect(segment.meta.attributeStatistics == (count == 0 ? [] : statistics))
    #expect(try readItems(segment) == items)
    #expect(segment.verify() == [])
  }

  @Test(arguments: [0, 3, 20_000])
  func fileHasTheBytesOfMemory(count: Int) throws {
    let image = segmentImage(modelItems(count, seed: 5))
    let folder = Folder.inMemory()
    let file = try folder.create("segment.42")
    try image.write(to: file)
    let written = try folder.map("segment.42")
    let inMemory = image.mappedBytes()
    #expect(written.count == image.count)
    let isEqual = contents(written) == contents(inMemory)
    #expect(isEqual)
    #expect(try open(written).documentCount == count)
  }

  @Test func refusesAnotherIndex() throws {
    let image = segmentImage(modelItems(2, seed: 1))
    #expect(throws: SegmentError.foreign(file: "s")) {
      try Segment.open(
        image.mappedBytes(), name: "s", verified: false,
        expecting: [UInt8](repeating: 9, count: 16))
    }
  }

  /// Changes the tail of a segment and puts its hash right again.
  private func patched(_ change: (inout [UInt8], _ footer: Int) -> Void) -> [UInt8] {
    var bytes = contents(segmentImage(modelItems(3, seed: 1)).mappedBytes())
    func word(_ at: Int) -> Int {
      (0..<8).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
    }
    let trailer = bytes.count - 64
    let checksums = word(trailer + 8)
    change(&bytes, word(trailer))
    let hash = bytes.withUnsafeBytes { buffer in
      buffer.baseAddress.map {
        XXH64.hash($0 + checksums, bytes.count - 16 - checksums, seed: 0)
      } ?? 0
    }
    for index in 0..<8 {
      bytes[trailer + 48 + index] = UInt8(truncatingIfNeeded: hash >> (8 * index))
    }
    return bytes
  }

  @Test func skipsUnknownOptionalSections() throws {
    let bytes = patched { bytes, footer in
      let last = bytes.count - 64 - 2 * 32  // the entry before that of the checksums
      #expect(last > footer)
      bytes[last] = 200
      bytes[last + 2] = 0
    }
    let segment = try open(mapped(bytes))
    #expect(segment.section(.thumbnails) == nil)
    #expect(segment.documentCount == 3)
  }

  @Test func refusesUnknownRequiredSections() throws {
    let bytes = patched { bytes, _ in bytes[bytes.count - 64 - 2 * 32] = 200 }
    #expect(throws: SegmentError.newerFormat(file: "segment.42", section: 200, version: 1)) {
      try open(mapped(bytes))
    }
  }

  @Test func refusesNewerSectionsAndFiles() throws {
    let section = patched { bytes, footer in bytes[footer + 4] = 2 }
    #expect(throws: SegmentError.newerFormat(file: "segment.42", section: 1, version: 2)) {
      try open(mapped(section))
    }
    let file = patched { bytes, _ in bytes[bytes.count - 64 + 28] = 2 }
    #expect(throws: SegmentError.newerFormat(file: "segment.42", section: nil, version: 2)) {
      try open(mapped(file))
    }
  }

  @Test func readsPagesOnlyWhenTouched() throws {
    var bytes = contents(segmentImage(modelItems(5000, seed: 9)).mappedBytes())
    let place = bytes.count / 2
    bytes[place] ^= 1
    let segment = try open(mapped(bytes))
    let errors = segment.verify()
    #expect(errors.contains { $0.offset == (place & ~0xFFFF) && $0.file == "segment.42" })
    let views = SectionKind.allCases.compactMap { segment.section($0) }
    let view = try #require(views.last { $0.fileOffset <= place })
    #expect(throws: CorruptionError.self) { try view.touch(place - view.fileOffset, 1) }
    #expect(throws: CorruptionError.self) { try view.touch(view.count, 1) }
    #expect(throws: CorruptionError.self) { try view.touch(-1, 1) }
    #expect(throws: CorruptionError.self) { try view.touch(1, Int.max) }
    try view.touch(view.count, 0)
  }
}

@Suite struct NormTests {
  @Test func isMonotoneAndExactBelow16() {
    for tokens in 0..<UInt32(16) { #expect(Norm.decode(Norm.encode(tokens)) == tokens) }
    var last: UInt8 = 0
    var tokens: UInt32 = 0
    while tokens < 3_000_000_000 {
      let norm = Norm.encode(tokens)
      #expect(norm >= last)
      let least = Norm.decode(norm)
      #expect(least <= tokens && Double(tokens - least) <= Double(tokens) / 8)
      #expect(Norm.encode(least) == norm)
      if least > 0 { #expect(Norm.encode(least - 1) == norm - 1) }
      last = norm
      tokens += 1 + tokens / 61
    }
    #expect(Norm.encode(.max) == 239)
    #expect(Norm.decode(255) == Norm.decode(239))
  }
}

@Suite struct AttributeSetsTests {
  @Test(arguments: [1, 8, 15, 16, 63, 64, 65, 190])
  func comesBack(attributes: Int) throws {
    var random = Random(UInt64(attributes))
    let names = (0..<attributes).map { UInt16($0 * 3) }
    let sets = (0..<200).map { _ in
      let chosen = (0..<attributes).filter { _ in random.next() % 3 == 0 }
      var words = [UInt64](repeating: 0, count: (attributes + 63) / 64)
      for index in chosen { words[index >> 6] |= 1 << UInt64(index & 63) }
      return words
    }
    let table = AttributeSets(attributes: names, sets: sets)
    let writer = testWriter()
    table.encode(into: writer.buffer(.attributeSets))
    let segment = try open(writer.finish().mappedBytes())
    #expect(try segment.attributeSets() == table)
    for (code, set) in sets.enumerated() {
      let expected = (0..<attributes).filter { set[$0 >> 6] >> UInt64($0 & 63) & 1 == 1 }
      #expect(table.attributes(of: code) == expected.map { names[$0] })
      let signature = expected.reduce(0) { $0 | 1 << min($1, 15) }
      #expect(table.signatures[code] == UInt16(signature))
    }
    #expect(table.attributes(of: 65_535) == [])
  }
}
