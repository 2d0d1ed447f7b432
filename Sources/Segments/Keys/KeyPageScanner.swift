// One page of a sorted dictionary, key by key.

internal import LimelightCodecs

/// Walks over the entries of one page without putting the keys together.
///
/// Raw pointers and numbers only, and no errors thrown on the way, so that a search keeps all of it
/// in registers: whoever walks asks `isCorrupt` when the walk has ended.
struct KeyPageScanner {
  private let base: UnsafeRawPointer
  private let end: Int
  private let keyCount: Int
  private let hasBytes: Bool
  /// Where in the pages the walk is.
  private(set) var position: Int
  /// Which of the page's keys `next` came to.
  private(set) var index = -1
  /// Of that key: the bytes in common with the one before, and where the others are.
  private(set) var shared = 0
  private(set) var suffixAt = 0
  private(set) var suffixCount = 0
  /// Its payload: a number, or where its bytes are.
  private(set) var number: UInt64 = 0
  private(set) var payloadAt = 0
  private(set) var payloadCount = 0
  private(set) var isCorrupt = false

  /// Begins before the first of `keyCount` keys in `range`, which has been touched.
  init(_ base: UnsafeRawPointer, _ range: Range<Int>, keyCount: Int, hasBytes: Bool) {
    self.base = base
    self.keyCount = keyCount
    self.hasBytes = hasBytes
    position = range.lowerBound
    end = range.upperBound
  }

  var suffix: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + suffixAt, count: suffixCount)
  }

  var payload: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + payloadAt, count: payloadCount)
  }

  /// Goes to the next entry; false at the end of the page and when it is corrupt.
  @inline(__always)
  mutating func next() -> Bool {
    guard index &+ 1 < keyCount else {
      isCorrupt = position != end
      return false
    }
    index &+= 1
    let keyLength = shared &+ suffixCount
    if index > 0 {
      guard let length = length(), length <= keyLength else { return fail() }
      shared = length
    }
    guard let count = length(), count <= end &- position else { return fail() }
    suffixAt = position
    suffixCount = count
    position &+= count
    guard hasBytes else {
      let used = Varint.get(base + position, end &- position, into: &number)
      guard used > 0 else { return fail() }
      position &+= used
      return true
    }
    guard let size = length(), size <= end &- position else { return fail() }
    payloadAt = position
    payloadCount = size
    position &+= size
    return true
  }

  @inline(__always)
  private mutating func length() -> Int? {
    var value: UInt64 = 0
    let used = Varint.get(base + position, end &- position, into: &value)
    guard used > 0, value <= UInt64(UInt32.max) else { return nil }
    position &+= used
    return Int(truncatingIfNeeded: value)
  }

  private mutating func fail() -> Bool {
    isCorrupt = true
    return false
  }

  /// Looks for the first key that is not less than the target, or the last one equal to it.
  ///
  /// The index is that of the key found, else of the first one after it. Front coding tells the
  /// order without the keys: as long as a key shares more with the one before than that one with
  /// the target, it stands on the same side of it.
  mutating func find(
    _ target: UnsafeRawBufferPointer, last: Bool
  ) -> (index: Int, isExact: Bool, number: UInt64) {
    var matched = 0
    var best: (index: Int, isExact: Bool, number: UInt64)?
    while next() {
      if shared > matched { continue }
      if shared < matched { return best ?? (index, false, 0) }
      let left = target.count &- matched
      let limit = min(suffixCount, left)
      var common = 0
      while common < limit,
        base.load(fromByteOffset: suffixAt &+ common, as: UInt8.self)
          == target[matched &+ common]
      { common &+= 1 }
      if common == suffixCount {
        matched &+= common
        if common < left { continue }
        if !last { return (index, true, number) }
        best = (index, true, number)
      } else if common < left,
        base.load(fromByteOffset: suffixAt &+ common, as: UInt8.self)
          < target[matched &+ common]
      {
        matched &+= common
      } else {
        return best ?? (index, false, 0)
      }
    }
    return best ?? (keyCount, false, 0)
  }
}
