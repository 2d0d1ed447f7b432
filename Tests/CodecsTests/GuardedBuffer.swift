// Memory that ends where no memory is: a read or write one byte too far kills the test.

import Glibc
import LimelightCodecs

/// A buffer whose last byte is the last one before an unmapped page.
final class GuardedBuffer {
  let end: UnsafeMutableRawPointer
  private let map: UnsafeMutableRawPointer
  private let mapLength: Int

  init?(room: Int) {
    let page = sysconf(Int32(_SC_PAGESIZE))
    mapLength = (room + page - 1) / page * page + page
    guard
      let map = mmap(nil, mapLength, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      map != MAP_FAILED
    else { return nil }
    self.map = map
    end = map + (mapLength - page)
    guard mprotect(end, page, PROT_NONE) == 0 else { return nil }
  }

  deinit { munmap(map, mapLength) }

  /// Copies bytes so that the last one is the last readable one.
  func place(_ bytes: some Collection<UInt8>) -> UnsafeRawPointer {
    let start = end - bytes.count
    UnsafeMutableRawBufferPointer(start: start, count: bytes.count).copyBytes(from: bytes)
    return UnsafeRawPointer(start)
  }

  /// Room for integers that ends at the unmapped page.
  func room<T: BitwiseCopyable>(_ count: Int, of type: T.Type) -> UnsafeMutablePointer<T> {
    (end - count * MemoryLayout<T>.stride).bindMemory(to: T.self, capacity: count)
  }
}

/// SplitMix64: the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A value of at most `width` bits.
  mutating func bits(_ width: Int) -> UInt64 {
    width == 0 ? 0 : next() >> UInt64(64 - width)
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }
}
