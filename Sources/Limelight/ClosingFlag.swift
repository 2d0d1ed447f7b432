// A flag that is set once.

internal import Synchronization

/// Says whether an index was closed.
///
/// Threads: any.
final class ClosingFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  var isSet: Bool { flag.load(ordering: .acquiring) }

  /// Sets the flag; false if it was set before.
  func set() -> Bool { !flag.exchange(true, ordering: .acquiringAndReleasing) }
}
