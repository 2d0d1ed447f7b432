// Many growing byte streams in one block of memory.

internal import Glibc
internal import LimelightCodecs

/// Memory for the streams of an inverted index: one stream a term, in slices that grow with it.
///
/// A stream starts with a slice of 16 bytes; when it is full, a larger one follows, up to 256 bytes.
/// The last 4 bytes of a slice hold the offset of the next one. Nearly all terms are rare, so small
/// first slices waste little; frequent ones soon write long runs. All slices lie in one buffer that
/// doubles, so that an offset is a u32 and nothing is freed one by one.
struct SlicePool {
  private(set) var base: UnsafeMutableRawPointer
  private(set) var used = 0
  private var capacity: Int

  static let firstSlice = 16
  static let largestSlice = 256
  /// Offsets are u32; a pool never grows beyond this.
  static let limit = Int(UInt32.max) - 65_536

  init() {
    capacity = 1 << 12
    base = .allocate(byteCount: capacity, alignment: 16)
  }

  func deallocate() { base.deallocate() }

  /// Forgets all streams; keeps the memory unless it is large.
  mutating func removeAll(keeping bytes: Int) {
    used = 0
    guard capacity > bytes else { return }
    base.deallocate()
    capacity = 1 << 12
    base = .allocate(byteCount: capacity, alignment: 16)
  }

  /// A new slice; its place.
  @inline(__always)
  mutating func allocate(_ size: Int) -> UInt32 {
    if used &+ size > capacity { grow(size) }
    let place = used
    used &+= size
    return UInt32(truncatingIfNeeded: place)
  }

  @inline(never)
  private mutating func grow(_ size: Int) {
    let larger = max(capacity &* 2, used &+ size)
    let next = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    next.copyMemory(from: base, byteCount: used)
    base.deallocate()
    base = next
    capacity = larger
  }

  /// Appends a byte to the stream whose next byte is at `place` in a slice that ends at `end`.
  @inline(__always)
  mutating func append(_ byte: UInt8, _ place: inout UInt32, _ end: inout UInt32) {
    if place &+ 4 == end { extend(&place, &end) }
    base.storeBytes(of: byte, toByteOffset: Int(place), as: UInt8.self)
    place &+= 1
  }

  /// Appends a varint.
  @inline(__always)
  mutating func append(varint value: UInt32, _ place: inout UInt32, _ end: inout UInt32) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80, &place, &end)
      rest &>>= 7
    }
    append(UInt8(truncatingIfNeeded: rest), &place, &end)
  }

  /// The size of the slice behind one of `size` bytes.
  @inline(__always)
  static func next(_ size: Int) -> Int { min(size &* 2, largestSlice) }

  /// Links a new slice behind a full one.
  ///
  /// The size of the full one is kept in its link until then.
  @inline(never)
  private mutating func extend(_ place: inout UInt32, _ end: inout UInt32) {
    // The link of an open slice holds its size, so that the next one can be chosen.
    let size = Int(base.load(fromByteOffset: Int(place), as: UInt32.self))
    let larger = Self.next(size)
    let next = allocate(larger)
    base.storeBytes(of: next, toByteOffset: Int(place), as: UInt32.self)
    place = next
    end = next &+ UInt32(truncatingIfNeeded: larger)
    base.storeBytes(
      of: UInt32(truncatingIfNeeded: larger), toByteOffset: Int(end) &- 4, as: UInt32.self)
  }

  /// Starts a stream; its first place and the end of its slice.
  @inline(__always)
  mutating func start() -> (place: UInt32, end: UInt32) {
    let place = allocate(Self.firstSlice)
    let end = place &+ UInt32(Self.firstSlice)
    base.storeBytes(of: UInt32(Self.firstSlice), toByteOffset: Int(end) &- 4, as: UInt32.self)
    return (place, end)
  }
}

/// Reads a stream of a `SlicePool` from its start.
struct SliceReader {
  private let base: UnsafeMutableRawPointer
  private var place: Int
  private var end: Int
  private var size: Int
  private let stop: Int

  /// Reads from the slice at `first` up to the place where the writer stands.
  init(_ pool: SlicePool, first: UInt32, stop: UInt32) {
    base = pool.base
    place = Int(first)
    size = SlicePool.firstSlice
    end = place &+ size &- 4
    self.stop = Int(stop)
  }

  var isAtEnd: Bool { place == stop }

  @inline(__always)
  mutating func byte() -> UInt8 {
    if place == end {
      place = Int(base.load(fromByteOffset: place, as: UInt32.self))
      size = SlicePool.next(size)
      end = place &+ size &- 4
    }
    let value = base.load(fromByteOffset: place, as: UInt8.self)
    place &+= 1
    return value
  }

  @inline(__always)
  mutating func varint() -> UInt32 {
    let first = byte()
    if first < 0x80 { return UInt32(first) }
    var value = UInt32(first & 0x7F)
    var shift: UInt32 = 7
    while true {
      let next = byte()
      value |= UInt32(next & 0x7F) &<< shift
      if next < 0x80 { return value }
      shift &+= 7
    }
  }
}
