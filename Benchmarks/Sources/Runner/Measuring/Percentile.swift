// Percentiles, as the side-by-side harness takes them.

/// Figures about a number of measured values.
struct Distribution {
  private let sorted: [Double]

  /// Sorts the values.
  init(_ values: [Double]) { sorted = values.sorted() }

  /// The value at a share of the order, from 0 to 1; nil without values.
  ///
  /// Of `n` values it is the one at place `floor(n * share)`, counted from 0, at most the last one: the
  /// same as in the side-by-side harness, so that figures can be compared.
  func percentile(_ share: Double) -> Double? {
    guard !sorted.isEmpty else { return nil }
    return sorted[min(sorted.count - 1, max(0, Int(Double(sorted.count) * share)))]
  }

  /// The mean; nil without values.
  var mean: Double? {
    sorted.isEmpty ? nil : sorted.reduce(0, +) / Double(sorted.count)
  }
}
