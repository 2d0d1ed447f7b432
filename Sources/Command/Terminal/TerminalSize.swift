// How large the terminal is.

internal import Glibc

/// Rows and columns of a terminal.
struct TerminalSize: Equatable {
  var rows: Int
  var columns: Int

  /// The size of the terminal behind the descriptor; 24 rows of 80 where there is none.
  static func current(_ descriptor: Int32) -> TerminalSize {
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    guard isKnown else { return TerminalSize(rows: 24, columns: 80) }
    return TerminalSize(rows: max(1, Int(size.ws_row)), columns: Int(size.ws_col))
  }
}
