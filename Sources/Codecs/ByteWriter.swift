// A growable buffer to which little-endian numbers and bytes are appended.

internal import Glibc

/// A raw buffer that grows as bytes are appended to it.
///
/// It is meant to be reused: `removeAll` keeps the memory. Appending takes amortised constant time
/// and does not allocate while there is room. Not for use by two threads at once.
///
/// The stored properties are exempt from exclusivity checks, which would cost a runtime call for
/// each byte; nothing here hands out an access that lasts longer than a statement.
@usableFromInline
package final class ByteWriter {
  /// The first byte; changes whenever the buffer grows.
  @usableFromInline
  @exclusivity(unchecked)
  package var base: UnsafeMutableRawPointer
  /// The bytes written so far.
  @usableFromInline
  @exclusivity(unchecked)
  package var count: Int
  /// The bytes for which there is room.
  @usableFromInline
  @exclusivity(unchecked)
  package var capacity: Int

  /// Makes an empty buffer with room for `capacity` bytes.
  package init(capacity: Int = 256) {
    let size = max(capacity, 16)
    self.base = Self.allocate(nil, size)
    self.count = 0
    self.capacity = size
  }

  deinit { free(base) }

  /// Memory from the C heap, so that `take` can give it to whoever calls `free`.
  ///
  /// Ends the process when there is none, as every allocation in Swift does.
  private static func allocate(
    _ old: UnsafeMutableRawPointer?, _ size: Int
  ) -> UnsafeMutableRawPointer {
    guard let memory = realloc(old, size) else { abort() }
    return memory
  }

  /// Makes room for `more` bytes after those written, at least doubling the buffer.
  @usableFromInline
  @inline(never)
  package func grow(_ more: Int) {
    let size = max(count + more, capacity &* 2)
    base = Self.allocate(base, size)
    capacity = size
  }

  // MARK: Room

  /// Makes sure that `size` bytes fit behind those written, and returns their place.
  ///
  /// Whoever writes there says so with `advance`. The pointer is good until the next call.
  @inlinable
  @inline(__always)
  package func reserve(_ size: Int) -> UnsafeMutableRawPointer {
    if capacity &- count < size { grow(size) }
    return base + count
  }

  /// Counts bytes that were written into reserved room.
  @inlinable
  @inline(__always)
  package func advance(_ size: Int) {
    assert(size >= 0 && size <= capacity - count)
    count &+= size
  }

  // MARK: Appending

  /// Appends a byte.
  @inlinable
  @inline(__always)
  package func u8(_ value: UInt8) {
    reserve(1).storeBytes(of: value, as: UInt8.self)
    count &+= 1
  }

  /// Appends two bytes.
  @inlinable
  @inline(__always)
  package func u16(_ value: UInt16) {
    reserve(2).storeBytes(of: value.littleEndian, as: UInt16.self)
    count &+= 2
  }

  /// Appends four bytes.
  @inlinable
  @inline(__always)
  package func u32(_ value: UInt32) {
    reserve(4).storeBytes(of: value.littleEndian, as: UInt32.self)
    count &+= 4
  }

  /// Appends eight bytes.
  @inlinable
  @inline(__always)
  package func u64(_ value: UInt64) {
    reserve(8).storeBytes(of: value.littleEndian, as: UInt64.self)
    count &+= 8
  }

  /// Appends a number in 1 to 10 bytes.
  @inlinable
  @inline(__always)
  package func varint(_ value: UInt64) {
    count &+= Varint.put(into: reserve(Varint.maximumLength), value)
  }

  /// Appends bytes, which must not be this buffer's own.
  @inlinable
  package func bytes(_ source: UnsafeRawBufferPointer) {
    guard let start = source.baseAddress, source.count > 0 else { return }
    reserve(source.count).copyMemory(from: start, byteCount: source.count)
    count &+= source.count
  }

  /// Appends bytes.
  @inlinable
  package func bytes(_ source: [UInt8]) {
    source.withUnsafeBytes { bytes($0) }
  }

  /// Appends zero bytes.
  package func zeros(_ size: Int) {
    memset(reserve(size), 0, size)
    count &+= size
  }

  /// Appends zero bytes until the count is a multiple of `alignment`, a power of two.
  package func align(to alignment: Int) {
    zeros((0 &- count) & (alignment &- 1))
  }

  /// Replaces four bytes written before.
  @inlinable
  package func patchU32(at offset: Int, _ value: UInt32) {
    assert(offset >= 0 && offset <= count - 4)
    base.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt32.self)
  }

  /// Replaces eight bytes written before.
  @inlinable
  package func patchU64(at offset: Int, _ value: UInt64) {
    assert(offset >= 0 && offset <= count - 8)
    base.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt64.self)
  }

  // MARK: The whole

  /// The bytes written, good until the next call that appends or empties.
  @inlinable
  package var written: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base, count: count)
  }

  /// Empties the buffer; the memory stays unless told otherwise.
  package func removeAll(keepingCapacity: Bool = true) {
    count = 0
    guard !keepingCapacity else { return }
    free(base)
    capacity = 16
    base = Self.allocate(nil, capacity)
  }

  /// Gives the bytes away, to be released with `free`, and starts anew with an empty buffer.
  package func take() -> (UnsafeMutableRawPointer, Int) {
    let taken = (base, count)
    capacity = 16
    base = Self.allocate(nil, capacity)
    count = 0
    return taken
  }

  /// A copy of the bytes written.
  package func asArray() -> [UInt8] { Array(written) }
}
