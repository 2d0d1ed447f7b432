// Keeps the best documents that a search has met.

internal import LimelightSegments

/// The best `capacity` documents so far, the worst of them on top of a heap.
///
/// A few are kept as a row, best first: putting one in costs a walk over those that are worse, whose end
/// is foretold better than the ways through a heap, and sorting nothing.
///
/// Documents are offered in the order of arrival, so that one with the score of the worst is not better
/// than it: only a higher score enters, and whatever is bounded by `threshold` can be passed over. In a
/// segment that has another order, or that is walked twice, the threshold is a step lower, so that those
/// of the same score are offered too, and the older ones enter. A searcher keeps one for all its searches.
final class TopHeap {
  private struct Entry {
    /// The score's bits, which order like it as no score is negative, and the view, the younger the
    /// less.
    let key: UInt64
    let document: UInt32
    /// The document's place in its segment by arrival.
    let rank: UInt32

    init(_ document: UInt32, rank: UInt32, view: Int, score: Float) {
      // Adding zero makes a negative zero positive.
      let bits = UInt64((score + 0).bitPattern)
      key = bits &<< 32 | UInt64(~UInt32(truncatingIfNeeded: view))
      self.document = document
      self.rank = rank
    }

    var score: Float { Float(bitPattern: UInt32(truncatingIfNeeded: key &>> 32)) }
    var view: Int { Int(~UInt32(truncatingIfNeeded: key)) }

    /// Whether it comes behind another one: a lower score, or the same and younger.
    @inline(__always)
    func isWorse(than other: Entry) -> Bool {
      key != other.key ? key < other.key : rank > other.rank
    }
  }

  private(set) var capacity = 0
  /// Whether the entries are a row, not a heap.
  private var isRow = false
  private(set) var count = 0
  private var entries: UnsafeMutablePointer<Entry>
  private var room: Int
  /// A score that at least `capacity` documents reach, among them ones not offered yet.
  private var floor: Float = -1
  /// What a score must exceed to enter; -1 lets all in.
  private(set) var threshold: Float = -1
  /// The order of arrival in the segment at hand, if that is not the order of its documents.
  private var order: ArrivalOrder?
  /// Whether the documents of the segment at hand are offered in the order of their arrival.
  private var isAscending = true

  private static let longestRow = 16

  /// What stays allocated between searches, in entries.
  private static let usualRoom = 1_024

  init() {
    room = 128
    entries = .allocate(capacity: room)
  }

  deinit { entries.deallocate() }

  /// Forgets all for a search that wants so many documents.
  func begin(capacity: Int) {
    self.capacity = capacity
    isRow = capacity <= Self.longestRow
    count = 0
    floor = -1
    threshold = -1
    order = nil
    isAscending = true
    if room > Self.usualRoom { resize(Self.usualRoom) }
  }

  var isFull: Bool { count == capacity }

  /// Goes to a segment, of which documents are offered from now on.
  func enter(_ order: ArrivalOrder?) {
    self.order = order
    isAscending = order == nil
    raiseThreshold()
  }

  /// Says that the documents of the segment at hand come in no order.
  func mixesOrder() {
    isAscending = false
    raiseThreshold()
  }

  private func raiseThreshold() {
    guard count == capacity, capacity > 0 else { return threshold = floor }
    let worst = isRow ? entries[count &- 1].score : entries[0].score
    threshold = max(floor, isAscending ? worst : worst.nextDown)
  }

  /// Takes note that at least `capacity` documents reach a score, met or still to come.
  func raise(to score: Float) {
    floor = max(floor, score.nextDown)
    threshold = max(threshold, floor)
  }

  /// Takes a document whose score exceeds the threshold.
  func insert(_ document: UInt32, view: Int, score: Float) {
    guard capacity > 0 else { return }
    let entry = Entry(
      document, rank: order?.rank(of: document) ?? document, view: view, score: score)
    if isRow { return insertIntoRow(entry) }
    if count < capacity {
      if count == room { resize(min(room * 2, capacity)) }
      count &+= 1
      siftUp(entry)
    } else {
      guard entries[0].isWorse(than: entry) else { return }
      siftDown(entry, count)
    }
    if count == capacity { raiseThreshold() }
  }

