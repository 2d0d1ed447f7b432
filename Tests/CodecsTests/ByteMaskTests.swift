// Bytes and integers compared many at once, against one at a time.

import LimelightCodecs
import Testing

@Suite struct ByteMaskTests {
  /// Bit i is the answer for byte i.
  private static func mask(_ bytes: [UInt8], _ test: (UInt8) -> Bool) -> UInt64 {
    bytes.enumerated().reduce(0) { $0 | (test($1.element) ? 1 << UInt64($1.offset) : 0) }
  }

  @Test func rangesOfEveryByte() throws {
    let guarded = try #require(GuardedBuffer(room: 256))
    for first in stride(from: 0, through: 240, by: 16) {
      let bytes = (0..<16).map { UInt8(first + $0) }
      let vector = ByteMask.load(guarded.place(bytes))
      #expect(ByteMask.bits(vector) == Self.mask(bytes) { $0 >= 128 })
      let ranges: [(UInt8, UInt8)] = [
        (0x61, 0x7A), (0x30, 0x39), (0, 0), (0, 255), (255, 255), (0x7F, 0x80), (0xC0, 0xFF),
      ]
      for (low, high) in ranges {
        let inside = ByteMask.inRange(vector, low, high)
        #expect(ByteMask.bits(inside) == Self.mask(bytes) { $0 >= low && $0 <= high })
        let either = ByteMask.either(inside, ByteMask.equal(vector, 0x5F))
        let expected = Self.mask(bytes) { ($0 >= low && $0 <= high) || $0 == 0x5F }
        #expect(ByteMask.bits(either) == expected)
      }
      let lowered = ByteMask.lowercased(vector)
      for place in 0..<16 {
        let byte = bytes[place]
        #expect(lowered[place] == (byte >= 0x41 && byte <= 0x5A ? byte + 0x20 : byte))
      }
    }
  }

  @Test func sixtyFourBytes() throws {
    let guarded = try #require(GuardedBuffer(room: 64))
    var generator = SeededGenerator(8)
    for _ in 0..<100 {
      let bytes = generator.bytes(64)
      let start = guarded.place(bytes)
      let parts = (0..<4).map { ByteMask.inRange(ByteMask.load(start + $0 * 16), 100, 200) }
      #expect(
        ByteMask.bits(parts[0], parts[1], parts[2], parts[3])
          == Self.mask(bytes) { $0 >= 100 && $0 <= 200 })
    }
  }
}

@Suite struct BlockSearchTests {
  @Test func findsWhatAScanFinds() throws {
    let guarded = try #require(GuardedBuffer(room: 512))
    var generator = SeededGenerator(2)
    for count in 0...128 {
      var values = (0..<count).map { _ in UInt32(generator.bits(32)) }
      if count > 2 {
        values[0] = 0
        values[1] = .max
      }
      values.sort()
      let block = guarded.room(count, of: UInt32.self)
      for index in 0..<count { block[index] = values[index] }
      var targets: [UInt32] = [0, 1, 0x7FFF_FFFF, 0x8000_0000, .max]
      targets += values.prefix(5) + values.suffix(5) + values.map { $0 &+ 1 }.suffix(9)
      for target in targets {
        for from in [0, 1, count / 2, count] where from <= count {
          let expected = values[from...].firstIndex { $0 >= target } ?? count
          let found = BlockSearch.firstIndex(
            notBelow: target, in: block, from: from, count: count)
          #expect(found == expected)
        }
      }
    }
  }
}
