// A checked walk over little-endian numbers and bytes.

/// Reads numbers and bytes in the order in which `ByteWriter` appended them.
///
/// Every read checks what remains, so bad bytes lead to a `DecodingError` and never past the end.
/// The reader does not own its bytes: keep their owner alive.
@usableFromInline
package struct ByteReader {
  /// The first byte.
  @usableFromInline package let base: UnsafeRawPointer
  /// The readable bytes.
  @usableFromInline package let count: Int
  /// The offset of the next byte, between 0 and `count`.
  @usableFromInline package var position: Int

  /// Reads `count` bytes from `base`, from the first one on.
  @inlinable
  package init(_ base: UnsafeRawPointer, count: Int) {
    self.base = base
    self.count = max(count, 0)
    self.position = 0
  }

  /// Reads a buffer, which may be empty.
  @inlinable
  package init(_ buffer: UnsafeRawBufferPointer) {
    // An empty buffer may have no address; any will do where nothing is read.
    self.base = buffer.baseAddress ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
    self.count = buffer.count
    self.position = 0
  }

  /// The bytes not yet read.
  @inlinable
  package var remaining: Int { count &- position }

  /// Moves over `size` bytes and returns the offset at which they start.
  @inlinable
  @inline(__always)
  package mutating func claim(_ size: Int) throws(DecodingError) -> Int {
    guard size >= 0, size <= remaining else {
      throw .corrupt("data ends before a field does", at: position)
    }
    let start = position
    position &+= size
    return start
  }

  /// Reads a byte.
  @inlinable
  package mutating func u8() throws(DecodingError) -> UInt8 {
    base.load(fromByteOffset: try claim(1), as: UInt8.self)
  }

  /// Reads two bytes.
  @inlinable
  package mutating func u16() throws(DecodingError) -> UInt16 {
    UInt16(littleEndian: base.loadUnaligned(fromByteOffset: try claim(2), as: UInt16.self))
  }

  /// Reads four bytes.
  @inlinable
  package mutating func u32() throws(DecodingError) -> UInt32 {
    UInt32(littleEndian: base.loadUnaligned(fromByteOffset: try claim(4), as: UInt32.self))
  }

  /// Reads eight bytes.
  @inlinable
  package mutating func u64() throws(DecodingError) -> UInt64 {
    UInt64(littleEndian: base.loadUnaligned(fromByteOffset: try claim(8), as: UInt64.self))
  }

  /// Reads a number of 1 to 10 bytes.
  @inlinable
  package mutating func varint() throws(DecodingError) -> UInt64 {
    var value: UInt64 = 0
    let used = Varint.get(base + position, remaining, into: &value)
    guard used > 0 else {
      throw .corrupt("a varint is cut short, overlong or too large", at: position)
    }
    position &+= used
    return value
  }

  /// Reads a varint that counts or measures something and may not exceed `limit`.
  @inlinable
  package mutating func length(atMost limit: Int) throws(DecodingError) -> Int {
    let start = position
    let value = try varint()
    guard let length = Int(exactly: value), length <= limit else {
      throw .corrupt("a length is larger than it may be", at: start)
    }
    return length
  }

  /// Reads bytes; they are lent, not copied.
  @inlinable
  package mutating func bytes(_ size: Int) throws(DecodingError) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + (try claim(size)), count: size)
  }

  /// Moves over bytes.
  @inlinable
  package mutating func skip(_ size: Int) throws(DecodingError) {
    _ = try claim(size)
  }
}
