// Columns of 64-bit integers, and numbers as integers that sort alike.

import LimelightCodecs
import Testing

@Suite struct PackedIntegersTests {
  private static func encode(_ values: [Int64]) -> [UInt8] {
    let writer = ByteWriter()
    PackedIntegers.encode(values, count: values.count, into: writer)
    return writer.asArray()
  }

  private static func check(
    _ values: [Int64], _ guarded: GuardedBuffer, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let bytes = encode(values)
    let placed = guarded.place(bytes)
    let count = values.count
    var out = [Int64](repeating: 0, count: count)
    let used = PackedIntegers.decode(placed, available: bytes.count, count: count, into: &out)
    #expect(used == bytes.count, sourceLocation: sourceLocation)
    #expect(out == values, sourceLocation: sourceLocation)
    #expect(
      PackedIntegers.skip(placed, available: bytes.count, count: count) == bytes.count,
      sourceLocation: sourceLocation)
    let taken = (0..<count).map {
      PackedIntegers.get(placed, available: bytes.count, count: count, index: $0)
    }
    #expect(taken == values, sourceLocation: sourceLocation)
    for index in [-1, count] {
      #expect(
        PackedIntegers.get(placed, available: bytes.count, count: count, index: index) == nil,
        sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: 0...64)
  func everyWidthAndCount(_ width: Int) throws {
    let guarded = try #require(GuardedBuffer(room: 2048))
    var generator = SeededGenerator(UInt64(width))
    for count in 1...128 {
      let origin = Int64(bitPattern: generator.next())
      var distances = (0..<count).map { _ in generator.bits(width) }
      if count > 1 {
        distances[0] = 0
        distances[count - 1] = width == 0 ? 0 : .max >> UInt64(64 - width)
      }
      // Distances from the lowest integer that leaves them room.
      let room = distances.max() ?? 0
      let lowest = UInt64(bitPattern: origin &- .min) <= .max - room ? origin : .min
      Self.check(distances.map { lowest &+ Int64(bitPattern: $0) }, guarded)
    }
  }

  @Test func theExtremes() throws {
    let guarded = try #require(GuardedBuffer(room: 2048))
    Self.check([.min, .max, 0, -1, 1], guarded)
    Self.check([.max], guarded)
    Self.check([Int64](repeating: .min, count: 128), guarded)
    #expect(Self.encode([42, 42, 42]).count == 9)
    #expect(Self.encode([100, 107]) == [100, 0, 0, 0, 0, 0, 0, 0, 3, 0b111000])
  }

  @Test func truncationAndRandomBytes() throws {
    let guarded = try #require(GuardedBuffer(room: 2048))
    var out = [Int64](repeating: 0, count: 128)
    var generator = SeededGenerator(6)
    for count in [1, 3, 64, 127, 128] {
      let bytes = Self.encode((0..<count).map { _ in Int64(generator.bits(37)) | 1 << 40 })
      for cut in 0..<bytes.count {
        let placed = guarded.place(bytes.prefix(cut))
        #expect(PackedIntegers.decode(placed, available: cut, count: count, into: &out) == -1)
        #expect(PackedIntegers.get(placed, available: cut, count: count, index: 0) == nil)
        #expect(PackedIntegers.skip(placed, available: cut, count: count) == -1)
      }
    }
    for _ in 0..<20_000 {
      let available = Int(generator.next() % 200)
      var bytes = generator.bytes(available)
      if available > 8 { bytes[8] = UInt8(generator.bits(7)) }
      let count = 1 + Int(generator.next() % 128)
      let placed = guarded.place(bytes)
      let used = PackedIntegers.decode(placed, available: available, count: count, into: &out)
      #expect(used == -1 || (used >= 9 && used <= available))
      let last = PackedIntegers.get(
        placed, available: available, count: count, index: count - 1)
      #expect(last == (used == -1 ? nil : out[count - 1]))
    }
    for count in [0, -1, 129] {
      let placed = guarded.place([UInt8](repeating: 0, count: 20))
      #expect(PackedIntegers.decode(placed, available: 20, count: count, into: &out) == -1)
    }
  }
}

@Suite struct OrderedTests {
  @Test func orderIsKept() {
    var generator = SeededGenerator(12)
    var numbers: [Double] = [
      -.infinity, -.greatestFiniteMagnitude, -1e300, -2, -1.5, -1, -.leastNormalMagnitude,
      -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, .leastNormalMagnitude, 0.1, 1, 1.5, 2,
      1e300, .greatestFiniteMagnitude, .infinity,
    ]
    numbers += (0..<500).map { _ in Double(bitPattern: generator.next()) }.filter { !$0.isNaN }
    for a in numbers {
      #expect(Ordered.number(Ordered.integer(a)) == a)
      for b in numbers {
        #expect((a < b) == (Ordered.integer(a) < Ordered.integer(b)))
        #expect((a == b) == (Ordered.integer(a) == Ordered.integer(b)))
      }
    }
  }

  @Test func zerosAreOne() {
    #expect(Ordered.integer(-0.0) == 0)
    #expect(Ordered.integer(0.0) == 0)
    #expect(Ordered.number(0).sign == .plus)
  }

  @Test func everyIntegerReadsAsSomeNumber() {
    var generator = SeededGenerator(13)
    for integer in [.min, .max, 0, -1] + (0..<1000).map({ _ in Int64(generator.next() >> 1) }) {
      let number = Ordered.number(integer)
      // Only those of NaNs and the one that nothing maps to do not come back.
      if !number.isNaN && integer != .min { #expect(Ordered.integer(number) == integer) }
    }
  }
}
