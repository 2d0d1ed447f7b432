// JournalFormat: the bytes at the head of a journal and at the head of each of its records.
internal import LimelightCodecs

/// The first 64 bytes of a journal.
///
///     magic            8 bytes "LIMEJRN1"
///     version          u32, 2; 1 had no records of kind `synced`
///     0                u32
///     uuid             16 bytes, the index's
///     id               u64, random: the salt of the checksums of all records
///     number           u64, the N of journal.N
///     first sequence   u64, the number of the first record
///     checksum         u64, XXH64 of the 56 bytes before
package struct JournalHeader: Hashable, Sendable {
  package static let size = 64
  private static let magic: [UInt8] = Array("LIMEJRN1".utf8)

  package let uuid: [UInt8]
  package let id: UInt64
  package let number: UInt64
  package let firstSequence: UInt64
  /// The version in which the journal was begun, and in which alone it may go on.
  package let version: UInt32

  package init(uuid: [UInt8], id: UInt64, number: UInt64, firstSequence: UInt64) {
    version = SnapshotFormat.journalVersion
    self.uuid = uuid
    self.id = id
    self.number = number
    self.firstSequence = firstSequence
  }

  func encode() -> [UInt8] {
    let writer = ByteWriter(capacity: Self.size)
    writer.bytes(Self.magic)
    writer.u32(version)
    writer.u32(0)
    writer.bytes(uuid)
    writer.u64(id)
    writer.u64(number)
    writer.u64(firstSequence)
    writer.u64(XXH64.hash(writer.base, writer.count))
    return writer.asArray()
  }

  /// Reads the header of `journal.<number>`, which must belong to the index.
  init(
    decoding bytes: UnsafeRawBufferPointer, number: UInt64, uuid: [UInt8]
  ) throws(SnapshotError) {
    let file = FileNames.journal(number)
    guard bytes.count >= Self.size, let base = bytes.baseAddress else {
      throw .damaged(file, at: bytes.count, "the header is cut short")
    }
    guard bytes.starts(with: Self.magic) else { throw .damaged(file, at: 0, "not a journal") }
    let word = { (offset: Int) in
      UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    version = UInt32(littleEndian: base.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    try SnapshotFormat.check(version, file, newest: SnapshotFormat.journalVersion)
    guard XXH64.hash(base, Self.size - 8) == word(Self.size - 8) else {
      throw .damaged(file, at: 0, "the header's checksum does not match")
    }
    self.uuid = Array(bytes[16..<32])
    id = word(32)
    self.number = word(40)
    firstSequence = word(48)
    guard self.uuid == uuid else {
      throw SnapshotError(.wrongIndex, file: file, "the journal belongs to another index")
    }
    guard self.number == number else {
      throw .damaged(file, at: 40, "the file bears another journal's number")
    }
  }
}

/// What a record is; the numbers are part of the file format.
package enum JournalRecordKind: UInt8, Sendable {
  /// Operations that take effect together.
  case operations = 1
  /// The end of this journal: the payload is the number (u64) of the one that goes on.
  case continues = 2
  /// Nothing but a head: all records before it are on disk.
  case synced = 3
}

/// The 40 bytes at the head of a record.
///
///     length           u32, the payload's bytes
///     kind             u8
///     0                3 bytes
///     sequence         u64, the record's number
///     synced           u64, the last record known to be on disk when this one was written
///     payload checksum u64, XXH64 of the payload
///     head checksum    u64, XXH64 of the 32 bytes before, seeded with the journal's id
///
/// The payload follows, then zeros up to a multiple of 8. The head vouches for the payload's
/// checksum and is salted itself: bytes of another journal never pass for a record, not even those
/// that an item holds. `continues` and `synced` records have the number of the next record and take
/// none. A `synced` record is written behind a sync and never synced itself: it proves that the last
/// record was on disk, which would otherwise pass for a torn tail when it is damaged later.
struct RecordHead: Equatable {
  static let size = 40
  private static let checkedSize = 32

  var length: UInt32
  var kind: UInt8
  var sequence: UInt64
  var synced: UInt64
  var payloadChecksum: UInt64

  /// The bytes of the whole record, padding included.
  var recordSize: Int { Self.recordSize(payload: Int(length)) }

  static func recordSize(payload: Int) -> Int { size + (payload + 7) & ~7 }

  /// Writes the head to the first 40 bytes of a record.
  func encode(into bytes: UnsafeMutableRawPointer, salt: UInt64) {
    bytes.storeBytes(of: length.littleEndian, as: UInt32.self)
    bytes.storeBytes(of: UInt32(kind).littleEndian, toByteOffset: 4, as: UInt32.self)
    bytes.storeBytes(of: sequence.littleEndian, toByteOffset: 8, as: UInt64.self)
    bytes.storeBytes(of: synced.littleEndian, toByteOffset: 16, as: UInt64.self)
    bytes.storeBytes(of: payloadChecksum.littleEndian, toByteOffset: 24, as: UInt64.self)
    let checksum = XXH64.hash(bytes, Self.checkedSize, seed: salt)
    bytes.storeBytes(of: checksum.littleEndian, toByteOffset: Self.checkedSize, as: UInt64.self)
  }

  /// Reads 40 bytes; nil when they are no head of this journal.
  init?(decoding bytes: UnsafeRawPointer, salt: UInt64) {
    let word = { (offset: Int) in
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    let front = word(0)
    (sequence, synced, payloadChecksum) = (word(8), word(16), word(24))
    length = UInt32(truncatingIfNeeded: front)
    kind = UInt8(truncatingIfNeeded: front >> 32)
    // Cheap tests first: the search for a later head tries every eighth byte of a damaged journal.
    guard front >> 40 == 0, synced < sequence, length <= SnapshotFormat.recordBytes,
      XXH64.hash(bytes, Self.checkedSize, seed: salt) == word(Self.checkedSize)
    else { return nil }
  }

  init(length: UInt32, kind: UInt8, sequence: UInt64, synced: UInt64, payloadChecksum: UInt64) {
    self.length = length
    self.kind = kind
    self.sequence = sequence
    self.synced = synced
    self.payloadChecksum = payloadChecksum
  }
}
