// The room on the disk that a merge takes for a while.

import Glibc
import Limelight
import LimelightStorage
import Synchronization

/// Merges an index on a file system of its own, and looks at how much of that is in use meanwhile.
enum DiskTrial {
  /// Loads so many items, one in four again, and merges them; there may never be more than the index before
  /// and the merged segment beside it.
  ///
  /// Arguments: the mount, number of items.
  static func run(_ arguments: [String]) throws {
    guard arguments.count == 2, let count = Int(arguments[1]) else {
      throw TrialFailure("mount, items")
    }
    let mount = arguments[0]
    let index = try Index(mount + "/index")
    var next = 0
    _ = try index.load(threads: 1, memoryBudget: 4 << 20) {
      guard next < count + count / 4 else { return nil }
      defer { next += 100 }
      return .items((next..<next + 100).map { item($0 % count) })
    }
    let before = try used(mount)
    let parts = try index.stats().segments.count
    let watch = try DiskWatch(mount)
    try index.merge()
    let peak = watch.stop()
    let after = try used(mount)
    guard try index.count == count else { throw TrialFailure("\(try index.count) items") }
    // The piece that is on its way from the scratch file to the segment.
    let spare = 1 << 20
    tell(
      "disk: \(parts) segments, \(before >> 10) kB before, \(after >> 10) kB after, "
        + "\(peak >> 10) kB at most")
    guard parts > 1, peak > after else { throw TrialFailure("nothing was merged, or not seen") }
    guard peak <= before + after + spare else { throw TrialFailure("more than both together") }
    try index.close()
  }

  private static func item(_ number: Int) -> Item {
    var chance = TrialChance(UInt64(number) &+ 1)
    let words = (0..<120).map { _ in "w\(min(chance.below(30_000), chance.below(30_000)))" }
    return Item(
      id: "item/\(number)", domain: "d\(number % 9)",
      attributes: [
        .title: .text("all n\(number)"), .textContent: .text(words.joined(separator: " ")),
        .rating: .number(Double(number % 50)),
      ])
  }

  /// The bytes in use on the file system of a folder.
  fileprivate static func used(_ path: String) throws -> Int {
    var state = statvfs()
    guard statvfs(path, &state) == 0 else { throw TrialFailure("no state of \(path)") }
    return Int((state.f_blocks - state.f_bfree) * state.f_frsize)
  }
}

/// Looks at the room in use every millisecond.
private final class DiskWatch: Sendable {
  private let most = Atomic<Int>(0)
  private let isOver = Atomic<Bool>(false)
  nonisolated(unsafe) private var watcher: WorkerThread?

  init(_ mount: String) throws {
    watcher = try WorkerThread(name: "watch") { [self] in
      while !isOver.load(ordering: .acquiring) {
        if let now = try? DiskTrial.used(mount) { most.max(now, ordering: .relaxed) }
        Clock.sleep(milliseconds: 1)
      }
    }
  }

  /// The most that was seen, in bytes.
  func stop() -> Int {
    isOver.store(true, ordering: .releasing)
    watcher?.join()
    return most.load(ordering: .relaxed)
  }
}
