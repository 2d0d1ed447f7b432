// Bytes from a terminal as keys.

/// What was pressed.
enum Key: Equatable {
  case character(Character)
  case backspace, delete, deleteWord, deleteLine
  case left, right, home, end
  case up, down, pageUp, pageDown
  case enter, escape, interrupt, endOfInput, suspend, redraw
}

/// Puts the bytes that a terminal sends together to keys.
///
/// What is not yet whole, such as half a character, waits for more bytes. An escape byte alone
/// may be the key or the beginning of another one: time tells, so the caller asks `finish` when
/// nothing has followed for a while.
struct KeyReader {
  private var pending: [UInt8] = []
  private static let escape: UInt8 = 0x1B

  /// Whether bytes wait for more.
  var isWaiting: Bool { !pending.isEmpty }

  /// The keys that are whole now.
  mutating func keys(_ bytes: some Sequence<UInt8>) -> [Key] {
    pending += bytes
    var keys: [Key] = []
    while let (key, count) = next() {
      if let key { keys.append(key) }
      pending.removeFirst(count)
    }
    return keys
  }

  /// The keys that the waiting bytes are, as nothing follows.
  mutating func finish() -> [Key] {
    defer { pending.removeAll() }
    return pending == [Self.escape] ? [.escape] : []
  }

  /// The first key and its bytes, or nil when it is not whole; what means nothing is no key.
  private func next() -> (key: Key?, count: Int)? {
    guard let first = pending.first else { return nil }
    if first == Self.escape { return sequence() }
    if first < 0x20 || first == 0x7F { return (control(first), 1) }
    return character(first)
  }

  private func control(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x01: .home  // control-A
    case 0x02: .left
    case 0x03: .interrupt
    case 0x04: .endOfInput
    case 0x05: .end
    case 0x06: .right
    case 0x08, 0x7F: .backspace
    case 0x0A, 0x0D: .enter
    case 0x0C: .redraw
    case 0x0E: .down
    case 0x10: .up
    case 0x15: .deleteLine
    case 0x17: .deleteWord
    case 0x1A: .suspend
    default: nil
    }
  }

  /// A character of UTF-8; a byte that cannot be one is dropped.
  private func character(_ first: UInt8) -> (key: Key?, count: Int)? {
    let count =
      switch first {
      case ..<0x80: 1
      case 0xC2..<0xE0: 2
      case 0xE0..<0xF0: 3
      case 0xF0..<0xF5: 4
      default: 0
      }
    if count == 0 { return (nil, 1) }
    let bytes = pending.prefix(count)
    if let wrong = bytes.dropFirst().firstIndex(where: { $0 & 0xC0 != 0x80 }) {
      return (nil, wrong)
    }
    guard bytes.count == count else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self), let character = text.first else {
      return (nil, count)
    }
    return (.character(character), count)
  }

  /// A key that sends several bytes: `ESC [ ... letter` or `ESC O letter`.
  private func sequence() -> (key: Key?, count: Int)? {
    guard pending.count > 1 else { return nil }
    switch pending[1] {
    case UInt8(ascii: "O"):
      guard pending.count > 2 else { return nil }
      return (named(pending[2], parameter: []), 3)
    case UInt8(ascii: "["):
      guard let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) })
      else { return pending.count > 32 ? (nil, pending.count) : nil }
      return (named(pending[end], parameter: Array(pending[2..<end])), end + 1)
    default:
      return (.escape, 1)
    }
  }

  private func named(_ letter: UInt8, parameter: [UInt8]) -> Key? {
    switch letter {
    case UInt8(ascii: "A"): return .up
    case UInt8(ascii: "B"): return .down
    case UInt8(ascii: "C"): return .right
    case UInt8(ascii: "D"): return .left
    case UInt8(ascii: "H"): return .home
    case UInt8(ascii: "F"): return .end
    case UInt8(ascii: "~"):
      switch parameter.first {
      case UInt8(ascii: "1"), UInt8(ascii: "7"): return .home
      case UInt8(ascii: "3"): return .delete
      case UInt8(ascii: "4"), UInt8(ascii: "8"): return .end
      case UInt8(ascii: "5"): return .pageUp
      case UInt8(ascii: "6"): return .pageDown
      default: return nil
      }
    default: return nil
    }
  }
}
