// JournalReader: the records of one journal file, while it may still grow.
internal import LimelightCodecs
package import LimelightStorage

/// A record as it stands in a journal: checked, not decoded.
package struct JournalFrame {
  package let kind: JournalRecordKind
  package let sequence: UInt64
  package let payload: [UInt8]
  /// Where the payload starts in the file.
  let offset: Int
}

/// Reads a journal from its first record on.
///
/// Where no whole record stands there may be none yet, one in the middle of being written, what a
/// crash left of one, or damage. `next` gives nil in all four cases and stays where it is;
/// `isDamagedHere` tells damage from the others. Threads: one at a time.
package final class JournalReader {
  /// The bytes read at once; larger records are read whole.
  private static let chunkSize = 64 << 10

  package let header: JournalHeader
  package let name: String
  private let file: FileReader
  /// Where the next record starts.
  package private(set) var position = JournalHeader.size
  /// The number that it must have.
  package private(set) var nextSequence: UInt64
  private var buffer: [UInt8] = []
  private var bufferStart = 0
  /// The size of the file up to which no proof of damage was found.
  private var searchedSize = 0

  /// Opens `journal.<number>`.
  package init(
    in folder: Folder, number: UInt64, uuid: [UInt8]
  ) throws(SnapshotError) {
    let name = FileNames.journal(number)
    self.name = name
    let file = try storing(name) { () throws(StorageError) in try folder.openReader(name) }
    self.file = file
    let bytes = try storing(name) { () throws(StorageError) in
      try file.read(from: 0, count: JournalHeader.size)
    }
    header = try Self.header(bytes, number: number, uuid: uuid)
    nextSequence = header.firstSequence
  }

  private static func header(
    _ bytes: [UInt8], number: UInt64, uuid: [UInt8]
  ) throws(SnapshotError) -> JournalHeader {
    var failure: SnapshotError?
    let header = bytes.withUnsafeBytes { bytes in
      do throws(SnapshotError) {
        return try JournalHeader(decoding: bytes, number: number, uuid: uuid)
      } catch {
        failure = error
        return JournalHeader(uuid: uuid, id: 0, number: number, firstSequence: 0)
      }
    }
    if let failure { throw failure }
    return header
  }

  /// The bytes of the file at this moment.
  package func size() throws(SnapshotError) -> Int {
    try storing(name) { () throws(StorageError) in try file.size() }
  }

  /// How the file looks now; see `FileReader.look`.
  func look() -> FileLook? { file.look() }

  /// The next record, or nil when there is no whole one.
  package func next() throws(SnapshotError) -> JournalFrame? {
    while let frame = try readFrame() {
      let size = RecordHead.recordSize(payload: frame.payload.count)
      position = frame.offset + size - RecordHead.size
      if frame.kind == .operations { nextSequence += 1 }
      if frame.kind != .synced { return frame }
    }
    // What is half there now may be whole the next time.
    buffer = []
    return nil
  }

  private func readFrame() throws(SnapshotError) -> JournalFrame? {
    guard try fill(RecordHead.size), let head = head(at: position) else { return nil }
    guard head.sequence == nextSequence else {
      throw .damaged(
        name, at: position, "record \(head.sequence) stands where \(nextSequence) should")
    }
    guard let kind = JournalRecordKind(rawValue: head.kind) else {
      throw .damaged(name, at: position, "record \(head.sequence) is of an unknown kind")
    }
    guard try fill(head.recordSize) else { return nil }
    let start = position - bufferStart + RecordHead.size
    let payload = Array(buffer[start..<start + Int(head.length)])
    guard Self.checksum(payload) == head.payloadChecksum else { return nil }
    return JournalFrame(
      kind: kind, sequence: head.sequence, payload: payload, offset: position + RecordHead.size)
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt64 {
    // An empty array has no address; the hash of nothing needs none.
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return emptyChecksum }
      return XXH64.hash(base, bytes.count)
    }
  }

  private static let emptyChecksum = XXH64().digest()

  /// Reads until `count` bytes from the position on are in the buffer: false when the file ends.
  private func fill(_ count: Int) throws(SnapshotError) -> Bool {
    let have = bufferStart + buffer.count - position
    if position >= bufferStart, have >= count { return true }
    let wanted = max(count, Self.chunkSize)
    buffer = try read(from: position, count: wanted)
    bufferStart = position
    return buffer.count >= count
  }

  private func read(from offset: Int, count: Int) throws(SnapshotError) -> [UInt8] {
    try storing(name) { () throws(StorageError) in try file.read(from: offset, count: count) }
  }

  private func head(at offset: Int) -> RecordHead? {
    buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, offset - bufferStart + RecordHead.size <= bytes.count
      else { return nil }
      return RecordHead(decoding: base + (offset - bufferStart), salt: header.id)
    }
  }

  /// Whether the record that should stand here was on disk once: then its absence is damage.
  ///
  /// It was when `synced`, which a manifest tells, says so, or a head that stands later, or when the
  /// file ends before what was read of it. Without
  /// such a proof it was never acknowledged, and what is here is nothing or a torn tail. Reads the
  /// rest of the file once for each size that it has.
  package func isDamagedHere(synced: UInt64) throws(SnapshotError) -> Bool {
    if nextSequence <= synced { return true }
    let size = try size()
    if size < position { return true }
    guard size > searchedSize else { return false }
    // Heads stand at multiples of 8. Chunks overlap by a head.
    var offset = max(position, JournalHeader.size)
    while offset + RecordHead.size <= size {
      let bytes = try read(from: offset, count: Self.chunkSize)
      guard bytes.count >= RecordHead.size else { break }
      if hasProof(bytes) { return true }
      offset += (bytes.count - RecordHead.size) & ~7 + 8
    }
    searchedSize = size
    return false
  }

  private func hasProof(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      for offset in stride(from: 0, through: bytes.count - RecordHead.size, by: 8) {
        // The number tells nearly always, for a fraction of the checksum's price.
        let raw = base.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
        guard UInt64(littleEndian: raw) > nextSequence else { continue }
        let head = RecordHead(decoding: base + offset, salt: header.id)
        if let head, head.synced >= nextSequence { return true }
      }
      return false
    }
  }
}
