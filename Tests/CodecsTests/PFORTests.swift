// Blocks with and without exceptions, whole, cut and broken.

import LimelightCodecs
import Testing

@Suite struct PFORTests {
  /// The bytes of a block.
  private static func encode(_ values: [UInt32]) -> [UInt8] {
    let writer = ByteWriter()
    PFOR.encode(values, count: values.count, into: writer)
    return writer.asArray()
  }

  /// The block as the layout describes it, of a width that the caller chooses.
  private static func naive(_ values: [UInt32], width: Int) -> [UInt8] {
    let low = values.map { width == 32 ? $0 : $0 & ((1 << UInt32(width)) - 1) }
    let high = values.map { width == 32 ? 0 : $0 >> UInt32(width) }
    let places = high.indices.filter { high[$0] > 0 }
    let packed =
      values.count == 128
      ? NaiveBits.lanes(low, width: width) : NaiveBits.stream(low.map(UInt64.init), width: width)
    guard let widest = high.max(), widest > 0 else { return [UInt8(width)] + packed }
    let length = (32 - widest.leadingZeroBitCount + 7) / 8
    return [UInt8(width) | 0x80, UInt8(places.count), UInt8(length)] + packed
      + places.map(UInt8.init)
      + places.flatMap { place in
        (0..<length).map { UInt8(truncatingIfNeeded: high[place] >> UInt32($0 * 8)) }
      }
  }

