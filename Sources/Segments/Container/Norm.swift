// The length of an item in one byte.

/// The number of an item's tokens (of default attributes), rounded down to three bits of fraction.
///
/// Exact below 16; above, `16 + (e - 4) * 8 + f` with `e` the exponent and `f` the three bits
/// below the leading one: an error under 12.5 %, and monotone, so that a bound computed from a
/// norm holds for all lengths with that norm. The largest code is 239.
package enum Norm {
  @inlinable package static func encode(_ tokens: UInt32) -> UInt8 {
    guard tokens >= 16 else { return UInt8(truncatingIfNeeded: tokens) }
    let exponent = 31 &- tokens.leadingZeroBitCount
    let fraction = Int(tokens &>> UInt32(truncatingIfNeeded: exponent &- 3) & 7)
    return UInt8(truncatingIfNeeded: 16 &+ (exponent &- 4) &* 8 &+ fraction)
  }

  /// The least number of tokens with this norm; codes that no number has give the largest one's.
  package static func decode(_ norm: UInt8) -> UInt32 {
    guard norm >= 16 else { return UInt32(norm) }
    let code = min(UInt32(norm), 239) - 16
    return (8 | code & 7) << (code / 8 + 1)
  }
}
