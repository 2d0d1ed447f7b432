// Numbers and bytes appended and read back.

import Glibc
import LimelightCodecs
import Testing

@Suite struct BytesTests {
  @Test func everyKindReadsBackInOrder() throws {
    let writer = ByteWriter(capacity: 1)
    writer.u8(0xAB)
    writer.u16(0x1234)
    writer.u32(0xDEAD_BEEF)
    writer.u64(0x0123_4567_89AB_CDEF)
    writer.varint(300)
    writer.bytes([1, 2, 3])
    writer.align(to: 8)
    writer.u32(7)
    #expect(writer.count == 28)
    #expect(
      writer.asArray() == [
        0xAB, 0x34, 0x12, 0xEF, 0xBE, 0xAD, 0xDE, 0xEF, 0xCD, 0xAB, 0x89, 0x67, 0x45, 0x23, 0x01,
        0xAC, 0x02, 1, 2, 3, 0, 0, 0, 0, 7, 0, 0, 0,
      ])

    var reader = ByteReader(writer.written)
    #expect(try reader.u8() == 0xAB)
    #expect(try reader.u16() == 0x1234)
    #expect(try reader.u32() == 0xDEAD_BEEF)
    #expect(try reader.u64() == 0x0123_4567_89AB_CDEF)
    #expect(try reader.varint() == 300)
    #expect(try Array(reader.bytes(3)) == [1, 2, 3])
    try reader.skip(4)
    #expect(try reader.u32() == 7)
    #expect(reader.remaining == 0)
  }

  @Test func growthKeepsWhatWasWritten() {
    let writer = ByteWriter(capacity: 0)
    for number in 0..<100_000 { writer.u32(UInt32(number)) }
    #expect(writer.count == 400_000)
    #expect(writer.capacity >= writer.count)
    let numbers = writer.written.bindMemory(to: UInt32.self)
    #expect(numbers.enumerated().allSatisfy { $0.offset == Int($0.element) })
    let big = [UInt8](repeating: 9, count: 3_000_000)
    writer.bytes(big)
    #expect(writer.written.suffix(3_000_000).elementsEqual(big))
  }

  @Test func reservedRoomCountsOnceAdvanced() {
    let writer = ByteWriter()
    let room = writer.reserve(1000)
    memset(room, 5, 1000)
    #expect(writer.count == 0)
    writer.advance(999)
    #expect(writer.asArray() == [UInt8](repeating: 5, count: 999))
    writer.patchU32(at: 10, 0x0403_0201)
    writer.patchU64(at: 20, 0x0807_0605_0403_0201)
    #expect(Array(writer.written[9..<15]) == [5, 1, 2, 3, 4, 5])
    #expect(Array(writer.written[20..<29]) == [1, 2, 3, 4, 5, 6, 7, 8, 5])
  }

  @Test func takenBytesBelongToTheTaker() {
    let writer = ByteWriter()
    writer.bytes([1, 2, 3])
    let (pointer, count) = writer.take()
    writer.u8(9)
    #expect(writer.asArray() == [9])
    #expect(Array(UnsafeRawBufferPointer(start: pointer, count: count)) == [1, 2, 3])
    free(pointer)
  }

  @Test func emptyingKeepsOrFreesTheRoom() {
    let writer = ByteWriter(capacity: 5000)
    writer.u8(1)
    writer.removeAll()
    #expect(writer.count == 0 && writer.capacity == 5000)
    writer.removeAll(keepingCapacity: false)
    #expect(writer.capacity < 5000)
    writer.bytes([UInt8](repeating: 3, count: 100))
    #expect(writer.count == 100)
  }

  @Test(arguments: 0...8)
  func readsEndWithTheData(_ count: Int) throws {
    let guarded = try #require(GuardedBuffer(room: 16))
    let start = guarded.place([UInt8](repeating: 0x80, count: count))
    func failing(_ body: (inout ByteReader) throws -> Void) {
      var reader = ByteReader(start, count: count)
      #expect(throws: DecodingError.self) { try body(&reader) }
      #expect(reader.position == 0)
    }
    if count < 1 { failing { _ = try $0.u8() } }
    if count < 2 { failing { _ = try $0.u16() } }
    if count < 4 { failing { _ = try $0.u32() } }
    if count < 8 { failing { _ = try $0.u64() } }
    failing { _ = try $0.varint() }
    failing { _ = try $0.bytes(count + 1) }
    failing { _ = try $0.bytes(-1) }
    failing { try $0.skip(.max) }
    failing { _ = try $0.length(atMost: 10) }
  }

  @Test func anEmptyBufferHasNothingToRead() {
    var reader = ByteReader(UnsafeRawBufferPointer(start: nil, count: 0))
    #expect(reader.remaining == 0)
    #expect(throws: DecodingError.self) { try reader.u8() }
    #expect((try? reader.bytes(0).count) == 0)
  }

  @Test func lengthsHaveALimit() throws {
    let writer = ByteWriter()
    writer.varint(10)
    writer.varint(11)
    writer.varint(.max)
    var reader = ByteReader(writer.written)
    #expect(try reader.length(atMost: 10) == 10)
    #expect(throws: DecodingError.self) { try reader.length(atMost: 10) }
    #expect(throws: DecodingError.self) { try reader.length(atMost: .max) }
  }

  @Test func errorsSayWhatAndWhere() {
    let error = DecodingError.corrupt("no such kind", at: 12)
    #expect(error.offset == 12)
    #expect("\(error)" == "corrupt data at offset 12: no such kind")
  }
}

@Suite struct VarintTests {
  @Test func everyLengthRoundTrips() throws {
    let guarded = try #require(GuardedBuffer(room: 16))
    var generator = SeededGenerator(1)
    for width in 0...64 {
      for _ in 0..<50 {
        let value = generator.bits(width)
        var bytes = [UInt8](repeating: 0xFF, count: 10)
        let used = bytes.withUnsafeMutableBytes { room in
          room.baseAddress.map { Varint.put(into: $0, value) } ?? 0
        }
        #expect(used == Varint.length(value))
        var read: UInt64 = 0
        #expect(Varint.get(guarded.place(bytes.prefix(used)), used, into: &read) == used)
        #expect(read == value)
        for cut in 0..<used {
          #expect(Varint.get(guarded.place(bytes.prefix(cut)), cut, into: &read) == 0)
        }
      }
    }
  }

  @Test(
    arguments: [
      [0x80, 0x00], [0xFF, 0x80, 0x00],
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02],
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x81, 0x00],
      [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00],
    ] as [[UInt8]])
  func otherEncodingsAreRefused(_ bytes: [UInt8]) {
    var value: UInt64 = 77
    let used = bytes.withUnsafeBytes { buffer in
      buffer.baseAddress.map { Varint.get($0, buffer.count, into: &value) } ?? -1
    }
    #expect(used == 0)
    #expect(value == 77)
  }

  @Test func theLargestTakesTen() {
    let writer = ByteWriter()
    writer.varint(.max)
    #expect(writer.asArray() == [UInt8](repeating: 0xFF, count: 9) + [1])
  }
}
