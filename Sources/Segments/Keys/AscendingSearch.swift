// Looks up keys that come in ascending order.

internal import LimelightCodecs

/// Finds one key after the other, each from the page of the one before on.
///
/// A key costs O(log d) comparisons of prefixes, d being the pages passed over, and a look at one page.
struct AscendingSearch {
  private let reader: KeyPagesReader
  /// All pages before this one begin with a prefix below that of the last key.
  private var page = 0

  init(_ reader: KeyPagesReader) { self.reader = reader }

  /// The last key equal to `key`, which must not be less than the one before; inexact when there is none.
  mutating func findLast(
    _ key: UnsafeRawBufferPointer
  ) throws(CorruptionError) -> KeyPagesReader.Place {
    let common = KeyBytes.sharedLength(key, reader.shared)
    if common < reader.shared.count {
      let isBefore = common == key.count || key[common] < reader.shared[common]
      return .init(ordinal: isBefore ? 0 : reader.count, isExact: false)
    }
    let rest = UnsafeRawBufferPointer(rebasing: key[common...])
    try reader.touchPrefixes()
    let prefix = KeyBytes.prefix(rest)
    var low = page
    var high = page
    var step = 1
    while high < reader.pageCount, reader.prefixOfPage(high) < prefix {
      low = high &+ 1
      high = high &+ step
      step &<<= 1
    }
    high = min(high, reader.pageCount)
    while low < high {
      let middle = (low &+ high) &>> 1
      if reader.prefixOfPage(middle) < prefix { low = middle &+ 1 } else { high = middle }
    }
    page = low
    return try reader.find(rest, prefix, from: low, last: true)
  }
}
