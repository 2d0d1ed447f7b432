// Ascending integers as running sums on top of any number, and pairs of them at a fixed distance.

public import CSIMD

/// A run of ascending integers below 2^31, decoded to sums on top of a number that stands before them.
///
/// So the runs of a block that follow each other can be summed up as one, without a copy for each: the
/// sums of a block of postings are the positions of all of them. `padding` sums behind the run are read:
/// the next run's, or anything larger than the last one.
@usableFromInline
package struct AscendingRun {
  /// The sums; what stands before the first is to be taken off each.
  @usableFromInline package let sums: UnsafePointer<UInt32>
  @usableFromInline package let count: Int

  /// The sums behind a run that must be there.
  package static let padding = 4

  @inlinable
  @inline(__always)
  package init(sums: UnsafePointer<UInt32>, count: Int) {
    self.sums = sums
    self.count = count
  }

  /// What is to be taken off each sum.
  @inlinable
  @inline(__always)
  package var base: UInt32 { sums[-1] }

  /// The integer at a place.
  @inlinable
  @inline(__always)
  package subscript(index: Int) -> UInt32 { sums[index] &- base }
}

extension AscendingRun {
  /// 1 if an integer has a partner in `other` that is larger by `distance`, else 0; both runs have one
  /// integer at least.
  ///
  /// Four integers against four at a time, in all 16 pairs, without a branch that depends on a single
  /// one: O(count + other.count).
  @inlinable
  @inline(__always)
  package func hasPair(with other: AscendingRun, distance: UInt32) -> Int {
    var walk = PairWalk(self, other, distance)
    guard walk.next() else { return 0 }
    while true {
      let a0 = walk.four
      let a1 = v4_rotate1(a0)
      let a2 = v4_rotate2(a0)
      let a3 = v4_rotate3(a0)
      // Sums of masks, which are -1: united ones would be made of single bits and back at every step.
      var equal = SIMD4<UInt32>(repeating: 0)
      repeat {
        let b = walk.partners
        equal = v4_add(
          equal,
          v4_or(
            v4_or(v4_equal(b, a0), v4_equal(b, a1)), v4_or(v4_equal(b, a2), v4_equal(b, a3))))
      } while walk.advance()
      let lanes = Int(truncatingIfNeeded: v4_movemask(equal))
      // Mostly there are no more than four: then the answer is a number, not a jump to guess.
      guard walk.next() else { return (lanes &+ 15) &>> 4 }
      if lanes != 0 { return 1 }
    }
  }

  /// How many integers have a partner in `other` that is larger by `distance`.
  @inlinable
  @inline(__always)
  package func pairCount(with other: AscendingRun, distance: UInt32) -> Int {
    var walk = PairWalk(self, other, distance)
    var found = SIMD4<UInt32>(repeating: 0)
    // All ones are -1.
    while walk.next() { found = v4_sub(found, walk.partnered()) }
    return Int(found[0] &+ found[1] &+ found[2] &+ found[3])
  }

  /// Stores the integers from `shift` on that have a partner in `other` larger by `distance`, each less
  /// `shift`, and returns how many they are; one more may be written.
  @inlinable
  @inline(__always)
  package func pairs(
    with other: AscendingRun, distance: UInt32, shift: UInt32,
    into out: UnsafeMutablePointer<UInt32>
  ) -> Int {
    var walk = PairWalk(self, other, distance)
    let base = self.base
    var count = 0
    while walk.next() {
      var lanes = v4_movemask(walk.partnered())
      while lanes != 0 {
        let integer = sums[walk.place &+ lanes.trailingZeroBitCount] &- base
        out[count] = integer &- shift
        count &+= integer >= shift ? 1 : 0
        lanes &= lanes &- 1
      }
    }
    return count
  }
}

/// Goes over two runs, four integers of the one against fours of the other that may hold partners.
@usableFromInline
struct PairWalk {
  @usableFromInline let a: UnsafePointer<UInt32>
  @usableFromInline let aCount: Int
  @usableFromInline let b: UnsafePointer<UInt32>
  @usableFromInline let bCount: Int
  /// What makes a sum of `a` the sum that its partner would have.
  @usableFromInline let toPartner: UInt32
  @usableFromInline let bBase: UInt32
  @usableFromInline let bLast: Int32
  /// Where the four of `a` start.
  @usableFromInline var place = -4
  @usableFromInline var bPlace = 0
  /// The partner of the last of the four, or the last of `b`.
  @usableFromInline var last: Int32 = -1
  /// The partners that the four would have.
  @usableFromInline var four = SIMD4<UInt32>(repeating: 0)

  @inlinable
  @inline(__always)
  init(_ a: AscendingRun, _ b: AscendingRun, _ distance: UInt32) {
    self.a = a.sums
    aCount = a.count
    self.b = b.sums
    bCount = b.count
    bBase = b.base
    toPartner = distance &+ bBase &- a.base
    bLast = Int32(bitPattern: b.sums[b.count &- 1] &- bBase)
  }

  /// Takes the next four of `a`; false if no partner is left for any.
  @inlinable
  @inline(__always)
  mutating func next() -> Bool {
    place &+= 4
    guard place < aCount, last < bLast else { return false }
    let end = min(place &+ 4, aCount)
    last = min(Int32(bitPattern: a[end &- 1] &+ toPartner &- bBase), bLast)
    let sums = UnsafeRawPointer(a + place).loadUnaligned(as: SIMD4<UInt32>.self)
    let partners = v4_add(sums, SIMD4(repeating: toPartner))
    // No partner are what stands behind the last of `a`, nor what stands behind that of `b`; no integer
    // of `b` is below 0.
    let lanes = SIMD4<UInt32>(0, 1, 2, 3)
    let left = SIMD4(repeating: UInt32(truncatingIfNeeded: end &- place))
    let largest = SIMD4(repeating: UInt32(bitPattern: bLast))
    let isBehind = v4_greater_signed(v4_sub(partners, SIMD4(repeating: bBase)), largest)
    let isThere = v4_greater_signed(left, lanes)
    four = v4_select(isBehind, SIMD4(repeating: bBase &- 1), partners)
    four = v4_select(isThere, four, SIMD4(repeating: bBase &- 1))
    return true
  }

  /// The four of `b` at hand.
  @inlinable
  @inline(__always)
  var partners: SIMD4<UInt32> {
    UnsafeRawPointer(b + bPlace).loadUnaligned(as: SIMD4<UInt32>.self)
  }

  /// All ones for those of the four of `a` that have a partner; goes over the fours of `b`.
  ///
  /// Each counts once: the first sum behind `b` may equal the last of it.
  @inlinable
  @inline(__always)
  mutating func partnered() -> SIMD4<UInt32> {
    var equal = SIMD4<UInt32>(repeating: 0)
    repeat {
      let b = partners
      equal = v4_add(
        equal,
        v4_or(
          v4_or(v4_equal(four, b), v4_equal(four, v4_rotate1(b))),
          v4_or(v4_equal(four, v4_rotate2(b)), v4_equal(four, v4_rotate3(b)))))
    } while advance()
    return v4_greater_signed(SIMD4(repeating: 0), equal)
  }

  /// Goes on to the next four of `b`; false if the four of `a` have no partner there.
  @inlinable
  @inline(__always)
  mutating func advance() -> Bool {
    guard bPlace &+ 4 < bCount, Int32(bitPattern: b[bPlace &+ 3] &- bBase) < last else {
      return false
    }
    bPlace &+= 4
    return true
  }
}
