// Searchers that wait for the next search.

internal import LimelightIndexing
internal import LimelightSearch
internal import LimelightSegments
internal import LimelightSnapshots
internal import LimelightStorage
internal import Synchronization

/// A searcher with the root that it searches.
final class RootSearcher {
  let root: IndexRoot
  let searcher: Searcher
  /// Whether another search may have it: what has expired is fixed when a searcher is made.
  let isReusable: Bool

  init(_ root: IndexRoot) throws(SearchError) {
    self.root = root
    searcher = try Searcher(
      root.snapshot, now: Timestamp(microseconds: Clock.wallMicroseconds()))
    isReusable = !root.snapshot.views.contains { $0.segment.section(.expiry) != nil }
  }
}

/// Keeps searchers of the newest snapshot, so that a search starts with warm buffers.
///
/// Holds no results and no parsed queries. Each place has the only reference to what is in it, as an
/// address; whoever takes it out of there owns it, so no lock is needed. Threads: any.
final class SearcherPool: @unchecked Sendable {
  private let places: UnsafeMutablePointer<Atomic<UInt>>
  /// The address of the root for which a searcher was made last.
  private let newest = Atomic<UInt>(0)

  private static let count = 8

  init() {
    places = .allocate(capacity: Self.count)
    for place in 0..<Self.count { (places + place).initialize(to: Atomic(0)) }
  }

  deinit {
    removeAll()
    places.deinitialize(count: Self.count)
    places.deallocate()
  }

  /// Says that a searcher was made for a root, and lets those of others go.
  func begin(_ root: IndexRoot) {
    let address = Self.address(root)
    if newest.exchange(address, ordering: .relaxed) != address { removeAll() }
  }

  private static func address(_ root: IndexRoot) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(root).toOpaque())
  }

  /// A searcher, of whatever root.
  func take() -> RootSearcher? {
    for place in 0..<Self.count where places[place].load(ordering: .relaxed) != 0 {
      let address = places[place].exchange(0, ordering: .acquiringAndReleasing)
      if let pointer = UnsafeRawPointer(bitPattern: address) {
        return Unmanaged<RootSearcher>.fromOpaque(pointer).takeRetainedValue()
      }
    }
    return nil
  }

  /// Keeps a searcher, if there is room; one of an older root would keep files that are gone.
  func giveBack(_ searcher: RootSearcher) {
    guard searcher.isReusable, newest.load(ordering: .relaxed) == Self.address(searcher.root)
    else { return }
    let kept = Unmanaged.passRetained(searcher)
    let address = UInt(bitPattern: kept.toOpaque())
    for place in 0..<Self.count where places[place].load(ordering: .relaxed) == 0 {
      let (isKept, _) = places[place].compareExchange(
        expected: 0, desired: address, ordering: .acquiringAndReleasing)
      if isKept { return }
    }
    kept.release()
  }

  /// Lets all searchers go.
  func removeAll() { while take() != nil {} }
}
