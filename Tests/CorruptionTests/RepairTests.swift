// Repairs: what is whole stays, what is lost is told, and nothing is ever made up.

import Foundation
import Limelight
import LimelightSpecimens
import Testing

/// What an index holds, as ids with their items; of an index that stores none, ids alone.
private func contents(of path: String) throws -> [String: String] {
  let index = try Index(path, access: .readOnly)
  var contents: [String: String] = [:]
  for id in try index.ids() {
    contents[id] = ""
    if index.storesItems, let item = try index.get(id) {
      contents[id] = String(decoding: item.jsonLine(), as: UTF8.self)
    }
  }
  return contents
}

/// A specimen on a disk that is damaged and repaired.
private final class Patient {
  let sandbox: Sandbox
  let specimen: Specimen
  let truth: [String: String]
  var path: String { sandbox.path }

  init(_ specimen: Specimen) throws {
    self.specimen = specimen
    sandbox = try Sandbox(specimen)
    truth = try contents(of: sandbox.path)
  }

  /// Writes a file changed.
  func damage(_ name: String, _ change: (inout [UInt8]) -> Void) throws {
    var bytes = try #require(specimen.files[name])
    change(&bytes)
    try sandbox.write(bytes, to: name)
  }

  /// Repairs to a folder that goes with the call, and compares what is there with what was.
  ///
  /// What is lost without an id may be as many items as the report says. Gives the report and what the
  /// repaired index holds; that is nil if no repair was needed.
  func repair(_ what: String) throws -> (report: RepairReport, contents: [String: String]?) {
    let output = try Specimen.scratch("repaired")
    defer { try? FileManager.default.removeItem(atPath: output) }
    let report = try Index.repair(path, output: output)
    guard report.path != nil else { return (report, nil) }
    let kept = try contents(of: output)
    #expect(try Index.verify(output).isEmpty, "\(what)")
    return (report, kept)
  }

  /// The same for damage of segments and their files: each item is there as it was, or told of.
  func check(_ what: String) throws -> RepairReport {
    let (report, kept) = try repair(what)
    guard let kept else { return report }
    var missing = 0
    for (id, item) in truth {
      guard let now = kept[id] else {
        if !report.lost.contains(id) { missing += 1 }
        continue
      }
      #expect(!report.lost.contains(id), "\(what): \(id) is there")
      if !report.withoutThumbnail.contains(id) { #expect(now == item, "\(what): \(id)") }
    }
    // The journal may have replaced or deleted some of them.
    let unidentified = report.unidentified.reduce(0) { $0 + $1.items }
    if specimen.earlier.isEmpty {
      #expect(missing == unidentified, "\(what)")
    } else {
      #expect(missing <= unidentified && (missing > 0 || unidentified == 0), "\(what)")
    }
    #expect(Set(kept.keys).isSubset(of: truth.keys), "\(what): made up")
    #expect(report.lost.allSatisfy { truth[$0] != nil }, "\(what)")
    return report
  }
}

struct RepairTests {
  /// Flips a bit in all files but journals and thumbnails.
  private func flipBits(_ specimen: Specimen, stride step: Int) throws {
    let patient = try Patient(specimen)
    var repaired = 0
    for (name, bytes) in specimen.files
    where !name.hasPrefix("journal.") && !name.hasPrefix("thumbnails.") {
      for offset in stride(from: Int.random(in: 0..<step), to: bytes.count, by: step) {
        try patient.damage(name) { $0[offset] ^= 1 << UInt8.random(in: 0..<8) }
        let what = "\(specimen.name), \(name), byte \(offset)"
        let (report, kept) = try patient.repair(what)
        #expect(!report.problems.isEmpty, "\(what): unnoticed")
        #expect(report.isComplete && report.rescued == 0, "\(what)")
        #expect(kept == patient.truth, "\(what)")
        repaired += 1
      }
      try patient.sandbox.write(bytes, to: name)
    }
    #expect(repaired > 10)
  }

  /// The last 128 bytes of a segment, all that its other bytes are found by.
  @Test func noFlippedBitOfATrailerLosesAnything() throws {
    let patient = try Patient(try Specimen.bare())
    let (name, bytes) = try #require(
      patient.specimen.files.filter { $0.key.hasPrefix("segment.") }
        .min { $0.value.count < $1.value.count })
    for offset in stride(from: bytes.count - 128 + Int.random(in: 0..<3), to: bytes.count, by: 3) {
      try patient.damage(name) { $0[offset] ^= 1 << UInt8.random(in: 0..<8) }
      let (report, kept) = try patient.repair("byte \(offset - bytes.count)")
      #expect(!report.problems.isEmpty && report.isComplete, "byte \(offset - bytes.count)")
      #expect(kept == patient.truth, "byte \(offset - bytes.count)")
    }
  }

