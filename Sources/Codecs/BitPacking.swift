// Full blocks: 128 integers of 0 to 32 bits each, in four vertical lanes.
//
// Value i stands in lane i % 4, row i / 4. A lane is a stream of 32 values of `width` bits, cut
// into 32-bit words; the words of the four lanes alternate, so that a vector of four words is one
// load:
//
//   bytes   0 ..< 16   word 0 of lanes 0, 1, 2, 3
//   bytes  16 ..< 32   word 1 of lanes 0, 1, 2, 3
//   ...                `width` vectors in all
//
// Unpacking is a straight line of shifts and masks for each width: the width is a value generic, so
// the compiler makes 33 kernels with constant shifts out of one row. The rows are written out
// because a loop over them would not be unrolled (2.5 times slower).

internal import CSIMD
internal import CWide

/// Packing of integers into as few bits as the widest of them needs.
package enum BitPacking {
  /// The bytes of 128 packed integers.
  @inline(__always)
  package static func packedLength(width: Int) -> Int { width &* 16 }

  /// Packs the low `width` bits of 128 integers into `width * 16` bytes.
  package static func pack(
    _ values: UnsafePointer<UInt32>, width: Int, into target: UnsafeMutableRawPointer
  ) {
    guard width > 0, width <= 32 else { return }
    let source = UnsafeRawPointer(values)
    let mask = SIMD4<UInt32>(repeating: UInt32.max >> UInt32(truncatingIfNeeded: 32 &- width))
    var word = SIMD4<UInt32>(repeating: 0)
    var used = 0
    var output = target
    for row in 0..<32 {
      let value = v4_and(vector(source, row), mask)
      word = v4_or(word, v4_shl(value, UInt32(truncatingIfNeeded: used)))
      used &+= width
      guard used >= 32 else { continue }
      output.storeBytes(of: word, as: SIMD4<UInt32>.self)
      output += 16
      used &-= 32
      // What did not fit opens the next word.
      word =
        used > 0
        ? v4_shr(value, UInt32(truncatingIfNeeded: width &- used)) : SIMD4(repeating: 0)
    }
  }

  /// Unpacks 128 integers from `width * 16` bytes; a width above 32 is taken for 32.
  package static func unpack(
    _ source: UnsafeRawPointer, width: Int, into out: UnsafeMutablePointer<UInt32>
  ) {
    let output = UnsafeMutableRawPointer(out)
    switch width {
    case ...0: out.update(repeating: 0, count: 128)
    case 1: Unpack<1>.run(source, output)
    case 2: Unpack<2>.run(source, output)
    case 3: Unpack<3>.run(source, output)
    case 4: Unpack<4>.run(source, output)
    case 5: Unpack<5>.run(source, output)
    case 6: Unpack<6>.run(source, output)
    case 7: Unpack<7>.run(source, output)
    case 8: Unpack<8>.run(source, output)
    case 9: Unpack<9>.run(source, output)
    case 10: Unpack<10>.run(source, output)
    case 11: Unpack<11>.run(source, output)
    case 12: Unpack<12>.run(source, output)
    case 13: Unpack<13>.run(source, output)
    case 14: Unpack<14>.run(source, output)
    case 15: Unpack<15>.run(source, output)
    case 16: Unpack<16>.run(source, output)
    case 17: Unpack<17>.run(source, output)
    case 18: Unpack<18>.run(source, output)
    case 19: Unpack<19>.run(source, output)
    case 20: Unpack<20>.run(source, output)
    case 21: Unpack<21>.run(source, output)
    case 22: Unpack<22>.run(source, output)
    case 23: Unpack<23>.run(source, output)
    case 24: Unpack<24>.run(source, output)
    case 25: Unpack<25>.run(source, output)
    case 26: Unpack<26>.run(source, output)
    case 27: Unpack<27>.run(source, output)
    case 28: Unpack<28>.run(source, output)
    case 29: Unpack<29>.run(source, output)
    case 30: Unpack<30>.run(source, output)
    case 31: Unpack<31>.run(source, output)
    default: output.copyMemory(from: source, byteCount: 512)
    }
  }

  /// One of 128 packed integers; a width above 32 is taken for 32.
  @inline(__always)
  static func value(at index: Int, _ source: UnsafeRawPointer, width: Int) -> UInt32 {
    guard width > 0 else { return 0 }
    let width = min(width, 32)
    let bit = (index &>> 2) &* width
    let shift = bit & 31
    let word = source + ((bit &>> 5) &* 16 &+ (index & 3) &* 4)
    var value = word.loadUnaligned(as: UInt32.self) &>> UInt32(truncatingIfNeeded: shift)
    if shift &+ width > 32 {
      let next = word.loadUnaligned(fromByteOffset: 16, as: UInt32.self)
      value |= next &<< UInt32(truncatingIfNeeded: 32 &- shift)
    }
    return value & (UInt32.max &>> UInt32(truncatingIfNeeded: 32 &- width))
  }

  /// Unpacks 128 gaps to running sums: `out[i] = base + gap[0] + ... + gap[i]`, wrapping.
  package static func unpackSum(
    _ source: UnsafeRawPointer, width: Int, base: UInt32, into out: UnsafeMutablePointer<UInt32>
  ) {
    let output = UnsafeMutableRawPointer(out)
    switch width {
    case ...0: out.update(repeating: base, count: 128)
    case 1: UnpackSum<1>.run(source, output, base)
    case 2: UnpackSum<2>.run(source, output, base)
    case 3: UnpackSum<3>.run(source, output, base)
    case 4: UnpackSum<4>.run(source, output, base)
    case 5: UnpackSum<5>.run(source, output, base)
    case 6: UnpackSum<6>.run(source, output, base)
    case 7: UnpackSum<7>.run(source, output, base)
    case 8: UnpackSum<8>.run(source, output, base)
    case 9: UnpackSum<9>.run(source, output, base)
    case 10: UnpackSum<10>.run(source, output, base)
    case 11: UnpackSum<11>.run(source, output, base)
    case 12: UnpackSum<12>.run(source, output, base)
    case 13: UnpackSum<13>.run(source, output, base)
    case 14: UnpackSum<14>.run(source, output, base)
    case 15: UnpackSum<15>.run(source, output, base)
    case 16: UnpackSum<16>.run(source, output, base)
    case 17: UnpackSum<17>.run(source, output, base)
    case 18: UnpackSum<18>.run(source, output, base)
    case 19: UnpackSum<19>.run(source, output, base)
    case 20: UnpackSum<20>.run(source, output, base)
    case 21: UnpackSum<21>.run(source, output, base)
    case 22: UnpackSum<22>.run(source, output, base)
    case 23: UnpackSum<23>.run(source, output, base)
    case 24: UnpackSum<24>.run(source, output, base)
    case 25: UnpackSum<25>.run(source, output, base)
    case 26: UnpackSum<26>.run(source, output, base)
    case 27: UnpackSum<27>.run(source, output, base)
    case 28: UnpackSum<28>.run(source, output, base)
    case 29: UnpackSum<29>.run(source, output, base)
    case 30: UnpackSum<30>.run(source, output, base)
    case 31: UnpackSum<31>.run(source, output, base)
    default: UnpackSum<32>.run(source, output, base)
    }
  }

  /// Replaces 128 gaps by their running sums on top of `base`, wrapping.
  package static func sum(_ values: UnsafeMutablePointer<UInt32>, base: UInt32) {
    #if arch(x86_64)
      if Wide.isSupported { return wide_sum(values, base) }
    #endif
    sumPortably(values, base: base)
  }

  /// The same without wide vectors.
  package static func sumPortably(_ values: UnsafeMutablePointer<UInt32>, base: UInt32) {
    let bytes = UnsafeMutableRawPointer(values)
    var carry = SIMD4<UInt32>(repeating: base)
    for row in 0..<32 {
      let sums = v4_prefix(vector(bytes, row), carry)
      bytes.storeBytes(of: sums, toByteOffset: row &* 16, as: SIMD4<UInt32>.self)
      carry = v4_splat_last(sums)
    }
  }
}

