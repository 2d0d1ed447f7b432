// The ids of items that match a query, in the order of their arrival.

internal import LimelightIndexing
internal import LimelightSearch
internal import LimelightSegments
internal import LimelightSnapshots
internal import LimelightStorage

/// Walks the matches of a query without scoring them.
struct MatchingItems {
  let root: IndexRoot
  let query: Query
  /// Whether items that have expired are among them: nobody finds them, but they can be deleted.
  let includesExpired: Bool
  let cancellation: CancellationFlag?

  init(
    _ root: IndexRoot, _ query: Query, includesExpired: Bool = false,
    cancellation: CancellationFlag? = nil
  ) {
    self.root = root
    self.query = query
    self.includesExpired = includesExpired
    self.cancellation = cancellation
  }

  /// The ids of the matches behind the item `after`, at most `limit` of them.
  ///
  /// An `after` that is not there, or no longer, gives nothing.
  func ids(after: String? = nil, limit: Int = .max) throws -> [String] {
    var ids: [String] = []
    guard limit > 0 else { return ids }
    var firstView = 0
    var firstPlace = 0
    if let after {
      guard let place = try root.find(after) else { return ids }
      firstView = place.view
      let order = try root.snapshot.views[place.view].segment.arrivalOrder()
      firstPlace = Int(order?.rank(of: place.document) ?? place.document) + 1
    }
    let now = includesExpired ? Int64.min : Clock.wallMicroseconds()
    let searcher = try Searcher(root.snapshot, now: Timestamp(microseconds: now))
    for number in firstView..<max(root.snapshot.views.count, firstView) {
      let words = try searcher.matchingDocs(query, view: number, cancellation: cancellation)
      let segment = root.snapshot.views[number].segment
      guard let reader = try segment.ids() else { continue }
      let order = try segment.arrivalOrder()?.documents()
      let start = number == firstView ? firstPlace : 0
      for place in start..<max(root.snapshot.views[number].documentCount, start) {
        let document = order.map { Int($0[place]) } ?? place
        guard words[document >> 6] >> UInt64(document & 63) & 1 == 1 else { continue }
        if ids.count & 255 == 0, let cancellation, cancellation.isCancelled {
          throw SearchError.cancelled
        }
        ids.append(try reader.id(of: UInt32(truncatingIfNeeded: document)))
        if ids.count == limit { return ids }
      }
    }
    return ids
  }
}
