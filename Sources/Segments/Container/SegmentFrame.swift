// Finds the sections of a segment file, checking all that frames them.

internal import LimelightCodecs
internal import LimelightStorage

/// The frame of a file as read: header, trailer, section table; see `SegmentFormat`.
struct SegmentFrame {
  let uuid: [UInt8]
  let segmentID: UInt64
  let pageGuard: PageGuard
  /// All of the file that checksums cover.
  let whole: SectionView
  /// Indexed by kind.
  let sections: [SectionView?]
  /// The section that is read first; when salvaging, whatever its page's checksum says.
  let meta: SectionView?
  /// What the view of it refers to.
  private let metaGuard: PageGuard

  private typealias Format = SegmentFormat

  init(
    _ bytes: MappedBytes, name: String, verified: Bool, salvaging: Bool = false
  ) throws(SegmentError) {
    let count = bytes.count
    let base = bytes.base
    func corrupt(_ offset: Int, _ message: String) -> SegmentError {
      .corrupt(.corrupt(file: name, section: "footer", offset: offset, message))
    }
    func u16(_ at: Int) -> UInt16 {
      UInt16(littleEndian: base.loadUnaligned(fromByteOffset: at, as: UInt16.self))
    }
    func u32(_ at: Int) -> UInt32 {
      UInt32(littleEndian: base.loadUnaligned(fromByteOffset: at, as: UInt32.self))
    }
    func u64(_ at: Int) -> UInt64 {
      UInt64(littleEndian: base.loadUnaligned(fromByteOffset: at, as: UInt64.self))
    }

    guard count >= Format.headerSize + Format.trailerSize else {
      throw corrupt(count, "too short for a segment")
    }
    // What was just written is in memory anyhow.
    if !verified {
      bytes.willBeUsedAtRandom()
      bytes.willNeed(0, Format.pageSize)
      bytes.willNeed(count - Format.pageSize, Format.pageSize)
    }
    let trailer = count - Format.trailerSize
    guard u64(count - 8) == Format.magic else {
      throw corrupt(count - 8, "not a segment, or its end is missing")
    }
    guard let checksumsStart = Int(exactly: u64(trailer + 8)),
      checksumsStart >= Format.headerSize, checksumsStart <= trailer
    else { throw corrupt(trailer + 8, "the checksums lie outside of the file") }
    guard
      verified
        || XXH64.hash(base + checksumsStart, count - 16 - checksumsStart, seed: 0)
          == u64(count - 16)
    else { throw corrupt(checksumsStart, "the footer's checksum does not match") }

    let version = u32(trailer + 28)
    guard version <= Format.version else {
      throw .newerFormat(file: name, section: nil, version: version)
    }
    guard version >= Format.oldestVersion else { throw .olderFormat(file: name, version: version) }
    guard u64(trailer + 16) == UInt64(count) else {
      throw corrupt(trailer + 16, "the file's length is not what it was")
    }
    let sectionCount = Int(u32(trailer + 24))
    guard let footer = Int(exactly: u64(trailer)), footer >= checksumsStart, footer <= trailer,
      trailer - footer == sectionCount * Format.entrySize
    else { throw corrupt(trailer, "the section table does not fill the footer") }
    let pageCount = Format.pageCount(checksumsStart)
    guard footer - checksumsStart >= pageCount * 8 else {
      throw corrupt(checksumsStart, "too few checksums")
    }

    let pageGuard = PageGuard(
      file: name, bytes: bytes, length: checksumsStart, checksums: base + checksumsStart,
      verified: verified)
    let whole = SectionView(
      base: base, count: checksumsStart, fileOffset: 0, pageGuard: pageGuard, kind: .header)

    var sections = [SectionView?](repeating: nil, count: SectionKind.limit)
    for index in 0..<sectionCount {
      let at = footer + index * Format.entrySize
      let required = u16(at + 2) & Format.requiredFlag != 0
      let sectionVersion = u16(at + 4)
      guard let kind = SectionKind(rawValue: u16(at)), sectionVersion <= kind.version else {
        guard required else { continue }
        throw .newerFormat(file: name, section: u16(at), version: UInt32(sectionVersion))
      }
      guard kind != .checksums else { continue }
      guard kind != .header, sectionVersion == kind.version,
        sections[Int(kind.rawValue)] == nil
      else { throw corrupt(at, "a section that cannot be") }
      guard let start = Int(exactly: u64(at + 8)), let length = Int(exactly: u64(at + 16)),
        start >= Format.headerSize, start & (Format.alignment - 1) == 0, length > 0,
        start <= checksumsStart, length <= checksumsStart - start
      else { throw corrupt(at + 8, "a section lies outside of the file") }
      sections[Int(kind.rawValue)] = SectionView(
        base: base + start, count: length, fileOffset: start, pageGuard: pageGuard, kind: kind,
        entrySize: Int(u16(at + 6)), entryCount: u64(at + 24))
    }

    var damage: CorruptionError?
    do { try whole.touch(0, Format.headerSize) } catch { damage = error }
    if let damage, !salvaging { throw .corrupt(damage) }
    uuid = (0..<16).map { base.load(fromByteOffset: trailer + 32 + $0, as: UInt8.self) }
    let headerUUID = (0..<16).map { base.load(fromByteOffset: 16 + $0, as: UInt8.self) }
    guard
      damage != nil || u64(0) == Format.magic && u32(8) == version && headerUUID == uuid
    else {
      throw .corrupt(whole.corrupt("the header does not agree with the trailer", at: 0))
    }
    segmentID = u64(32)
    self.pageGuard = pageGuard
    self.whole = whole
    self.sections = sections
    let metaSection = sections[Int(SectionKind.meta.rawValue)]
    metaGuard =
      damage == nil
      ? pageGuard
      : PageGuard(
        file: name, bytes: bytes, length: checksumsStart, checksums: base + checksumsStart,
        verified: true)
    if let metaSection {
      meta = SectionView(
        base: metaSection.base, count: metaSection.count, fileOffset: metaSection.fileOffset,
        pageGuard: metaGuard, kind: .meta)
    } else {
      meta = nil
    }
  }
}
