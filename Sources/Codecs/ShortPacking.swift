// Blocks of fewer than 128 integers: bit after bit, without lanes.
//
// Value i takes the bits i * width ..< (i + 1) * width of the packed bytes, low bits first. The
// four lanes of full blocks would round a short list up to 16 bytes a bit; most lists are short.

extension BitPacking {
  /// The bytes of `count` packed integers.
  @inline(__always)
  package static func shortLength(_ count: Int, width: Int) -> Int { (count &* width &+ 7) &>> 3 }

  /// Packs the low `width` bits of each integer into `shortLength` bytes.
  package static func packShort(
    _ values: UnsafePointer<UInt32>, _ count: Int, width: Int, into target: UnsafeMutableRawPointer
  ) {
    var packer = BitPacker(target)
    let mask = UInt64.max >> UInt64(64 - width)
    for index in 0..<count { packer.put(UInt64(values[index]) & mask, width) }
    packer.finish()
  }

  /// Unpacks `count` integers of 0 to 32 bits and returns the bytes used, or -1 if they are not all
  /// there.
  package static func unpackShort(
    _ source: UnsafeRawPointer, available: Int, count: Int, width: Int,
    into out: UnsafeMutablePointer<UInt32>
  ) -> Int {
    guard width >= 0, width <= 32, count >= 0, count <= Codecs.blockLength else { return -1 }
    let length = shortLength(count, width: width)
    guard length <= available else { return -1 }
    let mask = (1 as UInt64) &<< UInt64(truncatingIfNeeded: width) &- 1
    // As long as eight bytes can be read at once: a value and its shift take at most 39 bits, four
    // values of up to 14 bits and their shift at most 63.
    let last = available &- 8
    let step = UInt64(truncatingIfNeeded: width)
    var bit = 0
    var index = 0
    while width <= 14, index &+ 4 <= count, bit &>> 3 <= last {
      let word = load64(source, bit &>> 3) &>> UInt64(truncatingIfNeeded: bit & 7)
      out[index] = UInt32(truncatingIfNeeded: word & mask)
      out[index &+ 1] = UInt32(truncatingIfNeeded: word &>> step & mask)
      out[index &+ 2] = UInt32(truncatingIfNeeded: word &>> (step &* 2) & mask)
      out[index &+ 3] = UInt32(truncatingIfNeeded: word &>> (step &* 3) & mask)
      bit &+= width &* 4
      index &+= 4
    }
    while index < count, bit &>> 3 <= last {
      let word = load64(source, bit &>> 3)
      out[index] = UInt32(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: bit & 7) & mask)
      bit &+= width
      index &+= 1
    }
    while index < count {
      out[index] = UInt32(truncatingIfNeeded: bits(source, available, at: bit, width: width))
      bit &+= width
      index &+= 1
    }
    return length
  }

  /// The `width` bits, at most 64, that start at bit `bit`; bytes past `available` count as zero.
  @inline(__always)
  static func bits(_ source: UnsafeRawPointer, _ available: Int, at bit: Int, width: Int) -> UInt64
  {
    guard width > 0 else { return 0 }
    let start = bit &>> 3
    let shift = bit & 7
    var value: UInt64
    if start &+ 8 <= available {
      value = load64(source, start)
    } else {
      value = 0
      var offset = start
      while offset < available {
        let byte = UInt64(source.load(fromByteOffset: offset, as: UInt8.self))
        value |= byte &<< UInt64(truncatingIfNeeded: (offset &- start) &* 8)
        offset &+= 1
      }
    }
    value &>>= UInt64(truncatingIfNeeded: shift)
    if shift &+ width > 64, start &+ 8 < available {
      let byte = UInt64(source.load(fromByteOffset: start &+ 8, as: UInt8.self))
      value |= byte &<< UInt64(truncatingIfNeeded: 64 &- shift)
    }
    return value & (UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- width))
  }

  @inline(__always)
  private static func load64(_ source: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: source.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

/// Writes values of up to 64 bits one behind the other and no byte more than they need.
struct BitPacker {
  private var target: UnsafeMutableRawPointer
  private var word: UInt64 = 0
  private var used = 0

  init(_ target: UnsafeMutableRawPointer) { self.target = target }

  /// Appends the low `width` bits of a value, whose other bits are zero.
  @inline(__always)
  mutating func put(_ value: UInt64, _ width: Int) {
    word |= value &<< UInt64(truncatingIfNeeded: used)
    used &+= width
    guard used >= 64 else { return }
    target.storeBytes(of: word.littleEndian, as: UInt64.self)
    target += 8
    used &-= 64
    word = used > 0 ? value &>> UInt64(truncatingIfNeeded: width &- used) : 0
  }

  /// Writes the bytes of the last word that hold bits.
  mutating func finish() {
    while used > 0 {
      target.storeBytes(of: UInt8(truncatingIfNeeded: word), as: UInt8.self)
      target += 1
      word &>>= 8
      used &-= 8
    }
  }
}
