// The memory of a process over a long time.

import Foundation

/// The memory of this process that is no file's, over time.
package struct SoakMemory {
  private struct Unknown: Error {}

  /// Kilobytes.
  private var samples: [Int] = []

  package init() {}

  /// Looks at it now.
  package mutating func note() throws {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") }),
      let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { throw Unknown() }
    samples.append(kilobytes)
  }

  /// Means of the first third, in which buffers have grown to their sizes, and of the last.
  private var thirds: (first: Int, last: Int) {
    let size = max(samples.count / 3, 1)
    func mean(_ part: ArraySlice<Int>) -> Int { part.reduce(0, +) / max(part.count, 1) }
    return (mean(samples.prefix(size)), mean(samples.suffix(size)))
  }

  /// Whether the last third takes no more than the first, but for a tenth and 2 MB.
  package var isFlat: Bool { thirds.last <= thirds.first * 11 / 10 + 2048 }

  package var report: String {
    "\(samples.first ?? 0) kB at first, \(samples.last ?? 0) kB at last; "
      + "\(thirds.first) kB in the first third, \(thirds.last) kB in the last, "
      + "\(samples.max() ?? 0) kB at most"
  }
}
