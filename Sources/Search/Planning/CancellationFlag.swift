// How another thread stops a search.

internal import Synchronization

/// A flag that a search looks at once a window of documents; set from any thread.
package final class CancellationFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  package init() {}

  /// Whether somebody cancelled.
  package var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Makes the search end with `SearchError.cancelled` soon; searches that start later too.
  package func cancel() { flag.store(true, ordering: .relaxed) }
}
