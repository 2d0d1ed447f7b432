// Files of later and earlier versions: refused with the file's name, its version and what is read.

import Limelight
import LimelightSpecimens
import Testing

struct VersionTests {
  /// The newest version of each kind of file.
  private static let newest: [String: UInt8] = [
    "manifest": 1, "journal": 2, "segment": 1, "dictionary": 1, "thumbnails": 1,
  ]

  /// A file with another version in its head, and in a segment's trailer, under checksums that match.
  private func changed(_ name: String, _ bytes: [UInt8], to version: UInt8) -> [UInt8] {
    var other = bytes
    other[8] = version
    other = Reseal.apply(name, other, at: 8)
    if name.hasPrefix("segment.") {
      other[bytes.count - 36] = version
      other = Reseal.apply(name, other, at: bytes.count - 36)
    }
    return other
  }

  /// Opens the index and reads a thumbnail.
  private func use(_ path: String, _ access: Access) throws {
    let index = try Index(path, access: access)
    _ = try index.get("rich/0")
    try index.close()
  }

  private func check(
    _ name: String, _ version: UInt8, _ code: LimelightError.Code, _ fixture: Fixture
  ) throws {
    let kind = String(name.split(separator: ".")[0])
    let newest = try #require(Self.newest[kind])
    let bytes = changed(name, try #require(fixture.files[name]), to: version)
    for access in [Access.readOnly, .readWrite] {
      let copy = try fixture.copy()
      try copy.write(bytes, to: name)
      let error = #expect(throws: LimelightError.self, "\(name), version \(version)") {
        try use(copy.path, access)
      }
      guard let error else { return }
      #expect(error.code == code && error.file == name, "\(error)")
      let known = newest == 1 ? "1" : "1 to \(newest)"
      for words in [name, "format \(version)", "reads format \(known)"] {
        #expect(error.message.contains(words), "\(words): \(error)")
      }
      // A newer or older index is no damaged one, for those who look after it.
      if kind != "thumbnails" {
        let verified = #expect(throws: LimelightError.self) { try Index.verify(copy.path) }
        #expect(verified?.code == code)
        let repaired = #expect(throws: LimelightError.self) {
          try Index.repair(copy.path, dryRun: true)
        }
        #expect(repaired?.code == code, "\(name): \(repaired as Any)")
      }
    }
  }

  @Test func newerFilesAreRefused() throws {
    let fixture = try Fixture.newest()
    for name in fixture.files.keys {
      let kind = String(name.split(separator: ".")[0])
      let newest = try #require(Self.newest[kind])
      #expect(try #require(fixture.files[name])[8] == newest, "\(name)")
      try check(name, newest + 1, .newerFormat, fixture)
      try check(name, 255, .newerFormat, fixture)
    }
  }

  @Test func filesOlderThanAnyThatIsReadAreRefused() throws {
    let fixture = try Fixture.newest()
    for name in fixture.files.keys { try check(name, 0, .olderFormat, fixture) }
  }

  /// A bit that was flipped in the version is damage where a checksum tells.
  @Test func aFlippedVersionIsRefusedToo() throws {
    let fixture = try Fixture.newest()
    for (name, bytes) in fixture.files where !name.hasPrefix("thumbnails.") {
      let copy = try fixture.copy()
      var other = bytes
      other[8] ^= 0x40
      try copy.write(other, to: name)
      let error = #expect(throws: LimelightError.self) { try use(copy.path, .readOnly) }
      #expect(error?.file == name, "\(name): \(error as Any)")
      // A repair sees by the checksum that no other version wrote it.
      let report = try Index.repair(copy.path, dryRun: true)
      #expect(report.isComplete && report.problems.map(\.file) == [name], "\(name): \(report)")
    }
  }
}
