// The bytes of one section while it grows: the newest in memory, those before them in a scratch file.

internal import LimelightCodecs

/// A section, or a part of one, that is appended to.
///
/// Writers append to `bytes` and call `spillIfLarge` wherever they hold no place in it: then what is
/// in memory may go to the spill file, and `bytes` is empty again. Places in the section are counted
/// by `count`. Without a spill file all stays in memory. Used by one thread.
final class SectionBuffer {
  /// The bytes that were not spilled.
  let bytes: ByteWriter
  private let spill: SpillFile?
  private let bound: Int
  /// How many bytes were spilled.
  @exclusivity(unchecked) private(set) var spilled = 0
  /// Where they are in the spill file, in order.
  @exclusivity(unchecked) private(set) var extents: [Range<Int>] = []

  init(_ spill: SpillFile?, capacity: Int = 128) {
    self.spill = spill
    bound = spill?.bound ?? .max
    bytes = ByteWriter(capacity: capacity)
  }

  /// The length so far.
  @inline(__always) var count: Int { spilled &+ bytes.count }

  /// Spills what is in memory if it is more than should be.
  @inline(__always) func spillIfLarge() {
    if bytes.count >= bound { spillAll() }
  }

  @inline(never) private func spillAll() {
    guard let spill, bytes.count > 0 else { return }
    add(spill.append(bytes.written))
    spilled += bytes.count
    // A single large write must not keep its room for good.
    bytes.removeAll(keepingCapacity: bytes.capacity <= 4 * bound)
  }

  private func add(_ extent: Range<Int>) {
    if let last = extents.last, last.upperBound == extent.lowerBound {
      extents[extents.count - 1] = last.lowerBound..<extent.upperBound
    } else {
      extents.append(extent)
    }
  }

  /// Zeros up to a multiple of `alignment`, a power of two.
  func align(to alignment: Int) { bytes.zeros((0 &- count) & (alignment &- 1)) }

  /// Moves all of a part to here; what it has spilled is not copied.
  func append(_ part: SectionBuffer) {
    if part.spilled > 0 {
      spillAll()
      for extent in part.extents { add(extent) }
      spilled += part.spilled
    }
    bytes.bytes(part.bytes.written)
    part.bytes.removeAll(keepingCapacity: part.bytes.capacity <= Self.keptRoom)
    part.spilled = 0
    part.extents.removeAll(keepingCapacity: true)
    spillIfLarge()
  }

  /// A part that is used again keeps room for the next one, unless that is much.
  private static let keptRoom = 64 << 10
}
