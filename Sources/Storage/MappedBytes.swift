// MappedBytes: the bytes of a whole file, or of a buffer that stands for one.
internal import Glibc

/// Bytes that stay where they are, unchanged, for as long as this object lives.
///
/// Files that the engine maps are never changed after they are published; a file that something else
/// cuts short under its map ends the process with a bus error, as with every map, unless the map is
/// guarded: then the bytes become zeros, and `loss` tells. `FileReading` says when files are read
/// instead.
package final class MappedBytes: @unchecked Sendable {
  /// What gives the bytes back at the end.
  private enum Owner {
    case nobody
    case kernel
    case scratch
    case watched(GuardedMap)
    case allocator
    case object(AnyObject)
  }

  /// Never nil: empty files stand on a page of zeros.
  package let base: UnsafeRawPointer
  package let count: Int
  private let owner: Owner

  private init(base: UnsafeRawPointer, count: Int, owner: Owner) {
    self.base = base
    self.count = count
    self.owner = owner
  }

  /// Whether the bytes are those of a mapped file.
  var isMap: Bool {
    switch owner {
    case .kernel, .watched: true
    case .nobody, .scratch, .allocator, .object: false
    }
  }

  /// What a guarded map has lost: whatever was read from it since it was made is then worth nothing.
  ///
  /// Asked after reading. Nil for all other bytes; for a guarded map it costs a system call.
  package var loss: MapLoss? {
    if case .watched(let map) = owner { map.loss } else { nil }
  }

  deinit {
    switch owner {
    case .kernel, .scratch: munmap(UnsafeMutableRawPointer(mutating: base), count)
    case .watched(let map):
      map.end()
      munmap(UnsafeMutableRawPointer(mutating: base), count)
    case .allocator: free(UnsafeMutableRawPointer(mutating: base))
    case .nobody, .object: break
    }
  }

  /// Runs `body` on the bytes, which stay for its duration.
  ///
  /// Swift gives an object back after its last use, and reading `base` may be that: whoever uses the
  /// pointer outside of here keeps the object by `withExtendedLifetime` or in a property.
  @inlinable package func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(UnsafeRawBufferPointer(start: base, count: count))
  }

  /// Takes over a buffer from `malloc`, which is freed at the end.
  package static func owning(_ pointer: UnsafeMutableRawPointer, count: Int) -> MappedBytes {
    MappedBytes(base: pointer, count: count, owner: .allocator)
  }

  /// No bytes.
  package static func empty() -> MappedBytes {
    MappedBytes(base: emptyPage, count: 0, owner: .nobody)
  }

  /// Takes over a map of `count` bytes, of a scratch file or of one that stays.
  static func mapping(
    _ base: UnsafeMutableRawPointer, count: Int, scratch: Bool
  ) -> MappedBytes {
    MappedBytes(base: base, count: count, owner: scratch ? .scratch : .kernel)
  }

  /// Says that a range of a scratch file will not be read again, so that the disk has its room back.
  ///
  /// Best effort: whole pages only, and only where the file system can; does nothing to other maps.
  package func giveUp(_ range: Range<Int>) {
    guard case .scratch = owner, range.lowerBound >= 0, range.upperBound <= count else { return }
    let page = Int(getpagesize())
    let start = (range.lowerBound + page - 1) / page * page
    let end = range.upperBound == count ? count : range.upperBound / page * page
    guard start < end else { return }
    madvise(UnsafeMutableRawPointer(mutating: base) + start, end - start, MADV_REMOVE)
  }

  /// Takes over a map that the handler of bus errors knows.
  static func watched(
    _ base: UnsafeMutableRawPointer, count: Int, by map: GuardedMap
  ) -> MappedBytes {
    MappedBytes(base: base, count: count, owner: .watched(map))
  }

  /// Bytes inside of an object, which is kept.
  static func inside(_ object: AnyObject, at base: UnsafeRawPointer, count: Int) -> MappedBytes {
    MappedBytes(base: base, count: count, owner: .object(object))
  }

  /// A page of zeros, never given back.
  nonisolated(unsafe) private static let emptyPage: UnsafeRawPointer = {
    let page = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 4096)
    page.initializeMemory(as: UInt8.self, repeating: 0, count: 4096)
    return UnsafeRawPointer(page)
  }()
}
