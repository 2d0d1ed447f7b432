// The seeded source of everything random in a run, so that a failure can be repeated.

import Foundation

/// SplitMix64: small, fast enough, and the same on every machine.
struct RandomSource: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number of `0 ..< bound`, 0 for a bound below 1.
  mutating func below(_ bound: Int) -> Int {
    bound > 1 ? Int(truncatingIfNeeded: next() % UInt64(bound)) : 0
  }

  /// A number of the range.
  mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.upperBound - range.lowerBound + 1)
  }

  /// True so many times in a hundred.
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  /// A number of `0 ..< bound`, small ones far more often.
  mutating func skewed(_ bound: Int) -> Int {
    let unit = Double(next() >> 11) / Double(1 << 53)
    return min(Int(unit * unit * unit * Double(bound)), bound - 1)
  }

  /// One of the elements, which are not none.
  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[below(elements.count)]
  }
}

/// What the environment says about random runs.
enum RandomSettings {
  /// `LIMELIGHT_SEED`, or another one each time.
  static let seed: UInt64 = number("LIMELIGHT_SEED") ?? UInt64.random(in: 1...999_999_999)

  /// `LIMELIGHT_CASES`: how many queries the model tests compare, all shapes together.
  static let cases: Int = number("LIMELIGHT_CASES").map { Int($0) } ?? 16_000

  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }
}