  @Test func noFlippedBitLosesAnything() throws {
    try flipBits(try Specimen.single(), stride: 149)
    try flipBits(try Specimen.several(), stride: 331)
    try flipBits(try Specimen.bare(), stride: 331)
  }

  /// Sectors of zeros, as a disk gives for what it has lost.
  @Test("S09, repair: all that is whole comes back, and what is lost is named")
  func lostSectorsTakeOnlyWhatStoodThere() throws {
    let patient = try Patient(try Specimen.large())
    let (name, bytes) = try #require(
      patient.specimen.files.filter { $0.key.hasPrefix("segment.") }
        .max { $0.value.count < $1.value.count })
    var rescued = 0
    var lost = 0
    let stored = try #require(Reseal.section(19, of: bytes))
    let starts =
      Array(stride(from: 1024, to: bytes.count - 4096, by: 1 << 16))
      + [(stored.lowerBound + stored.upperBound) / 2 / 512 * 512]
    for start in starts {
      try patient.damage(name) { bytes in
        for offset in start..<start + 1024 { bytes[offset] = 0 }
      }
      let report = try patient.check("\(name), byte \(start)")
      #expect(!report.problems.isEmpty)
      rescued += report.rescued
      lost += report.lost.count
    }
    #expect(rescued > 1000 && lost > 0)
  }

  /// A segment of one page has one checksum: if more than a bit of it is wrong, nothing in it is proved.
  @Test func moreThanABitOfASmallSegmentTakesAllOfIt() throws {
    let patient = try Patient(try Specimen.several())
    for (name, bytes) in patient.specimen.files where name.hasPrefix("segment.") {
      // What is before the checksums is the page; they have a checksum of their own.
      let end = bytes[(bytes.count - 56)..<(bytes.count - 48)].reversed().reduce(0) {
        $0 << 8 | Int($1)
      }
      #expect(end < 1 << 16)
      // In the section `meta`, without which a segment does not even open, and anywhere.
      for first in [70, Int.random(in: 64..<end / 2)] {
        let places = [first, end / 2 + 7]
        try patient.damage(name) { bytes in
          for place in places { bytes[place] ^= 0x20 }
        }
        let report = try patient.check("\(name), bytes \(places)")
        #expect(report.rescued == 0 && report.lost.isEmpty)
        #expect(report.unidentified.map(\.file) == [name])
        #expect(report.problems.allSatisfy { $0.file == name })
        #expect(report.problems.contains { $0.offset == 0 })
      }
      try patient.damage(name) { _ in }
    }
  }

  @Test func aSegmentThatIsGoneIsCounted() throws {
    let patient = try Patient(try Specimen.several())
    let segments = patient.specimen.files.keys.filter { $0.hasPrefix("segment.") }.sorted()
    for name in segments {
      try patient.sandbox.remove(name)
      let report = try patient.check("\(name) removed")
      #expect(report.problems.first?.file == name)
      #expect(report.unidentified.map(\.file) == [name] || !report.lost.isEmpty)
      try patient.damage(name) { $0 = [] }
      #expect(!(try patient.check("\(name) empty")).problems.isEmpty)
      try patient.damage(name) { _ in }
    }
  }

  @Test func aDamagedThumbnailCostsNoItem() throws {
    let patient = try Patient(try Specimen.single())
    let (name, bytes) = try #require(
      patient.specimen.files.first { $0.key.hasPrefix("thumbnails.") })
    try patient.damage(name) { $0[70] ^= 0xFF }
    let one = try patient.check("a byte of \(name)")
    #expect(one.withoutThumbnail.count == 1 && one.lost.isEmpty && one.rescued == 2)
    #expect(one.problems.map(\.file) == [name])
    #expect(bytes.count > 70)
    try patient.sandbox.remove(name)
    #expect(try patient.check("\(name) removed").withoutThumbnail == ["r1", "r2"])
  }

  @Test func withoutItsDictionaryOnlyIdsAreLeft() throws {
    let patient = try Patient(try Specimen.large())
    let name = try #require(
      patient.specimen.files.keys.first { $0.hasPrefix("dictionary.") })
    try patient.sandbox.remove(name)
    let report = try patient.check("\(name) removed")
    #expect(report.lost.count == patient.truth.count)
    #expect(report.unidentified.isEmpty)
  }

  // MARK: Journals

  /// The places of the records of a journal.
  private func records(_ bytes: [UInt8]) -> [Range<Int>] {
    var records: [Range<Int>] = []
    var start = 64
    while start + 40 <= bytes.count {
      let length = bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
      let end = start + 40 + (length + 7) & ~7
      if length > 0 { records.append(start..<end) }
      start = end
    }
    return records
  }

  @Test func aLostRecordTakesNoOtherWithIt() throws {
    let patient = try Patient(try Specimen.several())
    let name = try #require(patient.specimen.journal)
    let journal = try #require(patient.specimen.files[name])
    let records = records(journal)
    #expect(records.count == 3)
    // r2 and p3 are put, p1 and p9 deleted, p20 and p1 put.
    let lost: [(missing: Set<String>, back: Set<String>)] = [
      (["r2"], []), ([], ["p9"]), (["p20", "p1"], []),
    ]
    for (number, record) in records.enumerated() {
      for offset in [record.lowerBound + 3, record.lowerBound + 35, record.lowerBound + 41] {
        try patient.damage(name) { $0[offset] ^= 0xFF }
        let what = "record \(number), byte \(offset - record.lowerBound)"
        let (report, kept) = try patient.repair(what)
        #expect(report.lostChanges == 1, "\(what)")
        #expect(!report.isComplete && report.lost.isEmpty, "\(what)")
        #expect(report.problems.map(\.file) == [name], "\(what)")
        let ids = Set(try #require(kept).keys)
        let expected = Set(patient.truth.keys).subtracting(lost[number].missing)
          .union(lost[number].back)
        #expect(ids == expected, "\(what)")
      }
    }
  }

  @Test func aDamagedHeadOfAJournalCostsNoRecord() throws {
    let patient = try Patient(try Specimen.several())
    let name = try #require(patient.specimen.journal)
    for offset in 0..<64 {
      try patient.damage(name) { $0[offset] ^= 0xFF }
      let (report, kept) = try patient.repair("byte \(offset)")
      #expect(report.problems.first?.file == name, "byte \(offset)")
      // An index of its own would be another one's.
      if !report.problems.contains(where: { $0.message.contains("another index") }) {
        #expect(report.isComplete, "byte \(offset)")
        #expect(kept == patient.truth, "byte \(offset)")
      }
    }
    try patient.sandbox.remove(name)
    let (report, kept) = try patient.repair("no journal")
    #expect(report.problems.first?.file == name)
    #expect(!report.isComplete && report.lostChanges == 1)
    #expect(try #require(kept).count < patient.truth.count)
  }

  /// The numbers of attributes that a lost record declared cannot be known.
  @Test func attributesOfALostRecordAreNotGuessed() throws {
    let path = try Specimen.scratch("attributes")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let copy = try Specimen.scratch("attributes-copy")
    defer { try? FileManager.default.removeItem(atPath: copy) }
    let output = try Specimen.scratch("attributes-repaired")
    defer { try? FileManager.default.removeItem(atPath: output) }
    let index = try Index(path)
    func put(_ id: String, _ attribute: String) throws {
      let attributes: AttributeSet = [Attribute(attribute): .text("x"), .title: .text(id)]
      try index.put([Item(id: id, attributes: attributes)])
    }
    try put("a", "first")
    try put("b", "second")
    try put("c", "third")
    try put("d", "first")
    var files = try FileManager.default.contentsOfDirectory(atPath: path)
    files.removeAll { $0 == "lock" }
    for file in files {
      try FileManager.default.copyItem(atPath: path + "/" + file, toPath: copy + "/" + file)
    }
    let journal = copy + "/" + (try #require(files.first { $0.hasPrefix("journal.") }))
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: journal)))
    let records = records(bytes)
    #expect(records.count == 4)
    bytes[records[1].lowerBound + 50] ^= 0xFF
    try Data(bytes).write(to: URL(fileURLWithPath: journal))
    let report = try Index.repair(copy, output: output)
    #expect(report.lostChanges == 1)
    #expect(report.lost == ["c"])
    let kept = try contents(of: output)
    #expect(Set(kept.keys) == ["a", "d"])
    #expect(kept["d"]?.contains("\"first\":\"x\"") == true)
    try index.close()
  }
}
