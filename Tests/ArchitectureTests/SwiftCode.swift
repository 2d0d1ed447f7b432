// SwiftCode: a source file with its comments and texts taken out, and what it imports.

/// Swift source of which only the code is left: comments and the insides of string literals are
/// spaces, line breaks stay, so that lines keep their numbers.
struct SwiftCode {
  let lines: [String]

  init(_ source: String) {
    var scanner = CodeScanner(Array(source.utf8))
    lines = scanner.code().split(separator: CodeScanner.newline, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The modules that are imported, each with its line from 1.
  var imports: [(module: String, line: Int)] {
    lines.enumerated().compactMap { index, line in
      Self.imported(line).map { ($0, index + 1) }
    }
  }

  /// The lines, from 1, that hold a text.
  func lines(with text: String) -> [Int] {
    lines.indices.filter { lines[$0].contains(text) }.map { $0 + 1 }
  }

  private static let kinds: Set<Substring> = [
    "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
  ]
  private static let modifiers: Set<Substring> = [
    "fileprivate", "internal", "package", "private", "public",
  ]

  private static func imported(_ line: String) -> String? {
    var words = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == ";" })[...]
    while let first = words.first, first.hasPrefix("@") || modifiers.contains(first) {
      words = words.dropFirst()
    }
    guard words.first == "import" else { return nil }
    words = words.dropFirst()
    if let first = words.first, kinds.contains(first) { words = words.dropFirst() }
    return words.first?.split(separator: ".").first.map(String.init)
  }
}

/// The walk that tells code from comments and literals, byte by byte.
private struct CodeScanner {
  static let newline = UInt8(ascii: "\n")
  private static let space = UInt8(ascii: " ")
  private static let quote = UInt8(ascii: "\"")
  private static let hash = UInt8(ascii: "#")

  private let source: [UInt8]
  private var at = 0
  private var out: [UInt8] = []

  init(_ source: [UInt8]) {
    self.source = source
    out.reserveCapacity(source.count)
  }

  mutating func code() -> [UInt8] {
    while at < source.count {
      let byte = source[at]
      if byte == UInt8(ascii: "/"), starts("//") {
        while at < source.count, source[at] != Self.newline { blank() }
      } else if byte == UInt8(ascii: "/"), starts("/*") {
        blockComment()
      } else if byte == Self.quote || byte == Self.hash {
        literal()
      } else {
        keep()
      }
    }
    return out
  }

  private mutating func keep() {
    out.append(source[at])
    at += 1
  }

  private mutating func blank(_ count: Int = 1) {
    for _ in 0..<count where at < source.count {
      out.append(source[at] == Self.newline ? Self.newline : Self.space)
      at += 1
    }
  }

  private func starts(_ text: String) -> Bool {
    var place = at
    for byte in text.utf8 {
      guard place < source.count, source[place] == byte else { return false }
      place += 1
    }
    return true
  }

  private mutating func blockComment() {
    var depth = 0
    repeat {
      if starts("/*") {
        depth += 1
        blank(2)
      } else if starts("*/") {
        depth -= 1
        blank(2)
      } else {
        blank()
      }
    } while depth > 0 && at < source.count
  }

  /// A string literal, raw or not, of one line or of several.
  ///
  /// What stands in its interpolations is blanked too: nothing is imported there.
  private mutating func literal() {
    var hashes = 0
    while at + hashes < source.count, source[at + hashes] == Self.hash { hashes += 1 }
    guard at + hashes < source.count, source[at + hashes] == Self.quote else {
      for _ in 0..<max(hashes, 1) { keep() }
      return
    }
    let fence = String(repeating: "#", count: hashes)
    let isLong = starts(fence + "\"\"\"")
    let end = (isLong ? "\"\"\"" : "\"") + fence
    let escape = "\\" + fence
    blank(hashes + (isLong ? 3 : 1))
    while at < source.count, !starts(end) {
      if !isLong, source[at] == Self.newline { return }
      if starts(escape + "(") {
        blank(escape.utf8.count)
        interpolation()
      } else if starts(escape) {
        blank(escape.utf8.count + 1)
      } else {
        blank()
      }
    }
    blank(end.utf8.count)
  }

  private mutating func interpolation() {
    var depth = 0
    repeat {
      if source[at] == Self.quote {
        literal()
        continue
      }
      if source[at] == UInt8(ascii: "(") { depth += 1 }
      if source[at] == UInt8(ascii: ")") { depth -= 1 }
      blank()
    } while depth > 0 && at < source.count
  }
}
