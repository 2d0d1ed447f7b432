// Numbers as integers that sort the same way.

/// Order-preserving maps between `Double` and `Int64`.
///
/// Columns hold integers only; so one kind of packing, one kind of minimum and maximum and one kind
/// of range test serve numbers and dates.
@usableFromInline
package enum Ordered {
  /// The integer that stands for a number: `a < b` exactly if `integer(a) < integer(b)`.
  ///
  /// Both zeros give 0. NaN has no place in the order: callers refuse it first.
  @inlinable
  @inline(__always)
  package static func integer(_ number: Double) -> Int64 {
    let bits = Int64(bitPattern: number.bitPattern)
    // The bits of a negative number are the sign and its magnitude: they become minus the
    // magnitude.
    return bits >= 0 ? bits : .min &- bits
  }

  /// The number for which an integer stands.
  @inlinable
  @inline(__always)
  package static func number(_ integer: Int64) -> Double {
    let bits = integer >= 0 ? integer : .min &- integer
    return Double(bitPattern: UInt64(bitPattern: bits))
  }
}
