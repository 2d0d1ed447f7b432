// Comparisons whose outcome nobody can foresee, as numbers.

/// 1 if a score exceeds a cut, else 0.
///
/// In arithmetic that no compiler turns into a branch: half of those would be mispredicted, at the price
/// of twenty instructions each. Scores are not negative, so their bits sort like them, behind those of
/// any negative cut.
@inline(__always)
func exceeds(_ score: Float, _ cut: Float) -> Int {
  let bits = Int64(Int32(bitPattern: score.bitPattern))
  let cutBits = Int64(Int32(bitPattern: cut.bitPattern))
  return Int(truncatingIfNeeded: UInt64(bitPattern: cutBits &- bits) &>> 63)
}

/// 1 if a number exceeds another one, else 0.
@inline(__always)
func exceeds(_ number: UInt32, _ other: UInt32) -> Int {
  Int(truncatingIfNeeded: (UInt64(other) &- UInt64(number)) &>> 63)
}

/// 1 if two numbers are equal, else 0.
@inline(__always)
func equals(_ number: UInt32, _ other: UInt32) -> Int {
  Int(truncatingIfNeeded: (UInt64(number ^ other) &- 1) &>> 63)
}
