// A child that is started, listened to and killed.

import Foundation
import LimelightCrashChild

/// What goes wrong with a child, or with what it leaves.
struct CrashFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// A running child and the messages that it has sent; for one thread.
final class ChildProcess {
  private let process: pid_t
  private let channel: Int32
  private var buffer: [UInt8] = []
  private(set) var messages: [CrashMessage] = []
  private(set) var isAtEnd = false

  /// The program, which is built beside the tests.
  private static func program() throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    var folder = URL(fileURLWithPath: tests).deletingLastPathComponent()
    for _ in 0..<4 {
      let path = folder.appendingPathComponent("LimelightCrashChild").path
      if FileManager.default.isExecutableFile(atPath: path) { return path }
      folder.deleteLastPathComponent()
    }
    throw CrashFailure("LimelightCrashChild was not built beside \(tests)")
  }

  init(arguments: [String]) throws {
    var ends: [Int32] = [0, 0]
    let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, stream, 0, &ends) == 0 else {
      throw CrashFailure("socketpair: \(errno)")
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], CrashMessage.descriptor)
    let path = try Self.program()
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + settings { free(word) } }
    var number = pid_t()
    let code = posix_spawn(&number, path, &actions, nil, &words, &settings)
    close(ends[1])
    guard code == 0 else {
      close(ends[0])
      throw CrashFailure("posix_spawn: \(code)")
    }
    process = number
    channel = ends[0]
  }

  deinit { close(channel) }

  /// Reads until the messages are enough, or the child is gone; false at the end of all messages or
  /// when the time is over.
  func wait(
    milliseconds: Int = 30_000, until isEnough: ([CrashMessage]) -> Bool
  ) throws -> Bool {
    let deadline = Date(timeIntervalSinceNow: Double(milliseconds) / 1000)
    while !isEnough(messages) {
      let rest = Int32(max(deadline.timeIntervalSinceNow * 1000, 0))
      guard !isAtEnd, try read(waiting: rest) else { return false }
    }
    return true
  }

  /// Reads what is there within so many milliseconds, all the way through.
  func listen(milliseconds: Int) throws {
    let deadline = Date(timeIntervalSinceNow: Double(milliseconds) / 1000)
    while !isAtEnd, deadline.timeIntervalSinceNow > 0 {
      _ = try read(waiting: Int32(deadline.timeIntervalSinceNow * 1000 + 1))
    }
  }

  /// Kills the child, and reads all that it has said.
  func kill() throws {
    Glibc.kill(process, SIGKILL)
    while !isAtEnd {
      guard try read(waiting: 10_000) else { throw CrashFailure("a killed child goes on") }
    }
  }

  /// How the child ended: killed, or by itself and well; anything else is a failure.
  func end() throws -> Bool {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    if status == 0 { return false }
    guard status & 0x7F == SIGKILL else {
      throw CrashFailure("the child ended with status \(status)")
    }
    return true
  }

  /// Reads once; false when nothing came in time.
  private func read(waiting milliseconds: Int32) throws -> Bool {
    var request = pollfd(fd: channel, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, milliseconds) > 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(channel, &bytes, bytes.count)
    guard count > 0 else {
      isAtEnd = true
      return true
    }
    buffer += bytes[..<count]
    var start = 0
    while buffer.count - start >= CrashMessage.size {
      guard let message = CrashMessage(buffer[start..<start + CrashMessage.size]) else {
        throw CrashFailure("the child sends nonsense")
      }
      messages.append(message)
      start += CrashMessage.size
    }
    buffer.removeFirst(start)
    return true
  }
}
