// Signals as bytes that a loop can wait for.

internal import Glibc

/// Signals that arrive at a pipe instead of interrupting whatever runs.
///
/// They are blocked in the thread that makes the pipe and in those that it starts from then on;
/// one more thread waits for them. So no code runs inside a handler, and the loop that reads the
/// pipe can put the terminal in order before it lets the signal take its course.
struct SignalPipe {
  /// The descriptor at which each signal arrives as one byte.
  let readEnd: Int32
  private let signals: sigset_t

  /// What the waiting thread needs; it never ends, so neither does this.
  private struct Wait {
    var signals: sigset_t
    var writeEnd: Int32
  }

  init?(_ numbers: [Int32]) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    readEnd = ends[0]
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    signals = set
    pthread_sigmask(SIG_BLOCK, &set, nil)

    let wait = UnsafeMutablePointer<Wait>.allocate(capacity: 1)
    wait.initialize(to: Wait(signals: set, writeEnd: ends[1]))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let wait = context?.assumingMemoryBound(to: Wait.self) else { return nil }
        while true {
          var number: Int32 = 0
          guard sigwait(&wait.pointee.signals, &number) == 0 else { continue }
          var byte = UInt8(truncatingIfNeeded: number)
          _ = write(wait.pointee.writeEnd, &byte, 1)
        }
      }, wait)
    if code != 0 { return nil }
    pthread_detach(thread)
  }

  /// The signals that have arrived.
  func read() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(readEnd, &bytes, bytes.count)
    return bytes.prefix(max(0, count)).map(Int32.init)
  }

  /// Ends the process by the signal, as if nobody had held it up.
  func die(of number: Int32) -> Never {
    var set = signals
    signal(number, SIG_DFL)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(number)
    exit(128 + number)
  }
}
