// One immutable segment, opened for reading.

internal import LimelightCodecs
package import LimelightStorage

/// A segment: bytes in a map or in memory, and what its footer says is where.
///
/// Immutable, so any number of threads may read it. Readers of its parts (`ids()`, `columns()`,
/// `storedItems()` ...) are made when needed; they and all `SectionView`s are valid while the
/// segment lives. Opening reads the first page, the footer and the checksums: constant time but
/// for 8 bytes a 64 KiB.
package final class Segment: @unchecked Sendable {
  /// The name of the file, for errors.
  package let name: String
  package let segmentID: UInt64
  /// The index that the segment belongs to, 16 bytes.
  package let uuid: [UInt8]
  package let meta: SegmentMeta
  package let dictionary: StoredDictionary?
  let pageGuard: PageGuard

  private let bytes: MappedBytes
  private let sections: [SectionView?]
  private let attributeSetsCache = OnceCache<AttributeSets>()
  let arrivalOrderCache = OnceCache<ArrivalOrder?>()

  package var documentCount: Int { Int(meta.documentCount) }

  /// Whether the dictionary that its stored items need is there.
  package var hasItsDictionary: Bool { !meta.hasDictionary || dictionary != nil }

  /// The size of the segment's bytes.
  package var byteCount: Int { bytes.count }

  /// Opens a segment.
  ///
  /// - Parameters:
  ///   - bytes: all of the file, or of the buffer.
  ///   - name: what errors call it.
  ///   - verified: the bytes never left this process, no checksum needs checking.
  ///   - dictionary: the index's, for stored items.
  ///   - uuid: refuse a segment of any other index.
  ///   - salvaging: open it as well when its first page is damaged or the dictionary of its stored
  ///     items is lost, to read what can be read: `meta` is then to be compared with the manifest.
  package static func open(
    _ bytes: MappedBytes, name: String, verified: Bool, dictionary: StoredDictionary? = nil,
    expecting uuid: [UInt8]? = nil, salvaging: Bool = false
  ) throws(SegmentError) -> Segment {
    let frame = try SegmentFrame(bytes, name: name, verified: verified, salvaging: salvaging)
    if let uuid, frame.uuid != uuid { throw .foreign(file: name) }
    do {
      return try Segment(bytes, name, frame, dictionary, salvaging)
    } catch let error as CorruptionError {
      throw .corrupt(error)
    } catch {
      throw .wrongDictionary(file: name)
    }
  }

  private struct WrongDictionary: Error {}

  private init(
    _ bytes: MappedBytes, _ name: String, _ frame: SegmentFrame, _ dictionary: StoredDictionary?,
    _ salvaging: Bool
  ) throws {
    self.bytes = bytes
    self.name = name
    segmentID = frame.segmentID
    uuid = frame.uuid
    sections = frame.sections
    pageGuard = frame.pageGuard
    guard let metaView = frame.meta else {
      throw frame.whole.corrupt("there is no meta section", at: frame.whole.count)
    }
    meta = try SegmentMeta(decoding: metaView)
    let isRight = meta.hasDictionary && dictionary?.hash == meta.dictionaryHash
    if meta.hasDictionary, !isRight, !salvaging { throw WrongDictionary() }
    self.dictionary = isRight ? dictionary : nil
    prefetchForSearch()
  }

  /// The section of a kind, nil when it is empty.
  package func section(_ kind: SectionKind) -> SectionView? { sections[Int(kind.rawValue)] }

  /// Asks the system for what every first search reads, together; of a long section only the beginning,
  /// for who opens the segment may never search.
  private func prefetchForSearch() {
    prefetch(.fields)
    prefetch(.termIndex)
    prefetch(.norms)
    prefetch(.attributeSets)
  }

  private func prefetch(_ kind: SectionKind) {
    if let view = section(kind) { view.prefetch(0, min(view.count, 1 << 20)) }
  }

  /// Throws if the map of the file is guarded and has lost bytes: then nothing that was read from it is
  /// worth anything.
  ///
  /// Asked after reading, before an answer is given; for a guarded map it costs a system call.
  package func checkMap() throws(CorruptionError) {
    guard let loss = bytes.loss else { return }
    throw .corrupt(
      file: name, section: sectionName(at: loss.offset), offset: loss.offset, loss.message)
  }

  /// An error about something that is missing from the file as a whole.
  func missing(_ message: StaticString, from kind: SectionKind) -> CorruptionError {
    .corrupt(file: name, section: kind.name, offset: bytes.count, "\(message)")
  }

  /// The norms, one for each document, all of them touched.
  package func norms() throws(CorruptionError) -> UnsafePointer<UInt8> {
    guard let view = section(.norms) else {
      guard documentCount == 0 else { throw missing("the section is missing", from: .norms) }
      return bytes.base.assumingMemoryBound(to: UInt8.self)
    }
    guard view.count == documentCount else {
      throw view.corrupt("not one norm for each document", at: 0)
    }
    try view.touchAll()
    return view.base.assumingMemoryBound(to: UInt8.self)
  }

  /// The sets that mask codes stand for; decoded once.
  package func attributeSets() throws(CorruptionError) -> AttributeSets {
    try attributeSetsCache.value { () throws(CorruptionError) -> AttributeSets in
      guard let view = section(.attributeSets) else {
        return AttributeSets(attributes: [], sets: [])
      }
      return try AttributeSets(decoding: view)
    }
  }
}

/// A value that is computed when first asked for, and kept unless that fails.
final class OnceCache<Value: Sendable>: @unchecked Sendable {
  private let lock = Lock()
  private var stored: Value?

  func value(
    _ compute: () throws(CorruptionError) -> Value
  ) throws(CorruptionError) -> Value {
    lock.lock()
    defer { lock.unlock() }
    if let stored { return stored }
    let value = try compute()
    stored = value
    return value
  }
}
