// The frame of a segment file: header, section table, checksums, trailer.

/// Which versions of segments are read.
package enum SegmentVersions {
  /// For people: `1`, or `1 to 2`.
  package static var known: String {
    let (oldest, newest) = (SegmentFormat.oldestVersion, SegmentFormat.version)
    return oldest == newest ? "\(newest)" : "\(oldest) to \(newest)"
  }
}

/// The constants of the frame.
///
///     0            header, 64 bytes
///                    0  magic "LIMESEG1"
///                    8  format version u32
///                   12  flags u32 (0)
///                   16  uuid of the index, 16 bytes
///                   32  segment id u64
///                   40  zeros
///     64           sections in order of kind, each at a multiple of 64, zeros between
///     checksums    XXH64 of each 64 KiB page of all that precedes this section: u64 each
///     footer       a table entry of 32 bytes a section:
///                    0  kind u16, flags u16 (1 = required), version u16, entry size u16
///                    8  offset u64, length u64, count u64
///     length - 64  trailer, the same in all versions of the format
///                    0  footer offset u64
///                    8  checksums offset u64
///                   16  file length u64
///                   24  section count u32, format version u32
///                   32  uuid of the index, 16 bytes
///                   48  XXH64 of everything from the checksums to here: u64
///                   56  magic "LIMESEG1"
///
/// All integers are little-endian. A reader checks the trailer's hash when it opens the file, and
/// each page's when something in it is first touched: opening reads the first page and the tail.
enum SegmentFormat {
  /// The version that this code writes.
  static let version: UInt32 = 1
  /// The oldest that it reads.
  static let oldestVersion: UInt32 = 1
  /// "LIMESEG1" read as a little-endian integer.
  static let magic: UInt64 = 0x3147_4553_454D_494C
  static let headerSize = 64
  static let trailerSize = 64
  static let entrySize = 32
  static let alignment = 64
  static let pageShift = 16
  static let pageSize = 1 << pageShift
  static let requiredFlag: UInt16 = 1

  /// The next multiple of a section's alignment.
  static func aligned(_ offset: Int) -> Int { (offset + alignment - 1) & ~(alignment - 1) }

  /// How many pages have a checksum when `length` bytes precede the checksums.
  static func pageCount(_ length: Int) -> Int { (length + pageSize - 1) >> pageShift }
}
