// Bytes on their way to the standard output.

internal import Glibc

/// The standard output behind a buffer.
///
/// A closed pipe ends the process quietly, as the system's default has it; any other failure is
/// an error.
final class Output {
  /// Whether a person reads it as it comes.
  let isTerminal: Bool
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private static let bufferCount = 1 << 16

  init(descriptor: Int32) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
  }

  func write(_ text: String) throws(Failure) {
    buffer.append(contentsOf: text.utf8)
    try flushIfFull()
  }

  func write(_ bytes: [UInt8]) throws(Failure) {
    buffer.append(contentsOf: bytes)
    try flushIfFull()
  }

  /// Writes a line; on a terminal, without what would steer it.
  func line(_ text: String) throws(Failure) {
    try write((isTerminal ? TextPainter.harmless(text) : text) + "\n")
  }

  private func flushIfFull() throws(Failure) {
    if buffer.count >= Self.bufferCount { try flush() }
  }

  /// Hands over what waits in the buffer.
  func flush() throws(Failure) {
    let code = buffer.withUnsafeBytes { writeAll(descriptor, $0) }
    buffer.removeAll(keepingCapacity: true)
    if code != 0 { throw .inputOutput("cannot write the output: \(systemMessage(code))") }
  }
}

/// Writes all the bytes; gives the system's error number, or 0.
func writeAll(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int32 {
  var rest = bytes
  while !rest.isEmpty {
    let count = write(descriptor, rest.baseAddress, rest.count)
    if count > 0 {
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    } else if errno == EAGAIN {
      var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&wait, 1, -1)
    } else if errno != EINTR {
      return errno
    }
  }
  return 0
}

/// Writes a text to the standard error, where there is nobody to tell of a failure.
func writeError(_ text: String) {
  var text = text
  text.withUTF8 { _ = writeAll(STDERR_FILENO, UnsafeRawBufferPointer($0)) }
}

/// The system's words for an error number.
func systemMessage(_ code: Int32) -> String {
  strerror(code).map { String(cString: $0) } ?? "error \(code)"
}
