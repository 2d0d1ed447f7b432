// Pairs of ascending runs against sets.

import LimelightCodecs
import Testing

@Suite struct AscendingRunTests {
  /// Two runs as a reader has them: sums on any base, with other sums behind.
  private struct Buffer {
    let words: UnsafeMutablePointer<UInt32>
    let count: Int

    init(_ integers: [UInt32], base: UInt32, behind: [UInt32]) {
      count = integers.count
      words = .allocate(capacity: count + 1 + AscendingRun.padding)
      words[0] = base
      for (place, integer) in integers.enumerated() { words[place + 1] = base &+ integer }
      let last = words[count]
      for place in 0..<AscendingRun.padding { words[count + 1 + place] = last &+ behind[place] }
    }

    var run: AscendingRun { AscendingRun(sums: words + 1, count: count) }
  }

  private static func integers(_ random: inout SeededGenerator) -> [UInt32] {
    let longest = [1, 2, 4, 9, 40, 300][Int.random(in: 0..<6, using: &random)]
    let step = [1, 2, 4, 30][Int.random(in: 0..<4, using: &random)] as UInt32
    var next = UInt32.random(in: 0...step, using: &random)
    return (0..<Int.random(in: 1...longest, using: &random)).map { _ in
      defer { next += UInt32.random(in: 1...step, using: &random) }
      return next
    }
  }

  @Test(arguments: 0..<40)
  func pairsOfRandomRuns(seed: UInt64) {
    var random = SeededGenerator(seed)
    for _ in 0..<500 {
      let a = Self.integers(&random)
      let b = Self.integers(&random)
      let distance = Int.random(in: -6...6, using: &random)
      // Behind a run stands the next one, whose first integer may be 0, or what no integer equals.
      let behind: [[UInt32]] = [[0, 1, 2, 3], [1, 1, 1, 1], [0, 0, 7, 7]]
      let bases: [UInt32] = [0, 1, 1_000, .max - 3, .max]
      let first = Buffer(
        a, base: bases[Int.random(in: 0..<5, using: &random)],
        behind: behind[Int.random(in: 0..<3, using: &random)]
      )
      let second = Buffer(
        b, base: bases[Int.random(in: 0..<5, using: &random)],
        behind: behind[Int.random(in: 0..<3, using: &random)]
      )
      defer {
        first.words.deallocate()
        second.words.deallocate()
      }
      let partners = Set(b.map(Int.init))
      let expected = a.filter { partners.contains(Int($0) + distance) }
      let wanted = UInt32(truncatingIfNeeded: distance)
      #expect(first.run.hasPair(with: second.run, distance: wanted) == min(expected.count, 1))
      #expect(first.run.pairCount(with: second.run, distance: wanted) == expected.count)
      let out = UnsafeMutablePointer<UInt32>.allocate(capacity: a.count + 1)
      defer { out.deallocate() }
      let found = first.run.pairs(with: second.run, distance: wanted, shift: 2, into: out)
      #expect(
        Array(UnsafeBufferPointer(start: out, count: found))
          == expected.filter { $0 >= 2 }.map { $0 - 2 })
      #expect(first.run.base &+ first.run[a.count - 1] == first.words[a.count])
    }
  }

  /// Integers of 31 bits, sums that wrap: answers stay right, reads inside.
  @Test func largeIntegers() {
    let largest = UInt32(Int32.max)
    let first = Buffer([0, 5, largest - 1], base: .max - 2, behind: [1, 1, 1, 1])
    let second = Buffer([1, 7, largest], base: 9, behind: [1, 1, 1, 1])
    defer {
      first.words.deallocate()
      second.words.deallocate()
    }
    #expect(first.run.pairCount(with: second.run, distance: 1) == 2)
    #expect(second.run.pairCount(with: first.run, distance: .max) == 2)
    #expect(first.run.hasPair(with: second.run, distance: 3) == 0)
  }
}
