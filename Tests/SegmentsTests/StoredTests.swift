// Stored items, compressed and not, merged, and with the wrong dictionary.

import LimelightSegments
import Testing

@Suite struct StoredTests {
  private func segment(
    _ records: [[UInt8]], dictionary: StoredDictionary? = nil, compresses: Bool = true,
    compacts: Bool = false
  ) throws -> Segment {
    let writer = testWriter(
      dictionary: dictionary, compresses: compresses, compacts: compacts)
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

  /// Not compressed, compressed, with a dictionary; compacted without and with one.
  @Test(arguments: sizes.dropFirst(), [0, 1, 2, 3, 4])
  func recordsComeBack(count: Int, form: Int) throws {
    let records = records(count)
    let segment = try segment(
      records, dictionary: form % 2 == 0 && form > 0 ? dictionary : nil, compresses: form > 0,
      compacts: form > 2)
    #expect(segment.meta.storesItems)
    #expect(segment.meta.hasDictionary == (form == 2 || form == 4))
    try check(segment, records)
  }

  @Test func compressionSaves() throws {
    let records = records(1000)
    let raw = try segment(records, compresses: false).byteCount
    let packed = try segment(records).byteCount
    let small = try segment(records, dictionary: dictionary).byteCount
    #expect(packed * 3 < raw * 2)
    #expect(small < packed)
    #expect(try segment(records, compacts: true).byteCount < packed)
    #expect(try segment(records, dictionary: dictionary, compacts: true).byteCount < small)
  }

  /// What is compacted already is copied by a plain merge, and written anew by one that compacts.
  @Test func compactionCompressesWhatWasCompressed() throws {
    let records = records(900)
    let sources = [
      try segment(records, dictionary: dictionary),
      try segment(records, dictionary: dictionary, compacts: true),
    ]
    func merge(_ source: Segment, compacts: Bool) throws -> Segment {
      let writer = testWriter(dictionary: dictionary, compacts: compacts)
      writer.meta.documentCount = UInt32(records.count)
      let merged = StoredWriter(writer)
      try merged.append(
        try #require(try source.storedItems()), map: (0..<UInt32(records.count)).map { $0 })
      merged.finish()
      return try open(writer.finish().mappedBytes(), dictionary: dictionary)
    }
    for source in sources {
      let compact = try merge(source, compacts: true)
      #expect(compact.byteCount == sources[1].byteCount)
      try check(compact, records)
      try check(try merge(source, compacts: false), records)
    }
    let copied = try merge(sources[1], compacts: false)
    #expect(copied.byteCount < sources[0].byteCount)
  }

  @Test func appendingEndsWhenItIsToldTo() throws {
    let records = records(900)
    let source = try segment(records)
    var asked = 0
    try StoredWriter(testWriter(compacts: true)).append(
      try #require(try source.storedItems()), map: (0..<UInt32(records.count)).map { $0 }
    ) {
      asked += 1
      return asked > 3
    }
    #expect(asked == 4)
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
