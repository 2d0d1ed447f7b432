// The clock that all times are taken from.

internal import Glibc

/// The monotonic clock, in nanoseconds; reading it takes some twenty of them.
package func nanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Seconds between two times of the clock.
func seconds(from start: UInt64, to end: UInt64) -> Double { Double(end - start) / 1e9 }
