// FlippedBit: every single bit is found, and nothing else is believed.

import LimelightCodecs
import Testing

struct FlippedBitTests {
  /// Bytes with the checksum of all but the last eight in those.
  private func sealed(_ count: Int) -> [UInt8] {
    var bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
    let checksum = bytes.withUnsafeBytes { bytes in
      bytes.baseAddress.map { XXH64.hash($0, bytes.count) } ?? 0
    }
    withUnsafeBytes(of: checksum.littleEndian) { bytes.append(contentsOf: $0) }
    return bytes
  }

  @Test func everyBitIsFlippedBack() {
    let whole = sealed(70)
    for bit in 0..<whole.count * 8 {
      var bytes = whole
      bytes[bit >> 3] ^= 1 << UInt8(bit & 7)
      #expect(FlippedBit.mend(&bytes, 0..<70, checksum: 70), "bit \(bit)")
      #expect(bytes == whole, "bit \(bit)")
    }
  }

  @Test func wholeBytesStay() {
    let whole = sealed(5)
    var bytes = whole
    #expect(FlippedBit.mend(&bytes, 0..<5, checksum: 5))
    #expect(bytes == whole)
  }

  @Test func twoBitsAreNotBelieved() {
    let whole = sealed(40)
    for (first, second) in [(0, 7), (3, 200), (100, 319), (10, 330), (325, 380)] {
      var bytes = whole
      bytes[first >> 3] ^= 1 << UInt8(first & 7)
      bytes[second >> 3] ^= 1 << UInt8(second & 7)
      let damaged = bytes
      #expect(!FlippedBit.mend(&bytes, 0..<40, checksum: 40), "bits \(first) and \(second)")
      #expect(bytes == damaged)
    }
  }

  @Test func rangesThatCannotBeAreRefused() {
    var bytes = sealed(8)
    #expect(!FlippedBit.mend(&bytes, 0..<17, checksum: 8))
    #expect(!FlippedBit.mend(&bytes, 0..<8, checksum: 9))
    #expect(!FlippedBit.mend(&bytes, 0..<8, checksum: -1))
  }
}
