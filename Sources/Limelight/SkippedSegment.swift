// Segments that an index was opened without.

internal import LimelightIndexing

/// A damaged segment that stays out.
public struct SkippedSegment: Sendable {
  /// Its file within the index's folder.
  public let file: String
  /// How many items are missing with it.
  public let items: Int
  /// What is wrong with it: the first that was found.
  public let problem: Problem
}

extension Index {
  /// The damaged segments without which the index is read as of now, oldest first.
  ///
  /// None unless it was opened with ``DamagePolicy/skipSegments``.
  public func skippedSegments() throws(LimelightError) -> [SkippedSegment] {
    _ = try root()
    guard case .follower(let follower) = backend else { return [] }
    return try publicly { try follower.skippedSegments() }.map {
      SkippedSegment(file: $0.file, items: $0.items, problem: Problem($0.damage))
    }
  }
}
