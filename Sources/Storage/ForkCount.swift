// Tells a process that was forked from the one that made something.

internal import Glibc
internal import Synchronization

/// Counts the forks that lie between this process and the one that loaded the library.
///
/// What a fork copies, locks held by threads that do not exist in the child among it, must not be used
/// there. Comparing counts costs a load, where asking for the process id costs a system call.
package enum ForkCount {
  private static let count: Atomic<Int> = {
    pthread_atfork(nil, nil) { ForkCount.step() }
    return Atomic(0)
  }()

  private static func step() { count.wrappingAdd(1, ordering: .relaxed) }

  /// The count of this process.
  package static var current: Int { count.load(ordering: .relaxed) }
}
