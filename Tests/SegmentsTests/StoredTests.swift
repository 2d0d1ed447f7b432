// Stored items, compressed and not, merged, and with the wrong dictionary.

import LimelightSegments
import Testing

@Suite struct StoredTests {
  private func segment(
    _ records: [[UInt8]], dictionary: StoredDictionary? = nil, compresses: Bool = true
  ) throws -> Segment {
    let writer = testWriter(dictionary: dictionary, compresses: compresses)
    writer.meta.documentCount = UInt32(records.count)
    let stored = StoredWriter(writer)
    for record in records { stored.add(record) }
    stored.finish()
    return try open(writer.finish().mappedBytes(), dictionary: dictionary)
  }

  private func records(_ count: Int) -> [[UInt8]] {
    modelItems(count, seed: UInt64(count)).map(\.record)
  }

  private func check(_ segment: Segment, _ records: [[UInt8]]) throws {
    let reader = try #require(try segment.storedItems())
    var random = Random(1)
    var record: [UInt8] = []
    for _ in 0..<min(300, records.count * 3) {
      let document = Int(random.next() % UInt64(records.count))
      try reader.record(of: UInt32(document), into: &record)
      #expect(record == records[document])
    }
    var walked: [[UInt8]] = []
    try reader.forEachRecord { document, bytes in
      #expect(document == walked.count)
      walked.append(Array(bytes))
    }
    #expect(walked == records)
    #expect(throws: CorruptionError.self) { try reader.record(of: UInt32(records.count)) }
  }

  private let dictionary = StoredDictionary(
    Array("Alpha says hello; beta says hello; GAMMA says hello; delta says hello; ".utf8))

  @Test(arguments: sizes.dropFirst(), [0, 1, 2])
  func recordsComeBack(count: Int, form: Int) throws {
    let records = records(count)
    let segment = try segment(
      records, dictionary: form == 2 ? dictionary : nil, compresses: form > 0)
    #expect(segment.meta.storesItems)
    #expect(segment.meta.hasDictionary == (form == 2))
    try check(segment, records)
  }

  @Test func compressionSaves() throws {
    let records = records(1000)
    let raw = try segment(records, compresses: false).byteCount
    let packed = try segment(records).byteCount
    let small = try segment(records, dictionary: dictionary).byteCount
    #expect(packed * 3 < raw * 2)
    #expect(small < packed)
  }

  @Test func wrongDictionaryIsRefused() throws {
    let writer = testWriter(dictionary: dictionary)
    writer.meta.documentCount = 1
    let stored = StoredWriter(writer)
    stored.add([1, 2, 3])
    stored.finish()
    let bytes = writer.finish().mappedBytes()
    #expect(throws: SegmentError.wrongDictionary(file: "segment.42")) { try open(bytes) }
    #expect(throws: SegmentError.wrongDictionary(file: "segment.42")) {
      try open(bytes, dictionary: StoredDictionary([1, 2, 3]))
    }
    #expect(try open(bytes, dictionary: StoredDictionary(dictionary.bytes)).documentCount == 1)
  }

  @Test(arguments: [0, 1, 2])
  func mergeKeepsWhatTheMapKeeps(form: Int) throws {
    var random = Random(4)
    var kept: [[UInt8]] = []
    let writer = testWriter(dictionary: dictionary)
    let merged = StoredWriter(writer)
    for (place, count) in [700, 1, 130, 900].enumerated() {
      let records = records(count)
      let source = try segment(
        records, dictionary: form == 2 ? dictionary : nil, compresses: form > 0)
      let map = records.map { record -> UInt32 in
        guard place == 0 || random.next() % 20 != 0 else { return .max }
        kept.append(record)
        return UInt32(kept.count - 1)
      }
      let reader = try #require(try source.storedItems())
      try merged.append(reader, map: map)
    }
    merged.finish()
    writer.meta.documentCount = UInt32(kept.count)
    try check(try open(writer.finish().mappedBytes(), dictionary: dictionary), kept)
  }
}
