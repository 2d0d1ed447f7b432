// The slow side of folding: one piece decomposed, put into canonical order and composed again.

/// Folded scalars of a piece, with their combining classes; memory that is reused.
final class FoldScratch {
  /// A block's worth of bytes for the end of a text.
  let tail: UnsafeMutableRawPointer

  private(set) var count = 0
  private var items: UnsafeMutablePointer<UInt32>  // scalar, and its combining class from bit 24
  private var spare: UnsafeMutablePointer<UInt32>
  private var capacity = 64

  init() {
    tail = .allocate(byteCount: ASCIIBlock.size, alignment: 8)
    items = .allocate(capacity: capacity)
    spare = .allocate(capacity: capacity)
  }

  deinit {
    tail.deallocate()
    items.deallocate()
    spare.deallocate()
  }

  func scalar(_ index: Int) -> UInt32 { items[index] & 0x1F_FFFF }

  /// Folds the piece that begins at `start` and returns the source offset behind it.
  ///
  /// The piece ends before the next scalar that does not reach back. Linear in its length.
  func normalize(
    _ source: UnsafePointer<UInt8>, from start: Int, to end: Int, tables: ScalarTables
  ) -> Int {
    count = 0
    var at = start
    while at < end {
      let scalar = UTF8Scalar(source, at: at, end: end)
      let isValid = scalar.value != UTF8Scalar.invalid
      let value = isValid ? scalar.value : UTF8Scalar.replacement
      let fold = tables[value].fold
      if fold > ScalarEntry.removed {
        let record = FoldRecord(header: tables.pool[fold])
        if !record.joins, at != start { break }
        var byte = fold + 1
        while byte <= fold + record.length {
          let part = UTF8Scalar(tables.pool, at: byte, end: fold + record.length + 1)
          append(part.value, tables)
          byte += part.length
        }
      } else if fold != ScalarEntry.removed {
        if fold == ScalarEntry.itself, at != start { break }
        append(value, tables)
      }
      at += scalar.length
    }
    order()
    compose(tables)
    return at
  }

  /// Appends a folded scalar, decomposed.
  private func append(_ scalar: UInt32, _ tables: ScalarTables) {
    if let (first, second) = Hangul.parts(of: scalar) ?? tables.parts(of: scalar) {
      append(first, tables)
      append(second, tables)
      return
    }
    if count == capacity { grow() }
    items[count] = scalar | UInt32(tables.combiningClass(scalar)) << 24
    count += 1
  }

  private func grow() {
    let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: 2 * capacity)
    larger.initialize(from: items, count: count)
    items.deallocate()
    spare.deallocate()
    items = larger
    capacity *= 2
    spare = .allocate(capacity: capacity)
  }

  /// Sorts each run of marks by combining class, keeping equals in order.
  private func order() {
    var start = 0
    while start < count {
      if items[start] < 1 << 24 {
        start += 1
        continue
      }
      var end = start + 1
      while end < count, items[end] >= 1 << 24 { end += 1 }
      if end - start <= 16 { insertionSort(start, end) } else { countingSort(start, end) }
      start = end
    }
  }

  private func insertionSort(_ start: Int, _ end: Int) {
    for index in start..<end {
      let item = items[index]
      var hole = index
      while hole > start, items[hole - 1] >> 24 > item >> 24 {
        items[hole] = items[hole - 1]
        hole -= 1
      }
      items[hole] = item
    }
  }

  /// Keeps thousands of marks on one letter linear.
  private func countingSort(_ start: Int, _ end: Int) {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 257) { places in
      places.initialize(repeating: 0)
      for index in start..<end { places[Int(items[index] >> 24) + 1] += 1 }
      for order in 1..<257 { places[order] += places[order - 1] }
      for index in start..<end {
        let order = Int(items[index] >> 24)
        spare[places[order]] = items[index]
        places[order] += 1
      }
    }
    (items + start).update(from: spare, count: end - start)
  }

  /// Composes starters with what follows them unblocked (Unicode, section 3.11, D117).
  private func compose(_ tables: ScalarTables) {
    var kept = 0
    var starter = -1
    var last: UInt32?  // the class of the last mark kept behind the starter
    for index in 0..<count {
      let item = items[index]
      let order = item >> 24
      let isBlocked = last.map { $0 >= order } ?? false
      if starter >= 0, !isBlocked {
        let (first, second) = (scalar(starter), item & 0x1F_FFFF)
        if let joined = Hangul.composite(first, second) ?? tables.composite(first, second) {
          items[starter] = joined
          continue
        }
      }
      if order == 0 {
        starter = kept
        last = nil
      } else {
        last = order
      }
      items[kept] = item
      kept += 1
    }
    count = kept
  }
}

/// The arithmetic of Hangul syllables (Unicode, section 3.12).
enum Hangul {
  private static var syllables: UInt32 { 0xAC00 }
  private static var leads: UInt32 { 0x1100 }
  private static var vowels: UInt32 { 0x1161 }
  private static var trails: UInt32 { 0x11A7 }  // one before the first: a syllable may have none

  /// A syllable with a trailing consonant gives the syllable without it and the consonant, one
  /// without gives its leading consonant and vowel.
  static func parts(of scalar: UInt32) -> (UInt32, UInt32)? {
    let index = scalar &- syllables
    guard index < 11_172 else { return nil }
    let trail = index % 28
    if trail != 0 { return (scalar - trail, trails + trail) }
    return (leads + index / 588, vowels + index % 588 / 28)
  }

  static func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
    let (lead, vowel) = (first &- leads, second &- vowels)
    if lead < 19, vowel < 21 { return syllables + (lead * 21 + vowel) * 28 }
    let (index, trail) = (first &- syllables, second &- trails)
    if index < 11_172, index % 28 == 0, trail > 0, trail < 28 { return first + trail }
    return nil
  }
}
