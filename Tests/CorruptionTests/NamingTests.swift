// Damage in many files at once: a verification names all of it, and nothing else.

import Foundation
import Limelight
import LimelightSpecimens
import Testing

/// An index of which several files are damaged.
private final class Wreck {
  let sandbox: Sandbox
  private var files: [String: [UInt8]]

  init(_ specimen: Specimen) throws {
    files = specimen.files
    sandbox = try Sandbox(specimen)
  }

  /// The files of a kind, the largest first.
  func names(_ kind: String) -> [String] {
    files.filter { $0.key.hasPrefix(kind + ".") }.sorted { $0.value.count > $1.value.count }
      .map(\.key)
  }

  func size(_ name: String) -> Int { files[name]?.count ?? 0 }

  func bytes(_ name: String) -> [UInt8] { files[name] ?? [] }

  func change(_ name: String, _ change: (inout [UInt8]) -> Void) throws {
    var bytes = try #require(files[name])
    change(&bytes)
    files[name] = bytes
    try sandbox.write(bytes, to: name)
  }

  /// Overwrites a few bytes, which no single flipped bit explains.
  func scratch(_ name: String, at offset: Int) throws {
    try change(name) { for place in offset..<offset + 8 { $0[place] ^= 0xA5 } }
  }

  func flip(_ name: String, at offset: Int) throws {
    try change(name) { $0[offset] ^= 0x10 }
  }

  func problems() throws -> [Problem] { try Index.verify(sandbox.path) }
}

struct NamingTests {
  private static let page = 1 << 16

  private func offsets(_ problems: [Problem], _ file: String) -> Set<Int> {
    Set(problems.filter { $0.file == file }.compactMap(\.offset))
  }

  @Test func everyBadPageIsNamedBehindADamagedManifest() throws {
    let wreck = try Wreck(try Specimen.large())
    let manifest = try #require(wreck.names("manifest").first)
    let segments = wreck.names("segment")
    #expect(segments.count >= 2)
    let pages = [0, 1, wreck.size(segments[0]) / Self.page / 2, 3]
    for page in Set(pages) { try wreck.scratch(segments[0], at: page * Self.page + 900) }
    try wreck.scratch(segments[1], at: 700)
    try wreck.flip(manifest, at: 100)
    let problems = try wreck.problems()
    #expect(Set(problems.map(\.file)) == [manifest, segments[0], segments[1]])
    #expect(Set(pages.map { $0 * Self.page }).isSubset(of: offsets(problems, segments[0])))
    #expect(offsets(problems, segments[1]).contains(0))
    for problem in problems where problem.file != manifest {
      #expect(problem.code == .damaged && problem.section != nil, "\(problem)")
    }
  }

  @Test func segmentsAndDictionaryAreLookedAtEachByItself() throws {
    let wreck = try Wreck(try Specimen.large())
    let dictionary = try #require(wreck.names("dictionary").first)
    let segments = wreck.names("segment")
    try wreck.scratch(dictionary, at: 500)
    // A bit of a footer hides none of the pages before it.
    try wreck.flip(segments[0], at: wreck.size(segments[0]) - 40)
    try wreck.scratch(segments[0], at: Self.page + 5000)
    let problems = try wreck.problems()
    #expect(Set(problems.map(\.file)) == [dictionary, segments[0]])
    #expect(offsets(problems, segments[0]).contains(Self.page), "\(problems)")
    #expect(problems.contains { $0.file == segments[0] && $0.section == "footer" })

    // Nor does a segment that is no segment any more hide the others.
    try wreck.change(segments[0]) { $0 = Array($0.prefix(100)) }
    try wreck.scratch(segments[1], at: 700)
    let more = try wreck.problems()
    #expect(Set(more.map(\.file)) == [dictionary, segments[0], segments[1]])
    try wreck.sandbox.remove(segments[0])
    #expect(try wreck.problems().contains { $0.file == segments[0] })
  }

  @Test func thumbnailsAndRecordsAreNamedOneByOne() throws {
    let wreck = try Wreck(try Specimen.several())
    let journal = try #require(wreck.names("journal").first)
    let thumbnails = wreck.names("thumbnails")
    #expect(thumbnails.count == 1)
    try wreck.scratch(thumbnails[0], at: 70)
    let before = try wreck.problems()
    #expect(before.map(\.file) == thumbnails && before[0].offset == 64)
    try wreck.scratch(journal, at: 120)
    // The larger one has the thumbnails.
    let segment = wreck.names("segment")[1]
    try wreck.scratch(segment, at: 300)
    let problems = try wreck.problems()
    #expect(Set(problems.map(\.file)) == [thumbnails[0], journal, segment])
    #expect(offsets(problems, journal) == [64])
  }

  @Test func eachDamagedThumbnailHasItsPlace() throws {
    let wreck = try Wreck(try Specimen.single())
    let name = try #require(wreck.names("thumbnails").first)
    // The first is 31 bytes and its checksum long.
    try wreck.scratch(name, at: 66)
    try wreck.scratch(name, at: 64 + 31 + 8 + 4)
    #expect(offsets(try wreck.problems(), name) == [64, 64 + 31 + 8])
    // One problem if all is gone, beside a segment that is damaged as well.
    try wreck.sandbox.remove(name)
    #expect(try wreck.problems().map(\.file) == [name])
  }

  @Test func withoutAManifestAllFilesAreLookedAt() throws {
    for specimen in [try Specimen.several(), try Specimen.large()] {
      let wreck = try Wreck(specimen)
      let manifest = try #require(wreck.names("manifest").first)
      try wreck.change(manifest) { $0 = [UInt8](repeating: 0, count: 400) }
      #expect(Set(try wreck.problems().map(\.file)) == [manifest], "\(specimen.name)")
      var damaged: Set<String> = [manifest]
      // Without its segment no thumbnail is found.
      for name in wreck.names("segment") where wreck.names("thumbnails").isEmpty {
        try wreck.scratch(name, at: 200)
        damaged.insert(name)
        #expect(try wreck.problems().contains { $0.file == name && $0.offset == 0 })
      }
      for kind in ["dictionary", "thumbnails"] {
        for name in wreck.names(kind) {
          try wreck.scratch(name, at: kind == "dictionary" ? 100 : 70)
          damaged.insert(name)
        }
      }
      if let journal = specimen.journal, wreck.size(journal) > 200 {
        try wreck.scratch(journal, at: 120)
        damaged.insert(journal)
      }
      #expect(Set(try wreck.problems().map(\.file)) == damaged, "\(specimen.name)")
    }
  }

  /// A verification by its path tells as much as one of an open index, and no more.
  @Test func aWholeIndexHasNoProblem() throws {
    for specimen in [try Specimen.single(), try Specimen.several(), try Specimen.bare()] {
      #expect(try Wreck(specimen).problems().isEmpty, "\(specimen.name)")
    }
  }
}
