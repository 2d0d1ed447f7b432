// A section, or a part of one, as its readers see it: bytes that are checked before use.

public import Synchronization

/// A window on a section's bytes.
///
/// Plain words only, so that copying one costs no reference counting: **a view is valid while its
/// segment lives**. `touch` a range before reading it: that checks the range against the window
/// and its pages against their checksums. What the bytes say is then still not to be trusted.
@usableFromInline
package struct SectionView: BitwiseCopyable, @unchecked Sendable {
  @usableFromInline package let base: UnsafeRawPointer
  @usableFromInline package let count: Int
  /// Where the window begins in the file.
  @usableFromInline package let fileOffset: Int
  @usableFromInline let bits: UnsafeMutablePointer<Atomic<UInt64>>?
  private let guardReference: Unmanaged<PageGuard>
  package let kind: SectionKind
  /// The size of an entry and their number as the footer has them (of the whole section).
  package let entrySize: Int
  package let entryCount: UInt64

  init(
    base: UnsafeRawPointer, count: Int, fileOffset: Int, pageGuard: PageGuard, kind: SectionKind,
    entrySize: Int = 0, entryCount: UInt64 = 0
  ) {
    self.base = base
    self.count = count
    self.fileOffset = fileOffset
    self.bits = pageGuard.bits
    guardReference = .passUnretained(pageGuard)
    self.kind = kind
    self.entrySize = entrySize
    self.entryCount = entryCount
  }

  private init(_ whole: SectionView, offset: Int, count: Int) {
    base = whole.base + offset
    self.count = count
    fileOffset = whole.fileOffset + offset
    bits = whole.bits
    guardReference = whole.guardReference
    kind = whole.kind
    entrySize = whole.entrySize
    entryCount = whole.entryCount
  }

  package var name: String { kind.name }

  /// Makes sure that the range lies in the window and that its pages are sound: O(pages).
  @inlinable
  package func touch(_ offset: Int, _ length: Int) throws(CorruptionError) {
    guard offset >= 0, length >= 0, offset <= count, length <= count &- offset else {
      throw outOfRange(offset)
    }
    guard let bits, length > 0 else { return }
    let start = fileOffset &+ offset
    var page = start &>> 16
    let last = (start &+ length &- 1) &>> 16
    while page <= last {
      let word = bits[page &>> 6].load(ordering: .relaxed)
      if word &>> UInt64(truncatingIfNeeded: page & 63) & 1 == 0 {
        try check(page: page, last: last)
      }
      page &+= 1
    }
  }

  /// Asks the system for the bytes of a range that is going to be touched; what lies outside of the
  /// window is passed over.
  package func prefetch(_ offset: Int, _ length: Int) {
    guard bits != nil, offset >= 0, offset < count, length > 0 else { return }
    let start = fileOffset &+ offset
    let last = start &+ min(length, count &- offset) &- 1
    guardReference.takeUnretainedValue().ask(
      from: start >> SegmentFormat.pageShift, to: last >> SegmentFormat.pageShift &+ 1)
  }

  /// Touches all of the window.
  package func touchAll() throws(CorruptionError) { try touch(0, count) }

  @usableFromInline @inline(never)
  func check(page: Int, last: Int) throws(CorruptionError) {
    guard guardReference.takeUnretainedValue().check(page: page, last: last) else {
      throw CorruptionError.corrupt(
        file: guardReference.takeUnretainedValue().file, section: name,
        offset: page << SegmentFormat.pageShift, PageGuard.mismatch)
    }
  }

  @usableFromInline @inline(never)
  func outOfRange(_ offset: Int) -> CorruptionError {
    corrupt("a range goes past the section's end", at: offset)
  }

  /// The error of damage at an offset of this window.
  @inline(never)
  package func corrupt(_ message: StaticString, at offset: Int) -> CorruptionError {
    CorruptionError.corrupt(
      file: guardReference.takeUnretainedValue().file, section: name,
      offset: fileOffset &+ max(0, min(offset, count)), "\(message)")
  }

  /// A part of the window, range-checked but not touched.
  package func slice(_ offset: Int, _ length: Int) throws(CorruptionError) -> SectionView {
    guard offset >= 0, length >= 0, offset <= count, length <= count - offset else {
      throw outOfRange(offset)
    }
    return SectionView(self, offset: offset, count: length)
  }

  /// A part of the window whose bounds come from the file; the same checks.
  package func slice(_ offset: UInt64, _ length: UInt64) throws(CorruptionError) -> SectionView {
    guard let start = Int(exactly: offset), let size = Int(exactly: length) else {
      throw outOfRange(count)
    }
    return try slice(start, size)
  }

  /// The integer at an offset, touched first.
  @inlinable package func u8(at offset: Int) throws(CorruptionError) -> UInt8 {
    try touch(offset, 1)
    return base.load(fromByteOffset: offset, as: UInt8.self)
  }

  /// The integer at an offset, touched first.
  @inlinable package func u16(at offset: Int) throws(CorruptionError) -> UInt16 {
    try touch(offset, 2)
    return UInt16(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  /// The integer at an offset, touched first.
  @inlinable package func u32(at offset: Int) throws(CorruptionError) -> UInt32 {
    try touch(offset, 4)
    return UInt32(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// The integer at an offset, touched first.
  @inlinable package func u64(at offset: Int) throws(CorruptionError) -> UInt64 {
    try touch(offset, 8)
    return UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
