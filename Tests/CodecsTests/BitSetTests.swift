// Bit sets against sets of integers.

import LimelightCodecs
import Testing

@Suite struct BitSetTests {
  private static let bits = 64 * 5

  /// A random set as words and as a sorted list.
  private static func random(
    _ generator: inout SeededGenerator, oneIn: UInt64
  ) -> (words: [UInt64], members: [Int]) {
    var words = [UInt64](repeating: 0, count: BitSet.wordCount(bits))
    let members = (0..<bits).filter { _ in generator.next() % oneIn == 0 }
    for member in members { BitSet.set(&words, member) }
    return (words, members)
  }

  @Test func wordCounts() {
    #expect([0, 1, 63, 64, 65, 128].map(BitSet.wordCount) == [0, 1, 1, 1, 2, 2])
  }

  @Test(arguments: [1, 2, 7, 60, 1000] as [UInt64])
  func oneSet(_ oneIn: UInt64) {
    var generator = SeededGenerator(oneIn)
    for _ in 0..<10 {
      var (words, members) = Self.random(&generator, oneIn: oneIn)
      #expect((0..<Self.bits).filter { BitSet.test(words, $0) } == members)
      #expect(BitSet.popcount(words, words.count) == members.count)
      if let member = members.last {
        BitSet.clear(&words, member)
        #expect(!BitSet.test(words, member))
        #expect(BitSet.popcount(words, words.count) == members.count - 1)
      }
    }
  }

  @Test(arguments: [1, 3, 40] as [UInt64])
  func ranges(_ oneIn: UInt64) {
    var generator = SeededGenerator(oneIn + 9)
    let (words, members) = Self.random(&generator, oneIn: oneIn)
    var out = [UInt32](repeating: 0, count: 128)
    for from in stride(from: 0, through: Self.bits, by: 3) {
      for to in stride(from: 0, through: Self.bits, by: 5) {
        let inside = members.filter { $0 >= from && $0 < to }
        #expect(BitSet.rank(words, from: from, to: to) == inside.count)
        #expect(BitSet.next(words, from: from, to: to) == inside.first ?? to)
        for limit in [7, 128] {
          var place = from
          var found: [Int] = []
          while place < to {
            let count = BitSet.extract(
              words, from: &place, to: to, base: 1000, into: &out, limit: limit)
            #expect(count <= limit)
            found += out.prefix(count).map { Int($0) - 1000 }
          }
          #expect(found == inside)
        }
        var filled = [UInt64](repeating: 0, count: words.count)
        BitSet.setRange(&filled, from: from, to: to)
        #expect(BitSet.popcount(filled, filled.count) == max(to - from, 0))
        #expect(BitSet.rank(filled, from: from, to: to) == max(to - from, 0))
      }
    }
  }

  @Test func twoSets() {
    var generator = SeededGenerator(4)
    for oneIn in [1, 2, 5, 30] as [UInt64] {
      let (a, inA) = Self.random(&generator, oneIn: 2)
      let (b, inB) = Self.random(&generator, oneIn: oneIn)
      func members(_ words: [UInt64]) -> Set<Int> {
        Set((0..<Self.bits).filter { BitSet.test(words, $0) })
      }
      var out = [UInt64](repeating: 0, count: a.count)
      #expect(BitSet.countAnd(a, b, a.count) == Set(inA).intersection(inB).count)
      BitSet.and(a, b, a.count, into: &out)
      #expect(members(out) == Set(inA).intersection(inB))
      BitSet.or(a, b, a.count, into: &out)
      #expect(members(out) == Set(inA).union(inB))
      BitSet.andNot(a, b, a.count, into: &out)
      #expect(members(out) == Set(inA).subtracting(inB))
    }
  }

  @Test func neverReadsTheWordBehind() throws {
    let guarded = try #require(GuardedBuffer(room: 64))
    let words = guarded.room(2, of: UInt64.self)
    words[0] = 0
    words[1] = 0
    var out = [UInt32](repeating: 0, count: 128)
    var from = 0
    #expect(BitSet.next(words, from: 0, to: 128) == 128)
    #expect(BitSet.next(words, from: 128, to: 128) == 128)
    #expect(BitSet.rank(words, from: 0, to: 128) == 0)
    #expect(BitSet.extract(words, from: &from, to: 128, into: &out) == 0)
    BitSet.setRange(words, from: 0, to: 128)
    #expect(BitSet.popcount(words, 2) == 128)
    from = 0
    #expect(BitSet.extract(words, from: &from, to: 128, into: &out) == 128)
    #expect(from == 128)
  }
}
