// A moment in time, in microseconds since 1970.

/// A moment in time: microseconds since 1 January 1970, 00:00 UTC, leap seconds not counted.
///
/// It covers some 292,000 years on either side of 1970. Its text form is ISO 8601.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Microseconds since 1 January 1970, 00:00 UTC; negative before.
  public var microseconds: Int64

  /// Makes the moment so many microseconds after 1970.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// Makes the moment so many seconds after 1970, rounded to the nearest microsecond.
  ///
  /// Seconds beyond the range give its nearest end; a value that is not a number gives 1970.
  public init(secondsSince1970 seconds: Double) {
    if let exact = Timestamp(checkedSeconds: seconds) {
      self = exact
    } else {
      self.init(microseconds: seconds > 0 ? .max : seconds < 0 ? .min : 0)
    }
  }

  /// Seconds since 1970, as near as a double comes.
  public var secondsSince1970: Double {
    let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return Double(whole) + Double(rest) / 1_000_000
  }

  /// Whether the first moment is the earlier one.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.microseconds < right.microseconds
  }

  /// The moment so many seconds after 1970, or nil when it is out of range or not a number.
  package init?(checkedSeconds seconds: Double) {
    // Whole seconds apart from the fraction: their product with a million is exact, while the
    // product of both loses microseconds from the year 2255 on.
    let whole = seconds.rounded(.down)
    guard let wholeSeconds = Int64(exactly: whole) else { return nil }
    let fraction = Int64(((seconds - whole) * 1_000_000).rounded())
    let (scaled, tooFar) = wholeSeconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, overflow) = scaled.addingReportingOverflow(fraction)
    guard !tooFar, !overflow else { return nil }
    self.init(microseconds: sum)
  }
}

extension Timestamp: CustomStringConvertible {
  /// The moment in ISO 8601.
  public var description: String { iso8601 }
}
