// Segment builders that wait for the next put.

internal import LimelightAnalysis
internal import LimelightStorage

/// Builders kept between puts, so that a put of one item does not start with cold memory.
///
/// Threads: any.
final class BuilderPool: @unchecked Sendable {
  private let lock = Lock()
  private var idle: [SegmentBuilder] = []
  private let analyzer: Analyzer
  private let storesItems: Bool

  /// More than that many threads that put at once make builders of their own.
  private static let limit = 4

  init(analyzer: Analyzer, storesItems: Bool) {
    self.analyzer = analyzer
    self.storesItems = storesItems
  }

  func take() -> SegmentBuilder {
    lock.withLock { idle.popLast() } ?? SegmentBuilder(analyzer: analyzer, storesItems: storesItems)
  }

  /// Takes back a builder whose segment is finished.
  func giveBack(_ builder: SegmentBuilder) {
    lock.withLock { if idle.count < Self.limit { idle.append(builder) } }
  }
}
