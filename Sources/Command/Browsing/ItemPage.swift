// An item written out for a person, line by line.

internal import Limelight

/// All that an item holds, in lines of the screen's width.
enum ItemPage {
  static func lines(_ item: Item, columns: Int) -> [String] {
    var lines: [String] = []
    func add(_ name: String, _ text: String) {
      lines += wrapped("\(name): \(text)", columns: columns)
    }
    add("id", item.id)
    if let domain = item.domain { add("domain", domain) }
    if let type = item.contentType { add("contentType", type) }
    if let date = item.expirationDate { add("expirationDate", date.iso8601) }
    if let thumbnail = item.thumbnail { add("thumbnail", Figures.size(thumbnail.count)) }
    for (attribute, value) in item.attributes { add(attribute.name, text(value)) }
    return lines
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .number(let number):
      return number == number.rounded() && number.magnitude < 1e15
        ? Figures.decimal(number, digits: 0) : "\(number)"
    case .bool(let flag): return flag ? "yes" : "no"
    case .date(let date): return date.iso8601
    case .dates(let dates): return dates.map(\.iso8601).joined(separator: ", ")
    case .data(let bytes): return Figures.size(bytes.count)
    default:
      var texts: [String] = []
      forEachText(value) { texts.append(String(decoding: $0, as: UTF8.self)) }
      return texts.filter { !$0.isEmpty }.joined(separator: ", ")
    }
  }

  /// The text in lines that fit, broken at spaces where there are any.
  static func wrapped(_ text: String, columns: Int) -> [String] {
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var line = ""
      var used = 0
      for word in paragraph.split(separator: " ", omittingEmptySubsequences: false) {
        let width = word.reduce(0) { $0 + DisplayWidth.columns($1) }
        if used > 0, used + 1 + width > columns {
          lines.append(line)
          (line, used) = ("    ", 4)
        } else if used > 0 {
          line += " "
          used += 1
        }
        for character in word {
          let width = DisplayWidth.columns(character)
          if used + width > columns {
            lines.append(line)
            (line, used) = ("    ", 4)
          }
          line.append(character)
          used += width
        }
      }
      lines.append(line)
    }
    return lines
  }
}
