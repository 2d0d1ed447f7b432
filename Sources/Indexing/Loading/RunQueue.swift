// Hands stretches of the input to threads, and knows in whose memory each has ended.

internal import LimelightSegments
internal import LimelightStorage

/// A bounded queue of runs, and what became of them.
///
/// Threads: any.
final class RunQueue: @unchecked Sendable {
  private let lock = Lock()
  private let changed = Condition()
  private let capacity: Int
  private var waiting: [(number: Int, run: [LoadBatch])] = []
  private var nextRun = 0
  /// Runs that a thread works on.
  private var working = 0
  /// The documents of runs that are finished, by the number of the run.
  private var finished: [Int: BuiltStretch] = [:]
  /// What each thread has in memory.
  private var memory: [Int]
  private var documents = 0
  private var isOneFull = false
  private var isClosed = false
  private var total = LoadOutcome()
  private var error: IndexingError?

  /// More documents than this are not gathered: the runs that wait may bring as many again.
  private static let documentLimit = Int(SegmentMeta.documentLimit / 2)

  /// A queue in front of so many threads.
  init(threads: Int) {
    capacity = threads
    memory = [Int](repeating: 0, count: threads)
  }

  /// Adds a run; waits while the queue is full, unless a thread has failed.
  func put(_ run: [LoadBatch]) {
    lock.withLock {
      while waiting.count >= capacity && error == nil { changed.wait(on: lock) }
      waiting.append((nextRun, run))
      nextRun += 1
      changed.broadcast()
    }
  }

  /// Takes a run, to be finished or to fail; nil when there will be no more.
  func take() -> (number: Int, run: [LoadBatch])? {
    lock.withLock {
      while waiting.isEmpty && !isClosed && error == nil { changed.wait(on: lock) }
      guard error == nil, !waiting.isEmpty else { return nil }
      working += 1
      changed.broadcast()
      return waiting.removeFirst()
    }
  }

  /// Says that there are no more runs.
  func close() {
    lock.withLock {
      isClosed = true
      changed.broadcast()
    }
  }

  /// Says what a run became, and how much its thread has in memory now.
  func finish(
    _ number: Int, _ stretch: BuiltStretch, memory bytes: Int, isFull: Bool, _ outcome: LoadOutcome
  ) {
    lock.withLock {
      working -= 1
      finished[number] = stretch
      documents += stretch.documents.count
      memory[stretch.builder] = bytes
      isOneFull = isOneFull || isFull
      total.read += outcome.read
      total.put += outcome.put
      total.bytes += outcome.bytes
      total.refused.append(contentsOf: outcome.refused)
      total.madeIDs.append(contentsOf: outcome.madeIDs)
      changed.broadcast()
    }
  }

  /// Ends the work of all threads.
  func fail(_ failure: IndexingError) {
    lock.withLock {
      working -= 1
      if error == nil { error = failure }
      changed.broadcast()
    }
  }

  /// Whether what the threads have in memory should be written, all in all or because one is full.
  func isFull(_ budget: Int) -> Bool {
    lock.withLock {
      isOneFull || documents >= Self.documentLimit || memory.reduce(0, +) >= budget
    }
  }

  /// Waits until every run that was put is finished; throws if one was not.
  func drain() throws(IndexingError) {
    try lock.withLock { () throws(IndexingError) in
      while error == nil && (working > 0 || !waiting.isEmpty) { changed.wait(on: lock) }
      if let error { throw error }
    }
  }

  var failure: IndexingError? { lock.withLock { error } }

  /// What was done so far.
  var outcome: LoadOutcome { lock.withLock { total } }

  /// What was done in all: refused lines and made ids in the order of the input.
  var sortedOutcome: LoadOutcome {
    var outcome = outcome
    outcome.refused.sort { $0.position < $1.position }
    outcome.madeIDs.sort { $0.position < $1.position }
    return outcome
  }

  /// The documents of all finished runs in the order of the input; the threads are to begin anew.
  ///
  /// To be called when the queue is drained.
  func takeStretches() -> [BuiltStretch] {
    lock.withLock {
      let stretches = finished.sorted { $0.key < $1.key }.map(\.value)
      finished = [:]
      for thread in memory.indices { memory[thread] = 0 }
      documents = 0
      isOneFull = false
      return stretches.filter { !$0.documents.isEmpty }
    }
  }
}
