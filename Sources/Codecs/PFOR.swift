// Patched frame of reference: most integers packed in few bits, the few large ones patched in.
//
//   u8            width (0 to 32), plus 0x80 if there are exceptions
//   u8            number of exceptions, at least 1          } only with
//   u8            bytes of a high part, 1 to 4              } exceptions
//   ...           the low `width` bits of each integer: 128 in four lanes (`BitPacking.pack`),
//                 fewer bit after bit (`BitPacking.packShort`)
//   u8 each       the places of the exceptions              } only with
//   1 to 4 each   their bits above `width`                  } exceptions
//
// The count stands outside: the caller knows it. The width is the one that makes the block
// shortest.

/// Blocks of 1 to 128 integers in patched frame of reference.
///
/// Decoding a full block without exceptions is the header check and the kernel: about 0.08 ns an
/// integer, 0.19 with running sums. Each exception adds two nanoseconds.
@usableFromInline
package enum PFOR {
  @inlinable package static var exceptionFlag: UInt8 { 0x80 }

  /// The most bytes that a block takes.
  package static var maximumLength: Int { 1 + 512 }

  // MARK: Writing

  /// Appends a block of 1 to 128 integers.
  package static func encode(
    _ values: UnsafePointer<UInt32>, count: Int, into writer: ByteWriter
  ) {
    assert(count >= 1 && count <= Codecs.blockLength)
    let plan = Plan(values, count)
    let width = plan.width
    let target = writer.reserve(plan.length)
    target.storeBytes(of: UInt8(truncatingIfNeeded: width), as: UInt8.self)
    var offset = 1
    if plan.exceptions > 0 {
      target.storeBytes(of: UInt8(truncatingIfNeeded: width) | exceptionFlag, as: UInt8.self)
      target.storeBytes(
        of: UInt8(truncatingIfNeeded: plan.exceptions), toByteOffset: 1, as: UInt8.self)
      target.storeBytes(
        of: UInt8(truncatingIfNeeded: plan.highLength), toByteOffset: 2, as: UInt8.self)
      offset = 3
    }
    if count == Codecs.blockLength {
      BitPacking.pack(values, width: width, into: target + offset)
    } else {
      BitPacking.packShort(values, count, width: width, into: target + offset)
    }
    offset &+= lowLength(count, width)
    if plan.exceptions > 0 {
      putExceptions(values, count, plan, into: target + offset)
    }
    writer.advance(plan.length)
  }

  /// Writes the places of the integers wider than the plan's width, and their high parts.
  private static func putExceptions(
    _ values: UnsafePointer<UInt32>, _ count: Int, _ plan: Plan,
    into places: UnsafeMutableRawPointer
  ) {
    let high = places + plan.exceptions
    var found = 0
    for index in 0..<count {
      var rest = values[index] &>> UInt32(truncatingIfNeeded: plan.width)
      guard rest > 0 else { continue }
      places.storeBytes(
        of: UInt8(truncatingIfNeeded: index), toByteOffset: found, as: UInt8.self)
      for byte in 0..<plan.highLength {
        high.storeBytes(
          of: UInt8(truncatingIfNeeded: rest), toByteOffset: found &* plan.highLength &+ byte,
          as: UInt8.self)
        rest &>>= 8
      }
      found &+= 1
    }
  }

  /// The width that makes a block shortest, and what follows from it.
  private struct Plan {
    /// The bits of a low part.
    private(set) var width = 0
    /// The integers that need more.
    private(set) var exceptions = 0
    /// The bytes of an exception's high part.
    private(set) var highLength = 0
    /// The bytes of the whole block.
    private(set) var length = 0

    /// Weighs every width: linear in the count, plus 33 steps.
    init(_ values: UnsafePointer<UInt32>, _ count: Int) {
      withUnsafeTemporaryAllocation(of: Int.self, capacity: 33) { histogram in
        histogram.initialize(repeating: 0)
        for index in 0..<count { histogram[32 &- values[index].leadingZeroBitCount] &+= 1 }
        var widest = 32
        while widest > 0 && histogram[widest] == 0 { widest &-= 1 }
        width = widest
        length = 1 &+ PFOR.lowLength(count, widest)
        var wider = 0
        var candidate = widest
        while candidate > 0 {
          wider &+= histogram[candidate]
          candidate &-= 1
          let bytes = (widest &- candidate &+ 7) &>> 3
          let total = 3 &+ PFOR.lowLength(count, candidate) &+ wider &* (1 &+ bytes)
          // Of equal lengths the one with fewer exceptions, which decodes faster.
          guard total < length else { continue }
          (width, exceptions, highLength, length) = (candidate, wider, bytes, total)
        }
      }
    }
  }

  // MARK: Reading

  /// Decodes a block and returns the bytes used, or -1 if they are corrupt.
  ///
  /// `out` needs room for 128 integers whatever the count.
  package static func decode(
    _ source: UnsafeRawPointer, available: Int, count: Int, into out: UnsafeMutablePointer<UInt32>
  ) -> Int {
    guard available > 0 else { return -1 }
    let width = Int(source.load(as: UInt8.self))
    if width <= 32, count == Codecs.blockLength {
      let length = 1 &+ BitPacking.packedLength(width: width)
      guard length <= available else { return -1 }
      BitPacking.unpack(source + 1, width: width, into: out)
      return length
    }
    return decodeUncommon(source, available, count, out)
  }

  /// Decodes a block of gaps to running sums and returns the bytes used, or -1 if they are corrupt.
  ///
  /// `out[i]` becomes `base + gap[0] + ... + gap[i]`, wrapping; it needs room for 128 integers.
  package static func decodeSum(
    _ source: UnsafeRawPointer, available: Int, count: Int, base: UInt32,
    into out: UnsafeMutablePointer<UInt32>
  ) -> Int {
    guard available > 0 else { return -1 }
    let width = Int(source.load(as: UInt8.self))
    if width <= 32, count == Codecs.blockLength {
      let length = 1 &+ BitPacking.packedLength(width: width)
      guard length <= available else { return -1 }
      BitPacking.unpackSum(source + 1, width: width, base: base, into: out)
      return length
    }
    let length = decodeUncommon(source, available, count, out)
    guard length > 0 else { return -1 }
    if count == Codecs.blockLength {
      BitPacking.sum(out, base: base)
    } else {
      var sum = base
      for index in 0..<count {
        sum &+= out[index]
        out[index] = sum
      }
    }
    return length
  }

  /// One integer of a full block, or -1 if it must be decoded as a whole: it is short or corrupt.
  ///
  /// Costs about as much as decoding ten, and a step for each exception.
  package static func value(
    at index: Int, _ source: UnsafeRawPointer, available: Int, count: Int
  ) -> Int64 {
    guard count == Codecs.blockLength, index >= 0, index < count,
      let header = Header(source, available, count)
    else { return -1 }
    let low = source + header.start
    var value = UInt64(BitPacking.value(at: index, low, width: header.width))
    guard header.exceptions > 0 else { return Int64(value) }
    let places = low + lowLength(count, header.width)
    var exception = 0
    while exception < header.exceptions {
      if Int(places.load(fromByteOffset: exception, as: UInt8.self)) == index {
        let high = places + (header.exceptions &+ exception &* header.highLength)
        for byte in 0..<header.highLength {
          let part = UInt64(high.load(fromByteOffset: byte, as: UInt8.self))
          value |= part &<< UInt64(truncatingIfNeeded: header.width &+ byte &* 8)
        }
      }
      exception &+= 1
    }
    return Int64(value & 0xFFFF_FFFF)
  }

  /// The bytes that a block takes, or -1 if they are corrupt or not all there.
  package static func skip(_ source: UnsafeRawPointer, available: Int, count: Int) -> Int {
    guard let header = Header(source, available, count) else { return -1 }
    return header.length
  }

  /// The most bits that an integer may have of a block that was decoded.
  @inline(__always)
  @inlinable
  package static func bitLimit(_ source: UnsafeRawPointer) -> Int {
    let first = source.load(as: UInt8.self)
    guard first & exceptionFlag != 0 else { return Int(first) }
    return Int(first & ~exceptionFlag)
      &+ 8 &* Int(source.load(fromByteOffset: 2, as: UInt8.self))
  }

  /// Decodes blocks that are short or have exceptions.
  @inline(never)
  private static func decodeUncommon(
    _ source: UnsafeRawPointer, _ available: Int, _ count: Int, _ out: UnsafeMutablePointer<UInt32>
  ) -> Int {
    guard let header = Header(source, available, count) else { return -1 }
    let low = source + header.start
    if count == Codecs.blockLength {
      BitPacking.unpack(low, width: header.width, into: out)
    } else {
      // What can be read, not what is needed: it lets the fast loop run to the end.
      let used = BitPacking.unpackShort(
        low, available: available &- header.start, count: count, width: header.width, into: out)
      guard used >= 0 else { return -1 }
    }
    guard header.exceptions > 0 else { return header.length }
    let places = low + lowLength(count, header.width)
    let patched = patch(
      places, header, UInt32(truncatingIfNeeded: header.width), count, out)
    return patched ? header.length : -1
  }

  /// Adds the high parts of the exceptions; false if one stands outside the block.
  ///
  /// Places are cut to the 128 integers that `out` has room for and judged at the end: a test each
  /// would cost as much as the patch.
  @inline(__always)
  private static func patch(
    _ places: UnsafeRawPointer, _ header: Header, _ width: UInt32, _ count: Int,
    _ out: UnsafeMutablePointer<UInt32>
  ) -> Bool {
    let exceptions = header.exceptions
    var high = places + exceptions
    var last: UInt8 = 0
    if header.highLength == 1 {
      for exception in 0..<exceptions {
        let place = places.load(fromByteOffset: exception, as: UInt8.self)
        last = max(last, place)
        let part = UInt32(high.load(fromByteOffset: exception, as: UInt8.self))
        out[Int(place & 127)] |= part &<< width
      }
      return Int(last) < count
    }
    for exception in 0..<exceptions {
      let place = places.load(fromByteOffset: exception, as: UInt8.self)
      last = max(last, place)
      var part = UInt32(high.load(as: UInt8.self))
      var byte = 1
      while byte < header.highLength {
        let next = UInt32(high.load(fromByteOffset: byte, as: UInt8.self))
        part |= next &<< UInt32(truncatingIfNeeded: byte &* 8)
        byte &+= 1
      }
      high += header.highLength
      out[Int(place & 127)] |= part &<< width
    }
    return Int(last) < count
  }

  /// The header of a block, checked: all of `length` is readable.
  private struct Header {
    let width: Int
    var exceptions = 0
    var highLength = 0
    var start = 1
    let length: Int

    init?(_ source: UnsafeRawPointer, _ available: Int, _ count: Int) {
      guard available > 0, count >= 1, count <= Codecs.blockLength else { return nil }
      let first = source.load(as: UInt8.self)
      width = Int(first & ~exceptionFlag)
      guard width <= 32 else { return nil }
      if first & exceptionFlag != 0 {
        guard available >= 3, width < 32 else { return nil }
        exceptions = Int(source.load(fromByteOffset: 1, as: UInt8.self))
        highLength = Int(source.load(fromByteOffset: 2, as: UInt8.self))
        start = 3
        guard exceptions >= 1, exceptions <= count, highLength >= 1, highLength <= 4 else {
          return nil
        }
      }
      length = start &+ PFOR.lowLength(count, width) &+ exceptions &* (1 &+ highLength)
      guard length <= available else { return nil }
    }
  }

  /// The bytes of the low parts.
  @inline(__always)
  private static func lowLength(_ count: Int, _ width: Int) -> Int {
    count == Codecs.blockLength
      ? BitPacking.packedLength(width: width) : BitPacking.shortLength(count, width: width)
  }
}
