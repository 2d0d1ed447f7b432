// Reading on without damaged segments, without maps, and beside files that are cut short.

import Foundation
import Glibc
import Limelight
import LimelightSpecimens
import Testing

struct SkippingTests {
  private func open(
    _ sandbox: Sandbox, _ damage: DamagePolicy = .fail, _ access: FileAccess = .map
  ) throws -> Index {
    try Index(
      sandbox.path, options: IndexConfiguration(fileAccess: access, damage: damage),
      access: .readOnly)
  }

  private func segments(_ specimen: Specimen) -> [String] {
    specimen.files.keys.filter { $0.hasPrefix("segment.") }.sorted()
  }

  @Test func theOtherSegmentsStayReadable() throws {
    let specimen = try Specimen.several()
    let sandbox = try Sandbox(specimen)
    let whole = try open(sandbox, .skipSegments)
    #expect(Answers(of: whole) == specimen.truth)
    #expect(try whole.skippedSegments().isEmpty)
    let all = Set(try whole.ids())
    for name in segments(specimen) {
      let bytes = try #require(specimen.files[name])
      for offset in stride(from: Int.random(in: 0..<97), to: bytes.count, by: 97) {
        var damaged = bytes
        damaged[offset] ^= 0xFF
        try sandbox.write(damaged, to: name)
        let index = try open(sandbox, .skipSegments)
        let skipped = try index.skippedSegments()
        #expect(skipped.map(\.file) == [name], "byte \(offset)")
        #expect(skipped.first?.problem.file == name, "byte \(offset)")
        #expect(Answers(of: index).refusals == specimen.truth.refusals, "byte \(offset)")
        #expect(try index.verify().isEmpty, "byte \(offset)")
        let ids = Set(try index.ids())
        #expect(ids.isSubset(of: all), "byte \(offset)")
        // Of a segment's items the journal may have replaced some.
        #expect(ids.count >= all.count - (skipped.first?.items ?? 0), "byte \(offset)")
        #expect(ids.count < all.count, "byte \(offset)")
        #expect(throws: LimelightError.self) { try index.put([SpecimenItems.plain("x", 1)]) }
      }
      try sandbox.remove(name)
      let index = try open(sandbox, .skipSegments)
      #expect(try index.skippedSegments().map(\.file) == [name])
      try sandbox.write(bytes, to: name)
    }
  }

  @Test func whatIsNoSegmentIsNotSkipped() throws {
    let specimen = try Specimen.several()
    let sandbox = try Sandbox(specimen)
    for name in specimen.files.keys
    where name.hasPrefix("manifest.") || name.hasPrefix("journal.") {
      let bytes = try #require(specimen.files[name])
      var damaged = bytes
      damaged[20] ^= 0xFF
      try sandbox.write(damaged, to: name)
      let error = #expect(throws: LimelightError.self) { try open(sandbox, .skipSegments) }
      #expect(error?.code == .damaged && error?.file == name)
      try sandbox.write(bytes, to: name)
    }
    let error = #expect(throws: LimelightError.self) {
      try Index(sandbox.path, options: IndexConfiguration(damage: .skipSegments))
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test func withoutTheirDictionarySegmentsStayOut() throws {
    let specimen = try Specimen.large()
    let sandbox = try Sandbox(specimen)
    let name = try #require(specimen.files.keys.first { $0.hasPrefix("dictionary.") })
    try sandbox.remove(name)
    let index = try open(sandbox, .skipSegments)
    #expect(try index.skippedSegments().map(\.file).sorted() == segments(specimen))
    #expect(try index.count == 0)
  }

  /// What is read is in memory: nothing that happens to the files matters to it.
  @Test func filesThatAreReadMayBeCutShort() throws {
    let specimen = try Specimen.large()
    let sandbox = try Sandbox(specimen)
    let index = try open(sandbox, .fail, .read)
    for name in segments(specimen) { #expect(truncate(sandbox.path + "/" + name, 0) == 0) }
    #expect(Answers(of: index) == specimen.truth)
    #expect(try index.verify().isEmpty)
    #expect(sandbox.read().refusal == .damaged)

    let writable = try Sandbox(try Specimen.several())
    let writer = try Index(writable.path, options: IndexConfiguration(fileAccess: .read))
    try writer.put([SpecimenItems.plain("new", 1)])
    try writer.merge()
    #expect(try writer.contains("new"))
    try writer.close()
    #expect(try Index.verify(writable.path).isEmpty)
  }

  @Test func aSegmentThatIsCutShortIsNoticed() throws {
    let specimen = try Specimen.several()
    let name = try #require(segments(specimen).first)
    let sandbox = try Sandbox(specimen)
    let size = try #require(specimen.files[name]).count
    let index = try open(sandbox)
    #expect(truncate(sandbox.path + "/" + name, off_t(size - 100)) == 0)
    for _ in 0..<2 {
      let error = #expect(throws: LimelightError.self) { try index.ids() }
      #expect(error?.code == .damaged && error?.file == name && error?.offset == size - 100)
    }
    let again = #expect(throws: LimelightError.self) { try open(sandbox) }
    #expect(again?.code == .damaged && again?.file == name)
  }

  @Test func aJournalThatIsCutShortIsNoticed() throws {
    let specimen = try Specimen.several()
    let name = try #require(specimen.journal)
    let sandbox = try Sandbox(specimen)
    let index = try open(sandbox)
    #expect(Answers(of: index) == specimen.truth)
    #expect(truncate(sandbox.path + "/" + name, 80) == 0)
    for _ in 0..<2 {
      let error = #expect(throws: LimelightError.self) { try index.ids() }
      #expect(error?.code == .damaged && error?.file == name && error?.offset == 80)
    }
  }
}
