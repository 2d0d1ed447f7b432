// The frames of segments, manifests and journals.

/// A segment: its header, its table of sections and trailer, then a part a section.
enum SegmentParts: FileParts {
  static let firstMovable: Int? = nil
  private static let entrySize = 32
  private static let checksums = 22

  static func split(_ bytes: [UInt8]) -> [[UInt8]]? {
    let trailer = bytes.count - 64
    let footer = FileInteger.get(bytes, trailer)
    guard trailer >= 64, footer >= 64, footer <= trailer else { return nil }
    var table: [UInt8] = []
    var sections: [[UInt8]] = []
    for entry in stride(from: footer, to: trailer - entrySize + 1, by: entrySize) {
      if FileInteger.get(bytes, entry, size: 2) == checksums { continue }
      let start = FileInteger.get(bytes, entry + 8)
      let length = FileInteger.get(bytes, entry + 16)
      guard start >= 64, length > 0, length <= footer, start <= footer - length else { return nil }
      table += bytes[entry..<entry + entrySize]
      sections.append(Array(bytes[start..<start + length]))
    }
    return [Array(bytes[..<64]), table + bytes[trailer...]] + sections
  }

  static func join(_ parts: [[UInt8]]) -> [UInt8] {
    var bytes = parts[0] + [UInt8](repeating: 0, count: max(0, 64 - parts[0].count))
    let sections = parts.dropFirst(2)
    var table = parts[1]
    let tableSize = sections.count * entrySize
    table += [UInt8](repeating: 0, count: max(0, tableSize + 64 - table.count))
    for (number, section) in sections.enumerated() {
      align(&bytes)
      FileInteger.put(&table, bytes.count, at: number * entrySize + 8)
      FileInteger.put(&table, section.count, at: number * entrySize + 16)
      bytes += section
    }
    align(&bytes)
    let start = bytes.count
    let pages = (start + 0xFFFF) >> 16
    bytes += [UInt8](repeating: 0, count: pages * 8)
    align(&bytes)
    let footer = bytes.count
    bytes += table[..<tableSize]
    var trailer = Array(table.suffix(64))
    FileInteger.put(&trailer, footer, at: 0)
    FileInteger.put(&trailer, start, at: 8)
    FileInteger.put(&trailer, footer + tableSize + 64, at: 16)
    FileInteger.put(&trailer, sections.count, at: 24, size: 4)
    return bytes + trailer
  }

  private static func align(_ bytes: inout [UInt8]) {
    while bytes.count & 63 != 0 { bytes.append(0) }
  }
}

/// A manifest: its head, then its parts, each with its own small head.
enum ManifestParts: FileParts {
  static let firstMovable: Int? = 1
  private static let headSize = 88

  static func split(_ bytes: [UInt8]) -> [[UInt8]]? {
    guard bytes.count >= headSize + 8, !bytes.starts(with: Array("LIMED".utf8)),
      !bytes.starts(with: Array("LIMET".utf8))
    else { return nil }
    var parts = [Array(bytes[..<headSize])]
    var start = headSize
    while start + 16 <= bytes.count - 8 {
      let length = FileInteger.get(bytes, start + 8)
      guard length >= 0, length <= bytes.count - 8 - start - 16 else { return nil }
      parts.append(Array(bytes[start..<start + 16 + length]))
      start += 16 + length
    }
    return parts
  }

  static func join(_ parts: [[UInt8]]) -> [UInt8] {
    var bytes = parts[0]
    FileInteger.put(&bytes, parts.count - 1, at: 12, size: 4)
    for part in parts.dropFirst() {
      var part = part
      if part.count < 16 { part += [UInt8](repeating: 0, count: 16 - part.count) }
      FileInteger.put(&part, part.count - 16, at: 8)
      bytes += part
    }
    return bytes + [UInt8](repeating: 0, count: 8)
  }
}

/// A journal: its header, then a part a record, head and payload.
enum JournalParts: FileParts {
  static let firstMovable: Int? = 1
  private static let headSize = 40

  static func split(_ bytes: [UInt8]) -> [[UInt8]]? {
    guard bytes.count >= 64 else { return nil }
    var parts = [Array(bytes[..<64])]
    var start = 64
    while start + headSize <= bytes.count {
      let length = FileInteger.get(bytes, start, size: 4)
      guard length <= bytes.count - start - headSize else { break }
      parts.append(Array(bytes[start..<start + headSize + length]))
      start += headSize + (length + 7) & ~7
    }
    return parts
  }

  static func join(_ parts: [[UInt8]]) -> [UInt8] {
    var bytes = parts[0]
    var sequence = FileInteger.get(bytes, 48)
    for part in parts.dropFirst() {
      var part = part
      if part.count < headSize { part += [UInt8](repeating: 0, count: headSize - part.count) }
      FileInteger.put(&part, part.count - headSize, at: 0, size: 4)
      FileInteger.put(&part, sequence, at: 8)
      if part[4] == 1 { sequence &+= 1 }
      while part.count & 7 != 0 { part.append(0) }
      bytes += part
    }
    return bytes
  }
}
