// JournalFollower: what happened since a manifest, record after record, from journal to journal.
internal import LimelightCodecs
package import LimelightStorage

/// Reads the records behind a manifest, and those that a running writer adds.
///
/// One reader for all: the writer that opens an index, and readers in other processes, which take
/// no lock and write nothing. Every record that was acknowledged before `next` was called is given
/// by it, or `IndexFolder.isOutdated` says that it stands behind a newer manifest. Threads: one at
/// a time.
package final class JournalFollower {
  private let folder: Folder
  private let manifest: Manifest
  private var reader: JournalReader
  /// How many journals were begun.
  private(set) var journalCount = 1
  /// The journal's file when all of it was read, if nothing can happen without a change of it.
  private var rest: FileLook?

  /// Starts behind a manifest.
  package init(_ folder: Folder, behind manifest: Manifest) throws(SnapshotError) {
    self.folder = folder
    self.manifest = manifest
    reader = try Self.open(manifest.journal, manifest.sequence + 1, behind: manifest, in: folder)
  }

  /// The last record that was given; the manifest's own number before the first.
  package var sequence: UInt64 { reader.nextSequence - 1 }

  /// Whether nothing has happened since `settle`: one system call.
  ///
  /// A writer appends each change to the journal; when it goes over to another journal it says so at the
  /// end of this one or removes it. Only manifests that show the same items in other segments may come
  /// without a trace here.
  package var isAtRest: Bool { rest != nil && reader.look() == rest }

  /// How the journal's file looks now: to be asked before the look at manifests and the reading that
  /// `settle` ends.
  package func look() -> FileLook? { reader.look() }

  /// Says that all records up to an earlier look were given, and that there was no newer manifest then.
  ///
  /// Behind the journal of the manifest there is no rest: what was loaded in bulk comes with the next
  /// manifest alone, and that with no change of the later journal.
  package func settle(since look: FileLook?) {
    rest = journalCount == 1 && look?.size == reader.position ? look : nil
  }

  /// The next record, or nil when there is none yet.
  package func next() throws(SnapshotError) -> JournalRecord? {
    guard let frame = try nextFrame() else { return nil }
    let operations = try decode(frame)
    return JournalRecord(sequence: frame.sequence, operations: operations)
  }

  private func decode(_ frame: JournalFrame) throws(SnapshotError) -> [JournalOperation] {
    var failure: SnapshotError?
    let operations = frame.payload.withUnsafeBytes { payload -> [JournalOperation] in
      do throws(SnapshotError) {
        return try JournalOperation.decode(payload, file: reader.name, at: frame.offset)
      } catch {
        failure = error
        return []
      }
    }
    if let failure { throw failure }
    return operations
  }

  /// The next record as it stands; its journal may end and another go on before it.
  func nextFrame() throws(SnapshotError) -> JournalFrame? {
    while true {
      guard let frame = try wholeFrame() else { return nil }
      guard frame.kind == .continues else { return frame }
      reader = try Self.open(
        try next(of: frame), reader.nextSequence, behind: manifest, in: folder)
      journalCount += 1
    }
  }

  /// Whether the journal ends exactly behind the last record that was given.
  func isAtCleanEnd() throws(SnapshotError) -> Bool {
    try reader.size() == reader.position
  }

  /// The header of the journal that is being read.
  var header: JournalHeader { reader.header }

  private func wholeFrame() throws(SnapshotError) -> JournalFrame? {
    if let frame = try reader.next() { return frame }
    guard try reader.isDamagedHere(synced: manifest.synced) else { return nil }
    // A record may have been read while it was written, and the proof a moment later.
    if let frame = try reader.next() { return frame }
    let size = try reader.size()
    guard size >= reader.position else {
      throw .damaged(reader.name, at: size, "the file was cut short to \(size) bytes")
    }
    throw .damaged(
      reader.name, at: reader.position,
      "record \(reader.nextSequence), which had reached the disk, is not whole")
  }

  private func next(of frame: JournalFrame) throws(SnapshotError) -> UInt64 {
    let number =
      frame.payload.count == 8
      ? frame.payload.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } : 0
    guard number > reader.header.number else {
      throw .damaged(reader.name, at: frame.offset, "the journal goes on in one that cannot be")
    }
    return number
  }

  private static func open(
    _ number: UInt64, _ sequence: UInt64, behind manifest: Manifest, in folder: Folder
  ) throws(SnapshotError) -> JournalReader {
    let reader: JournalReader
    do throws(SnapshotError) {
      reader = try JournalReader(in: folder, number: number, uuid: manifest.options.uuid)
    } catch {
      guard error.storage?.kind == .notFound else { throw error }
      guard !manifest.isOutdated(in: folder) else {
        throw SnapshotError(
          .vanished, file: error.file, "a newer manifest does without this journal")
      }
      throw .damaged(error.file, at: 0, "the journal is missing")
    }
    guard reader.header.firstSequence == sequence else {
      throw .damaged(
        reader.name, at: 48,
        "the journal starts with record \(reader.header.firstSequence), not \(sequence)")
    }
    return reader
  }
}
