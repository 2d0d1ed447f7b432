// Journals: records come back, torn tails are passed over, damage is not.
import LimelightItems
import LimelightSnapshots
import LimelightStorage
import Testing

struct JournalTests {
  private static let manifest = {
    var manifest = Manifest(options: testOptions)
    (manifest.number, manifest.journal, manifest.nextFile) = (1, 1, 2)
    return manifest
  }()

  /// A journal of records, each synced before the next when `syncs`.
  private func journal(_ records: [EncodedRecord], syncs: Bool = true) throws -> [UInt8] {
    let folder = Folder.inMemory()
    let writer = try JournalWriter.create(
      in: folder, number: 1, uuid: testOptions.uuid, firstSequence: 1)
    for (number, record) in records.enumerated() {
      let sequence = try writer.append(record, synced: syncs ? UInt64(number) : 0)
      #expect(sequence == UInt64(number + 1))
    }
    return try folder.read(FileNames.journal(1))
  }

  /// The numbers of the records that are read from these bytes.
  private func read(_ bytes: [UInt8], synced: UInt64 = 0) throws -> [UInt64] {
    var manifest = Self.manifest
    manifest.synced = synced
    let folder = try folder([FileNames.journal(1): bytes, FileNames.manifest(1): []])
    return try drain(try JournalFollower(folder, behind: manifest)).map(\.sequence)
  }

  @Test func everyOperationComesBack() throws {
    var registry = AttributeRegistry()
    try registry.declare("colour", kind: .text)
    var declared: [UInt8] = []
    registry.encode(into: &declared)
    var pictured = item("p", String(repeating: "long ", count: 40_000))
    pictured.thumbnail = Array(repeating: 7, count: 100_000)
    pictured.hasThumbnail = true
    let batches: [[JournalOperation]] = [
      [],
      [.put([item("a", "one"), pictured, item("", "é")])],
      [.delete(ids: ["a", "", "日本"]), .put([]), .delete(ids: [])],
      [.deleteAll],
      [.declare(declared), .clientState([1, 2]), .clientState(nil), .clientState([])],
      [.clientState(Array(repeating: 1, count: 250))],
    ]
    let bytes = try journal(try batches.map { try EncodedRecord($0) })
    let folder = try folder([FileNames.journal(1): bytes])
    let records = try drain(try JournalFollower(folder, behind: Self.manifest))
    #expect(records.map(\.operations) == batches)
    #expect(records.map(\.sequence) == [1, 2, 3, 4, 5, 6])
  }

  @Test func clientStateThatIsTooLongIsRefused() {
    let error = failure {
      _ = try EncodedRecord([.clientState(Array(repeating: 1, count: 251))])
    }
    #expect(error?.kind == .tooLarge)
  }

  /// Where the records of a journal start, and its end.
  private func borders(_ records: [EncodedRecord]) throws -> [Int] {
    try (0...records.count).map { try journal(Array(records.prefix($0))).count }
  }

  @Test func damageToWhatWasSyncedIsAnErrorAndToTheLastRecordATornTail() throws {
    let records = try ["a", "bb", "ccc", "dddd"].map { try put($0) }
    let bytes = try journal(records)
    let borders = try borders(records)
    for offset in 64..<bytes.count {
      var damaged = bytes
      damaged[offset] ^= 0x10
      let what = Comment(rawValue: "byte \(offset)")
      if offset >= borders[3] {
        let last = try read(damaged)
        // The zeros behind the payload mean nothing.
        let isPadding = last.count == 4 && bytes[offset...].allSatisfy { $0 == 0 }
        #expect(last == [1, 2, 3] || isPadding, what)
        guard !isPadding else { continue }
        #expect(failure { _ = try read(damaged, synced: 4) }?.kind == .damaged, what)
      } else if let error = failure({ _ = try read(damaged) }) {
        #expect(error.kind == .damaged && error.file == "journal.1", what)
        #expect(borders.contains(error.offset ?? -1), what)
      } else {
        let next = try #require(borders.first { $0 > offset })
        #expect(bytes[offset..<next].allSatisfy { $0 == 0 } && next - offset < 8, what)
        #expect(try read(damaged) == [1, 2, 3, 4], what)
      }
    }
  }

  @Test func damageToWhatWasNeverSyncedIsATornTail() throws {
    let records = try ["a", "bb", "ccc", "dddd"].map { try put($0) }
    let bytes = try journal(records, syncs: false)
    let borders = try borders(records)
    for record in 0..<4 {
      for offset in stride(from: borders[record], to: borders[record] + 60, by: 3) {
        var damaged = bytes
        damaged[offset] ^= 0x80
        #expect(try read(damaged) == Array(1..<UInt64(record + 1)), "byte \(offset)")
      }
      var holed = bytes
      let hole = borders[record]..<borders[record + 1]
      holed.replaceSubrange(hole, with: Array(repeating: 0, count: hole.count))
      #expect(try read(holed) == Array(1..<UInt64(record + 1)), "a hole at record \(record + 1)")
    }
  }

