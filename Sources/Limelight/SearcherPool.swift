// Searchers that wait for the next search.

internal import LimelightIndexing
internal import LimelightSearch
internal import LimelightSegments
internal import LimelightSnapshots
internal import LimelightStorage

/// Keeps searchers of the newest snapshot, so that a search starts with warm buffers.
///
/// Holds no results and no parsed queries. A searcher of an index with expiring items is used once,
/// since what has expired is fixed when it is made. Threads: any.
final class SearcherPool: @unchecked Sendable {
  private let lock = Lock()
  private var root: IndexRoot?
  private var idle: [Searcher] = []
  private var isReusable = false

  private static let limit = 8

  /// A searcher over a root.
  func take(_ root: IndexRoot) throws(SearchError) -> Searcher {
    lock.lock()
    let known = self.root === root ? idle.popLast() : nil
    lock.unlock()
    if let known { return known }
    return try Searcher(
      root.snapshot, now: Timestamp(microseconds: Clock.wallMicroseconds()))
  }

  /// Takes back a searcher over a root.
  func giveBack(_ searcher: Searcher, _ root: IndexRoot) {
    lock.lock()
    defer { lock.unlock() }
    if self.root !== root && !enter(root) { return }
    if isReusable && idle.count < Self.limit { idle.append(searcher) }
  }

  /// Makes a root the one whose searchers are kept; false if it is older than the one at hand.
  private func enter(_ root: IndexRoot) -> Bool {
    if let current = self.root, current.snapshot.generation > root.snapshot.generation {
      return false
    }
    self.root = root
    idle = []
    isReusable = !root.snapshot.views.contains { $0.segment.section(.expiry) != nil }
    return true
  }

  func removeAll() {
    lock.withLock {
      root = nil
      idle = []
    }
  }
}
