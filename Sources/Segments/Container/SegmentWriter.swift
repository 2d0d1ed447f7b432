// Puts the sections of a segment together into one file or buffer.

package import LimelightCodecs

/// Gathers the sections of a segment; the bytes of the frame are drawn at `SegmentFormat`.
///
/// Each part's writer appends to `buffer(kind)`; a section that stays empty is left out. With a spill
/// file memory stays bounded however large the segment grows, and its bytes are the same. Used by one
/// thread; parts of it by others.
package final class SegmentWriter {
  package let uuid: [UInt8]
  package let segmentID: UInt64
  /// What stored items are compressed with, together with their own bytes.
  package let dictionary: StoredDictionary?
  /// Whether stored items are compressed at all: not worth it in memory.
  package let compressesItems: Bool
  /// Whether they are compressed harder, in smaller blocks, for a segment that stays.
  package let compactsItems: Bool
  /// What the meta section will say; `StoredWriter` sets what concerns stored items.
  @exclusivity(unchecked) package var meta = SegmentMeta()
  let spill: SpillFile?

  @exclusivity(unchecked) private var sections: [SectionBuffer?]
  @exclusivity(unchecked) private var entrySizes: [UInt16]
  @exclusivity(unchecked) private var entryCounts: [Int]

  /// Makes a writer of an empty segment; `uuid` is the index's, 16 bytes.
  ///
  /// One that spills can be written to a file only.
  package init(
    uuid: [UInt8], segmentID: UInt64, dictionary: StoredDictionary? = nil,
    compressesItems: Bool = true, compactsItems: Bool = false, spill: SpillFile? = nil
  ) {
    self.uuid = uuid
    self.segmentID = segmentID
    self.dictionary = dictionary
    self.compressesItems = compressesItems
    self.compactsItems = compressesItems && compactsItems
    self.spill = spill
    sections = Array(repeating: nil, count: SectionKind.limit)
    entrySizes = Array(repeating: 0, count: SectionKind.limit)
    entryCounts = Array(repeating: 0, count: SectionKind.limit)
  }

  /// The bytes of a section so far, but for those that were spilled, to append to.
  package func buffer(_ kind: SectionKind) -> ByteWriter { section(kind).bytes }

  /// A section so far.
  func section(_ kind: SectionKind) -> SectionBuffer {
    let index = Int(kind.rawValue)
    if let section = sections[index] { return section }
    let section = SectionBuffer(spill)
    sections[index] = section
    return section
  }

  /// Lets go of what a section has in memory if it is much: its writer holds no place in it.
  package func spillIfLarge(_ kind: SectionKind) { section(kind).spillIfLarge() }

  /// Whether a section could not be spilled: the segment will not come to be.
  package var hasFailed: Bool { spill?.failure != nil }

  /// What the footer says about a section's entries: their size (0 = they differ) and number.
  package func setCount(_ kind: SectionKind, entrySize: Int, _ count: Int) {
    entrySizes[Int(kind.rawValue)] = UInt16(truncatingIfNeeded: entrySize)
    entryCounts[Int(kind.rawValue)] = count
  }

  /// A writer for some of the sections, which another thread may use; `adopt` brings them back.
  package func part() -> SegmentWriter {
    SegmentWriter(
      uuid: uuid, segmentID: segmentID, dictionary: dictionary, compressesItems: compressesItems,
      spill: spill)
  }

  /// Takes over the sections of a part, and what it says of stored items.
  package func adopt(_ part: SegmentWriter) {
    for index in part.sections.indices {
      guard let section = part.sections[index] else { continue }
      sections[index] = section
      entrySizes[index] = part.entrySizes[index]
      entryCounts[index] = part.entryCounts[index]
    }
    guard part.meta.storesItems else { return }
    meta.storesItems = true
    meta.hasDictionary = part.meta.hasDictionary
    meta.dictionaryHash = part.meta.dictionaryHash
  }

  /// All sections but the checksums, which close the file.
  private static let sectionOrder = SectionKind.allCases.filter {
    $0 != .header && $0 != .checksums
  }

  /// Writes meta, header and footer; the writer is then used up.
  package func finish() -> SegmentImage {
    let meta = buffer(.meta)
    meta.removeAll()
    self.meta.encode(into: meta)

    var parts: [SegmentImage.Part] = []
    parts.reserveCapacity(SectionKind.limit)
    let footer = ByteWriter(capacity: 1024)
    var end = SegmentFormat.headerSize
    for kind in Self.sectionOrder {
      let index = Int(kind.rawValue)
      guard let section = sections[index], section.count > 0 else { continue }
      parts.append(.init(offset: end, section: section))
      SegmentTail.putEntry(
        kind, entrySize: entrySizes[index], offset: end, length: section.count,
        count: entryCounts[index], into: footer)
      end = SegmentFormat.aligned(end + section.count)
    }
    sections = Array(repeating: nil, count: SectionKind.limit)
    return SegmentImage(
      header: header(), parts: parts, tail: SegmentTail(start: end, footer: footer, uuid: uuid),
      spill: spill)
  }

  private func header() -> ByteWriter {
    let header = ByteWriter(capacity: SegmentFormat.headerSize)
    header.u64(SegmentFormat.magic)
    header.u32(SegmentFormat.version)
    header.u32(0)
    SegmentTail.putUUID(uuid, into: header)
    header.u64(segmentID)
    header.align(to: SegmentFormat.headerSize)
    return header
  }
}
