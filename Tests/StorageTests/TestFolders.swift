// The three backings of a folder, made for one test each, and processes that tests fork off.
import Foundation
import Glibc
import LimelightStorage
import Testing

/// A kind of folder to run a test on.
enum TestBacking: CaseIterable, Sendable {
  case system, memory, faulty
}

/// A folder for one test; one of the system is removed afterwards.
final class TestFolder {
  let folder: Folder
  private let url: URL?

  init(_ backing: TestBacking) throws {
    switch backing {
    case .system:
      let name = "storage tests é \(UUID().uuidString)"
      let url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
      self.url = url
      folder = try Folder.open(path: url.path, create: true)
    case .memory:
      url = nil
      folder = .inMemory()
    case .faulty:
      url = nil
      folder = .faulty(FaultDisk())
    }
  }

  deinit {
    if let url { try? FileManager.default.removeItem(at: url) }
  }

  /// Makes a durable file.
  func write(_ name: String, _ bytes: [UInt8]) throws {
    let file = try folder.create(name)
    try file.append(bytes)
    try file.sync()
    file.close()
    try folder.sync()
  }
}

extension MappedBytes {
  var bytes: [UInt8] { withBytes { [UInt8]($0) } }
}

/// The error that a step throws; nil when it throws none.
func failure<Result>(_ step: () throws -> Result) -> StorageError? {
  do {
    _ = try step()
    return nil
  } catch {
    return error as? StorageError ?? StorageError(.io, "unexpected", "\(error)")
  }
}

/// A child of the test's process, which ends with the code that its body returns.
struct Child {
  let process: pid_t

  /// Forks.
  ///
  /// The body may use only what the parent has used before, since other threads of the
  /// parent may hold locks of the runtime at this moment; an alarm ends a child that hangs.
  init(_ body: () -> Int32) throws {
    fflush(nil)
    process = fork()
    if process == 0 {
      alarm(20)
      _exit(body())
    }
    try #require(process > 0)
  }

  /// Waits for the end: the code, or the negated number of the signal that ended the child.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : -signal
  }
}
