// Indexes of all versions of the file format: read, changed and merged; and not a byte written otherwise.

import Limelight
import LimelightFormatFixture
import Testing

struct FormatTests {
  /// The versions before the newest have one each: a version without a fixture is none.
  @Test func eachVersionHasAFixture() throws {
    #expect(Fixture.versions == Array(1...max(Fixture.versions.count, 1)))
    for version in Fixture.versions {
      let fixture = try Fixture(version)
      let kinds = Set(fixture.files.keys.compactMap { $0.split(separator: ".").first })
      #expect(
        kinds == ["manifest", "journal", "segment", "dictionary", "thumbnails"], "\(fixture)")
      #expect(fixture.answers.count > 1000, "\(fixture)")
      let bytes = fixture.files.values.reduce(0) { $0 + $1.count }
      #expect(bytes < 200_000, "\(fixture)")
      // The highest version of any of its files: each kind is counted by itself.
      let files = fixture.files.map { Int($0.value[8]) }
      #expect(files.max() == version, "\(fixture)")
    }
  }

  @Test("S10, old version: what each version wrote is read", arguments: Fixture.versions)
  func isReadAndAnswers(version: Int) throws {
    let fixture = try Fixture(version)
    let copy = try fixture.copy()
    compare(try FixtureAnswers.lines(ofIndexIn: copy.path), fixture.answers, "\(fixture)")
    #expect(try Index(copy.path, access: .readOnly).verify().isEmpty, "\(fixture)")
    #expect(try Scratch.files(copy.path) == fixture.files, "\(fixture): reading wrote")
  }

  @Test(arguments: Fixture.versions)
  func isChangedAndMerged(version: Int) throws {
    let fixture = try Fixture(version)
    let copy = try fixture.copy()
    let state = fixture.answers.filter { $0.hasPrefix("state:") }
    var index = try Index(copy.path)
    compare(try FixtureAnswers.lines(of: index) + state.map(String.init), fixture.answers, "opened")

    let extra = Item(id: "extra", attributes: [.title: .text("unheard words")])
    #expect(try index.put([extra]).put == 1)
    #expect(try index.search("unheard").map { try $0.id } == ["extra"])
    try index.delete(ids: ["extra"])
    try index.merge()
    try index.close()
    #expect(try Scratch.files(copy.path).keys.filter { $0.hasPrefix("segment.") }.count == 1)
    #expect(try Index.verify(copy.path).isEmpty)

    // Scores no longer count what was deleted; all else is as it was.
    index = try Index(copy.path, access: .readOnly)
    compare(
      withoutScores(try FixtureAnswers.lines(of: index).map { $0[...] }).map(String.init),
      withoutScores(fixture.answers.filter { !$0.hasPrefix("state:") }), "merged")
    try index.close()
  }

  private func withoutScores(_ lines: [Substring]) -> [Substring] {
    lines.filter { line in
      !line.hasPrefix("typed ") && !line.hasPrefix("query ") || line.contains(", counted:")
    }
  }

  private func compare(_ found: [String], _ expected: [Substring], _ what: String) {
    #expect(found.count == expected.count, "\(what)")
    for (found, expected) in zip(found, expected) where !isSame(found, expected) {
      Issue.record("\(what):\n  \(found)\n  instead of\n  \(expected)")
    }
  }

  /// Whether two lines are the same but for the last places of scores, in millionths.
  ///
  /// The fixtures were asked before the scores of words were rounded to multiples of 2^-16, which moves
  /// that of a few words by up to 8 millionths each.
  private func isSame(_ found: String, _ expected: Substring) -> Bool {
    if found == expected { return true }
    guard expected.hasPrefix("typed ") || expected.hasPrefix("query ") else { return false }
    let a = found.split(separator: " ")
    let b = expected.split(separator: " ")
    return a.count == b.count
      && zip(a, b).allSatisfy { a, b in
        guard a != b else { return true }
        let ends = a.hasSuffix(",") == b.hasSuffix(",")
        guard ends, let a = Int(a.prefix { $0 != "," }), let b = Int(b.prefix { $0 != "," }) else {
          return false
        }
        return abs(a - b) <= 40
      }
  }

  /// Nobody changes bytes without noticing.
  @Test func aFreshIndexHasTheBytesOfItsVersion() throws {
    let fixture = try Fixture.newest()
    for _ in 0..<10 {
      let scratch = try Scratch()
      var files: [String: [UInt8]] = [:]
      try FixtureIndex.build(in: scratch.path) { files = try Scratch.files(scratch.path) }
      // A checkpoint that came in between makes other files.
      guard files.keys.sorted() == fixture.files.keys.sorted() else { continue }
      for (name, bytes) in files { compare(name, bytes, fixture) }
      return
    }
    Issue.record("the files of a fresh index are not those of \(fixture): \(Self.advice)")
  }

  private static let advice = """
    a change of what is written makes a new version of that kind of file. Raise its number, go on \
    reading the one before, say in FileFormat.md what is new, and store what is written now with \
    Tools/format-fixture.sh
    """

  private func compare(_ name: String, _ bytes: [UInt8], _ fixture: Fixture) {
    let isJournal = name.hasPrefix("journal.")
    let found = isJournal ? JournalBytes.unsalted(bytes) : bytes
    let expected = fixture.files[name].map { isJournal ? JournalBytes.unsalted($0) : $0 } ?? []
    guard found != expected else { return }
    let place = zip(found, expected).enumerated().first { $1.0 != $1.1 }?.offset
    Issue.record(
      """
      \(name) is not as in \(fixture), from byte \(place ?? min(found.count, expected.count)) on, \
      \(found.count) bytes instead of \(expected.count): \(Self.advice)
      """)
  }
}

/// A journal without what is drawn by lot: its id, and the checksums that it salts.
enum JournalBytes {
  static func unsalted(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    clear(32..<40, &bytes)
    clear(56..<64, &bytes)
    var record = 64
    while record + 40 <= bytes.count {
      clear(record + 32..<record + 40, &bytes)
      let length = bytes[record..<record + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
      record += 40 + (length + 7) & ~7
    }
    return bytes
  }

  private static func clear(_ range: Range<Int>, _ bytes: inout [UInt8]) {
    for place in range where place < bytes.count { bytes[place] = 0 }
  }
}
