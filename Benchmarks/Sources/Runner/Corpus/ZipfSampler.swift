// Draws ranks as often as Zipf's law says, in constant time.

/// Ranks from 0 on, of which rank `r` comes up in proportion to `1 / (r + 3.7)`.
///
/// That is the law of Zipf as Mandelbrot shifted it; with it the first word of the vocabulary makes up
/// 2.4 % of a text. The draw is an alias table (Walker 1974, built as Vose 1991 does), in integers, so
/// that no machine rounds otherwise than another.
struct ZipfSampler {
  /// A column of the table: below the threshold its own rank, else the other one.
  private struct Column {
    var threshold: UInt32
    var other: UInt32
  }

  private let columns: [Column]
  private let shift: UInt64

  /// Prepares draws of `1 << bits` ranks; linear in their number.
  init(bits: Int) {
    let count = 1 << bits
    let weights = (0..<count).map { (10 << 26) / UInt64(10 * $0 + 37) }
    let height = weights.reduce(0, +)
    // Each column holds `height`; a rank brings `count` times its weight.
    var left = weights.map { $0 * UInt64(count) }
    var columns = (0..<count).map { Column(threshold: .max, other: UInt32($0)) }
    var small = (0..<count).filter { left[$0] < height }
    var large = (0..<count).filter { left[$0] >= height }
    while let rank = small.popLast(), let giver = large.last {
      columns[rank] = Column(
        threshold: UInt32((left[rank] << 32) / height), other: UInt32(giver))
      left[giver] -= height - left[rank]
      if left[giver] < height {
        large.removeLast()
        small.append(giver)
      }
    }
    self.columns = columns
    shift = UInt64(64 - bits)
  }

  /// A rank; takes one value of the source.
  func draw(_ random: inout RandomSource) -> Int {
    let bits = random.next()
    let rank = Int(truncatingIfNeeded: bits >> shift)
    let column = columns[rank]
    return UInt32(truncatingIfNeeded: bits) < column.threshold ? rank : Int(column.other)
  }
}
