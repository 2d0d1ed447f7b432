// Keeps the best documents that a search has met.

internal import LimelightSegments

/// The best `capacity` documents so far, the worst of them on top of a heap.
///
/// Documents are offered in the order of arrival, so that one with the score of the worst is not better
/// than it: only a higher score enters, and whatever is bounded by `threshold` can be passed over.
final class TopHeap {
  private struct Entry {
    var score: Float
    var document: UInt32
    var view: Int

    /// Whether it comes behind another one: a lower score, or the same and younger.
    func isWorse(than other: Entry) -> Bool {
      if score != other.score { return score < other.score }
      return view != other.view ? view > other.view : document > other.document
    }
  }

  let capacity: Int
  private(set) var count = 0
  private var entries: UnsafeMutablePointer<Entry>
  private var room: Int
  /// A score that at least `capacity` documents reach, among them ones not offered yet.
  private var floor: Float = -1
  /// What a score must exceed to enter; -1 lets all in.
  private(set) var threshold: Float = -1

  init(capacity: Int) {
    self.capacity = capacity
    room = min(capacity, 1_024)
    entries = .allocate(capacity: max(room, 1))
  }

  deinit { entries.deallocate() }

  var isFull: Bool { count == capacity }

  /// Takes note that at least `capacity` documents reach a score, met or still to come.
  func raise(to score: Float) {
    floor = max(floor, score.nextDown)
    threshold = max(threshold, floor)
  }

  /// Takes a document whose score exceeds the threshold.
  func insert(_ document: UInt32, view: Int, score: Float) {
    guard capacity > 0 else { return }
    let entry = Entry(score: score, document: document, view: view)
    if count < capacity {
      if count == room { grow() }
      (entries + count).initialize(to: entry)
      count &+= 1
      siftUp(count &- 1)
    } else {
      entries[0] = entry
      siftDown()
    }
    if count == capacity { threshold = max(floor, entries[0].score) }
  }

  private func grow() {
    let larger = min(room * 2, capacity)
    let moved = UnsafeMutablePointer<Entry>.allocate(capacity: larger)
    moved.moveInitialize(from: entries, count: count)
    entries.deallocate()
    entries = moved
    room = larger
  }

  private func siftUp(_ start: Int) {
    let entry = entries[start]
    var hole = start
    while hole > 0 {
      let parent = (hole &- 1) / 2
      guard entry.isWorse(than: entries[parent]) else { break }
      entries[hole] = entries[parent]
      hole = parent
    }
    entries[hole] = entry
  }

  private func siftDown() {
    let entry = entries[0]
    var hole = 0
    while true {
      var child = 2 &* hole &+ 1
      guard child < count else { break }
      if child &+ 1 < count && entries[child &+ 1].isWorse(than: entries[child]) { child &+= 1 }
      guard entries[child].isWorse(than: entry) else { break }
      entries[hole] = entries[child]
      hole = child
    }
    entries[hole] = entry
  }

  /// The documents, best first, without the first `offset`.
  func sorted(from offset: Int) -> [TopDocs.Hit] {
    let sorted = UnsafeBufferPointer(start: entries, count: count).sorted {
      $1.isWorse(than: $0)
    }
    return sorted.dropFirst(offset).map {
      TopDocs.Hit(view: $0.view, document: $0.document, score: $0.score)
    }
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
