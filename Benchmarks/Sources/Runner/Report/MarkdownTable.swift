// Tables in Markdown.

/// A table: a head and rows of cells.
struct MarkdownTable {
  /// The columns' names; those behind the first hold figures and stand to the right.
  let head: [String]
  var rows: [[String]] = []

  init(_ head: [String]) { self.head = head }

  /// The lines of the table, each with its newline.
  var text: String {
    var text = Self.line(head)
    text += "|---|" + String(repeating: "--:|", count: max(0, head.count - 1)) + "\n"
    for row in rows { text += Self.line(row) }
    return text
  }

  private static func line(_ cells: [String]) -> String {
    // A bar would end the cell, a line's end the row.
    let cells = cells.map { cell in
      cell.map { $0 == "|" ? "\\|" : $0.isNewline ? " " : String($0) }.joined()
    }
    return "| " + cells.joined(separator: " | ") + " |\n"
  }
}
