// Manifests: every field comes back, and no damaged byte goes unnoticed.
import LimelightCodecs
import LimelightSnapshots
import LimelightStorage
import Testing

struct ManifestTests {
  /// A manifest with something in every field.
  private static func full() -> Manifest {
    var manifest = Manifest(
      options: IndexOptions(
        analyzerName: "runs", analyzerVersion: 3, storesItems: false,
        uuid: (0..<16).map { UInt8($0) }))
    manifest.number = 12
    manifest.sequence = 1_000
    manifest.synced = 1_003
    manifest.journal = 40
    manifest.nextFile = 50
    var sparse = LiveDocs(count: 100_000)
    for document: UInt32 in [0, 5, 32_767, 99_999] { _ = sparse.delete(document) }
    manifest.segments = [
      .init(file: 30, segmentID: 300, live: sparse),
      .init(file: 31, segmentID: 310, live: LiveDocs(count: 7)),
    ]
    manifest.dictionary = 1
    manifest.thumbnails = [20, 22]
    manifest.registry = [1, 2, 3]
    manifest.clientState = Array(repeating: 9, count: SnapshotFormat.clientStateBytes)
    manifest.revisions = [4, 5]
    return manifest
  }

  private func decode(_ bytes: [UInt8], number: UInt64 = 12) throws -> Manifest {
    try bytes.withUnsafeBytes { try Manifest(decoding: $0, number: number) }
  }

  private func expectEqual(_ left: Manifest, _ right: Manifest) {
    #expect(left.number == right.number)
    #expect(left.options == right.options)
    #expect(left.sequence == right.sequence)
    #expect(left.synced == right.synced)
    #expect(left.journal == right.journal)
    #expect(left.nextFile == right.nextFile)
    #expect(left.dictionary == right.dictionary)
    #expect(left.thumbnails == right.thumbnails)
    #expect(left.registry == right.registry)
    #expect(left.clientState == right.clientState)
    #expect(left.revisions == right.revisions)
    #expect(left.segments.map(\.file) == right.segments.map(\.file))
    #expect(left.segments.map(\.segmentID) == right.segments.map(\.segmentID))
    #expect(left.segments.map(\.documentCount) == right.segments.map(\.documentCount))
    for (left, right) in zip(left.segments, right.segments) {
      #expect(deadDocuments(left.live) == deadDocuments(right.live))
    }
  }

  @Test func everyFieldComesBack() throws {
    let manifest = Self.full()
    expectEqual(try decode(manifest.encode().asArray()), manifest)
    var empty = Manifest(options: testOptions)
    (empty.number, empty.journal, empty.nextFile) = (1, 1, 2)
    expectEqual(try decode(empty.encode().asArray(), number: 1), empty)
    empty.clientState = []
    #expect(try decode(empty.encode().asArray(), number: 1).clientState == [])
  }

  @Test func everyFlippedByteIsATypedError() throws {
    let bytes = Self.full().encode().asArray()
    for offset in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[offset] ^= 1 << UInt8(bit)
        let error = try #require(failure { _ = try decode(damaged) }, "byte \(offset), bit \(bit)")
        #expect(error.file == "manifest.12")
        let isVersion = (8..<12).contains(offset)
        let kinds: [SnapshotError.Kind] = isVersion ? [.newerFormat, .olderFormat] : [.damaged]
        #expect(kinds.contains(error.kind), "byte \(offset), bit \(bit): \(error)")
      }
    }
  }

  @Test func everyTruncationIsATypedError() throws {
    let bytes = Self.full().encode().asArray()
    for count in 0..<bytes.count {
      let error = failure { _ = try decode(Array(bytes.prefix(count))) }
      #expect(error?.kind == .damaged, "\(count) bytes")
    }
    #expect(failure { _ = try decode(bytes + [0]) }?.kind == .damaged)
  }

  @Test func impossibleContentsAreRefusedThoughTheChecksumIsRight() throws {
    let changes: [(String, (inout Manifest) -> Void)] = [
      ("journal 0", { $0.journal = 0 }),
      ("a file that has no number yet", { $0.nextFile = 40 }),
      ("a segment twice", { $0.segments.append($0.segments[0]) }),
      ("a thumbnail file twice", { $0.thumbnails.append(20) }),
      ("a number beyond all", { $0.nextFile = .max }),
      ("records synced before they were written", { $0.synced = 999 }),
      ("too much client state", { $0.clientState?.append(0) }),
      ("no analyser", { $0.options = IndexOptions(analyzerName: "", analyzerVersion: 1) }),
      ("another number", { $0.number = 13 }),
    ]
    for (what, change) in changes {
      var manifest = Self.full()
      change(&manifest)
      let bytes = manifest.encode().asArray()
      #expect(failure { _ = try decode(bytes) }?.kind == .damaged, "\(what)")
    }
  }

  @Test func randomContentsBehindARightChecksumAreNeverATrap() throws {
    var chance = Chance(3)
    let bytes = Self.full().encode().asArray()
    for _ in 0..<20_000 {
      var damaged = bytes
      for _ in 0...chance.below(3) {
        damaged[12 + chance.below(bytes.count - 20)] = UInt8(truncatingIfNeeded: chance.next())
      }
      seal(&damaged)
      let error = failure { _ = try decode(damaged) }
      let kinds: [SnapshotError.Kind?] = [nil, .damaged, .newerFormat]
      #expect(kinds.contains(error?.kind))
    }
  }

  @Test func versionsAreTold() throws {
    var bytes = Self.full().encode().asArray()
    bytes[8] = 2
    #expect(failure { _ = try decode(bytes) }?.kind == .newerFormat)
    bytes[8] = 0
    let error = failure { _ = try decode(bytes) }
    #expect(error?.kind == .olderFormat)
    #expect(error?.message.contains("format 0") == true)
  }

  @Test func unknownPartsAreSkippedUnlessTheyMustBeUnderstood() throws {
    let manifest = Self.full()
    var bytes = manifest.encode().asArray()
    bytes.removeLast(8)
    bytes[12] += 1
    bytes += [0xE7, 0x03, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3]
    bytes += Array(repeating: 0, count: 8)
    withUnsafeBytes(of: UInt64(bytes.count).littleEndian) {
      bytes.replaceSubrange(32..<40, with: $0)
    }
    seal(&bytes)
    expectEqual(try decode(bytes), manifest)
    bytes[bytes.count - 8 - 19 + 2] = 1
    seal(&bytes)
    #expect(failure { _ = try decode(bytes) }?.kind == .newerFormat)
  }

  /// Puts the right checksum at the end.
  private func seal(_ bytes: inout [UInt8]) {
    let end = bytes.count - 8
    let checksum = bytes.withUnsafeBytes { bytes in
      bytes.baseAddress.map { XXH64.hash($0, end) } ?? 0
    }
    withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(end..., with: $0) }
  }
}
