// Ranks the items that hold one word.

internal import LimelightSegments

extension SegmentCollector {
  /// Walks a list in order and passes over what its bounds exclude: 32 blocks, or one.
  ///
  /// The blocks with the best bounds are scored beforehand, so that the threshold is high from the
  /// start; they come again in their turn. With a `base`, which is what every hit scores anyhow, the word's
  /// score comes on top, and documents for which it makes no difference are left out.
  func collectTerm(
    _ list: UnsafeMutablePointer<TermList>, base: Float = 0
  ) throws(CorruptionError) -> Int {
    let scores = context.scratch.allocate(Float.self, Batch.capacity + 16)
    let documents = context.scratch.allocate(UInt32.self, Batch.capacity + 16)
    let selected = context.scratch.allocate(Float.self, Batch.capacity + 16)
    var matched = 0
    let blocks = list.pointee.blockCount
    if prunes && !heap.isFull { try raiseThreshold(list, scores, base) }
    var number = 0
    while number < blocks {
      if number & 31 == 0 {
        if isCancelled { return matched }
        if prunes && base + list.pointee.bound(ofSuperBlock: number &>> 5) <= heap.threshold {
          number &+= 32
          continue
        }
      }
      if !prunes || base + list.pointee.bound(ofBlock: number) > heap.threshold {
        try list.pointee.load(number)
        let count = try list.pointee.select(
          0..<list.pointee.count, above: prunes ? Self.floor(heap.threshold, base) : -1,
          scores: scores, into: documents, selected)
        if base > 0 { for i in 0..<count { selected[i] += base } }
        if !prunes {
          for i in 0..<count { matched &+= accepted.contains(documents[i]) ? 1 : 0 }
        }
        var threshold = base > 0 ? max(heap.threshold, base) : heap.threshold
        for i in 0..<count where selected[i] > threshold {
          guard accepted.contains(documents[i]) else { continue }
          heap.insert(documents[i], view: view, score: selected[i])
          threshold = base > 0 ? max(heap.threshold, base) : heap.threshold
        }
      }
      number &+= 1
    }
    return matched
  }

  /// What the score of the word alone must exceed, a little less for the rounding of the sum.
  private static func floor(_ threshold: Float, _ base: Float) -> Float {
    base > 0 ? threshold * (1 - 0x1p-20) - base : threshold
  }

  /// Samples the blocks with the best bounds for a score that enough documents reach.
  private func raiseThreshold(
    _ list: UnsafeMutablePointer<TermList>, _ scores: UnsafeMutablePointer<Float>, _ base: Float
  ) throws(CorruptionError) {
    let wanted = 2 &+ heap.capacity / 16
    guard list.pointee.blockCount > 2 &* wanted else { return }
    let chosen = bestBlocks(list, wanted)
    var sample = ScoreSample(capacity: heap.capacity, arena: context.scratch)
    for number in chosen {
      try list.pointee.load(number)
      let count = list.pointee.count
      try list.pointee.score(0..<count, into: scores, above: Self.floor(sample.least, base))
      for i in 0..<count where accepted.contains(list.pointee.documents[i]) {
        sample.add(base + scores[i])
      }
    }
    if sample.isFull { heap.raise(to: sample.least) }
  }

  /// The blocks with the best bounds, out of the 32s with the best bounds.
  private func bestBlocks(_ list: UnsafeMutablePointer<TermList>, _ wanted: Int) -> [Int] {
    let supers = list.pointee.superCount
    let superWanted = min(supers, 2 &+ wanted / 16)
    let order = (0..<supers).map { (bound: list.pointee.bound(ofSuperBlock: $0), number: $0) }
      .sorted { $0.bound > $1.bound }
    var best: [(bound: Float, number: Int)] = []
    for (_, superBlock) in order.prefix(superWanted) {
      let start = superBlock &* 32
      for number in start..<min(start &+ 32, list.pointee.blockCount) {
        best.append((list.pointee.bound(ofBlock: number), number))
      }
    }
    best.sort { $0.bound > $1.bound }
    return best.prefix(wanted).map { $0.number }
  }
}
