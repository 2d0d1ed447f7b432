// The strings of a column, gathered and then sorted.

internal import LimelightCodecs

/// A set of strings, each with its folded form; each gets a number when it first comes.
final class ColumnStrings {
  private struct Entry {
    var prefix: UInt64
    var offset: Int
    var foldedLength: Int32
    var textLength: Int32
    /// Its place in the sorted dictionary, once that is written.
    var ordinal: Int32 = -1
  }

  @exclusivity(unchecked) private var entries: [Entry] = []
  private let bytes = ByteWriter(capacity: 64)
  /// Open addressing by hash, number + 1 in each slot; only once there are more than a few.
  @exclusivity(unchecked) private var slots: [UInt32] = []

  private static let searchedLinearly = 8

  /// The bytes of memory that the strings take so far, about.
  var memory: Int {
    bytes.count &+ entries.count &* MemoryLayout<Entry>.stride &+ slots.count &* 4
  }

  /// The number of a string, a new one if need be, in O(1).
  func number(
    of text: UnsafeRawBufferPointer, folded: UnsafeRawBufferPointer
  ) -> UInt32 {
    if slots.isEmpty {
      for number in entries.indices where isEqual(number, text, folded) { return UInt32(number) }
      append(text, folded)
      if entries.count > Self.searchedLinearly { rehash(64) }
      return UInt32(entries.count - 1)
    }
    var slot = Int(truncatingIfNeeded: Self.hash(text)) & (slots.count - 1)
    while slots[slot] != 0 {
      let number = Int(slots[slot]) - 1
      if isEqual(number, text, folded) { return UInt32(number) }
      slot = (slot + 1) & (slots.count - 1)
    }
    append(text, folded)
    slots[slot] = UInt32(entries.count)
    if entries.count * 2 > slots.count { rehash(slots.count * 2) }
    return UInt32(entries.count - 1)
  }

  private static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
    guard let base = text.baseAddress else { return 0 }
    return XXH64.hash(base, text.count, seed: 0)
  }

  private func rehash(_ size: Int) {
    slots = Array(repeating: 0, count: size)
    for number in entries.indices {
      var slot = Int(truncatingIfNeeded: Self.hash(text(number))) & (size - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
      slots[slot] = UInt32(number + 1)
    }
  }

  private func append(_ text: UnsafeRawBufferPointer, _ folded: UnsafeRawBufferPointer) {
    entries.append(
      Entry(
        prefix: KeyBytes.prefix(folded), offset: bytes.count, foldedLength: Int32(folded.count),
        textLength: Int32(text.count)))
    bytes.bytes(folded)
    bytes.bytes(text)
  }

  private func folded(_ number: Int) -> UnsafeRawBufferPointer {
    let entry = entries[number]
    return UnsafeRawBufferPointer(
      start: bytes.base + entry.offset, count: Int(entry.foldedLength))
  }

  private func text(_ number: Int) -> UnsafeRawBufferPointer {
    let entry = entries[number]
    return UnsafeRawBufferPointer(
      start: bytes.base + entry.offset + Int(entry.foldedLength), count: Int(entry.textLength))
  }

  private func isEqual(
    _ number: Int, _ other: UnsafeRawBufferPointer, _ otherFolded: UnsafeRawBufferPointer
  ) -> Bool {
    Int(entries[number].textLength) == other.count
      && KeyBytes.compare(text(number), other) == 0
      && KeyBytes.compare(folded(number), otherFolded) == 0
  }

  /// The number that `other` gives a string of these.
  func move(_ number: Int, to other: ColumnStrings) -> UInt32 {
    other.number(of: text(number), folded: folded(number))
  }

  private func isLess(_ a: Int, _ b: Int) -> Bool {
    if entries[a].prefix != entries[b].prefix { return entries[a].prefix < entries[b].prefix }
    let order = KeyBytes.compare(folded(a), folded(b))
    return order == 0 ? KeyBytes.compare(text(a), text(b)) < 0 : order < 0
  }

  /// After `write`: the place of a string in the sorted dictionary.
  func ordinal(of number: Int) -> Int32 { entries[number].ordinal }

  /// Writes the dictionary of the strings, sorted.
  func write(to dictionary: ColumnDictionary) {
    var order = Array(entries.indices)
    if order.count > 1 { order.sort(by: isLess) }
    for ordinal in order.indices {
      entries[order[ordinal]].ordinal = Int32(truncatingIfNeeded: ordinal)
    }
    guard let first = order.first, let last = order.last else { return }
    dictionary.begin(first: folded(first), last: folded(last))
    for number in order { dictionary.add(text(number), folded: folded(number)) }
    dictionary.finish()
  }
}

/// How a string is told from its folded form, as the payload of its key.
enum StringForm {
  private static let caseBit: UInt8 = 0x20

  /// Appends length and bytes of the form.
  static func put(
    _ text: UnsafeRawBufferPointer, folded: UnsafeRawBufferPointer, into pages: ByteWriter
  ) {
    if KeyBytes.compare(text, folded) == 0 {
      pages.varint(0)
      return
    }
    let differsInCase =
      text.count == folded.count
      && zip(text, folded).allSatisfy { ($0 ^ $1) & ~caseBit == 0 }
    guard differsInCase else {
      pages.varint(UInt64(text.count + 1))
      pages.u8(0)
      pages.bytes(text)
      return
    }
    let maskLength = (text.count + 7) / 8
    pages.varint(UInt64(maskLength + 1))
    pages.u8(1)
    for start in stride(from: 0, to: text.count, by: 8) {
      var mask: UInt8 = 0
      for index in start..<min(start + 8, text.count) where text[index] != folded[index] {
        mask |= 1 << UInt8(index - start)
      }
      pages.u8(mask)
    }
  }

  /// The string with this folded form and form, nil when there cannot be one.
  static func text(folded: [UInt8], form: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let kind = form.first else { return folded }
    let rest = UnsafeRawBufferPointer(rebasing: form[1...])
    if kind == 0 { return Array(rest) }
    guard kind == 1, rest.count == (folded.count + 7) / 8 else { return nil }
    var text = folded
    for index in text.indices where rest[index >> 3] >> UInt8(index & 7) & 1 == 1 {
      text[index] ^= caseBit
    }
    return text
  }
}
