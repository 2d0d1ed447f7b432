// Reads typed text as the documentation describes it, scalar by scalar.

import Limelight

/// What a person's text stands for.
///
/// Words are all wanted, the last one may be unfinished; quotes hold phrases, a minus excludes, `OR`
/// joins two.
struct OracleTypedText {
  private struct Piece {
    var scalars: [Unicode.Scalar]
    var isQuoted = false
    var isExcluded = false
    /// Whether the text ends with it, so that more of it may follow.
    var isOpen = false

    var isOr: Bool { !isQuoted && !isExcluded && scalars == ["O", "R"] }
  }

  private let tokenizer: OracleTokenizer
  private let scalars: [Unicode.Scalar]
  private var place = 0

  private init(_ text: String, _ tokenizer: OracleTokenizer) {
    scalars = Array(text.unicodeScalars)
    self.tokenizer = tokenizer
  }

  /// The query of a text.
  static func query(_ text: String, _ tokenizer: OracleTokenizer) -> Query {
    var reading = OracleTypedText(text, tokenizer)
    return reading.read()
  }

  private mutating func read() -> Query {
    var groups: [[Query]] = []
    var excluded: [Query] = []
    var lastIsWanted = false
    var isJoined = false
    while let piece = next() {
      let isFirst = groups.isEmpty && excluded.isEmpty
      if piece.isOr && !isFirst && !piece.isOpen {
        isJoined = lastIsWanted
        continue
      }
      guard let query = query(of: piece) else { continue }
      if piece.isExcluded {
        excluded.append(query)
      } else if isJoined, let group = groups.popLast() {
        groups.append(group + [query])
      } else {
        groups.append([query])
      }
      lastIsWanted = !piece.isExcluded
      isJoined = false
    }
    if groups.isEmpty && excluded.isEmpty { return .nothing }
    return .boolean(
      must: groups.isEmpty ? [.everything] : groups.map { $0.count == 1 ? $0[0] : .any($0) },
      not: excluded)
  }

  // MARK: Pieces

  private mutating func next() -> Piece? {
    while place < scalars.count, Self.isSpace(scalars[place]) { place += 1 }
    guard place < scalars.count else { return nil }
    var piece = Piece(scalars: [])
    if scalars[place] == "-", place + 1 < scalars.count, scalars[place + 1] != "-",
      !Self.isSpace(scalars[place + 1])
    {
      piece.isExcluded = true
      place += 1
    }
    if Self.isQuote(scalars[place]) {
      piece.isQuoted = true
      place += 1
      while place < scalars.count, !Self.isQuote(scalars[place]) {
        piece.scalars.append(scalars[place])
        place += 1
      }
      if place < scalars.count {
        place += 1
      } else {
        piece.isOpen = piece.scalars.last.map { !Self.isSpace($0) } ?? true
      }
      return piece
    }
    while place < scalars.count, !Self.isSpace(scalars[place]) {
      piece.scalars.append(scalars[place])
      place += 1
    }
    piece.isOpen = place == scalars.count && !(piece.scalars.last.map(Self.isQuote) ?? false)
    return piece
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{0}"..."\u{20}", "\u{7F}"..."\u{A0}", "\u{1680}", "\u{2000}"..."\u{200A}",
      "\u{2028}", "\u{2029}", "\u{202F}", "\u{205F}", "\u{3000}":
      return true
    default: return false
    }
  }

  private static func isQuote(_ scalar: Unicode.Scalar) -> Bool {
    ["\"", "«", "»", "“", "”", "„", "‟", "＂"].contains(scalar)
  }

  // MARK: Queries

  /// The query of a piece, or nil when it holds no word.
  private func query(of piece: Piece) -> Query? {
    let tokens = tokenizer.tokens(piece.scalars)
    guard let last = tokens.last else { return nil }
    let rest = piece.scalars[last.source.upperBound...]
    let isUnfinished = piece.isOpen && !piece.isExcluded && Self.canGoOn(Array(rest))
    guard isUnfinished else { return words(piece.scalars[...], tokens.count) }
    if tokens.count == 1 { return .prefix(text(piece.scalars[...])) }
    let before = tokens[tokens.count - 2]
    if before.source.upperBound == last.source.lowerBound,
      Self.isWholeWord(piece.scalars[last.source.lowerBound])
    {
      return words(piece.scalars[...], tokens.count)
    }
    return .all([
      words(piece.scalars[..<before.source.upperBound], tokens.count - 1),
      .prefix(text(piece.scalars[last.source.lowerBound...])),
    ])
  }

  /// Whether the last word may have more letters behind what follows it.
  private static func canGoOn(_ rest: [Unicode.Scalar]) -> Bool {
    rest.isEmpty || (rest.count == 1 && ["'", "’", ".", ",", ":", ";", "·"].contains(rest[0]))
  }

  /// Whether it is of a script whose characters are words of their own.
  private static func isWholeWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isIdeographic || ("\u{3041}"..."\u{309F}").contains(scalar)
  }

  private func words(_ scalars: ArraySlice<Unicode.Scalar>, _ count: Int) -> Query {
    count == 1 ? .term(text(scalars)) : .phrase(text(scalars))
  }

  private func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
