// Hands stretches of the input to threads and gives their segments back in order.

internal import LimelightStorage

/// A bounded queue of runs, and the segments that they became.
///
/// Threads: any.
final class RunQueue: @unchecked Sendable {
  private let lock = Lock()
  private let changed = Condition()
  private let capacity: Int
  private var waiting: [(number: Int, run: [LoadBatch])] = []
  private var nextRun = 0
  private var nextFinished = 0
  private var finished: [Int: [LiveSegment]] = [:]
  /// Segments of runs that have failed.
  private var remains: [LiveSegment] = []
  private var isClosed = false
  private var total = LoadOutcome()
  private var error: IndexingError?

  init(capacity: Int) { self.capacity = capacity }

  /// Adds a run; waits while the queue is full, unless a thread has failed.
  func put(_ run: [LoadBatch]) {
    lock.withLock {
      while waiting.count >= capacity && error == nil { changed.wait(on: lock) }
      waiting.append((nextRun, run))
      nextRun += 1
      changed.broadcast()
    }
  }

  /// Takes a run; nil when there will be no more.
  func take() -> (number: Int, run: [LoadBatch])? {
    lock.withLock {
      while waiting.isEmpty && !isClosed && error == nil { changed.wait(on: lock) }
      guard error == nil, !waiting.isEmpty else { return nil }
      defer { changed.broadcast() }
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

  /// Leaves what a run became.
  func finish(_ number: Int, _ segments: [LiveSegment], _ outcome: LoadOutcome) {
    lock.withLock {
      finished[number] = segments
      total.read += outcome.read
      total.put += outcome.put
      total.bytes += outcome.bytes
      total.refused.append(contentsOf: outcome.refused)
      total.madeIDs.append(contentsOf: outcome.madeIDs)
    }
  }

  /// Ends the work of all threads; what the run at hand has written is left to be removed.
  func fail(_ failure: IndexingError, leaving segments: [LiveSegment]) {
    lock.withLock {
      remains += segments
      if error == nil { error = failure }
      changed.broadcast()
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

  /// All segments that were not taken, of a load that has failed.
  func takeRemains() -> [LiveSegment] {
    lock.withLock {
      defer { (finished, remains) = ([:], []) }
      return remains + finished.values.joined()
    }
  }

  /// The segments of the runs that are finished and follow those given before.
  func takeFinished() -> [LiveSegment] {
    lock.withLock {
      var segments: [LiveSegment] = []
      while let next = finished.removeValue(forKey: nextFinished) {
        segments.append(contentsOf: next)
        nextFinished += 1
      }
      return segments
    }
  }
}
