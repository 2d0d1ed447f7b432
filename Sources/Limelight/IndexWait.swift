// Waiting for a change that another process or thread has made.

internal import LimelightIndexing
internal import LimelightSearch
internal import LimelightSnapshots
internal import LimelightStorage

extension Index {
  /// Waits until this index shows a change: the one whose receipt has this generation, and all before it.
  ///
  /// For hosts that are several processes: one puts, hands the receipt's generation over, and another
  /// waits for it before it searches. Without a wait a search sees what was acknowledged before it began;
  /// this is for a generation that comes by another way. A generation means something in the index that
  /// gave it only: one of another index, or one that never comes, ends by the time limit.
  ///
  /// Looks at one file, again and again, with pauses that grow from a tenth of a millisecond to ten.
  ///
  /// - Parameters:
  ///   - generation: ``Receipt/generation`` or ``LoadReport/generation``.
  ///   - milliseconds: How long to wait at most; 0 looks once.
  ///   - cancellation: Ends the wait from another thread.
  /// - Throws: ``LimelightError``: `timedOut`, `cancelled`, `closed`, `damaged`, `invalidArgument`.
  public func wait(
    for generation: UInt64, milliseconds: Int, cancellation: Cancellation? = nil
  ) throws(LimelightError) {
    guard milliseconds >= 0 else {
      throw LimelightError(.invalidArgument, "nobody can wait for less than no time")
    }
    let start = Clock.monotonicNanoseconds()
    let limit = UInt64(min(milliseconds, 1 << 40)) * 1_000_000
    var pause = Self.firstPause
    while true {
      try cancellation?.check()
      let shown = try root().snapshot.generation
      if shown >= generation { return }
      let waited = Clock.monotonicNanoseconds() - start
      guard waited < limit else {
        throw LimelightError(
          .timedOut,
          "the index shows generation \(shown), not \(generation), after \(milliseconds) ms")
      }
      Clock.sleep(microseconds: min(pause, Int((limit - waited) / 1000) + 1))
      pause = min(pause * 3 / 2, Self.longestPause)
    }
  }

  /// The pauses between looks, in microseconds.
  private static let firstPause = 100
  private static let longestPause = 10_000
}