  /// Decodes in all ways at the edge of readable memory and compares.
  private static func check(
    _ values: [UInt32], _ bytes: [UInt8], _ input: GuardedBuffer, _ output: GuardedBuffer,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let placed = input.place(bytes)
    let out = output.room(128, of: UInt32.self)
    let count = values.count
    let available = bytes.count
    let used = PFOR.decode(placed, available: available, count: count, into: out)
    #expect(used == available, sourceLocation: sourceLocation)
    #expect(
      values.elementsEqual(UnsafeBufferPointer(start: out, count: count)),
      sourceLocation: sourceLocation)
    let base = values.first ?? 0
    let usedBySum = PFOR.decodeSum(
      placed, available: available, count: count, base: base, into: out)
    #expect(usedBySum == available, sourceLocation: sourceLocation)
    #expect(
      NaiveBits.sums(values, base: base)
        .elementsEqual(UnsafeBufferPointer(start: out, count: count)),
      sourceLocation: sourceLocation)
    #expect(
      PFOR.skip(placed, available: available, count: count) == available,
      sourceLocation: sourceLocation)
  }

  @Test(arguments: 0...32)
  func everyWidthAndCount(_ width: Int) throws {
    let input = try #require(GuardedBuffer(room: 1024))
    let output = try #require(GuardedBuffer(room: 512))
    var generator = SeededGenerator(UInt64(width))
    for count in 1...128 {
      let values = (0..<count).map { _ in UInt32(generator.bits(width)) }
      Self.check(values, Self.encode(values), input, output)
      // What the writer would not choose, the reader takes as well.
      Self.check(values, Self.naive(values, width: width), input, output)
      Self.check(values, Self.naive(values, width: width / 2), input, output)
    }
  }

  @Test(arguments: 0..<32)
  func exceptions(_ width: Int) throws {
    let input = try #require(GuardedBuffer(room: 2048))
    let output = try #require(GuardedBuffer(room: 512))
    var generator = SeededGenerator(UInt64(width) + 50)
    for count in 1...128 {
      var values = (0..<count).map { _ in UInt32(generator.bits(width)) }
      for _ in 0..<Int(generator.next() % UInt64(count)) {
        let place = Int(generator.next() % UInt64(count))
        values[place] = UInt32(generator.bits(Int(generator.next() % 33)))
      }
      let bytes = Self.encode(values)
      let shortest = (0...32).map { Self.naive(values, width: $0) }.min { $0.count < $1.count }
      #expect(bytes.count == shortest?.count)
      #expect(bytes.count <= PFOR.maximumLength)
      #expect(bytes == Self.naive(values, width: Int(bytes[0] & 0x7F)))
      Self.check(values, bytes, input, output)
      Self.check(values, Self.naive(values, width: width), input, output)
    }
  }

  @Test func fewLargeValuesDoNotWidenTheRest() {
    var values = [UInt32](repeating: 3, count: 128)
    values[17] = .max
    values[90] = 1000
    #expect(Self.encode(values).count == 3 + 2 * 16 + 2 * (1 + 4))
    #expect(Self.encode([UInt32](repeating: 0, count: 128)) == [0])
    #expect(Self.encode([UInt32](repeating: .max, count: 128)).count == PFOR.maximumLength)
    #expect(Self.encode([5]) == [3, 5])
  }

  @Test func blocksStandBehindEachOther() throws {
    let writer = ByteWriter()
    writer.u8(0xEE)
    var generator = SeededGenerator(3)
    let blocks = (0..<200).map { _ -> [UInt32] in
      let count = 1 + Int(generator.next() % 128)
      return (0..<count).map { _ in UInt32(generator.bits(Int(generator.next() % 12))) }
    }
    for block in blocks { PFOR.encode(block, count: block.count, into: writer) }
    var offset = 1
    var out = [UInt32](repeating: 0, count: 128)
    for block in blocks {
      let source = UnsafeRawPointer(writer.base) + offset
      let used = PFOR.decode(
        source, available: writer.count - offset, count: block.count, into: &out)
      try #require(used > 0)
      #expect(Array(out.prefix(block.count)) == block)
      offset += used
    }
    #expect(offset == writer.count)
  }

  @Test func truncationIsNoticed() throws {
    let input = try #require(GuardedBuffer(room: 2048))
    var out = [UInt32](repeating: 0, count: 128)
    var generator = SeededGenerator(11)
    for count in [1, 2, 5, 31, 64, 100, 127, 128] {
      for outliers in [0, 3] {
        var values = (0..<count).map { _ in UInt32(generator.bits(5)) | 16 }
        for index in 0..<min(outliers, count) { values[index] = 1 << 30 }
        let bytes = Self.encode(values)
        for cut in 0..<bytes.count {
          let placed = input.place(bytes.prefix(cut))
          #expect(PFOR.decode(placed, available: cut, count: count, into: &out) == -1)
          #expect(
            PFOR.decodeSum(placed, available: cut, count: count, base: 0, into: &out) == -1)
          #expect(PFOR.skip(placed, available: cut, count: count) == -1)
        }
      }
    }
  }

  @Test func badHeadersAreRefused() {
    var out = [UInt32](repeating: 0, count: 128)
    func decode(_ head: [UInt8], _ count: Int) -> Int {
      let bytes = head + [UInt8](repeating: 0xFF, count: 2000)
      return bytes.withUnsafeBytes { buffer in
        buffer.baseAddress.map {
          PFOR.decode($0, available: buffer.count, count: count, into: &out)
        } ?? 0
      }
    }
    #expect(decode([33], 128) == -1)
    #expect(decode([0x7F], 5) == -1)
    #expect(decode([0x80 | 32, 1, 1], 128) == -1, "nothing stands above 32 bits")
    #expect(decode([0x80 | 5, 0, 1], 128) == -1, "no exceptions, but the flag")
    #expect(decode([0x80 | 5, 129, 1], 128) == -1)
    #expect(decode([0x80 | 5, 6, 1], 5) == -1, "more exceptions than integers")
    #expect(decode([0x80 | 5, 1, 0], 128) == -1)
    #expect(decode([0x80 | 5, 1, 5], 128) == -1)
    #expect(decode([0x80, 1, 1, 128, 9], 128) == -1, "a place outside the block")
    #expect(decode([0x80, 1, 1, 3, 9], 3) == -1)
    #expect(decode([0x80, 1, 1, 2, 9], 3) == 5)
    #expect(decode([1], 0) == -1)
    #expect(decode([1], 129) == -1)
    #expect(decode([1], -1) == -1)
  }

  /// Random bytes decode to something or are refused; a read too far would end the process.
  @Test func randomBytesNeverReadTooFar() throws {
    let input = try #require(GuardedBuffer(room: 1024))
    let output = try #require(GuardedBuffer(room: 512))
    let out = output.room(128, of: UInt32.self)
    var generator = SeededGenerator(5)
    var accepted = 0
    for _ in 0..<60_000 {
      let available = 1 + Int(generator.next() % 600)
      var bytes = generator.bytes(min(available, 12))
      bytes += [UInt8](repeating: UInt8(generator.bits(7)), count: available - bytes.count)
      if bytes.count > 2, generator.next() % 2 == 0 {
        bytes[0] = 0x80 | UInt8(generator.bits(5))
        bytes[2] = 1 + UInt8(generator.bits(2))
      }
      let count = 1 + Int(generator.next() % 128)
      let placed = input.place(bytes)
      let used = PFOR.decode(placed, available: available, count: count, into: out)
      #expect(used == -1 || (used > 0 && used <= available))
      #expect(
        PFOR.decodeSum(placed, available: available, count: count, base: 1, into: out) == used)
      let skipped = PFOR.skip(placed, available: available, count: count)
      #expect(used == -1 || skipped == used)
      if used > 0 { accepted += 1 }
    }
    #expect(accepted > 1000)
  }
}
