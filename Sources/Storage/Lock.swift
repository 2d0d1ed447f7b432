// Lock and Condition: the two ways in which threads of the engine wait for each other.
package import Glibc

/// A mutual exclusion lock.
///
/// A `pthread_mutex_t` on the heap: it never moves, costs about 8 ns without contention, and the
/// thread sanitizer understands it.
package final class Lock: @unchecked Sendable {
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

  package init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  @inlinable package func lock() { pthread_mutex_lock(mutex) }

  /// Takes the lock if nobody has it: false, at once, if somebody has.
  @inlinable package func tryLock() -> Bool { pthread_mutex_trylock(mutex) == 0 }

  @inlinable package func unlock() { pthread_mutex_unlock(mutex) }

  /// Runs `body` while this thread holds the lock.
  @inlinable package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }
}

/// A condition that threads wait for while they hold a lock.
///
/// A wait can end without a signal: callers test what they wait for in a loop. Waits with a limit go
/// by the monotonic clock, so that setting the time of day neither cuts nor stretches them.
package final class Condition: @unchecked Sendable {
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  package init() {
    condition = .allocate(capacity: 1)
    condition.initialize(to: pthread_cond_t())
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deallocate()
  }

  /// Gives up the lock, which this thread holds, until a signal comes; then takes it again.
  package func wait(on lock: Lock) {
    pthread_cond_wait(condition, lock.mutex)
  }

  /// The same for at most so many milliseconds: false when the time ran out.
  package func wait(on lock: Lock, milliseconds: Int) -> Bool {
    var deadline = Clock.deadline(inMilliseconds: milliseconds)
    return pthread_cond_timedwait(condition, lock.mutex, &deadline) != ETIMEDOUT
  }

  /// Wakes one thread that waits.
  package func signal() { pthread_cond_signal(condition) }

  /// Wakes every thread that waits.
  package func broadcast() { pthread_cond_broadcast(condition) }
}
