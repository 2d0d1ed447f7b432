// Pages checked against their checksum when they are first touched.

internal import LimelightCodecs
internal import LimelightStorage
internal import Synchronization

/// Remembers which 64 KiB pages of a file agree with their XXH64.
///
/// A page is hashed once (3 us) and its bit set; two threads that meet at a page both hash it,
/// which is harmless. The bytes are immutable, so a bit orders nothing and relaxed atomics do.
/// A guard of a segment in memory has no bits: its bytes never left the process.
package final class PageGuard: @unchecked Sendable {
  /// What an error says about a bad page.
  static let mismatch = "the page's checksum does not match"

  package let file: String
  /// One bit a page, nil when all pages count as checked.
  let bits: UnsafeMutablePointer<Atomic<UInt64>>?
  /// One bit a page for which the system was asked; behind those of `bits`.
  private let asked: UnsafeMutablePointer<Atomic<UInt64>>?
  private let wordCount: Int
  private let bytes: MappedBytes
  private let checksums: UnsafeRawPointer
  /// How many bytes of the file the pages cover.
  private let length: Int

  /// Guards the first `length` bytes; `checksums` holds one u64 for each of their pages.
  init(
    file: String, bytes: MappedBytes, length: Int, checksums: UnsafeRawPointer, verified: Bool
  ) {
    self.file = file
    self.bytes = bytes
    self.length = length
    self.checksums = checksums
    wordCount = verified ? 0 : (SegmentFormat.pageCount(length) + 63) >> 6
    if verified {
      bits = nil
      asked = nil
    } else {
      let words = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: max(2 * wordCount, 1))
      for index in 0..<2 * wordCount { (words + index).initialize(to: Atomic(0)) }
      bits = words
      asked = words + wordCount
    }
  }

  deinit {
    bits?.deinitialize(count: 2 * wordCount)
    bits?.deallocate()
  }

  var pageCount: Int { SegmentFormat.pageCount(length) }

  /// How many pages a walk asks for at once: a megabyte.
  private static let stretch = 16

  /// Whether the page's bytes agree with their checksum; remembers a yes.
  ///
  /// Asks the system for the pages up to `last`, which the caller is going to check next.
  func check(page: Int, last: Int = 0) -> Bool {
    guard page >= 0, page < pageCount else { return false }
    let start = page << SegmentFormat.pageShift
    prefetch(page, last)
    let count = min(SegmentFormat.pageSize, length - start)
    let expected = UInt64(
      littleEndian: checksums.loadUnaligned(fromByteOffset: page << 3, as: UInt64.self))
    guard XXH64.hash(bytes.base + start, count, seed: 0) == expected else { return false }
    if let bits { bits[page >> 6].bitwiseOr(1 << UInt64(page & 63), ordering: .relaxed) }
    return true
  }

  /// Asks for a page and those up to `last`, or for the next megabyte where a walk goes on.
  ///
  /// In a walk each page is checked behind its neighbour; it then asks once a stretch.
  private func prefetch(_ page: Int, _ last: Int) {
    var end = min(max(page, last) &+ 1, page &+ Self.stretch)
    if page > 0, let bits {
      let isWalk =
        bits[(page &- 1) >> 6].load(ordering: .relaxed) >> UInt64((page &- 1) & 63) & 1 != 0
      if isWalk && page % Self.stretch == 0 { end = page &+ Self.stretch }
    }
    ask(from: page, to: end)
  }

  /// Asks the system for the bytes of pages, once for each page: many that are asked for at once come
  /// from the disk at once.
  func ask(from first: Int, to end: Int) {
    guard let asked else { return }
    let end = min(end, pageCount)
    var page = first
    while page < end {
      let start = page
      while page < end {
        let bit: UInt64 = 1 << UInt64(page & 63)
        let word = asked[page >> 6].load(ordering: .relaxed)
        if word & bit != 0 { break }
        asked[page >> 6].bitwiseOr(bit, ordering: .relaxed)
        page &+= 1
      }
      if page > start {
        bytes.willNeed(
          start << SegmentFormat.pageShift, (page &- start) << SegmentFormat.pageShift)
      }
      page &+= 1
    }
  }
}
