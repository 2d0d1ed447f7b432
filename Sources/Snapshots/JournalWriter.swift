// JournalWriter: one journal file, record behind record.
internal import LimelightCodecs
package import LimelightStorage

/// Appends records to a journal.
///
/// Threads: one at a time, but for `sync`, which may run beside appends and covers those that had
/// returned when it began.
package final class JournalWriter {
  package let header: JournalHeader
  /// The number of the next record.
  package private(set) var nextSequence: UInt64
  private let file: AppendFile
  private let name: String

  private init(_ header: JournalHeader, _ file: AppendFile) {
    self.header = header
    self.file = file
    name = FileNames.journal(header.number)
    nextSequence = header.firstSequence
  }

  /// Makes a journal with nothing but its header, not synced yet.
  package static func create(
    in folder: Folder, number: UInt64, uuid: [UInt8], firstSequence: UInt64
  ) throws(SnapshotError) -> JournalWriter {
    let name = FileNames.journal(number)
    let id = Randomness.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let header = JournalHeader(uuid: uuid, id: id, number: number, firstSequence: firstSequence)
    let file = try storing(name) { () throws(StorageError) in try folder.create(name) }
    do throws(StorageError) {
      try file.append(header.encode())
    } catch {
      file.close()
      try? folder.remove(name)
      throw SnapshotError(error, file: name)
    }
    return JournalWriter(header, file)
  }

  /// Goes on with a journal that holds its header and nothing else.
  static func reopen(
    _ header: JournalHeader, in folder: Folder
  ) throws(SnapshotError) -> JournalWriter {
    let name = FileNames.journal(header.number)
    let file = try storing(name) { () throws(StorageError) in try folder.reopen(name) }
    guard file.size == JournalHeader.size else {
      throw .damaged(name, at: JournalHeader.size, "the journal grew while it was opened")
    }
    return JournalWriter(header, file)
  }

  /// Whether no record was appended yet.
  package var isEmpty: Bool { nextSequence == header.firstSequence }

  /// Appends a record and returns its number; `synced` is the last record known to be on disk.
  ///
  /// When it throws, the journal is as before.
  package func append(
    _ record: EncodedRecord, synced: UInt64
  ) throws(SnapshotError) -> UInt64 {
    let sequence = nextSequence
    record.seal(sequence: sequence, synced: synced, salt: header.id)
    try storing(name) { () throws(StorageError) in try file.append(record.bytes) }
    if record.kind == .operations { nextSequence += 1 }
    return sequence
  }

  /// Makes all records durable whose appends have returned.
  package func sync() throws(SnapshotError) {
    try storing(name) { () throws(StorageError) in try file.sync() }
  }

  package func close() {
    file.close()
  }
}