/// The four words at vector `index`, at any alignment.
@inline(__always)
private func vector(_ pointer: UnsafeRawPointer, _ index: Int) -> SIMD4<UInt32> {
  pointer.loadUnaligned(fromByteOffset: index &* 16, as: SIMD4<UInt32>.self)
}

/// Takes row `index` out of the packed words; `word` is the vector that holds the row's first bit.
///
/// All conditions hang on constants once the kernel is specialised.
@inline(__always)
private func row(
  _ width: Int, _ index: Int, _ word: inout SIMD4<UInt32>, _ source: UnsafeRawPointer
) -> SIMD4<UInt32> {
  let shift = (index &* width) & 31
  let next = (index &* width) &>> 5 &+ 1
  let end = shift &+ width
  var value = v4_shr(word, UInt32(truncatingIfNeeded: shift))
  if end > 32 {
    word = vector(source, next)
    value = v4_or(value, v4_shl(word, UInt32(truncatingIfNeeded: 32 &- shift)))
  }
  if width < 32 && end != 32 {
    value = v4_and(
      value, SIMD4(repeating: (1 as UInt32) &<< UInt32(truncatingIfNeeded: width) &- 1))
  }
  // A row that ends with its word; the last row of all does so too, and nothing follows it.
  if end == 32 && index < 31 { word = vector(source, next) }
  return value
}

