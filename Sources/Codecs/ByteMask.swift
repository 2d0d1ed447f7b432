// Sixteen bytes compared at once, the answers gathered as bits: what tokenizers scan text with.

public import CSIMD

/// Comparisons of bytes, sixteen or sixty-four at a time.
///
/// Bit i of an answer belongs to byte i. The loads need no alignment; the bytes must all be
/// readable.
@usableFromInline
package enum ByteMask {
  /// Sixteen bytes.
  @inlinable
  @inline(__always)
  package static func load(_ pointer: UnsafeRawPointer) -> SIMD16<UInt8> {
    pointer.loadUnaligned(as: SIMD16<UInt8>.self)
  }

  /// All ones in the bytes that equal `byte`.
  @inlinable
  @inline(__always)
  package static func equal(_ bytes: SIMD16<UInt8>, _ byte: UInt8) -> SIMD16<UInt8> {
    v16_equal(bytes, byte)
  }

  /// All ones in the bytes from `first` to `last`, both included.
  @inlinable
  @inline(__always)
  package static func inRange(
    _ bytes: SIMD16<UInt8>, _ first: UInt8, _ last: UInt8
  ) -> SIMD16<UInt8> {
    v16_in_range(bytes, first, last &- first)
  }

  /// All ones in the bytes in which either mask has them.
  @inlinable
  @inline(__always)
  package static func either(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    v16_or(a, b)
  }

  /// ASCII capitals made small, all other bytes as they are.
  @inlinable
  @inline(__always)
  package static func lowercased(_ bytes: SIMD16<UInt8>) -> SIMD16<UInt8> {
    let capital = v16_in_range(bytes, 0x41, 25)
    return v16_add(bytes, v16_and(capital, SIMD16(repeating: 0x20)))
  }

  /// The top bits of sixteen bytes: those of a comparison, or the bytes that are not ASCII.
  @inlinable
  @inline(__always)
  package static func bits(_ bytes: SIMD16<UInt8>) -> UInt64 {
    UInt64(v16_movemask(bytes))
  }

  /// The answers to four comparisons as 64 bits.
  @inlinable
  @inline(__always)
  package static func bits(
    _ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>, _ c: SIMD16<UInt8>, _ d: SIMD16<UInt8>
  ) -> UInt64 {
    bits(a) | bits(b) &<< 16 | bits(c) &<< 32 | bits(d) &<< 48
  }
}
