// The words of an HTML document: what stands between the tags.

/// Takes the text out of HTML, for the one attribute that holds it.
///
/// Tags and comments become spaces, so that words on their two sides stay apart; what stands in
/// `script` and `style` is left out; character references by number and the five that XML knows, with
/// `nbsp`, become their characters. Anything else stays as it is: this feeds an index, not a page.
/// Linear time; never fails.
package enum HTMLText {
  package static func extract(_ html: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(html.count)
    var i = 0
    while i < html.count {
      let byte = html[i]
      if byte == UInt8(ascii: "<") {
        i = skipMarkup(html, i)
        text.append(UInt8(ascii: " "))
      } else if byte == UInt8(ascii: "&") {
        i = appendReference(html, i, &text)
      } else {
        text.append(byte)
        i += 1
      }
    }
    return text
  }

  /// The offset behind the tag, comment or ignored element that starts at `start`.
  private static func skipMarkup(_ html: [UInt8], _ start: Int) -> Int {
    if starts(html, start, "<!--") { return find(html, start + 4, "-->") }
    for element in ["script", "style"] where starts(html, start + 1, element) {
      let close = find(html, start, "</" + element)
      return endOfTag(html, close)
    }
    return endOfTag(html, start + 1)
  }

  private static func endOfTag(_ html: [UInt8], _ start: Int) -> Int {
    var i = start
    while i < html.count && html[i] != UInt8(ascii: ">") { i += 1 }
    return min(i + 1, html.count)
  }

  /// The offset behind the next occurrence of a text, or the end.
  private static func find(_ html: [UInt8], _ start: Int, _ text: String) -> Int {
    var i = start
    while i < html.count {
      if starts(html, i, text) { return i + text.utf8.count }
      i += 1
    }
    return html.count
  }

  private static func starts(_ html: [UInt8], _ start: Int, _ text: String) -> Bool {
    var i = start
    for byte in text.utf8 {
      guard i < html.count else { return false }
      let isUpper = html[i] >= UInt8(ascii: "A") && html[i] <= UInt8(ascii: "Z")
      guard (isUpper ? html[i] | 0x20 : html[i]) == byte else { return false }
      i += 1
    }
    return true
  }

  private static let named: [(name: String, text: String)] = [
    ("amp;", "&"), ("lt;", "<"), ("gt;", ">"), ("quot;", "\""), ("apos;", "'"), ("nbsp;", " "),
  ]

  /// Appends what a reference stands for; the offset behind it.
  private static func appendReference(
    _ html: [UInt8], _ start: Int, _ text: inout [UInt8]
  ) -> Int {
    for (name, replacement) in named where starts(html, start + 1, name) {
      text.append(contentsOf: replacement.utf8)
      return start + 1 + name.utf8.count
    }
    if let (scalar, end) = numericReference(html, start) {
      text.append(contentsOf: String(Character(scalar)).utf8)
      return end
    }
    text.append(html[start])
    return start + 1
  }

  private static func numericReference(_ html: [UInt8], _ start: Int) -> (Unicode.Scalar, Int)? {
    guard starts(html, start, "&#") else { return nil }
    var i = start + 2
    let isHex = starts(html, i, "x")
    if isHex { i += 1 }
    var value: UInt32 = 0
    var digits = 0
    while i < html.count, digits < 8 {
      guard let digit = Character(Unicode.Scalar(html[i])).hexDigitValue, isHex || digit < 10 else {
        break
      }
      value = value &* (isHex ? 16 : 10) &+ UInt32(digit)
      digits += 1
      i += 1
    }
    guard digits > 0, i < html.count, html[i] == UInt8(ascii: ";"),
      let scalar = Unicode.Scalar(value)
    else { return nil }
    return (scalar, i + 1)
  }
}
