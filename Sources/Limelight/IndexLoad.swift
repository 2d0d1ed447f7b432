// Loads: many items at once.

internal import LimelightIndexing
internal import LimelightItems
internal import LimelightStorage

/// How far a load is.
public struct LoadProgress: Sendable {
  /// Items or lines read.
  public let read: Int
  /// Items put.
  public let put: Int
  /// Bytes read.
  public let bytes: Int
  /// Items refused.
  public let refused: Int
  /// Seconds since the start.
  public let seconds: Double
}

/// What a load did.
public struct LoadReport: Sendable {
  /// The number of the load among the changes, of which later ones have higher numbers.
  ///
  /// That of the change before if nothing was put.
  public let generation: UInt64
  /// Items or lines read.
  public let read: Int
  /// Items put.
  public let put: Int
  /// Bytes of text read.
  public let bytes: Int
  /// The ids that were made for items without one, with the places of items or lines in the load.
  public let madeIDs: [(position: Int, id: String)]
  /// The items that were not taken, in order.
  public let refused: [Refusal]
  /// Seconds until all was durable.
  public let seconds: Double
  /// Whether the load was cancelled before it had read everything; what it tells is in the index.
  package let isCancelled: Bool
}

extension Index {
  /// Loads all that `next` gives, in bulk: much faster than puts, durable when the call returns.
  ///
  /// - Parameters:
  ///   - threads: How many threads parse and analyse; 1 uses the caller's.
  ///   - memoryBudget: About how much memory to use, in bytes.
  ///   - cancellation: Ends the load from another thread, within some hundred items. What was read until
  ///     then is made durable and stays, of which `progress` tells last.
  ///   - next: The next batch, or nil at the end; called in the caller's thread.
  ///   - progress: Called in the caller's thread after each batch; returns false to stop. What was
  ///     loaded until then stays.
  /// - Throws: ``LimelightError``: `cancelled`, and what changes of an index throw; but for `cancelled`
  ///   nothing of the load is in the index then. What `next` throws comes out as `io` with its
  ///   description, unless it is a `LimelightError`.
  @discardableResult
  public func load(
    threads: Int = 1, memoryBudget: Int = 256 << 20, cancellation: Cancellation? = nil,
    next: () throws -> Batch?, progress: (LoadProgress) -> Bool = { _ in true }
  ) throws(LimelightError) -> LoadReport {
    let report = try loadUntilCancelled(
      threads: threads, memoryBudget: memoryBudget, cancellation: cancellation, next: next,
      progress: progress)
    if report.isCancelled { throw .cancelled }
    return report
  }

  /// The same for callers that want to know what a load did that was cancelled.
  ///
  /// `firstLine` is the number of the input's first line, if that may not be among those that come.
  package func loadUntilCancelled(
    threads: Int, memoryBudget: Int, cancellation: Cancellation?, firstLine: Int? = nil,
    next: () throws -> Batch?, progress: (LoadProgress) -> Bool
  ) throws(LimelightError) -> LoadReport {
    let writer = try writer()
    let start = Clock.monotonicNanoseconds()
    func seconds() -> Double { Double(Clock.monotonicNanoseconds() - start) / 1e9 }
    func tell(_ outcome: LoadOutcome) -> Bool {
      progress(
        LoadProgress(
          read: outcome.read, put: outcome.put, bytes: outcome.bytes,
          refused: outcome.refused.count, seconds: seconds()))
    }
    var places = LoadPlaces(lineOffset: firstLine)
    let outcome = try publicly {
      try writer.load(
        threads: threads, memoryBudget: memoryBudget,
        isCancelled: { cancellation?.isCancelled ?? false },
        next: { try next().map { places.batch($0) } }, progress: tell)
    }
    if outcome.isCancelled { _ = tell(outcome) }
    return LoadReport(
      generation: outcome.generation, read: outcome.read, put: outcome.put, bytes: outcome.bytes,
      madeIDs: outcome.madeIDs,
      refused: outcome.refused.map {
        Refusal(position: $0.position, line: $0.line, id: $0.id, error: $0.error)
      }, seconds: seconds(), isCancelled: outcome.isCancelled)
  }
}

/// Numbers the items or lines of a load from 0, over all its batches.
private struct LoadPlaces {
  /// The items before.
  private var items = 0
  /// What to take from a line's number; nil before the first lines.
  private var lineOffset: Int?

  init(lineOffset: Int?) { self.lineOffset = lineOffset }

  mutating func batch(_ batch: Batch) -> LoadBatch {
    switch batch {
    case .items(let batch):
      defer { items += batch.count }
      return .items(batch, firstPosition: items)
    case .lines(let bytes, let firstLine, let options):
      let offset = lineOffset ?? firstLine - items
      lineOffset = offset
      return .lines(
        bytes, firstLine: firstLine, firstPosition: firstLine - offset,
        JSONOptions(map: options.map, dates: options.dates))
    }
  }
}
