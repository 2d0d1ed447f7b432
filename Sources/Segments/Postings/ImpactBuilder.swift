// The best (frequency, norm) pairs of a block: what bounds its scores without knowing the formula.

/// Collects the competitive (frequency, norm) pairs of a set of postings and keeps at most four.
///
/// A pair dominates another if its frequency is not smaller and its norm (a code that grows with the
/// length of the item) is not larger; any sensible score of a word is then not smaller either. What is
/// stored is the frontier of pairs that nothing dominates. If it has more than four, neighbours are
/// joined into (larger frequency, smaller norm), which keeps the bound true and makes it looser where
/// it costs least. Frequencies are cut at 255, which then means "255 or more".
struct ImpactBuilder {
  /// The least norm seen with each frequency; 0xFFFF where none was.
  private let least: UnsafeMutablePointer<UInt16>
  private let frontier: UnsafeMutablePointer<UInt16>
  private var top = 0

  init() {
    least = .allocate(capacity: 256)
    least.initialize(repeating: 0xFFFF, count: 256)
    frontier = .allocate(capacity: 512)
  }

  func deallocate() {
    least.deallocate()
    frontier.deallocate()
  }

  /// Takes in a posting.
  @inline(__always)
  mutating func add(frequency: UInt32, norm: UInt8) {
    let capped = Int(min(frequency, 255))
    if UInt16(norm) < least[capped] { least[capped] = UInt16(norm) }
    if capped > top { top = capped }
  }

  /// Takes in the four pairs of a block; how super blocks are made.
  mutating func add(pairs: UnsafePointer<UInt8>) {
    for i in 0..<4 { add(frequency: UInt32(pairs[2 &* i]), norm: pairs[2 &* i &+ 1]) }
  }

  /// Writes four pairs, the highest frequency first, the last repeated to fill, and starts anew.
  mutating func finish(into out: UnsafeMutablePointer<UInt8>) {
    var count = 0
    var best: UInt16 = 0xFFFF
    var frequency = top
    while frequency > 0 {
      if least[frequency] < best {
        best = least[frequency]
        frontier[2 &* count] = UInt16(frequency)
        frontier[2 &* count &+ 1] = best
        count &+= 1
      }
      least[frequency] = 0xFFFF
      frequency &-= 1
    }
    top = 0
    while count > 4 {
      join(&count)
    }
    for i in 0..<4 {
      let from = min(i, max(count &- 1, 0))
      out[2 &* i] = count == 0 ? 0 : UInt8(truncatingIfNeeded: frontier[2 &* from])
      out[2 &* i &+ 1] = count == 0 ? 255 : UInt8(truncatingIfNeeded: frontier[2 &* from &+ 1])
    }
  }

  /// Joins the two neighbours whose union is least loose.
  private func join(_ count: inout Int) {
    var cheapest = 0
    var leastCost = Int.max
    for i in 0..<(count &- 1) {
      let steps = Int(frontier[2 &* i]) &- Int(frontier[2 &* i &+ 2])
      let drop = Int(frontier[2 &* i &+ 1]) &- Int(frontier[2 &* i &+ 3])
      // Frequencies saturate: a step counts relative to where it starts.
      let cost = (steps &* 256 / Int(frontier[2 &* i])) &* drop
      if cost < leastCost {
        leastCost = cost
        cheapest = i
      }
    }
    frontier[2 &* cheapest &+ 1] = frontier[2 &* cheapest &+ 3]
    var i = cheapest &+ 1
    while i < count &- 1 {
      frontier[2 &* i] = frontier[2 &* i &+ 2]
      frontier[2 &* i &+ 1] = frontier[2 &* i &+ 3]
      i &+= 1
    }
    count &-= 1
  }
}