/// The kernel that unpacks 128 integers of W bits.
private struct Unpack<let W: Int> {
  @inline(never)
  static func run(_ source: UnsafeRawPointer, _ output: UnsafeMutableRawPointer) {
    var word = vector(source, 0)
    rows8(0, &word, source, output)
    rows8(8, &word, source, output)
    rows8(16, &word, source, output)
    rows8(24, &word, source, output)
  }

  @inline(__always)
  private static func rows8(
    _ first: Int, _ word: inout SIMD4<UInt32>, _ source: UnsafeRawPointer,
    _ output: UnsafeMutableRawPointer
  ) {
    one(first, &word, source, output)
    one(first &+ 1, &word, source, output)
    one(first &+ 2, &word, source, output)
    one(first &+ 3, &word, source, output)
    one(first &+ 4, &word, source, output)
    one(first &+ 5, &word, source, output)
    one(first &+ 6, &word, source, output)
    one(first &+ 7, &word, source, output)
  }

  @inline(__always)
  private static func one(
    _ index: Int, _ word: inout SIMD4<UInt32>, _ source: UnsafeRawPointer,
    _ output: UnsafeMutableRawPointer
  ) {
    output.storeBytes(
      of: row(W, index, &word, source), toByteOffset: index &* 16, as: SIMD4<UInt32>.self)
  }
}

/// The kernel that unpacks 128 gaps of W bits to running sums.
private struct UnpackSum<let W: Int> {
  @inline(never)
  static func run(_ source: UnsafeRawPointer, _ output: UnsafeMutableRawPointer, _ base: UInt32) {
    var word = vector(source, 0)
    var carry = SIMD4<UInt32>(repeating: base)
    rows8(0, &word, &carry, source, output)
    rows8(8, &word, &carry, source, output)
    rows8(16, &word, &carry, source, output)
    rows8(24, &word, &carry, source, output)
  }

  @inline(__always)
  private static func rows8(
    _ first: Int, _ word: inout SIMD4<UInt32>, _ carry: inout SIMD4<UInt32>,
    _ source: UnsafeRawPointer, _ output: UnsafeMutableRawPointer
  ) {
    one(first, &word, &carry, source, output)
    one(first &+ 1, &word, &carry, source, output)
    one(first &+ 2, &word, &carry, source, output)
    one(first &+ 3, &word, &carry, source, output)
    one(first &+ 4, &word, &carry, source, output)
    one(first &+ 5, &word, &carry, source, output)
    one(first &+ 6, &word, &carry, source, output)
    one(first &+ 7, &word, &carry, source, output)
  }

  @inline(__always)
  private static func one(
    _ index: Int, _ word: inout SIMD4<UInt32>, _ carry: inout SIMD4<UInt32>,
    _ source: UnsafeRawPointer, _ output: UnsafeMutableRawPointer
  ) {
    let sums = v4_prefix(row(W, index, &word, source), carry)
    output.storeBytes(of: sums, toByteOffset: index &* 16, as: SIMD4<UInt32>.self)
    carry = v4_splat_last(sums)
  }
}
