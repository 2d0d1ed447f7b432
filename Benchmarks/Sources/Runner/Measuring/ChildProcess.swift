// Other programs, run to their end or read from.

internal import Glibc

/// A program that was started.
struct ChildProcess {
  private let process: pid_t
  /// What the program prints, to be read and closed; nil when it prints where this process does.
  let output: Int32?

  /// Starts a program, looked for in PATH.
  ///
  /// - Parameter readsOutput: Whether its standard output goes to ``output``.
  init(_ words: [String], readsOutput: Bool = false) throws {
    var ends: [Int32] = [-1, -1]
    if readsOutput {
      guard pipe(&ends) == 0 else { throw BenchmarkError.system("start", words[0]) }
      // The program gets its end under another number, which stays open in it.
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if readsOutput { posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO) }
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    let code = posix_spawnp(&process, words[0], &actions, nil, &arguments, environ)
    if readsOutput { close(ends[1]) }
    guard code == 0 else {
      if readsOutput { close(ends[0]) }
      throw BenchmarkError("cannot run \(words[0]): \(String(cString: strerror(code)))")
    }
    self.process = process
    output = readsOutput ? ends[0] : nil
  }

  /// Waits for its end; the exit status, or 128 and the number of the signal that ended it.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }

  /// Runs a program to its end, which has to be a good one.
  static func run(_ words: [String]) throws {
    let status = try ChildProcess(words).wait()
    guard status == 0 else {
      throw BenchmarkError("'\(words.joined(separator: " "))' ended with status \(status)")
    }
  }
}
