// Draws lines, boxes and texts as SVG.

/// A picture that grows by what is drawn on it, on a white ground.
///
/// Lengths are in pixels, the origin is the upper left corner. A text is never wider than
/// ``width(of:size:)`` says, so charts can keep their parts apart.
struct SVGCanvas {
  /// Where a text stands, seen from its point.
  enum Anchor: String {
    case start, middle, end
  }

  /// The colours that all charts share.
  enum Ink {
    static let text = "#222222"
    static let quiet = "#5f6368"
    static let grid = "#dfe3e8"
    static let axis = "#9aa0a6"
    /// Colours that can be told apart, also by most people who see fewer of them.
    static let series = [
      "#1f6fb4", "#e07b00", "#2a9d4e", "#c43d3d", "#7a55b0", "#7d5a4a", "#d155a4", "#6b7280",
      "#a3a000", "#12a5b8",
    ]
    /// Three shades of one colour, from dark to light.
    static let shades = ["#14507f", "#4f94cd", "#b5d4ec"]
  }

  private static let fonts = "Helvetica, Arial, 'DejaVu Sans', sans-serif"

  let width: Double
  let height: Double
  private var body = ""

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  mutating func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, color: String, width: Double = 1,
    dashes: String? = nil
  ) {
    body += "<line x1=\"\(Self.number(x1))\" y1=\"\(Self.number(y1))\""
    body += " x2=\"\(Self.number(x2))\" y2=\"\(Self.number(y2))\""
    body += " stroke=\"\(color)\" stroke-width=\"\(Self.number(width))\""
    if let dashes { body += " stroke-dasharray=\"\(dashes)\"" }
    body += "/>\n"
  }

  mutating func box(
    _ x: Double, _ y: Double, width: Double, height: Double, color: String
  ) {
    body += "<rect x=\"\(Self.number(x))\" y=\"\(Self.number(y))\""
    body += " width=\"\(Self.number(max(0, width)))\" height=\"\(Self.number(max(0, height)))\""
    body += " fill=\"\(color)\"/>\n"
  }

  mutating func dot(_ x: Double, _ y: Double, color: String) {
    body += "<circle cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"3.5\""
    body += " fill=\"\(color)\"/>\n"
  }

  mutating func path(
    _ points: [(x: Double, y: Double)], color: String, width: Double = 2, dashes: String? = nil
  ) {
    guard points.count > 1 else { return }
    let text = points.map { "\(Self.number($0.x)),\(Self.number($0.y))" }.joined(separator: " ")
    body += "<polyline points=\"\(text)\" fill=\"none\" stroke=\"\(color)\""
    body += " stroke-width=\"\(Self.number(width))\" stroke-linejoin=\"round\""
    if let dashes { body += " stroke-dasharray=\"\(dashes)\"" }
    body += "/>\n"
  }

  /// A text whose base line goes through the point.
  mutating func text(
    _ text: String, _ x: Double, _ y: Double, size: Double = 12, anchor: Anchor = .start,
    color: String = Ink.text, isBold: Bool = false, turned: Bool = false
  ) {
    body += "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\""
    body += " font-size=\"\(Self.number(size))\" text-anchor=\"\(anchor.rawValue)\""
    body += " fill=\"\(color)\""
    if isBold { body += " font-weight=\"bold\"" }
    if turned { body += " transform=\"rotate(-90 \(Self.number(x)) \(Self.number(y)))\"" }
    body += ">\(Self.escaped(text))</text>\n"
  }

  /// The document.
  var document: String {
    let size = "width=\"\(Self.number(width))\" height=\"\(Self.number(height))\""
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" \(size) \
      viewBox="0 0 \(Self.number(width)) \(Self.number(height))" font-family="\(Self.fonts)">
      <rect width="100%" height="100%" fill="#ffffff"/>
      \(body)</svg>

      """
  }

  /// The most that a text takes in width: wide letters are counted as such.
  static func width(of text: String, size: Double) -> Double {
    let units = text.unicodeScalars.reduce(0.0) { sum, scalar in
      switch scalar {
      case "i", "j", "l", "I", ".", ",", ":", "'", "|", "!", " ": sum + 0.36
      case "m", "w", "M", "W", "%", "@": sum + 0.95
      case "A"..."Z": sum + 0.75
      default: sum + 0.64
      }
    }
    return units * size
  }

  /// A length with two digits behind the period at most.
  static func number(_ value: Double) -> String {
    var text = Figures.decimal(value, digits: 2).filter { $0 != "," }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// The text as XML: what has a meaning there is written otherwise, what may not stand there is gone.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", " "..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
        result.unicodeScalars.append(scalar)
      default: break
      }
    }
    return result
  }
}
