// The memory of this process, now and at its peak.

internal import Glibc
internal import Synchronization

/// What the system says about this process' memory.
package enum Memory {
  /// The largest resident size so far, mapped files included, in KiB.
  package static func peakResident() -> Int { field("VmHWM:") }

  /// The resident size without files, in KiB: what the process has for itself.
  static func anonymous() -> Int { field("RssAnon:") }

  private static func field(_ name: String) -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard text.hasPrefix(name) else { continue }
      let parts = text.split { $0 == " " || $0 == "\t" }
      return parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    }
    return 0
  }
}

/// Looks at the anonymous memory a hundred times a second and keeps the largest value.
///
/// The system keeps a peak only of all resident memory, in which the mapped index counts as well; what
/// comes and goes between two looks is missed.
final class MemoryWatch: Sendable {
  private let peak = Mutex(0)
  private let ends = Atomic(false)
  private let thread = Mutex<BenchmarkThread?>(nil)

  /// Starts looking.
  init() throws {
    note()
    let started = try BenchmarkThread { [self] in
      while !ends.load(ordering: .relaxed) {
        note()
        usleep(10_000)
      }
    }
    thread.withLock { $0 = started }
  }

  private func note() {
    let now = Memory.anonymous()
    peak.withLock { $0 = max($0, now) }
  }

  /// The peak since the last call or the start, in KiB.
  func take() -> Int {
    let now = Memory.anonymous()
    return peak.withLock { peak in
      defer { peak = now }
      return max(peak, now)
    }
  }

  /// Ends; the last peak is lost.
  func stop() {
    ends.store(true, ordering: .relaxed)
    let started = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    started?.join()
  }
}