  @Test func everyTruncationLeavesWholeRecords() throws {
    let records = try ["a", "bb", "ccc"].map { try put($0) }
    let bytes = try journal(records)
    let borders = try borders(records)
    for count in 0..<bytes.count {
      let cut = Array(bytes.prefix(count))
      guard count >= 64 else {
        #expect(failure { _ = try read(cut) }?.kind == .damaged, "\(count) bytes")
        continue
      }
      let whole = UInt64(borders.filter { $0 <= count }.count - 1)
      #expect(try read(cut).count == Int(whole), "\(count) bytes")
      // The manifest says how far the journal must reach.
      #expect(try read(cut, synced: whole).count == Int(whole))
      #expect(failure { _ = try read(cut, synced: whole + 1) }?.kind == .damaged)
    }
  }

  @Test func everyFlippedByteOfTheHeaderIsATypedError() throws {
    let bytes = try journal([try put("a")])
    for offset in 0..<64 {
      var damaged = bytes
      damaged[offset] ^= 1
      let error = try #require(failure { _ = try read(damaged) }, "byte \(offset)")
      #expect(error.file == "journal.1")
      let kinds: [SnapshotError.Kind] =
        (8..<12).contains(offset) ? [.newerFormat, .olderFormat] : [.damaged]
      #expect(kinds.contains(error.kind), "byte \(offset): \(error)")
    }
  }

  @Test func aJournalOfAnotherIndexIsRefused() throws {
    let folder = Folder.inMemory()
    _ = try JournalWriter.create(
      in: folder, number: 1, uuid: Array(repeating: 1, count: 16), firstSequence: 1)
    let error = failure { _ = try JournalFollower(folder, behind: Self.manifest) }
    #expect(error?.kind == .wrongIndex && error?.file == "journal.1")
  }

  @Test func bytesOfAnotherJournalNeverPassForARecord() throws {
    // A crash may leave an old file's block behind: whole records, of another journal.
    let records = try ["a", "bb", "ccc"].map { try put($0) }
    let bytes = try journal(records)
    let other = try journal(records)
    let borders = try borders(records)
    #expect(try read(Array(bytes[..<borders[1]] + other[borders[1]...])) == [1])
  }

  @Test func aRecordHalfWrittenIsNotYetThere() throws {
    let records = try [put("a"), put("b", String(repeating: "x", count: 150_000)), put("c")]
    let bytes = try journal(records)
    let borders = try borders(records)
    let folder = Folder.inMemory()
    let file = try folder.create(FileNames.journal(1))
    try file.append(Array(bytes.prefix(64)))
    let follower = try JournalFollower(folder, behind: Self.manifest)
    var written = 64
    var seen: [UInt64] = []
    for step in stride(from: 65, through: bytes.count + 990, by: 997) {
      let end = min(step, bytes.count)
      try file.append(Array(bytes[written..<end]))
      written = end
      seen += try drain(follower).map(\.sequence)
      #expect(seen.count == borders.filter { $0 <= written }.count - 1)
    }
    #expect(seen == [1, 2, 3])
  }

  @Test func randomPayloadsAreNeverATrap() throws {
    var chance = Chance(11)
    let good = try EncodedRecord([
      .put([item("a", "b")]), .delete(ids: ["x", "yy"]), .clientState([1]),
    ])
    let folder = Folder.inMemory()
    let writer = try JournalWriter.create(
      in: folder, number: 1, uuid: testOptions.uuid, firstSequence: 1)
    _ = try writer.append(good, synced: 0)
    let reader = try JournalReader(in: folder, number: 1, uuid: testOptions.uuid)
    let payload = try #require(try reader.next()).payload
    for _ in 0..<20_000 {
      var bytes = payload
      for _ in 0...chance.below(3) {
        bytes[chance.below(bytes.count)] = UInt8(truncatingIfNeeded: chance.next())
      }
      bytes.removeLast(chance.below(4) == 0 ? chance.below(bytes.count) : 0)
      let error = failure {
        _ = try bytes.withUnsafeBytes {
          try JournalOperation.decode($0, file: "journal.1", at: 104)
        }
      }
      #expect(error == nil || (error?.kind == .damaged && error?.offset ?? 0 >= 104))
    }
  }
}
