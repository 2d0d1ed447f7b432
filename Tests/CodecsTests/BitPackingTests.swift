// The kernels against packing bit by bit.

import LimelightCodecs
import Testing

/// Bit streams built one bit at a time, straight from the layout's description.
enum NaiveBits {
  /// Values of `width` bits one behind the other.
  static func stream(_ values: [UInt64], width: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (values.count * width + 7) / 8)
    var bit = 0
    for value in values {
      for place in 0..<width {
        if value >> UInt64(place) & 1 == 1 { bytes[bit / 8] |= 1 << UInt8(bit % 8) }
        bit += 1
      }
    }
    return bytes
  }

  /// 128 values in four lanes: each lane is a stream, their 32-bit words alternate.
  static func lanes(_ values: [UInt32], width: Int) -> [UInt8] {
    let streams = (0..<4).map { lane in
      stream(stride(from: lane, to: 128, by: 4).map { UInt64(values[$0]) }, width: width)
    }
    return (0..<width).flatMap { word in
      streams.flatMap { $0[(word * 4)..<(word * 4 + 4)] }
    }
  }

  /// Running sums that wrap.
  static func sums(_ gaps: [UInt32], base: UInt32) -> [UInt32] {
    var sum = base
    return gaps.map { gap in
      sum &+= gap
      return sum
    }
  }
}

@Suite struct BitPackingTests {
  @Test(arguments: 0...32)
  func fullBlocks(_ width: Int) throws {
    var generator = SeededGenerator(UInt64(width))
    let packedRoom = try #require(GuardedBuffer(room: 512))
    let outRoom = try #require(GuardedBuffer(room: 512))
    let out = outRoom.room(128, of: UInt32.self)
    for round in 0..<20 {
      // The widest values of all, then random ones, some with bits above the width.
      let noise = round % 2 == 1 ? generator.bits(32) : 0
      let values = (0..<128).map { _ -> UInt32 in
        round == 0
          ? .max : UInt32(generator.bits(width)) | UInt32(noise << UInt64(width) & 0xFFFF_FFFF)
      }
      let kept = values.map { width == 32 ? $0 : $0 & ((1 << UInt32(width)) - 1) }
      let expected = NaiveBits.lanes(kept, width: width)
      let target = packedRoom.room(width * 16, of: UInt8.self)
      BitPacking.pack(values, width: width, into: target)
      #expect(Array(UnsafeBufferPointer(start: target, count: width * 16)) == expected)

      BitPacking.unpack(target, width: width, into: out)
      #expect(Array(UnsafeBufferPointer(start: out, count: 128)) == kept)

      let base = UInt32(truncatingIfNeeded: generator.next())
      BitPacking.unpackSum(target, width: width, base: base, into: out)
      let sums = NaiveBits.sums(kept, base: base)
      #expect(Array(UnsafeBufferPointer(start: out, count: 128)) == sums)

      BitPacking.unpack(target, width: width, into: out)
      BitPacking.sum(out, base: base)
      #expect(Array(UnsafeBufferPointer(start: out, count: 128)) == sums)
    }
  }

  @Test(arguments: 0...32)
  func shortBlocks(_ width: Int) throws {
    var generator = SeededGenerator(UInt64(width) + 100)
    let packedRoom = try #require(GuardedBuffer(room: 1024))
    let outRoom = try #require(GuardedBuffer(room: 512))
    for count in 1...128 {
      let values = (0..<count).map { _ in UInt32(generator.bits(width)) }
      let expected = NaiveBits.stream(values.map(UInt64.init), width: width)
      #expect(BitPacking.shortLength(count, width: width) == expected.count)
      let target = packedRoom.room(expected.count, of: UInt8.self)
      BitPacking.packShort(values, count, width: width, into: target)
      #expect(Array(UnsafeBufferPointer(start: target, count: expected.count)) == expected)

      let out = outRoom.room(count, of: UInt32.self)
      var used = BitPacking.unpackShort(
        target, available: expected.count, count: count, width: width, into: out)
      #expect(used == expected.count)
      #expect(Array(UnsafeBufferPointer(start: out, count: count)) == values)

      // Bytes behind the block change nothing.
      let more = packedRoom.place(expected + generator.bytes(20))
      used = BitPacking.unpackShort(
        more, available: expected.count + 20, count: count, width: width, into: out)
      #expect(used == expected.count)
      #expect(Array(UnsafeBufferPointer(start: out, count: count)) == values)

      guard !expected.isEmpty else { continue }
      let cut = packedRoom.place(expected.dropLast())
      used = BitPacking.unpackShort(
        cut, available: expected.count - 1, count: count, width: width, into: out)
      #expect(used == -1)
    }
  }

  @Test func nonsenseIsRefused() {
    let bytes = [UInt8](repeating: 0xFF, count: 600)
    var out = [UInt32](repeating: 0, count: 128)
    for (count, width) in [(1, 33), (1, -1), (129, 1), (-1, 1)] {
      let used = bytes.withUnsafeBytes { buffer in
        buffer.baseAddress.map {
          BitPacking.unpackShort($0, available: 600, count: count, width: width, into: &out)
        }
      }
      #expect(used == -1)
    }
  }
}
