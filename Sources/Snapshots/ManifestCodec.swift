// ManifestCodec: a manifest as bytes.
package import LimelightCodecs
internal import LimelightSegments

/// The parts of a manifest; the numbers are part of the file format.
private enum PartKind: UInt16 {
  case options = 1
  case segments, thumbnails, registry, clientState, revisions
}

/// The parts that a manifest has; without a table, the first of whose kind costs a tenth of an opening.
private struct Parts {
  var options: ByteReader?
  var segments: ByteReader?
  var thumbnails: ByteReader?
  var registry: ByteReader?
  var clientState: ByteReader?
  var revisions: ByteReader?

  /// Takes a part; false if there is one of its kind.
  mutating func add(_ part: ByteReader, _ kind: PartKind) -> Bool {
    switch kind {
    case .options: Self.fill(&options, part)
    case .segments: Self.fill(&segments, part)
    case .thumbnails: Self.fill(&thumbnails, part)
    case .registry: Self.fill(&registry, part)
    case .clientState: Self.fill(&clientState, part)
    case .revisions: Self.fill(&revisions, part)
    }
  }

  private static func fill(_ place: inout ByteReader?, _ part: ByteReader) -> Bool {
    guard place == nil else { return false }
    place = part
    return true
  }
}

/// The bytes of a manifest.
///
///     magic            8 bytes "LIMEMAN1"
///     version          u32, 1
///     parts            u32, how many follow
///     uuid             16 bytes
///     file length      u64
///     number           u64, the N of manifest.N
///     sequence         u64, the last journal record that is in here
///     synced           u64, the last journal record that was on disk when this was written
///     journal          u64, the N of journal.N, which starts with record sequence + 1
///     next file        u64, a number that no file has yet
///     dictionary       u64, the N of dictionary.N, or 0
///     parts            each: kind u16, flags u16 (1 = must be understood), 0 u32, length u64, bytes
///     checksum         u64, XXH64 of all bytes before
///
/// Parts: 1 options; 2 segments: count u32, then each: file u64, segment id u64, documents u32, live
/// docs; 3 thumbnails: a u64 a file; 4 registry; 5 client state; 6 revisions. Options and segments
/// are always there, the others only when there is something to say. A reader skips a kind that it
/// does not know unless its flag says that it must be understood. The magic, the version's place and
/// the checksum's stay the same in all versions.
private enum Layout {
  static let magic: [UInt8] = Array("LIMEMAN1".utf8)
  static let versionOffset = 8
  static let lengthOffset = 32
  static let headSize = 88
  static let partHeadSize = 16
  static let checksumSize = 8
  static let mustUnderstand: UInt16 = 1
  /// Least bytes of a segment's entry.
  static let segmentSize = 21
}

extension Manifest {
  /// The manifest as a file holds it.
  package func encode() -> ByteWriter {
    let writer = ByteWriter(capacity: 1024)
    writer.bytes(Layout.magic)
    writer.u32(SnapshotFormat.version)
    writer.u32(UInt32(partCount))
    writer.bytes(options.uuid)
    writer.u64(0)
    writer.u64(number)
    writer.u64(sequence)
    writer.u64(synced)
    writer.u64(journal)
    writer.u64(nextFile)
    writer.u64(dictionary ?? 0)
    part(.options, in: writer) { options.encode(into: writer) }
    part(.segments, in: writer) { encodeSegments(into: writer) }
    if !thumbnails.isEmpty {
      part(.thumbnails, in: writer) { for file in thumbnails { writer.u64(file) } }
    }
    if !registry.isEmpty { part(.registry, in: writer) { writer.bytes(registry) } }
    if let clientState { part(.clientState, in: writer) { writer.bytes(clientState) } }
    if !revisions.isEmpty { part(.revisions, in: writer) { writer.bytes(revisions) } }
    writer.patchU64(at: Layout.lengthOffset, UInt64(writer.count + Layout.checksumSize))
    writer.u64(XXH64.hash(writer.base, writer.count))
    return writer
  }

