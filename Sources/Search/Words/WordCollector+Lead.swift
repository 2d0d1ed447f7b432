// Conjunctions: the rarest required list leads, block by block.

internal import LimelightSegments

extension WordCollector {
  /// Offers all items that hold the required words and can win.
  func collectRequired() throws(CorruptionError) {
    let lead = rarest()
    orderLookups(after: lead)
    let list = lists[lead]
    // A list of one block has no bound that tells anything.
    if !heap.isFull, list.pointee.blockCount > 16 {
      try raiseThreshold(by: lead)
    }
    var number = 0
    let blocks = list.pointee.blockCount
    while number < blocks {
      if number & 31 == 0 {
        if collection.isCancelled { return }
        if threshold >= 0, number &+ 32 < blocks {
          let (from, to) = range(list, number, number &+ 32)
          if !canWin(bound(from: from, to: to)) {
            number &+= 32
            continue
          }
        }
      }
      try collectBlock(lead, number)
      number &+= 1
    }
  }

  /// Offers what can win in one block of the leading list.
  private func collectBlock(_ lead: Int, _ number: Int) throws(CorruptionError) {
    let list = lists[lead]
    let (from, to) = range(list, number, number &+ 1)
    let total = bound(from: from, to: to)
    guard total >= 0, canWin(total) else { return }
    let rest = max(total - bounds[lead], 0)
    try gather(list, number, from: from, to: to, above: threshold < 0 ? -1 : cut(rest))
    try complete(0, query.count &- 1, rest: rest)
  }

  /// The documents of the blocks `first ..< end` of a list.
  private func range(_ list: List, _ first: Int, _ end: Int) -> (from: UInt32, to: UInt32) {
    let from = list.pointee.postings.firstDocuments[first]
    return (from, max(list.pointee.end(of: end &- 1), from &+ 1))
  }

  private func rarest() -> Int {
    var best = 0
    for index in 1..<max(query.mustCount, 1)
    where lists[index].pointee.documentFrequency < lists[best].pointee.documentFrequency {
      best = index
    }
    return best
  }

  /// The required lists, rarest first; then the optional ones, the largest bounds first.
  private func orderLookups(after lead: Int) {
    var count = 0
    for index in 0..<query.count where index != lead {
      var place = count
      while place > 0 && isBefore(index, order[place &- 1]) {
        order[place] = order[place &- 1]
        place &-= 1
      }
      order[place] = index
      count &+= 1
    }
  }

  private func isBefore(_ a: Int, _ b: Int) -> Bool {
    let isRequired = (a < query.mustCount, b < query.mustCount)
    if isRequired.0 != isRequired.1 { return isRequired.0 }
    if isRequired.0 {
      return lists[a].pointee.documentFrequency < lists[b].pointee.documentFrequency
    }
    return lists[a].pointee.idf > lists[b].pointee.idf
  }

  // MARK: A threshold to start from

  /// Looks at the blocks of the leading list with the best bounds first.
  private func raiseThreshold(by lead: Int) throws(CorruptionError) {
    let list = lists[lead]
    let wanted = 2 &+ heap.capacity / 32
    let best = bestBlocks(list, wanted)
    try raiseThreshold { () throws(CorruptionError) in
      for number in best { try collectBlock(lead, number) }
    }
  }

  /// The blocks of a list with the best sums of bounds, out of the 32s with the best.
  private func bestBlocks(_ list: List, _ wanted: Int) -> UnsafeBufferPointer<Int> {
    let blocks = list.pointee.blockCount
    var first = 0
    var end = blocks
    if blocks > 64 {
      var supers = BestPlaces(1, arena: context.scratch)
      var number = 0
      while number < blocks {
        let (from, to) = range(list, number, min(number &+ 32, blocks))
        supers.add(number, boundOfAll(from: from, to: to))
        number &+= 32
      }
      first = supers.places.first ?? 0
      end = min(first &+ 32, blocks)
    }
    var best = BestPlaces(wanted, arena: context.scratch)
    for number in first..<end {
      let (from, to) = range(list, number, number &+ 1)
      best.add(number, boundOfAll(from: from, to: to))
    }
    return best.places
  }
}

/// The places with the largest values among many.
struct BestPlaces {
  private let values: UnsafeMutablePointer<Float>
  private let numbers: UnsafeMutablePointer<Int>
  private let capacity: Int
  private var count = 0

  init(_ capacity: Int, arena: ScratchArena) {
    self.capacity = capacity
    values = arena.allocate(Float.self, capacity + 1)
    numbers = arena.allocate(Int.self, capacity + 1)
  }

  /// Takes a place, unless its value is negative.
  ///
  /// Of equal values the first stays.
  mutating func add(_ number: Int, _ value: Float) {
    guard value >= 0, count < capacity || value > values[count &- 1] else { return }
    var place = count
    while place > 0 && values[place &- 1] < value {
      values[place] = values[place &- 1]
      numbers[place] = numbers[place &- 1]
      place &-= 1
    }
    values[place] = value
    numbers[place] = number
    count = min(count &+ 1, capacity)
  }

  /// Best first.
  var places: UnsafeBufferPointer<Int> { UnsafeBufferPointer(start: numbers, count: count) }
}
