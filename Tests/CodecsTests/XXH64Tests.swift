// The checksum against published values, and in pieces against the whole.

import LimelightCodecs
import Testing

@Suite struct XXH64Tests {
  private static func hash(_ bytes: [UInt8], seed: UInt64) -> UInt64 {
    bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { return XXH64(seed: seed).digest() }
      return XXH64.hash(start, buffer.count, seed: seed)
    }
  }

  /// The bytes on which the reference implementation checks itself.
  private static func sanityBytes(_ count: Int) -> [UInt8] {
    var state: UInt64 = 2_654_435_761
    return (0..<count).map { _ in
      defer { state &*= 11_400_714_785_074_694_797 }
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }

  @Test(
    arguments: [
      (0, 0, 0xEF46_DB37_51D8_E999), (0, 2_654_435_761, 0xAC75_FDA2_929B_17EF),
      (1, 0, 0xE934_A84A_DB05_2768), (1, 2_654_435_761, 0x5014_6076_43A9_B4C3),
      (4, 0, 0x9136_A0DC_A574_57EE),
      (14, 0, 0x8282_DCC4_994E_35C8), (14, 2_654_435_761, 0xC3BD_6BF6_3DEB_6DF0),
      (222, 0, 0xB641_AE8C_B691_C174), (222, 2_654_435_761, 0x20CB_8AB7_AE10_C14A),
    ] as [(Int, UInt64, UInt64)])
  func publishedValues(_ count: Int, _ seed: UInt64, _ expected: UInt64) {
    #expect(Self.hash(Self.sanityBytes(count), seed: seed) == expected)
  }

  @Test(
    arguments: [
      ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
      ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
    ] as [(String, UInt64)])
  func publishedTexts(_ text: String, _ expected: UInt64) {
    #expect(Self.hash(Array(text.utf8), seed: 0) == expected)
  }

  @Test func piecesMakeTheWhole() {
    var generator = SeededGenerator(7)
    let bytes = generator.bytes(1000)
    for count in [0, 1, 31, 32, 33, 63, 64, 65, 500, 1000] {
      for seed in [0, 99] as [UInt64] {
        let expected = Self.hash(Array(bytes.prefix(count)), seed: seed)
        for _ in 0..<20 {
          var hash = XXH64(seed: seed)
          var done = 0
          while done < count {
            let piece = min(count - done, Int(generator.next() % 70))
            bytes[done..<(done + piece)].withUnsafeBytes { hash.update($0) }
            done += piece
            _ = hash.digest()
          }
          #expect(hash.digest() == expected)
        }
      }
    }
  }

  @Test(arguments: 0...70)
  func readsNoByteTooFar(_ count: Int) throws {
    let guarded = try #require(GuardedBuffer(room: 128))
    let bytes = Self.sanityBytes(count)
    let placed = guarded.place(bytes)
    #expect(XXH64.hash(placed, count) == Self.hash(bytes, seed: 0))
    var hash = XXH64()
    hash.update(placed, count)
    #expect(hash.digest() == Self.hash(bytes, seed: 0))
  }

  @Test func eachBitCounts() {
    var bytes = Self.sanityBytes(100)
    let before = Self.hash(bytes, seed: 0)
    for bit in 0..<800 {
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(Self.hash(bytes, seed: 0) != before)
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    }
  }
}
