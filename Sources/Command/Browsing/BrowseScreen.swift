// The screen of search-as-you-type, drawn in one piece.

/// What is on the screen of `limelight browse`.
///
/// Drawing goes from row to row and clears what is left of each, so nothing flickers; one frame
/// is one write. Its cost follows the rows of the screen, not the size of the items.
struct BrowseScreen {
  /// One hit in the list.
  struct Row {
    var title: MarkedText
    var origin: String
    var excerpt: MarkedText?
  }

  var size: TerminalSize
  var line = QueryLine()
  /// What is said about the search: the number of hits and the time.
  var status = ""
  var rows: [Row] = []
  /// The row that is chosen.
  var chosen: Int?
  /// The lines of an item that is shown instead of the list.
  var page: [String]?

  private static let prompt = "❯ "
  private static let head = 3  // rows above the list
  private static let help = "↑↓ choose   ⏎ show   esc back or quit"

  /// The hits that fit into a screen: each takes two rows, below the head and above the help.
  static func rowCount(_ size: TerminalSize) -> Int { max(1, (size.rows - head - 1) / 2) }

  /// The lines of an item that fit.
  static func pageCount(_ size: TerminalSize) -> Int { max(1, size.rows - head - 1) }

  /// The whole frame, with the cursor where typing goes on.
  func frame() -> String {
    let painter = TextPainter(marking: Environment.allowsColour ? .ansi : .none)
    var frame = "\u{1B}[?25l\u{1B}[H"
    let cursor = drawLine(painter, into: &frame)
    painter.paint(status, look: .dim, columns: size.columns, into: &frame)
    frame += Self.lineEnd + Self.lineEnd
    var used = Self.head
    if let page {
      for line in page.prefix(Self.pageCount(size)) {
        painter.paint(line, columns: size.columns, into: &frame)
        frame += Self.lineEnd
        used += 1
      }
    } else {
      for (place, row) in rows.enumerated() where used + 2 < size.rows {
        draw(row, isChosen: place == chosen, painter, into: &frame)
        used += 2
      }
    }
    frame += "\u{1B}[J"
    if used < size.rows {
      frame += "\u{1B}[\(size.rows);1H"
      painter.paint(Self.help, look: .dim, columns: size.columns, into: &frame)
    }
    return frame + "\u{1B}[1;\(cursor)H\u{1B}[?25h"
  }

  private static let lineEnd = "\u{1B}[K\r\n"

  /// Draws what was typed, from its end when it is too long; gives the cursor's column.
  private func drawLine(_ painter: TextPainter, into frame: inout String) -> Int {
    frame += Self.prompt
    var room = max(1, size.columns - Self.prompt.count - 1)
    var head = Array(line.head)
    var columns = head.reduce(0) { $0 + DisplayWidth.columns($1) }
    while columns > room, !head.isEmpty { columns -= DisplayWidth.columns(head.removeFirst()) }
    painter.paint(String(head), into: &frame)
    room -= columns
    painter.paint(
      String(line.text.dropFirst(line.head.count)), columns: max(0, room), into: &frame)
    frame += Self.lineEnd
    return Self.prompt.count + columns + 1
  }

  private func draw(_ row: Row, isChosen: Bool, _ painter: TextPainter, into frame: inout String) {
    frame += isChosen ? "▌ " : "  "
    let room = max(4, size.columns - 3)
    let used = painter.paint(row.title, look: .bold, columns: room, into: &frame)
    if used + 8 < room, !row.origin.isEmpty {
      frame += "  "
      painter.paint(row.origin, look: .dim, columns: room - used - 2, into: &frame)
    }
    frame += Self.lineEnd + (isChosen ? "▌ " : "  ")
    if let excerpt = row.excerpt { painter.paint(excerpt, columns: room, into: &frame) }
    frame += Self.lineEnd
  }
}
