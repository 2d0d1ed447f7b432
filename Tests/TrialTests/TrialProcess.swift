// Child processes of trials, and folders for them.

import Foundation
import Testing

/// A folder for one test, in memory where there is such a place; gone with the last use.
final class TrialFolder {
  let path: String
  var index: String { path + "/index" }

  init() throws {
    let parent =
      FileManager.default.isWritableFile(atPath: "/dev/shm")
      ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    path = parent + "/limelight-trial-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    // It takes paths of any length.
    let remover = Process()
    remover.executableURL = URL(fileURLWithPath: "/bin/rm")
    remover.arguments = ["-rf", path]
    if (try? remover.run()) != nil { remover.waitUntilExit() }
  }

  /// Runs a trial in the folder to its end, which must be a good one; its last line.
  func run(_ trial: String, _ arguments: String..., mounting: String? = nil) throws -> String {
    // The folder must not go before the child.
    try withExtendedLifetime(self) {
      try TrialProcess([trial, path] + arguments, mounting: mounting).end()
    }
  }

  /// The names and sizes of the files of a folder.
  static func files(_ path: String) throws -> [String: Int] {
    var files: [String: Int] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      let status = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
      files[name] = (status[.size] as? NSNumber)?.intValue ?? -1
    }
    return files
  }
}

/// A running child and the lines that it has printed; for one thread.
final class TrialProcess {
  private let process = Process()
  private let output = Pipe()
  private let errors: String
  private var rest = ""
  private(set) var lines: [String] = []
  private(set) var isAtEnd = false

  var number: Int32 { process.processIdentifier }

  /// The program, which is built beside the tests.
  private static func program() throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    var folder = URL(fileURLWithPath: tests).deletingLastPathComponent()
    for _ in 0..<4 {
      let path = folder.appendingPathComponent("LimelightTrialChild").path
      if FileManager.default.isExecutableFile(atPath: path) { return path }
      folder.deleteLastPathComponent()
    }
    throw TrialProcessError("LimelightTrialChild was not built beside \(tests)")
  }

  /// Starts a trial.
  ///
  /// `mounting` is shell code that mounts something first; it and the trial then run with mounts of their
  /// own, which nobody else sees and which go with them.
  init(_ arguments: [String], mounting: String? = nil, preloading: String? = nil) throws {
    errors = FileManager.default.temporaryDirectory.path + "/limelight-trial-\(UUID().uuidString)"
    try #require(FileManager.default.createFile(atPath: errors, contents: nil))
    let program = try Self.program()
    if let mounting {
      process.executableURL = URL(fileURLWithPath: Self.shell)
      process.arguments = Self.privately(mounting + " && exec \"$@\"") + [program] + arguments
    } else {
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = arguments
    }
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    environment["LD_PRELOAD"] = preloading
    process.environment = environment
    process.standardOutput = output
    process.standardError = FileHandle(forWritingAtPath: errors)
    try process.run()
    try output.fileHandleForWriting.close()
  }

  deinit {
    if process.isRunning { Glibc.kill(number, SIGKILL) }
    try? FileManager.default.removeItem(atPath: errors)
  }

  // MARK: Mounts

  private static let shell = "/bin/sh"

  private static func privately(_ code: String) -> [String] {
    ["-c", "exec unshare -m sh -c '\(code)' sh \"$@\"", "sh"]
  }

  /// Whether this process may have mounts of its own, as the administrator of a machine or container may.
  static let maySetMounts: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: shell)
    process.arguments = privately("mount -t tmpfs -o size=1m limelight /mnt")
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  static let noMounts: Comment = "a file system of one's own needs the rights of an administrator"

  // MARK: Listening

  /// Reads until there are so many lines, or the child is gone; false then.
  func wait(lines count: Int, milliseconds: Int = 60_000) throws -> Bool {
    let deadline = Date(timeIntervalSinceNow: Double(milliseconds) / 1000)
    while lines.count < count, !isAtEnd {
      let left = deadline.timeIntervalSinceNow
      guard left > 0 else { throw TrialProcessError("the child says nothing") }
      try read(milliseconds: Int(left * 1000) + 1)
    }
    return lines.count >= count
  }

  /// Reads what is there within so many milliseconds.
  func read(milliseconds: Int) throws {
    let descriptor = output.fileHandleForReading.fileDescriptor
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, Int32(milliseconds)) > 0 else { return }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count > 0 else {
      isAtEnd = true
      return
    }
    rest += String(decoding: bytes[..<count], as: UTF8.self)
    let parts = rest.split(separator: "\n", omittingEmptySubsequences: false)
    lines += parts.dropLast().map(String.init)
    rest = parts.last.map(String.init) ?? ""
  }

  /// Kills the child and reads all that it has said.
  func kill() throws {
    Glibc.kill(number, SIGKILL)
    process.waitUntilExit()
    while !isAtEnd { try read(milliseconds: 10_000) }
    guard process.terminationReason == .uncaughtSignal else {
      throw TrialProcessError("the child had ended: \(complaint)")
    }
  }

  /// Waits for the end, which must be a good one; the last line.
  @discardableResult
  func end() throws -> String {
    while !isAtEnd { try read(milliseconds: 1000) }
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw TrialProcessError("ended with \(process.terminationStatus): \(complaint)")
    }
    return lines.last ?? ""
  }

  /// Waits for the end by a signal; its number, or nil if the child has ended by itself.
  ///
  /// A sanitizer's run-time reports a fault and ends the process by itself.
  func signal() throws -> Int32? {
    while !isAtEnd { try read(milliseconds: 1000) }
    process.waitUntilExit()
    if complaint.contains("Sanitizer: BUS") { return SIGBUS }
    return process.terminationReason == .uncaughtSignal ? process.terminationStatus : nil
  }

  private var complaint: String {
    (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
  }
}

/// What goes wrong with a child.
struct TrialProcessError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
