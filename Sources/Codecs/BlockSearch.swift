// Where a number stands among the ascending integers of a decoded block.

public import CSIMD

/// Searches in blocks of ascending integers.
@usableFromInline
package enum BlockSearch {
  /// The first place in `from ..< count` whose integer is not below `target`, or `count`.
  ///
  /// Four integers at a time: the cursor of a list mostly moves a few places, where this beats a
  /// binary search.
  @inlinable
  package static func firstIndex(
    notBelow target: UInt32, in values: UnsafePointer<UInt32>, from: Int, count: Int
  ) -> Int {
    let bytes = UnsafeRawPointer(values)
    let wanted = SIMD4<UInt32>(repeating: target)
    var index = from
    while index &+ 4 <= count {
      let four = bytes.loadUnaligned(fromByteOffset: index &* 4, as: SIMD4<UInt32>.self)
      let below = v4_movemask(v4_less(four, wanted))
      if below != 15 { return index &+ (~below).trailingZeroBitCount }
      index &+= 4
    }
    while index < count && values[index] < target { index &+= 1 }
    return index
  }
}

/// Asks for memory ahead of its use.
@usableFromInline
package enum Memory {
  /// Asks for the cache lines of `count` bytes that will be read soon.
  ///
  /// Lists lie far apart: without it each one read costs the time of hundreds of instructions at every
  /// place where it is looked into.
  @inlinable
  @inline(__always)
  package static func prefetch(_ start: UnsafeRawPointer, _ count: Int) {
    var offset = 0
    while offset < count {
      csimd_prefetch(start + offset)
      offset &+= 64
    }
  }
}
