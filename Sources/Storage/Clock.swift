// Clock: the time that passes, and the time of day.
internal import Glibc
internal import Synchronization

/// The two clocks of the system.
package enum Clock {
  /// Microseconds that the time of day is off; see `setWall`.
  private static let shift = Atomic<Int64>(0)

  /// Nanoseconds since some fixed moment: for durations, untouched by changes of the time of day.
  package static func monotonicNanoseconds() -> UInt64 {
    let now = time(of: CLOCK_MONOTONIC)
    return UInt64(truncatingIfNeeded: now.tv_sec) &* 1_000_000_000
      &+ UInt64(truncatingIfNeeded: now.tv_nsec)
  }

  /// Microseconds since 1970, as the host's clock has it.
  package static func wallMicroseconds() -> Int64 {
    let now = time(of: CLOCK_REALTIME)
    return Int64(now.tv_sec) &* 1_000_000 &+ Int64(now.tv_nsec / 1000)
      &+ shift.load(ordering: .relaxed)
  }

  /// Sets the time of day of this process off by so many microseconds, as a host's clock may be set.
  ///
  /// For tests of clocks that go back: setting that of the machine would need its administrator.
  package static func setWall(offBy microseconds: Int64) {
    shift.store(microseconds, ordering: .relaxed)
  }

  /// Lets this thread rest; a signal may end the rest early.
  package static func sleep(milliseconds: Int) {
    var rest = duration(milliseconds: milliseconds)
    nanosleep(&rest, nil)
  }

  /// The same for a shorter time, at most a second.
  package static func sleep(microseconds: Int) {
    var rest = timespec(tv_sec: 0, tv_nsec: min(max(microseconds, 0), 999_999) * 1000)
    nanosleep(&rest, nil)
  }

  /// The monotonic time in so many milliseconds.
  static func deadline(inMilliseconds milliseconds: Int) -> timespec {
    let now = time(of: CLOCK_MONOTONIC)
    let wait = duration(milliseconds: milliseconds)
    let nanoseconds = now.tv_nsec + wait.tv_nsec
    return timespec(
      tv_sec: now.tv_sec + wait.tv_sec + nanoseconds / 1_000_000_000,
      tv_nsec: nanoseconds % 1_000_000_000)
  }

  /// The longest wait: about 35 years, so that no sum of times can overflow.
  static let longestMilliseconds = 1 << 40

  private static func duration(milliseconds: Int) -> timespec {
    let bounded = min(max(milliseconds, 0), longestMilliseconds)
    return timespec(tv_sec: bounded / 1000, tv_nsec: bounded % 1000 * 1_000_000)
  }

  private static func time(of clock: clockid_t) -> timespec {
    var now = timespec()
    clock_gettime(clock, &now)
    return now
  }
}
