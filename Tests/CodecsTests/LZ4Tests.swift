// LZ4 blocks with and without a dictionary, whole and broken.

import LimelightCodecs
import Testing

@Suite struct LZ4Tests {
  /// Text-like bytes.
  private static func text(_ count: Int, seed: UInt64) -> [UInt8] {
    let words = ["index ", "search ", "the ", "of ", "snapshot ", "journal ", "title ", "\n"]
    var generator = SeededGenerator(seed)
    var bytes: [UInt8] = []
    while bytes.count < count {
      bytes += Array(words[Int(generator.next() % 8)].utf8)
      if generator.next() % 5 == 0 { bytes += Array(String(generator.next() % 10_000).utf8) }
    }
    return Array(bytes.prefix(count))
  }

  private static func compress(_ bytes: [UInt8], dictionary: [UInt8]?) -> [UInt8] {
    let writer = ByteWriter()
    writer.u8(0xEE)
    let made = bytes.withUnsafeBytes { source in
      guard let dictionary else { return LZ4.compress(source, dictionary: nil, into: writer) }
      return dictionary.withUnsafeBytes { LZ4.compress(source, dictionary: $0, into: writer) }
    }
    #expect(made == writer.count - 1)
    return Array(writer.asArray().dropFirst())
  }

  /// The bytes of a block that claims to hold `count` of them, or nil if it does not.
  private static func decompress(
    _ bytes: [UInt8], count: Int, dictionary: [UInt8]?, _ input: GuardedBuffer,
    _ output: GuardedBuffer
  ) -> [UInt8]? {
    let source = UnsafeRawBufferPointer(start: input.place(bytes), count: bytes.count)
    let target = UnsafeMutableRawBufferPointer(start: output.end - count, count: count)
    let done =
      dictionary.map { words in
        words.withUnsafeBytes { LZ4.decompress(source, into: target, dictionary: $0) }
      } ?? LZ4.decompress(source, into: target, dictionary: nil)
    return done ? Array(target) : nil
  }

  @Test(arguments: [0, 1, 2, 12, 13, 100, 4096, 16_384, 70_000, 200_000])
  func roundTrips(_ count: Int) throws {
    let input = try #require(GuardedBuffer(room: 300_000))
    let output = try #require(GuardedBuffer(room: 300_000))
    var generator = SeededGenerator(1)
    for bytes in [Self.text(count, seed: 1), generator.bytes(count)] {
      for size in [nil, 0, 5, 1000, 32_768, 100_000] as [Int?] {
        let dictionary = size.map { Self.text($0, seed: 2) }
        let block = Self.compress(bytes, dictionary: dictionary)
        #expect(
          Self.decompress(block, count: count, dictionary: dictionary, input, output) == bytes)
      }
    }
  }

  /// One compressor makes blocks that do not know of each other, smaller than those of the fast one.
  @Test func highCompressionRoundTrips() throws {
    let input = try #require(GuardedBuffer(room: 300_000))
    let output = try #require(GuardedBuffer(room: 300_000))
    var generator = SeededGenerator(1)
    for size in [nil, 0, 5, 1000, 32_768, 100_000] as [Int?] {
      let dictionary = size.map { Self.text($0, seed: 2) }
      let compressor =
        dictionary?.withUnsafeBytes { LZ4HighCompressor(dictionary: $0) }
        ?? LZ4HighCompressor(dictionary: nil)
      for count in [0, 1, 2, 12, 13, 100, 2048, 4096, 16_384, 70_000, 200_000] {
        for bytes in [Self.text(count, seed: 1), generator.bytes(count)] {
          let writer = ByteWriter()
          writer.u8(0xEE)
          let made = bytes.withUnsafeBytes { compressor.compress($0, into: writer) }
          #expect(made == writer.count - 1)
          let block = Array(writer.asArray().dropFirst())
          #expect(
            Self.decompress(block, count: count, dictionary: dictionary, input, output) == bytes)
          #expect(block.count <= Self.compress(bytes, dictionary: dictionary).count + 16)
        }
      }
    }
    let bytes = Self.text(4096, seed: 3)
    let writer = ByteWriter()
    let made = bytes.withUnsafeBytes {
      LZ4HighCompressor(dictionary: nil).compress($0, into: writer)
    }
    #expect(made < Self.compress(bytes, dictionary: nil).count)
  }

  @Test func aDictionaryHelpsSmallBlocks() {
    let bytes = Self.text(1000, seed: 3)
    let alone = Self.compress(bytes, dictionary: nil)
    let helped = Self.compress(bytes, dictionary: Self.text(32_768, seed: 4))
    #expect(alone.count < bytes.count)
    #expect(helped.count < alone.count * 9 / 10)
  }

  @Test func oneCompressorMakesIndependentBlocks() throws {
    let input = try #require(GuardedBuffer(room: 8192))
    let output = try #require(GuardedBuffer(room: 8192))
    let dictionary = Self.text(32_768, seed: 5)
    var words = dictionary
    // The compressor keeps a copy: what becomes of the original is of no matter.
    let compressor = words.withUnsafeBytes { LZ4Compressor(dictionary: $0) }
    words = []
    let writer = ByteWriter()
    for round in 0..<50 as Range<UInt64> {
      let bytes = Self.text(4096, seed: round + 10)
      writer.removeAll()
      let made = bytes.withUnsafeBytes { compressor.compress($0, into: writer) }
      #expect(made == writer.count)
      #expect(writer.asArray() == Self.compress(bytes, dictionary: dictionary))
      let back = Self.decompress(
        writer.asArray(), count: 4096, dictionary: dictionary, input, output)
      #expect(back == bytes)
    }
  }

  @Test func theSizeMustBeExact() throws {
    let input = try #require(GuardedBuffer(room: 8192))
    let output = try #require(GuardedBuffer(room: 8192))
    let dictionary = Self.text(1000, seed: 1)
    for words in [nil, dictionary] {
      let block = Self.compress(Self.text(2000, seed: 9), dictionary: words)
      for count in [0, 1, 1999, 2001, 4000] {
        #expect(
          Self.decompress(block, count: count, dictionary: words, input, output) == nil)
      }
    }
  }

  @Test func brokenBlocksStayWithinTheirBuffers() throws {
    let input = try #require(GuardedBuffer(room: 8192))
    let output = try #require(GuardedBuffer(room: 8192))
    let dictionary = Self.text(3000, seed: 1)
    let bytes = Self.text(2000, seed: 9)
    var generator = SeededGenerator(21)
    for words in [nil, dictionary] {
      let block = Self.compress(bytes, dictionary: words)
      for cut in 0..<block.count {
        let back = Self.decompress(
          Array(block.prefix(cut)), count: 2000, dictionary: words, input, output)
        #expect(back == nil)
      }
      var survivors = 0
      for _ in 0..<5000 {
        var broken = block
        for _ in 0..<(1 + generator.next() % 4) {
          broken[Int(generator.next() % UInt64(broken.count))] = UInt8(generator.bits(8))
        }
        let back = Self.decompress(broken, count: 2000, dictionary: words, input, output)
        if let back {
          survivors += 1
          #expect(back.count == 2000)
        }
      }
      #expect(survivors < 5000)
      for _ in 0..<5000 {
        let noise = generator.bytes(Int(generator.next() % 100))
        let back = Self.decompress(noise, count: 2000, dictionary: words, input, output)
        #expect(back == nil || back?.count == 2000)
      }
    }
  }
}
