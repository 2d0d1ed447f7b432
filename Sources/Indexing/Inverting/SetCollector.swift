// Works out the attribute sets of a segment's postings and numbers them by frequency.

internal import LimelightSegments

/// Collects the sets of default attributes in which terms occur.
///
/// Sets are bit sets over the segment's default attributes, `wordsPerSet` words each. While postings
/// are read a set gets a number in order of appearance; `finish` numbers them anew, most frequent
/// first, so that codes are small. At most `limit` sets get a code, the rest are looked up by position
/// when a query needs them.
struct SetCollector {
  private let wordsPerSet: Int
  private let limit: Int
  private var words: [UInt64] = []
  private var counts: [Int] = []
  private var slots: [UInt32]
  private var last = -1

  init(attributes: Int, limit: Int = Int(AttributeSets.overflowCode)) {
    wordsPerSet = max((attributes + 63) / 64, 1)
    self.limit = limit
    slots = [UInt32](repeating: 0, count: 256)
  }

  var count: Int { counts.count }

  /// The number of a set, which is counted once.
  mutating func number(of set: UnsafePointer<UInt64>, weight: Int = 1) -> Int {
    if last >= 0 && isEqual(last, set) {
      counts[last] &+= weight
      return last
    }
    var hash: UInt64 = 0
    for i in 0..<wordsPerSet {
      let product = (hash ^ set[i]).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      hash = product.high ^ product.low &+ 1
    }
    var slot = Int(truncatingIfNeeded: hash) & (slots.count &- 1)
    while slots[slot] != 0 {
      let number = Int(slots[slot]) &- 1
      if isEqual(number, set) {
        counts[number] &+= weight
        last = number
        return number
      }
      slot = (slot &+ 1) & (slots.count &- 1)
    }
    last = counts.count
    for i in 0..<wordsPerSet { words.append(set[i]) }
    counts.append(weight)
    slots[slot] = UInt32(truncatingIfNeeded: counts.count)
    if counts.count &* 2 > slots.count { grow() }
    return last
  }

  private func isEqual(_ number: Int, _ set: UnsafePointer<UInt64>) -> Bool {
    for i in 0..<wordsPerSet where words[number &* wordsPerSet &+ i] != set[i] { return false }
    return true
  }

  /// Counts a set of another collector over the same attributes as often as that one has.
  mutating func add(_ number: Int, of other: SetCollector) -> Int {
    other.words.withUnsafeBufferPointer { words in
      guard let base = words.baseAddress else { return 0 }
      return self.number(of: base + number &* wordsPerSet, weight: other.counts[number])
    }
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    for number in 0..<counts.count {
      var hash: UInt64 = 0
      for i in 0..<wordsPerSet {
        let product = (hash ^ words[number &* wordsPerSet &+ i])
          .multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        hash = product.high ^ product.low &+ 1
      }
      var slot = Int(truncatingIfNeeded: hash) & (slots.count &- 1)
      while slots[slot] != 0 { slot = (slot &+ 1) & (slots.count &- 1) }
      slots[slot] = UInt32(truncatingIfNeeded: number &+ 1)
    }
  }

  /// The table, and for each number its final code.
  func finish(attributes: [UInt16]) -> (sets: AttributeSets, codes: [UInt32]) {
    let order = counts.indices.sorted {
      counts[$0] != counts[$1] ? counts[$0] > counts[$1] : $0 < $1
    }
    var codes = [UInt32](repeating: AttributeSets.overflowCode, count: counts.count)
    var sets: [[UInt64]] = []
    for (code, number) in order.prefix(limit).enumerated() {
      codes[number] = UInt32(truncatingIfNeeded: code)
      sets.append(Array(words[(number * wordsPerSet)..<((number + 1) * wordsPerSet)]))
    }
    return (AttributeSets(attributes: attributes, sets: sets), codes)
  }
}
