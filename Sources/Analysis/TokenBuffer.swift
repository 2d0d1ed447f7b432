// The tokens of one value, in parallel columns that are reused from value to value.

/// The tokens of the value analysed last.
///
/// Columns are raw arrays: token i is `length[i]` folded bytes at `bytes + start[i]`, stands at
/// `position[i]` within its value, and came from the source bytes `sourceStart[i]..<sourceEnd[i]`,
/// both at scalar boundaries and ascending. Pointers hold until the next call of `analyze`. Not for
/// two threads at once.
package final class TokenBuffer {
  @usableFromInline var columns = TokenColumns()
  let scratch = FoldScratch()

  /// The source bytes that were not UTF-8; each ill-formed sequence separates words like U+FFFD.
  package internal(set) var invalidBytes = 0

  package init() {}

  deinit { columns.free() }

  @inlinable package var count: Int { columns.count }

  /// Folded bytes; eight more are readable behind each token (what they hold is unspecified).
  @inlinable package var bytes: UnsafeMutablePointer<UInt8> { columns.bytes }
  @inlinable package var start: UnsafeMutablePointer<UInt32> { columns.start }
  @inlinable package var length: UnsafeMutablePointer<UInt32> { columns.length }

  /// Positions from 0 within the value.
  @inlinable package var position: UnsafeMutablePointer<UInt32> { columns.position }
  @inlinable package var sourceStart: UnsafeMutablePointer<UInt32> { columns.sourceStart }
  @inlinable package var sourceEnd: UnsafeMutablePointer<UInt32> { columns.sourceEnd }

  /// How many positions the value uses.
  @inlinable package var positionCount: UInt32 { UInt32(truncatingIfNeeded: columns.count) }

  /// The folded bytes of token `index`, which must be below `count`.
  @inlinable package func term(_ index: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: columns.bytes + Int(columns.start[index]), count: Int(columns.length[index]))
  }
}

/// The memory of a `TokenBuffer` as plain pointers.
///
/// The first part of `bytes` mirrors the source: a token of ASCII only stands there lower-cased, at
/// its own source offset, so that it is never copied. Other tokens follow behind.
@usableFromInline struct TokenColumns {
  @usableFromInline var count = 0
  @usableFromInline var bytes: UnsafeMutablePointer<UInt8>
  @usableFromInline var start: UnsafeMutablePointer<UInt32>
  @usableFromInline var length: UnsafeMutablePointer<UInt32>
  @usableFromInline var position: UnsafeMutablePointer<UInt32>
  @usableFromInline var sourceStart: UnsafeMutablePointer<UInt32>
  @usableFromInline var sourceEnd: UnsafeMutablePointer<UInt32>
  private(set) var capacity = 64
  private(set) var byteCapacity = 1024
  var byteCount = 0

  /// Readable bytes behind the last token.
  static var padding: Int { 8 }

  init() {
    bytes = .allocate(capacity: byteCapacity)
    bytes.initialize(repeating: 0, count: byteCapacity)
    start = .allocate(capacity: capacity)
    length = .allocate(capacity: capacity)
    position = .allocate(capacity: capacity)
    sourceStart = .allocate(capacity: capacity)
    sourceEnd = .allocate(capacity: capacity)
  }

  func free() {
    bytes.deallocate()
    for column in [start, length, position, sourceStart, sourceEnd] { column.deallocate() }
  }

  /// Forgets the tokens and makes room for the mirror of a text, in whole blocks.
  mutating func prepare(textBytes: Int) {
    count = 0
    byteCount = 0
    let mirror = (textBytes + ASCIIBlock.size - 1) / ASCIIBlock.size * ASCIIBlock.size
    reserveBytes(mirror)
    byteCount = mirror
  }

  /// Makes room for `room` more bytes and the padding.
  @inline(__always) mutating func reserveBytes(_ room: Int) {
    if byteCapacity - byteCount < room + TokenColumns.padding { growBytes(room) }
  }

  @inline(never) private mutating func growBytes(_ room: Int) {
    let needed = byteCount + room + TokenColumns.padding
    let grown = needed + needed / 2
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: grown)
    larger.initialize(from: bytes, count: byteCount)
    (larger + byteCount).initialize(repeating: 0, count: grown - byteCount)
    bytes.deallocate()
    bytes = larger
    byteCapacity = grown
  }

  /// Appends a token at the next position.
  @inline(__always) mutating func append(
    start first: Int, length size: Int, sourceStart from: Int, sourceEnd to: Int
  ) {
    if count == capacity { growTokens() }
    start[count] = UInt32(truncatingIfNeeded: first)
    length[count] = UInt32(truncatingIfNeeded: size)
    position[count] = UInt32(truncatingIfNeeded: count)
    sourceStart[count] = UInt32(truncatingIfNeeded: from)
    sourceEnd[count] = UInt32(truncatingIfNeeded: to)
    count &+= 1
  }

  @inline(never) private mutating func growTokens() {
    capacity *= 2
    start = regrown(start)
    length = regrown(length)
    position = regrown(position)
    sourceStart = regrown(sourceStart)
    sourceEnd = regrown(sourceEnd)
  }

  private func regrown(_ column: UnsafeMutablePointer<UInt32>) -> UnsafeMutablePointer<UInt32> {
    let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
    larger.initialize(from: column, count: count)
    column.deallocate()
    return larger
  }
}
