// What the system reads ahead of time: what is asked for, and nothing else.
internal import Glibc

/// Advice on how the bytes of a map are going to be used; without any effect on what they are.
///
/// Left to itself, the system reads megabytes around each byte that is touched for the first time,
/// and a search touches a few places far from each other.
extension MappedBytes {
  /// Says that the map is used at random: only pages that are touched or asked for are read.
  package func willBeUsedAtRandom() {
    guard isMap else { return }
    _ = madvise(UnsafeMutableRawPointer(mutating: base), count, MADV_RANDOM)
  }

  /// Begins to read a range that is needed next, without waiting for it.
  ///
  /// The range is cut to the map, and widened to pages of memory.
  package func willNeed(_ offset: Int, _ length: Int) {
    let start = max(offset, 0) & ~4095
    let end = min(offset &+ length, count)
    guard isMap, start < end else { return }
    _ = madvise(UnsafeMutableRawPointer(mutating: base + start), end - start, MADV_WILLNEED)
  }
}
