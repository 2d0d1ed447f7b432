// How far a long work has come, on a terminal.

internal import Glibc

/// A line on the standard error that shows progress; nothing where that is no terminal.
struct ProgressBar {
  private let title: String
  /// The bytes there are in all, or nil when nobody knows.
  private let total: Int?
  private let isShown: Bool
  private let start = Moment.now
  private var lastDrawing = Moment(nanoseconds: 0)
  private static let interval = 100_000_000  // nanoseconds
  private static let barCount = 14

  init(_ title: String, total: Int?) {
    self.title = title
    self.total = total
    isShown = isatty(STDERR_FILENO) == 1 && Environment.terminalCanMove
  }

  /// Draws the state, at most ten times a second.
  mutating func update(items: Int, bytes: Int) {
    guard isShown, lastDrawing.nanosecondsAgo >= Self.interval else { return }
    lastDrawing = .now
    let seconds = Double(start.nanosecondsAgo) / 1e9
    var line = title
    if let total, total > 0 {
      // The bar says it all: so the line fits into 80 columns.
      let part = min(1, Double(bytes) / Double(total))
      let filled = Int(part * Double(Self.barCount))
      line = String(repeating: "█", count: filled)
      line += String(repeating: "░", count: Self.barCount - filled)
      line += "  \(Int(part * 100)) %"
    }
    line += "  \(Figures.grouped(items)) items"
    line += "  \(Figures.decimal(Double(items) / seconds, digits: 0)) items/s"
    line += "  \(Figures.decimal(Double(bytes) / 1e6 / seconds, digits: 1)) MB/s"
    if let total, bytes > 0, total > bytes, seconds > 1 {
      line += "  \(Int(seconds * Double(total - bytes) / Double(bytes)) + 1) s left"
    }
    draw(line)
  }

  /// Says what goes on now, without figures.
  func show(_ text: String) {
    if isShown { draw("\(title)  \(text)") }
  }

  /// Takes the line away.
  func clear() {
    if isShown { writeError("\r\u{1B}[K") }
  }

  private func draw(_ line: String) {
    var drawing = "\r"
    let columns = TerminalSize.current(STDERR_FILENO).columns - 1
    TextPainter(marking: .none).paint(line, columns: columns, into: &drawing)
    writeError(drawing + "\u{1B}[K")
  }
}

/// A moment of the clock that never jumps.
struct Moment {
  let nanoseconds: Int

  static var now: Moment {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Moment(nanoseconds: time.tv_sec * 1_000_000_000 + time.tv_nsec)
  }

  var nanosecondsAgo: Int { Moment.now.nanoseconds - nanoseconds }
}

/// What the environment says about the terminal.
enum Environment {
  /// The variable's value, or nil when it is unset or empty.
  static func value(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// Whether the terminal understands movements.
  static var terminalCanMove: Bool { value("TERM").map { $0 != "dumb" } ?? false }

  /// Whether colours are wanted: NO_COLOR is the users' common word for no.
  static var allowsColour: Bool { terminalCanMove && value("NO_COLOR") == nil }
}
