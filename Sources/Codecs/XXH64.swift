// The 64-bit xxHash: a fast checksum of blocks and records, not a cryptographic one.
//
// Written from the published specification (xxHash fast digest algorithm, XXH64): four lanes of
// eight bytes, folded together, then the tail, then an avalanche.

/// XXH64 of bytes that arrive in pieces; `hash` does it at once.
package struct XXH64 {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// The bytes that one step of the four lanes takes.
  private static let stripe = 32

  private let seed: UInt64
  private var lanes: Lanes
  private var total = 0
  private var pending = (0 as UInt64, 0 as UInt64, 0 as UInt64, 0 as UInt64)
  private var pendingCount = 0

  /// Starts a hash.
  package init(seed: UInt64 = 0) {
    self.seed = seed
    self.lanes = Lanes(seed: seed)
  }

  /// The hash of `count` bytes.
  package static func hash(_ pointer: UnsafeRawPointer, _ count: Int, seed: UInt64 = 0) -> UInt64 {
    var lanes = Lanes(seed: seed)
    let whole = lanes.consume(pointer, count)
    return finish(lanes, seed, total: count, tail: pointer + whole, count - whole)
  }

  /// Adds bytes; how they are cut into pieces makes no difference.
  package mutating func update(_ pointer: UnsafeRawPointer, _ count: Int) {
    guard count > 0 else { return }
    var source = pointer
    var left = count
    total &+= count
    if pendingCount > 0 {
      let taken = min(left, Self.stripe &- pendingCount)
      keep(source, taken)
      source += taken
      left &-= taken
      guard pendingCount == Self.stripe else { return }
      withUnsafeBytes(of: pending) { full in
        if let start = full.baseAddress { _ = lanes.consume(start, Self.stripe) }
      }
      pendingCount = 0
    }
    let whole = lanes.consume(source, left)
    keep(source + whole, left &- whole)
  }

  /// Adds the bytes of a buffer.
  package mutating func update(_ buffer: UnsafeRawBufferPointer) {
    if let start = buffer.baseAddress { update(start, buffer.count) }
  }

  /// The hash of the bytes so far; more may follow.
  package func digest() -> UInt64 {
    withUnsafeBytes(of: pending) { tail in
      guard let start = tail.baseAddress else { return 0 }
      return Self.finish(lanes, seed, total: total, tail: start, pendingCount)
    }
  }

  /// Puts bytes aside until they fill a stripe.
  private mutating func keep(_ pointer: UnsafeRawPointer, _ count: Int) {
    guard count > 0 else { return }
    let offset = pendingCount
    withUnsafeMutableBytes(of: &pending) { room in
      room.baseAddress?.advanced(by: offset).copyMemory(from: pointer, byteCount: count)
    }
    pendingCount &+= count
  }

  /// The four running sums.
  private struct Lanes {
    var a, b, c, d: UInt64

    init(seed: UInt64) {
      a = seed &+ prime1 &+ prime2
      b = seed &+ prime2
      c = seed
      d = seed &- prime1
    }

    /// Takes in as many whole stripes as there are and returns their bytes.
    mutating func consume(_ pointer: UnsafeRawPointer, _ count: Int) -> Int {
      var (a, b, c, d) = (self.a, self.b, self.c, self.d)
      var offset = 0
      while count &- offset >= stripe {
        a = round(a, load64(pointer, offset))
        b = round(b, load64(pointer, offset &+ 8))
        c = round(c, load64(pointer, offset &+ 16))
        d = round(d, load64(pointer, offset &+ 24))
        offset &+= stripe
      }
      (self.a, self.b, self.c, self.d) = (a, b, c, d)
      return offset
    }

    /// The sums folded into one.
    var merged: UInt64 {
      var sum = rotate(a, 1) &+ rotate(b, 7) &+ rotate(c, 12) &+ rotate(d, 18)
      sum = merge(sum, a)
      sum = merge(sum, b)
      sum = merge(sum, c)
      return merge(sum, d)
    }

    private func merge(_ sum: UInt64, _ lane: UInt64) -> UInt64 {
      (sum ^ round(0, lane)) &* prime1 &+ prime4
    }
  }

  private static func finish(
    _ lanes: Lanes, _ seed: UInt64, total: Int, tail: UnsafeRawPointer, _ count: Int
  ) -> UInt64 {
    var sum = total >= stripe ? lanes.merged : seed &+ prime5
    sum &+= UInt64(truncatingIfNeeded: total)
    var offset = 0
    while count &- offset >= 8 {
      sum = rotate(sum ^ round(0, load64(tail, offset)), 27) &* prime1 &+ prime4
      offset &+= 8
    }
    if count &- offset >= 4 {
      let word = UInt32(littleEndian: tail.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      sum = rotate(sum ^ (UInt64(word) &* prime1), 23) &* prime2 &+ prime3
      offset &+= 4
    }
    while offset < count {
      let byte = UInt64(tail.load(fromByteOffset: offset, as: UInt8.self))
      sum = rotate(sum ^ (byte &* prime5), 11) &* prime1
      offset &+= 1
    }
    sum = (sum ^ (sum &>> 33)) &* prime2
    sum = (sum ^ (sum &>> 29)) &* prime3
    return sum ^ (sum &>> 32)
  }

  @inline(__always)
  private static func round(_ sum: UInt64, _ input: UInt64) -> UInt64 {
    rotate(sum &+ input &* prime2, 31) &* prime1
  }

  @inline(__always)
  private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
    (value &<< bits) | (value &>> (64 &- bits))
  }

  @inline(__always)
  private static func load64(_ pointer: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: pointer.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
