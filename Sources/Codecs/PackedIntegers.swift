// Blocks of 64-bit integers as distances from the smallest of them: columns of numbers and dates.
//
//   i64    minimum
//   u8     width, 0 to 64: the bits of the largest distance
//   ...    the distances, `width` bits each, bit after bit
//
// Any integer can be taken out without decoding the others.

/// Blocks of 1 to 128 signed integers in frame of reference.
package enum PackedIntegers {
  private static let headerLength = 9

  /// Appends a block of 1 to 128 integers.
  package static func encode(_ values: UnsafePointer<Int64>, count: Int, into writer: ByteWriter) {
    assert(count >= 1 && count <= Codecs.blockLength)
    var minimum = values[0]
    var maximum = values[0]
    for index in 0..<count {
      minimum = min(minimum, values[index])
      maximum = max(maximum, values[index])
    }
    // The distance of the extremes can exceed Int64; it wraps to the right unsigned value.
    let width = 64 &- UInt64(bitPattern: maximum &- minimum).leadingZeroBitCount
    let length = headerLength &+ BitPacking.shortLength(count, width: width)
    let target = writer.reserve(length)
    target.storeBytes(of: minimum.littleEndian, as: Int64.self)
    target.storeBytes(of: UInt8(truncatingIfNeeded: width), toByteOffset: 8, as: UInt8.self)
    var packer = BitPacker(target + headerLength)
    for index in 0..<count {
      packer.put(UInt64(bitPattern: values[index] &- minimum), width)
    }
    packer.finish()
    writer.advance(length)
  }

  /// Decodes a block and returns the bytes used, or -1 if they are corrupt.
  package static func decode(
    _ source: UnsafeRawPointer, available: Int, count: Int, into out: UnsafeMutablePointer<Int64>
  ) -> Int {
    guard let header = Header(source, available, count) else { return -1 }
    let packed = source + headerLength
    let readable = available &- headerLength
    let width = header.width
    let mask = width == 0 ? 0 : UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- width)
    var index = 0
    var bit = 0
    // As long as one load of eight bytes holds the distance and its shift.
    while width <= 57, index < count, bit &>> 3 &+ 8 <= readable {
      let word = UInt64(
        littleEndian: packed.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self))
      let distance = word &>> UInt64(truncatingIfNeeded: bit & 7) & mask
      out[index] = header.minimum &+ Int64(bitPattern: distance)
      index &+= 1
      bit &+= width
    }
    while index < count {
      let distance = BitPacking.bits(packed, readable, at: bit, width: width)
      out[index] = header.minimum &+ Int64(bitPattern: distance)
      index &+= 1
      bit &+= width
    }
    return header.length
  }

  /// The integer at `index` of a block of `count`, or nil if the bytes are corrupt.
  package static func get(
    _ source: UnsafeRawPointer, available: Int, count: Int, index: Int
  ) -> Int64? {
    guard index >= 0, index < count, let header = Header(source, available, count) else {
      return nil
    }
    let distance = BitPacking.bits(
      source + headerLength, available &- headerLength, at: index &* header.width,
      width: header.width)
    return header.minimum &+ Int64(bitPattern: distance)
  }

  /// The bytes that a block takes, or -1 if they are corrupt or not all there.
  package static func skip(_ source: UnsafeRawPointer, available: Int, count: Int) -> Int {
    Header(source, available, count)?.length ?? -1
  }

  /// The header of a block, checked: all of `length` is readable.
  private struct Header {
    let minimum: Int64
    let width: Int
    let length: Int

    @inline(__always)
    init?(_ source: UnsafeRawPointer, _ available: Int, _ count: Int) {
      guard available >= headerLength, count >= 1, count <= Codecs.blockLength else { return nil }
      minimum = Int64(littleEndian: source.loadUnaligned(as: Int64.self))
      width = Int(source.load(fromByteOffset: 8, as: UInt8.self))
      guard width <= 64 else { return nil }
      length = headerLength &+ BitPacking.shortLength(count, width: width)
      guard length <= available else { return nil }
    }
  }
}
