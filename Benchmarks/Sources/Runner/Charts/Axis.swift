// Axes: where a value lies on a length, and which values are marked.

internal import Glibc

/// A scale from values to places along an axis.
struct Axis {
  /// A marked value.
  struct Tick: Equatable {
    var value: Double
    /// Whether it is labelled.
    var isMajor: Bool
  }

  let lower: Double
  let upper: Double
  let isLogarithmic: Bool

  /// An axis of powers of ten that holds all values; those that are not above zero are left out.
  ///
  /// It begins and ends with 1, 2 or 5 times a power of ten, and covers a decade at least.
  init(logarithmicFor values: [Double]) {
    let usable = values.filter { $0 > 0 && $0.isFinite }
    var lower = Self.stepDown(usable.min() ?? 1)
    var upper = Self.stepUp(usable.max() ?? 10)
    while upper / lower < 9.99 {
      upper = Self.stepUp(upper * 1.01)
      if upper / lower < 9.99 { lower = Self.stepDown(lower / 1.01) }
    }
    (self.lower, self.upper) = (lower, upper)
    isLogarithmic = true
  }

  /// An axis from zero on that holds all values.
  init(linearFor values: [Double]) {
    let largest = max(values.filter(\.isFinite).max() ?? 1, 1e-9)
    let step = Self.linearStep(largest)
    lower = 0
    upper = step * (largest / step).rounded(.up)
    isLogarithmic = false
  }

  /// The place of a value as a share of the axis, from 0 to 1.
  func share(_ value: Double) -> Double {
    let share =
      isLogarithmic
      ? log10(max(value, lower) / lower) / log10(upper / lower)
      : (value - lower) / (upper - lower)
    return min(1, max(0, share))
  }

  /// The marked values, in order.
  ///
  /// On an axis of powers the powers of ten are labelled, on one of two decades or less also what is 2
  /// and 5 times as much.
  var ticks: [Tick] {
    guard isLogarithmic else {
      let step = Self.linearStep(upper)
      let count = Int((upper / step).rounded())
      return (0...count).map { Tick(value: Double($0) * step, isMajor: true) }
    }
    let isShort = upper / lower < 101
    var ticks: [Tick] = []
    for exponent in Int(log10(lower).rounded(.down))...Int(log10(upper).rounded(.up)) {
      for factor in [1.0, 2, 5] {
        let value = factor * pow(10, Double(exponent))
        guard value >= lower * 0.999, value <= upper * 1.001 else { continue }
        ticks.append(Tick(value: value, isMajor: factor == 1 || isShort))
      }
    }
    return ticks
  }

  private static func linearStep(_ largest: Double) -> Double {
    let power = pow(10, log10(largest).rounded(.down))
    let factor = largest / power
    return power * (factor <= 1.5 ? 0.25 : factor <= 3 ? 0.5 : factor <= 6 ? 1 : 2)
  }

  /// The largest of 1, 2, 5 times a power of ten that is not above the value.
  private static func stepDown(_ value: Double) -> Double {
    let power = pow(10, log10(value).rounded(.down))
    let factor = value / power * 1.000_001
    return power * (factor >= 10 ? 10 : factor >= 5 ? 5 : factor >= 2 ? 2 : 1)
  }

  /// The smallest of 1, 2, 5 times a power of ten that is not below the value.
  private static func stepUp(_ value: Double) -> Double {
    let power = pow(10, log10(value).rounded(.down))
    let factor = value / power / 1.000_001
    return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10)
  }
}