  private var partCount: Int {
    2 + (thumbnails.isEmpty ? 0 : 1) + (registry.isEmpty ? 0 : 1) + (clientState == nil ? 0 : 1)
      + (revisions.isEmpty ? 0 : 1)
  }

  private func part(_ kind: PartKind, in writer: ByteWriter, _ body: () -> Void) {
    writer.u16(kind.rawValue)
    writer.u16(Layout.mustUnderstand)
    writer.u32(0)
    let lengthOffset = writer.count
    writer.u64(0)
    body()
    writer.patchU64(at: lengthOffset, UInt64(writer.count - lengthOffset - 8))
  }

  private func encodeSegments(into writer: ByteWriter) {
    writer.u32(UInt32(segments.count))
    for segment in segments {
      writer.u64(segment.file)
      writer.u64(segment.segmentID)
      writer.u32(UInt32(truncatingIfNeeded: segment.documentCount))
      segment.live.encode(into: writer)
    }
  }
}

extension Manifest {
  /// Reads the manifest of a file, every byte of it checked.
  package init(
    decoding bytes: UnsafeRawBufferPointer, number: UInt64
  ) throws(SnapshotError) {
    let file = FileNames.manifest(number)
    try Manifest.checkFrame(bytes, file)
    do {
      var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes.dropLast(Layout.checksumSize)))
      try self.init(reading: &reader, number: number)
    } catch let error as DecodingError {
      throw .damaged(file, error)
    } catch let error as SnapshotError {
      throw error
    } catch {
      throw .damaged(file, at: 0, "\(error)")
    }
  }

  /// Checks what is the same in all versions: magic, version, checksum; then the length.
  private static func checkFrame(
    _ bytes: UnsafeRawBufferPointer, _ file: String
  ) throws(SnapshotError) {
    guard let base = bytes.baseAddress, bytes.count >= Layout.headSize + Layout.checksumSize else {
      throw .damaged(file, at: bytes.count, "the file is cut short")
    }
    guard bytes.starts(with: Layout.magic) else { throw .damaged(file, at: 0, "not a manifest") }
    try SnapshotFormat.check(
      UInt32(
        littleEndian: bytes.loadUnaligned(fromByteOffset: Layout.versionOffset, as: UInt32.self)),
      file)
    let end = bytes.count - Layout.checksumSize
    let stored = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self))
    guard XXH64.hash(base, end) == stored else {
      throw .damaged(file, at: 0, "the checksum does not match")
    }
    let length = bytes.loadUnaligned(fromByteOffset: Layout.lengthOffset, as: UInt64.self)
    guard UInt64(littleEndian: length) == UInt64(bytes.count) else {
      throw .damaged(file, at: Layout.lengthOffset, "the length does not match")
    }
  }

  private init(reading reader: inout ByteReader, number: UInt64) throws {
    try reader.skip(Layout.versionOffset + 4)
    let partCount = try reader.u32()
    let uuid = Array(try reader.bytes(IndexOptions.uuidSize))
    try reader.skip(8)
    let written = try reader.u64()
    guard written == number else {
      throw DecodingError.corrupt("the file bears another manifest's number", at: 40)
    }
    let sequence = try reader.u64()
    let synced = try reader.u64()
    let journal = try reader.u64()
    let nextFile = try reader.u64()
    let dictionary = try reader.u64()
    var parts = Parts()
    for _ in 0..<partCount {
      let start = reader.position
      let rawKind = try reader.u16()
      let mustUnderstand = try reader.u16() & Layout.mustUnderstand != 0
      try reader.skip(4)
      let length = Int(clamping: try reader.u64())
      var part = reader
      try reader.skip(length)
      guard let kind = PartKind(rawValue: rawKind) else {
        guard mustUnderstand else { continue }
        throw SnapshotError(
          .newerFormat, file: FileNames.manifest(number), offset: start,
          "part \(rawKind) comes from a later version of Limelight")
      }
      part = ByteReader(part.base, count: reader.position)
      try part.skip(start + Layout.partHeadSize)
      guard parts.add(part, kind) else {
        throw DecodingError.corrupt("a part stands twice", at: start)
      }
    }
    guard reader.remaining == 0 else {
      throw DecodingError.corrupt("bytes behind the last part", at: reader.position)
    }
    guard var options = parts.options else {
      throw DecodingError.corrupt("the options are missing", at: reader.position)
    }
    self.init(options: try IndexOptions(decoding: &options, uuid: uuid))
    guard options.remaining == 0 else {
      throw DecodingError.corrupt("bytes behind the options", at: options.position)
    }
    (self.number, self.sequence, self.synced, self.journal) = (number, sequence, synced, journal)
    (self.nextFile, self.dictionary) = (nextFile, dictionary == 0 ? nil : dictionary)
    guard var segments = parts.segments else {
      throw DecodingError.corrupt("the segments are missing", at: reader.position)
    }
    self.segments = try Manifest.segments(&segments)
    if var part = parts.thumbnails {
      while part.remaining > 0 { thumbnails.append(try part.u64()) }
    }
    if var part = parts.registry { registry = Array(try part.bytes(part.remaining)) }
    if var part = parts.revisions { revisions = Array(try part.bytes(part.remaining)) }
    if var part = parts.clientState {
      guard part.remaining <= SnapshotFormat.clientStateBytes else {
        throw DecodingError.corrupt("the client state is too long", at: part.position)
      }
      clientState = Array(try part.bytes(part.remaining))
    }
    try checkFiles(at: reader.position)
  }

  private static func segments(_ reader: inout ByteReader) throws(DecodingError) -> [Segment] {
    let start = reader.position
    let count = Int(try reader.u32())
    guard count <= reader.remaining / Layout.segmentSize else {
      throw .corrupt("more segments than bytes", at: start)
    }
    var segments: [Segment] = []
    segments.reserveCapacity(count)
    // Bounds the tables of live docs, which take 16 bytes a page however few bytes stand here.
    var total = 0
    for _ in 0..<count {
      let entryStart = reader.position
      let file = try reader.u64()
      let segmentID = try reader.u64()
      let documents = try reader.u32()
      total += Int(documents)
      guard documents <= SegmentMeta.documentLimit, total <= SnapshotFormat.documentLimit else {
        throw .corrupt("a segment of too many documents", at: entryStart)
      }
      let live = try LiveDocs(decoding: &reader, count: Int(documents))
      segments.append(Segment(file: file, segmentID: segmentID, live: live))
    }
    guard reader.remaining == 0 else {
      throw .corrupt("bytes behind the segments", at: reader.position)
    }
    return segments
  }

  private static func areDistinct(_ numbers: [UInt64]) -> Bool {
    let sorted = numbers.sorted()
    return zip(sorted, sorted.dropFirst()).allSatisfy { $0 < $1 }
  }

  /// Refuses numbers that no file can have and files named twice.
  private func checkFiles(at offset: Int) throws(DecodingError) {
    let known: [UInt64] = [journal, dictionary ?? journal]
    let files = segments.map { $0.file }
    let possible =
      number > 0 && (known + files + thumbnails).allSatisfy { $0 > 0 && $0 < nextFile }
    guard possible, Self.areDistinct(files), Self.areDistinct(thumbnails),
      nextFile <= SnapshotFormat.highestNumber
    else { throw .corrupt("the numbers of the files cannot be", at: offset) }
    guard sequence <= synced, synced <= SnapshotFormat.highestNumber else {
      throw .corrupt("the numbers of the records cannot be", at: offset)
    }
  }
}

extension SnapshotFormat {
  /// Refuses what a version wrote that is newer than `newest`, or older than any that is read.
  static func check(
    _ found: UInt32, _ file: String, newest: UInt32 = version
  ) throws(SnapshotError) {
    guard found < oldestVersion || found > newest else { return }
    let isNewer = found > newest
    let known = newest == oldestVersion ? "\(newest)" : "\(oldestVersion) to \(newest)"
    throw SnapshotError(
      isNewer ? .newerFormat : .olderFormat, file: file,
      "written in format \(found) by \(isNewer ? "a later" : "an earlier") version of Limelight; "
        + "this one reads format \(known)")
  }
}
