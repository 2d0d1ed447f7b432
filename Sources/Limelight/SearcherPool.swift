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
    let known: Searcher? = lock.withLock {
      guard self.root === root else { return nil }
      return idle.popLast()
    }
    if let known { return known }
    return try Searcher(
      root.snapshot, now: Timestamp(microseconds: Clock.wallMicroseconds()))
  }

  /// Takes back a searcher over a root.
  func giveBack(_ searcher: Searcher, _ root: IndexRoot) {
    lock.withLock {
      if self.root !== root {
        // An older root than the one at hand is not worth keeping.
        if let current = self.root, current.snapshot.generation > root.snapshot.generation {
          return
        }
        self.root = root
        idle = []
        isReusable = !root.snapshot.views.contains { $0.segment.section(.expiry) != nil }
      }
      if isReusable && idle.count < Self.limit { idle.append(searcher) }
    }
  }

  func removeAll() {
    lock.withLock {
      root = nil
      idle = []
    }
  }
}
