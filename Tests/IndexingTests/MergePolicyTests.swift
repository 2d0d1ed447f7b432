// Which neighbours are merged: few segments stay, and nothing is rewritten often.

import LimelightIndexing
import Testing

@Suite struct MergePolicyTests {
  @Test(arguments: [
    ([0, 0, 0, 0, 0, 0, 0, 0], 0..<8),
    ([2, 0, 0, 0, 0, 0, 0, 0, 0], 1..<9),
    ([1, 0, 1, 1, 0, 1, 1, 1, 1, 1], 0..<10),
    ([0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0], 4..<12),
  ])
  func mergesEightOfALevel(levels: [Int], run: Range<Int>) {
    #expect(MergePolicy.run(levels) == run)
  }

  /// Where many have gathered, all of a level are merged at once, and never fewer than eight.
  @Test(arguments: [
    ([Int](repeating: 0, count: 100), 0..<20),
    ([Int](repeating: 0, count: 15), 0..<15),
    ([2] + [Int](repeating: 0, count: 11) + [1, 0], 1..<12),
    ([0, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 2, 1], 1..<12),
  ])
  func mergesMoreAtOnceWhereItMay(levels: [Int], run: Range<Int>) {
    #expect(MergePolicy.run(levels, atMost: 20) == run)
    #expect(MergePolicy.run([0, 0, 0, 0, 0, 0, 0], atMost: 20) == nil)
  }

  @Test(arguments: [
    [], [0], [0, 0, 0, 0, 0, 0, 0],
    // A large segment is not rewritten for the sake of seven small ones.
    [2, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 2, 0, 0, 0, 0],
  ])
  func leavesOthersAlone(levels: [Int]) {
    #expect(MergePolicy.run(levels) == nil)
  }

  /// Segments of random sizes arrive one by one, as checkpoints bring them.
  @Test(arguments: [UInt64(1), 2, 3]) func staysLogarithmic(seed: UInt64) {
    var state = seed
    var sizes: [Int] = []
    var arrived = 0
    var rewritten = 0
    var most = 0
    for _ in 0..<20_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let size = Int(state >> 60) + 1
      sizes.append(size)
      arrived += size
      while let run = MergePolicy.run(sizes.map { MergePolicy.level($0, smallest: 16) }) {
        let sum = sizes[run].reduce(0, +)
        rewritten += sum
        sizes.replaceSubrange(run, with: [sum])
      }
      most = max(most, sizes.count)
    }
    let levels = MergePolicy.level(arrived, smallest: 16) + 1
    #expect(sizes.reduce(0, +) == arrived)
    #expect(most <= MergePolicy.fanIn * (levels + 1), "\(most) segments, \(levels) levels")
    #expect(rewritten <= arrived * (levels + 1), "\(rewritten) of \(arrived), \(levels) levels")
  }
}
