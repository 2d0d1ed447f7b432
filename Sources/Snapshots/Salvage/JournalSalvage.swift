// JournalSalvage: every whole record behind a manifest, whatever stands between them.
internal import LimelightCodecs
package import LimelightStorage

/// A whole record of a damaged journal.
package struct SalvagedRecord {
  package let operations: [JournalOperation]
  /// Whether a record before it is lost: numbers of custom attributes that were declared since may
  /// then mean others than they seem to.
  package let isAfterGap: Bool
}

/// Reads the journals behind a manifest from one whole record to the next.
///
/// Where no whole record stands, the next one is looked for, at multiples of 8 bytes. What is known
/// to be lost are the numbers in between, and those that a manifest, or a head that stands later,
/// proves to have been synced. What is not proved is a torn tail, which was never acknowledged.
/// Reads each journal as a whole. Threads: one at a time.
package final class JournalSalvage {
  private let folder: Folder
  private let manifest: Manifest
  private var waiting: [FileName]
  /// The journal at hand.
  private var journal: Journal?
  /// The number of the next record.
  private var expected: UInt64
  private var hasGap = false

  /// What is wrong with the journals.
  package private(set) var damages: [SnapshotError] = []
  /// Records that are lost, each of them one change; more of them where a journal cannot be read at
  /// all, which counts as one.
  package private(set) var lostCount: UInt64 = 0
  /// The highest number that a record is known to have had.
  package var sequence: UInt64 { expected - 1 }

  /// One journal file, in memory.
  private struct Journal {
    let name: String
    let bytes: [UInt8]
    /// What salts the checksums of heads; nil if that is lost, so that heads have to be believed when
    /// their payloads agree with them.
    let salt: UInt64?
    var position = JournalHeader.size
  }

  /// Without the number of its journal no head can be checked, and a number far from what is expected
  /// would be read from anything.
  private static let widestGap: UInt64 = 1 << 20

  package init(_ folder: Folder, behind manifest: Manifest) throws(SnapshotError) {
    self.folder = folder
    self.manifest = manifest
    expected = manifest.sequence + 1
    waiting = try FolderContents(of: folder).files
      .filter { $0.kind == .journal && $0.number >= manifest.journal }
      .sorted { $0.number > $1.number }
    if waiting.last?.number != manifest.journal {
      let name = FileNames.journal(manifest.journal)
      damages.append(.damaged(name, at: 0, "the journal is missing"))
      loseUnknown()
    }
  }

  /// The next whole record; nil at the end of the last journal.
  package func next() throws(SnapshotError) -> SalvagedRecord? {
    while true {
      if journal == nil {
        guard let file = waiting.popLast() else {
          lose(through: manifest.synced, in: FileNames.journal(manifest.journal), at: 0)
          return nil
        }
        journal = try open(file.number)
        continue
      }
      guard let payload = advance() else {
        journal = nil
        continue
      }
      if let record = decode(payload.range, payload.bytes, payload.name) { return record }
    }
  }

  private func decode(
    _ range: Range<Int>, _ bytes: [UInt8], _ name: String
  ) -> SalvagedRecord? {
    bytes.withUnsafeBytes { bytes in
      do throws(SnapshotError) {
        let operations = try JournalOperation.decode(
          UnsafeRawBufferPointer(rebasing: bytes[range]), file: name, at: range.lowerBound)
        return SalvagedRecord(operations: operations, isAfterGap: hasGap)
      } catch {
        damages.append(error)
        lostCount += 1
        hasGap = true
        return nil
      }
    }
  }

  // MARK: Files

  private func open(_ number: UInt64) throws(SnapshotError) -> Journal? {
    let name = FileNames.journal(number)
    let bytes: [UInt8]
    do throws(StorageError) {
      bytes = try folder.read(name)
    } catch {
      damages.append(SnapshotError(error, file: name))
      loseUnknown()
      return nil
    }
    do throws(SnapshotError) {
      let header = try decodeHeader(bytes, number)
      lose(through: header.firstSequence - 1, in: name, at: 48)
      return Journal(name: name, bytes: bytes, salt: header.id)
    } catch {
      let isOfAnotherVersion = error.kind == .newerFormat || error.kind == .olderFormat
      if isOfAnotherVersion, Self.isSealed(bytes) { throw error }
      damages.append(.damaged(name, at: error.offset ?? 0, error.message))
      if error.kind == .wrongIndex || bytes.count < JournalHeader.size {
        loseUnknown()
        return nil
      }
    }
    guard bytes.count >= JournalHeader.size + RecordHead.size else { return nil }
    let salt = Self.integer(bytes, at: 32)
    let isSalted = RecordHead.salvaged(bytes, at: JournalHeader.size, salt: salt) != nil
    return Journal(name: name, bytes: bytes, salt: isSalted ? salt : nil)
  }

  private func decodeHeader(
    _ bytes: [UInt8], _ number: UInt64
  ) throws(SnapshotError) -> JournalHeader {
    var failure: SnapshotError?
    let header = bytes.withUnsafeBytes { bytes -> JournalHeader? in
      do throws(SnapshotError) {
        return try JournalHeader(decoding: bytes, number: number, uuid: manifest.options.uuid)
      } catch {
        failure = error
        return nil
      }
    }
    guard let header, (1...SnapshotFormat.highestNumber).contains(header.firstSequence) else {
      throw failure ?? .damaged(FileNames.journal(number), at: 48, "a first record that cannot be")
    }
    return header
  }

  private static func isSealed(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= JournalHeader.size else { return false }
    let end = JournalHeader.size - 8
    return bytes.withUnsafeBytes { bytes in
      bytes.baseAddress.map { XXH64.hash($0, end) } == integer(bytes, at: end)
    }
  }

  private static func integer(_ bytes: some Collection<UInt8>, at offset: Int) -> UInt64 {
    bytes.dropFirst(offset).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  // MARK: Records

  /// The place of the next record with operations that is whole; nil when the journal has no more.
  private func advance() -> (range: Range<Int>, bytes: [UInt8], name: String)? {
    while let (head, start) = nextHead() {
      guard var journal else { return nil }
      lose(through: head.sequence - 1, in: journal.name, at: journal.position)
      lose(through: head.synced, in: journal.name, at: journal.position)
      journal.position = start + head.recordSize
      self.journal = journal
      guard head.kind == JournalRecordKind.operations.rawValue, head.sequence == expected else {
        continue
      }
      expected += 1
      let payload = start + RecordHead.size
      return (payload..<payload + Int(head.length), journal.bytes, journal.name)
    }
    return nil
  }

  /// The next whole record from the position on, and where it starts.
  private func nextHead() -> (head: RecordHead, start: Int)? {
    guard let journal else { return nil }
    var offset = journal.position
    while offset + RecordHead.size <= journal.bytes.count {
      if let head = RecordHead.salvaged(journal.bytes, at: offset, salt: journal.salt),
        journal.salt != nil || isNear(head)
      {
        return (head, offset)
      }
      offset += 8
    }
    return nil
  }

  private func isNear(_ head: RecordHead) -> Bool {
    head.sequence >= manifest.sequence && head.sequence < expected &+ Self.widestGap
      && head.synced < expected &+ Self.widestGap
  }

  /// Counts what a journal held that cannot be read as one record: how many there were is not known.
  private func loseUnknown() {
    lostCount += 1
    hasGap = true
  }

  /// Counts the records up to a number that are not there as lost.
  private func lose(through sequence: UInt64, in file: String, at offset: Int) {
    guard sequence >= expected else { return }
    let count = sequence - expected + 1
    let records = count == 1 ? "record \(expected)" : "records \(expected) to \(sequence)"
    damages.append(
      .damaged(file, at: offset, "\(records), which had reached the disk, cannot be read"))
    lostCount += count
    expected = sequence + 1
    hasGap = true
  }
}

extension RecordHead {
  /// The head of a record that is whole: of a known kind, of this journal, its payload as it was.
  static func salvaged(_ bytes: [UInt8], at offset: Int, salt: UInt64?) -> RecordHead? {
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, offset + size <= bytes.count else { return nil }
      let decoded =
        salt.map { RecordHead(decoding: base + offset, salt: $0) }
        ?? RecordHead(believing: base + offset)
      guard let head = decoded, JournalRecordKind(rawValue: head.kind) != nil,
        head.sequence <= SnapshotFormat.highestNumber,
        Int(head.length) <= bytes.count - offset - size,
        XXH64.hash(base + offset + size, Int(head.length)) == head.payloadChecksum
      else { return nil }
      return head
    }
  }

  /// Reads 40 bytes without comparing the head's own checksum; nil when they cannot be a head.
  private init?(believing bytes: UnsafeRawPointer) {
    let word = { (offset: Int) in
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    let front = word(0)
    guard front >> 40 == 0, word(16) < word(8) else { return nil }
    self.init(
      length: UInt32(truncatingIfNeeded: front), kind: UInt8(truncatingIfNeeded: front >> 32),
      sequence: word(8), synced: word(16), payloadChecksum: word(24))
    guard length > 0 || kind == JournalRecordKind.synced.rawValue else { return nil }
  }
}
