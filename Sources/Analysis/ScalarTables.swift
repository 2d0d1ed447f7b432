// What each scalar is and folds to: the generated literals, unpacked once at first use.

/// The Word_Break property of UAX #29; raw values as the table's generator numbers them.
enum WordClass: UInt8 {
  case other, carriageReturn, lineFeed, newline, extend, joiner, format, regionalIndicator
  case katakana, hebrewLetter, letter, singleQuote, doubleQuote, midNumLet, midLetter, midNum
  case numeric, extendNumLet, space
}

/// One scalar's classes and fold value, packed.
struct ScalarEntry {
  let raw: UInt32

  @inline(__always) var wordClass: WordClass {
    WordClass(rawValue: UInt8(truncatingIfNeeded: raw & 31)) ?? .other
  }
  /// Extended_Pictographic: stays together with a joiner before it.
  @inline(__always) var isPictographic: Bool { raw & 1 << 5 != 0 }
  /// A letter or number: starts or continues a run.
  @inline(__always) var isRunScalar: Bool { raw & 1 << 7 != 0 }
  /// A letter, number, mark or ignorable format character: does not end a run.
  @inline(__always) var continuesRun: Bool { raw & 3 << 6 != 0 }
  /// Makes a word of the segment that holds it.
  @inline(__always) var isWordLike: Bool { raw & 1 << 8 != 0 }
  /// One of the constants below, or the offset of a record in the pool.
  @inline(__always) var fold: Int { Int(raw &>> 16) }

  /// Folds to itself and never reaches back to what stands before it.
  static var itself: Int { 0 }
  /// A combining mark that stays and composes with nothing; two in a row may change places.
  static var mark: Int { 1 }
  /// Itself, but may compose with what stands before it.
  static var joins: Int { 2 }
  static var removed: Int { 3 }
}

/// The header of a record in the pool: its length in the low six bits, and two flags.
struct FoldRecord {
  let header: UInt8
  @inline(__always) var length: Int { Int(header & 63) }
  /// Its first scalar may compose or change places with what stands before it.
  @inline(__always) var joins: Bool { header & 64 != 0 }
  /// Its last scalar is a combining mark.
  @inline(__always) var endsInMark: Bool { header & 128 != 0 }
}

/// The tables on the heap; immutable once made, so any thread may read them.
struct ScalarTables: @unchecked Sendable {
  private let index: UnsafePointer<UInt16>  // block number times 64
  private let entries: UnsafePointer<UInt32>
  let pool: UnsafePointer<UInt8>
  private let orders: UnsafePointer<UInt32>
  private let composites: UnsafePointer<UInt32>

  static let shared = ScalarTables()

  private init() {
    index = ScalarTables.table(ClassTable.indexCount) { index in
      ScalarTables.unpack(ClassTable.index, width: 2) {
        index[$0] = UInt16(truncatingIfNeeded: $1 &<< 6)
      }
    }
    entries = ScalarTables.table(ClassTable.classesCount) { entries in
      ScalarTables.unpack(ClassTable.classes, width: 2) { entries[$0] = $1 }
      ScalarTables.unpack(FoldTable.folds, width: 3) { entries[$0] |= $1 &<< 16 }
    }
    pool = ScalarTables.table(FoldPool.poolCount) { pool in
      ScalarTables.unpack(FoldPool.pool, width: 2) { pool[$0] = UInt8(truncatingIfNeeded: $1) }
    }
    orders = ScalarTables.table(FoldPool.ordersCount) { orders in
      ScalarTables.unpack(FoldPool.orders, width: 4) { orders[$0] = $1 }
    }
    composites = ScalarTables.table(FoldPool.compositesCount) { composites in
      ScalarTables.unpack(FoldPool.composites, width: 4) { composites[$0] = $1 }
    }
  }

  /// Allocates a table of `count` zeros and has it filled.
  private static func table<Element: FixedWidthInteger>(
    _ count: Int, fill: (UnsafeMutableBufferPointer<Element>) -> Void
  ) -> UnsafePointer<Element> {
    let pointer = UnsafeMutablePointer<Element>.allocate(capacity: count)
    pointer.initialize(repeating: 0, count: count)
    fill(UnsafeMutableBufferPointer(start: pointer, count: count))
    return UnsafePointer(pointer)
  }

  /// Reads a literal: six bits a character, `width` characters a value, `!` and a count to repeat.
  private static func unpack(
    _ literal: StaticString, width: Int, _ store: (Int, UInt32) -> Void
  ) {
    let text = literal.utf8Start
    let end = literal.utf8CodeUnitCount
    func bits(_ at: Int) -> UInt32 {
      let byte = text[at]
      return UInt32(byte == 0x7E ? 0x5C : byte) &- 0x23
    }
    var at = 0
    var count = 0
    while at + width <= end {
      var value: UInt32 = 0
      for k in 0..<width { value |= bits(at + k) &<< UInt32(6 * k) }
      at += width
      var copies = 1
      if at + 1 < end, text[at] == 0x21 {
        copies += Int(bits(at + 1)) + 1
        at += 2
      }
      for _ in 0..<copies {
        store(count, value)
        count += 1
      }
    }
  }

  /// The entry of a scalar, which must be at most U+10FFFF.
  @inline(__always) subscript(scalar: UInt32) -> ScalarEntry {
    let block = Int(index[Int(scalar &>> 6)])
    return ScalarEntry(raw: entries[block &+ Int(scalar & 63)])
  }

  /// The canonical combining class of a scalar that folding keeps.
  func combiningClass(_ scalar: UInt32) -> UInt8 {
    var low = 0
    var high = FoldPool.ordersCount / 3
    while low < high {
      let middle = (low + high) / 2
      if orders[3 * middle + 1] < scalar { low = middle + 1 } else { high = middle }
    }
    guard low < FoldPool.ordersCount / 3, orders[3 * low] <= scalar else { return 0 }
    return UInt8(truncatingIfNeeded: orders[3 * low + 2])
  }

  /// The two parts of a composite that folding keeps; nil for any other scalar.
  func parts(of scalar: UInt32) -> (UInt32, UInt32)? {
    var low = 0
    var high = FoldPool.compositesCount / 3
    while low < high {
      let middle = (low + high) / 2
      if composites[3 * middle] < scalar { low = middle + 1 } else { high = middle }
    }
    guard low < FoldPool.compositesCount / 3, composites[3 * low] == scalar else { return nil }
    return (composites[3 * low + 1], composites[3 * low + 2])
  }

  /// The composite of two scalars, if folding keeps one.
  ///
  /// Linear in a table of about a hundred.
  func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
    var at = 0
    while at < FoldPool.compositesCount {
      if composites[at + 1] == first, composites[at + 2] == second { return composites[at] }
      at += 3
    }
    return nil
  }
}
