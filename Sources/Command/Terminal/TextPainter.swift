// Texts with the words that were found, drawn for a terminal or for plain output.

/// How the words that were found stand out.
enum Marking: String, CaseIterable {
  /// By the terminal's colours.
  case ansi
  /// Between brackets.
  case brackets
  case none
}

/// A text and the places in it that were found, as offsets into its UTF-8.
struct MarkedText: Equatable {
  var text: String
  var marks: [Range<Int>] = []
}

/// Draws texts: found words marked, steering characters made harmless, too long ones cut.
struct TextPainter {
  /// The look of a whole text on a terminal.
  enum Look: String {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case inverse = "7"
  }

  let marking: Marking

  /// Appends the text, cut to the columns if these are given; gives the columns that it takes.
  @discardableResult
  func paint(
    _ marked: MarkedText, look: Look = .plain, columns limit: Int? = nil, into output: inout String
  ) -> Int {
    let room = room(for: marked.text, limit: limit)
    let isStyled = marking == .ansi && look != .plain
    if isStyled { output += "\u{1B}[\(look.rawValue)m" }
    var columns = 0
    var offset = 0
    var marks = marked.marks[...]
    var isMarked = false
    for character in marked.text {
      if isMarked, let mark = marks.first, offset >= mark.upperBound {
        output += closing(look)
        isMarked = false
        marks.removeFirst()
      }
      if !isMarked, let mark = marks.first, offset >= mark.lowerBound, !mark.isEmpty {
        output += opening
        isMarked = true
      }
      let harmless = Self.harmless(character)
      let width = DisplayWidth.columns(harmless)
      if let room, columns + width > room { break }
      output.append(harmless)
      columns += width
      offset += character.utf8.count
    }
    if isMarked { output += closing(look) }
    if let room, let limit, room < limit {
      output += "…"
      columns += 1
    }
    if isStyled { output += "\u{1B}[0m" }
    return columns
  }

  /// Appends a plain text.
  @discardableResult
  func paint(
    _ text: String, look: Look = .plain, columns limit: Int? = nil, into output: inout String
  ) -> Int {
    paint(MarkedText(text: text), look: look, columns: limit, into: &output)
  }

  /// The columns that the text may fill: one less than the limit when it has to be cut.
  private func room(for text: String, limit: Int?) -> Int? {
    guard let limit else { return nil }
    var columns = 0
    for character in text {
      columns += DisplayWidth.columns(Self.harmless(character))
      if columns > limit { return max(0, limit - 1) }
    }
    return limit
  }

  private var opening: String {
    switch marking {
    case .ansi: "\u{1B}[0;1;33m"
    case .brackets: "["
    case .none: ""
    }
  }

  private func closing(_ look: Look) -> String {
    switch marking {
    case .ansi: look == .plain ? "\u{1B}[0m" : "\u{1B}[0;\(look.rawValue)m"
    case .brackets: "]"
    case .none: ""
    }
  }

  /// The text without characters that steer a terminal or turn its direction.
  static func harmless(_ text: String) -> String {
    String(text.map(harmless))
  }

  /// The same for a text of several lines.
  static func harmlessLines(_ text: String) -> String {
    String(text.map { $0 == "\n" ? $0 : harmless($0) })
  }

  /// The character, or a space for one that steers.
  static func harmless(_ character: Character) -> Character {
    guard let scalar = character.unicodeScalars.first else { return character }
    switch scalar.value {
    case 0x20...0x7E: return character
    case ..<0x20, 0x7F...0x9F, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F,
      0xFEFF:
      return " "
    default: return character
    }
  }
}