  @inline(__always)
  private func insertIntoRow(_ entry: Entry) {
    if count < capacity {
      count &+= 1
    } else if !entries[count &- 1].isWorse(than: entry) {
      return
    }
    // The last place is free, or that of the worst, which goes.
    var hole = count &- 1
    while hole > 0, entries[hole &- 1].isWorse(than: entry) {
      (entries + hole).initialize(to: entries[hole &- 1])
      hole &-= 1
    }
    (entries + hole).initialize(to: entry)
    if count == capacity { raiseThreshold() }
  }

  private func resize(_ size: Int) {
    let moved = UnsafeMutablePointer<Entry>.allocate(capacity: size)
    moved.moveInitialize(from: entries, count: count)
    entries.deallocate()
    entries = moved
    room = size
  }

  /// Puts an entry into the last place of the heap, and up to where it belongs.
  private func siftUp(_ entry: Entry) {
    var hole = count &- 1
    while hole > 0 {
      let parent = (hole &- 1) / 2
      guard entry.isWorse(than: entries[parent]) else { break }
      (entries + hole).initialize(to: entries[parent])
      hole = parent
    }
    (entries + hole).initialize(to: entry)
  }

  /// Puts an entry into the first place of a heap of so many, and down to where it belongs.
  private func siftDown(_ entry: Entry, _ size: Int) {
    var hole = 0
    while true {
      var child = 2 &* hole &+ 1
      guard child < size else { break }
      if child &+ 1 < size && entries[child &+ 1].isWorse(than: entries[child]) { child &+= 1 }
      guard entries[child].isWorse(than: entry) else { break }
      entries[hole] = entries[child]
      hole = child
    }
    entries[hole] = entry
  }

  /// The documents, best first, without the first `offset`; the heap is empty then.
  func takeSorted(from offset: Int) -> [TopDocs.Hit] {
    defer { count = 0 }
    guard count > offset else { return [] }
    // The worst of those left goes behind them, until the best is the first.
    var size = isRow ? 0 : count
    while size > 1 {
      size &-= 1
      let worst = entries[0]
      siftDown(entries[size], size)
      entries[size] = worst
    }
    var hits: [TopDocs.Hit] = []
    hits.reserveCapacity(count - offset)
    for i in offset..<count {
      let entry = entries[i]
      hits.append(TopDocs.Hit(view: entry.view, document: entry.document, score: entry.score))
    }
    return hits
  }
}

/// The largest scores of a sample of documents: what the threshold can start from.
struct ScoreSample {
  private let scores: UnsafeMutablePointer<Float>
  private let capacity: Int
  private(set) var count = 0

  /// Keeps the best `capacity`, at least 1.
  init(capacity: Int, arena: ScratchArena) {
    self.capacity = capacity
    scores = arena.allocate(Float.self, capacity)
  }

  var isFull: Bool { count == capacity }

  /// The least of the best, once there are enough.
  var least: Float { isFull ? scores[0] : -1 }

  /// Adds the score of one more document.
  mutating func add(_ score: Float) {
    if count < capacity {
      var child = count
      count &+= 1
      while child > 0 && scores[(child &- 1) / 2] > score {
        scores[child] = scores[(child &- 1) / 2]
        child = (child &- 1) / 2
      }
      scores[child] = score
      return
    }
    guard score > scores[0] else { return }
    var parent = 0
    while true {
      var child = 2 &* parent &+ 1
      guard child < count else { break }
      if child &+ 1 < count && scores[child &+ 1] < scores[child] { child &+= 1 }
      guard scores[child] < score else { break }
      scores[parent] = scores[child]
      parent = child
    }
    scores[parent] = score
  }
}
