// The terminal as a screen of its own, and its return to what it was.

internal import Glibc

/// A terminal whose keys arrive one by one and whose screen is ours.
///
/// Whoever calls `enter` calls `leave` on each way out; both may be called again and again.
struct RawTerminal {
  private var original = termios()
  private(set) var isEntered = false

  /// Remembers the terminal as it is; nil when input or output is none.
  init?() {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1,
      tcgetattr(STDIN_FILENO, &original) == 0
    else { return nil }
  }

  /// Takes the keyboard, and the other screen, which leaves the lines before it untouched.
  mutating func enter() {
    var raw = original
    cfmakeraw(&raw)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
    write("\u{1B}[?1049h")
    isEntered = true
  }

  /// Gives both back.
  mutating func leave() {
    guard isEntered else { return }
    write("\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l")
    tcsetattr(STDIN_FILENO, TCSADRAIN, &original)
    isEntered = false
  }

  /// Sends a drawing in one piece; what fails here shows when keys are read.
  func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = writeAll(STDOUT_FILENO, UnsafeRawBufferPointer($0)) }
  }
}
