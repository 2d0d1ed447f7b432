// Random numbers that are the same on every machine: SplitMix64.

/// A stream of random numbers that its seed determines.
///
/// SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014): a counter
/// that goes up by the golden ratio, and a bijective mix of it. One value costs about a nanosecond.
struct RandomSource {
  private var counter: UInt64
  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// The stream of a seed.
  init(seed: UInt64) { counter = seed }

  /// One of the streams of a seed; streams of different numbers do not meet.
  init(seed: UInt64, stream: Int) {
    counter = Self.mix(Self.mix(seed &+ Self.step) &+ UInt64(truncatingIfNeeded: stream))
  }

  /// Spreads every bit over the whole word; different words give different ones.
  static func mix(_ word: UInt64) -> UInt64 {
    var word = word
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// The next 64 random bits.
  mutating func next() -> UInt64 {
    counter &+= Self.step
    return Self.mix(counter)
  }

  /// A number of `0..<bound`, from the upper half of a product: even enough for any bound here.
  mutating func below(_ bound: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
