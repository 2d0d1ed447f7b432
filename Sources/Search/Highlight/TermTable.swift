// A set of terms that is asked with bytes in place: numbers in order of insertion.

/// Terms, each with a number; looked up without making an array of the bytes.
///
/// Open addressing over FNV-1a: the hash of a term passes through the hashes of all its
/// beginnings, so that one walk over a token asks for every beginning of it.
package struct TermTable: Sendable {
  private var bytes: [UInt8] = []
  private var starts: [Int] = [0]
  private var slots: [Int32] = []
  /// Whether there is a term of that many bytes.
  private var hasLength = [Bool](repeating: false, count: 256)
  /// A bit for the low six bits of each first byte: turns most words of a text away at once.
  private var firstBytes: UInt64 = 0

  package init() {}

  /// The number of terms.
  package var count: Int { starts.count - 1 }
  /// Whether there is no term.
  package var isEmpty: Bool { count == 0 }

  /// Adds a term unless it is there, and gives its number.
  ///
  /// Terms have 1 to 255 bytes; a longer one would be found by nothing.
  @discardableResult
  package mutating func insert(_ term: [UInt8]) -> Int {
    let hash = term.reduce(Self.seed) { Self.step($0, $1) }
    if let known = term.withUnsafeBytes({ find(hash, $0) }) { return known }
    let number = count
    bytes += term
    starts.append(bytes.count)
    if term.count < hasLength.count { hasLength[term.count] = true }
    if let first = term.first { firstBytes |= Self.bit(first) }
    if 2 * count > slots.count {
      rehash()
    } else {
      place(number, hash)
    }
    return number
  }

  /// The number of a term.
  package func find(_ term: UnsafeRawBufferPointer) -> Int? {
    guard mayBegin(term), term.count < hasLength.count, hasLength[term.count] else { return nil }
    var hash = Self.seed
    for byte in term { hash = Self.step(hash, byte) }
    return find(hash, term)
  }

  /// Whether one of the terms is the beginning of this one, or all of it.
  package func containsPrefix(of term: UnsafeRawBufferPointer) -> Bool {
    guard mayBegin(term) else { return false }
    var hash = Self.seed
    for index in 0..<min(term.count, hasLength.count - 1) {
      hash = Self.step(hash, term[index])
      if hasLength[index + 1],
        find(hash, UnsafeRawBufferPointer(rebasing: term[...index])) != nil
      {
        return true
      }
    }
    return false
  }

  private func mayBegin(_ term: UnsafeRawBufferPointer) -> Bool {
    guard let first = term.first else { return false }
    return firstBytes & Self.bit(first) != 0
  }

  private static func bit(_ byte: UInt8) -> UInt64 { 1 << UInt64(byte & 63) }

  private func find(_ hash: UInt64, _ term: UnsafeRawBufferPointer) -> Int? {
    if slots.isEmpty { return nil }
    var slot = Self.slot(hash, of: slots.count)
    while slots[slot] >= 0 {
      let number = Int(slots[slot])
      let start = starts[number]
      if starts[number + 1] - start == term.count {
        var index = 0
        while index < term.count, bytes[start + index] == term[index] { index += 1 }
        if index == term.count { return number }
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private mutating func place(_ number: Int, _ hash: UInt64) {
    var slot = Self.slot(hash, of: slots.count)
    while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = Int32(truncatingIfNeeded: number)
  }

  private mutating func rehash() {
    slots = [Int32](repeating: -1, count: max(8, 2 * slots.count))
    for number in 0..<count {
      let term = bytes[starts[number]..<starts[number + 1]]
      place(number, term.reduce(Self.seed) { Self.step($0, $1) })
    }
  }

  private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

  private static func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
    (hash ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  private static func slot(_ hash: UInt64, of count: Int) -> Int {
    Int(truncatingIfNeeded: hash ^ (hash >> 32)) & (count - 1)
  }
}
