// All words within an edit distance of one, as bits that move along with the scalars read.

internal import LimelightCodecs

/// Where a word may stand after some scalars: bit `i` says that its first `i` scalars were reached.
///
/// `r2` holds the places reached with at most as many edits as are allowed, `r1` those reached with at
/// least one edit left, `r0` those with two left: each is part of the next one.
struct FuzzyState {
  var r0: UInt64 = 0
  var r1: UInt64 = 0
  var r2: UInt64 = 0
  /// The part of `r2` whose last edit touched the word's tail.
  var late: UInt64 = 0
  /// The same as `r1` and `r2` where the last scalar read was the second of a pair whose first comes
  /// next.
  var swapped1: UInt64 = 0
  var swapped2: UInt64 = 0

  /// Whether some ending leads to a match.
  @inline(__always) var isAlive: Bool { r2 != 0 }
  /// Whether any scalar may come next.
  @inline(__always) var hasEdits: Bool { r1 != 0 }
}

/// The words within a distance of up to 2 of one: left out, added, changed, swapped with its neighbour.
///
/// The automaton of Wu and Manber (Fast text searching allowing errors, CACM 1992) with the
/// transpositions of Hyyrö (A bit-vector algorithm for computing Levenshtein and Damerau edit
/// distances, 2003), for whole words: about a dozen instructions a scalar, whatever the word's length.
/// A pair that was swapped is not edited again (optimal string alignment).
///
/// **Tails.** Where the last edit that is allowed lies before the word's tail, a match ends with that
/// tail. The automaton keeps apart where this is so: see `isOpen` and `TermTails`.
struct FuzzyAutomaton {
  /// The longest word whose places fit into the bits of a state.
  static let longestWord = 62

  /// A scalar of the word.
  struct Letter {
    let scalar: UInt32
    /// Its bytes in UTF-8, the first one on top, and their number.
    let bytes: UInt64
    let length: Int
    /// The places behind it.
    var places: UInt64
  }

  /// The places behind each ASCII scalar of the word.
  private let ascii: UnsafeMutablePointer<UInt64>
  /// The word's scalars in ascending order, once each.
  let letters: UnsafeMutablePointer<Letter>
  private(set) var letterCount = 0
  private let all: UInt64
  private let behindTail: UInt64
  private let end: UInt64
  private let distance: Int
  /// The code of the word's tail, nil if it is too short to have one.
  let tail: UInt8?

  /// For a word of at most `longestWord` scalars and a distance of at most 2.
  ///
  /// Without `usesTail` all states are open.
  init(_ word: [UInt32], distance: Int, usesTail: Bool, arena: ScratchArena) {
    self.distance = distance
    ascii = arena.allocate(UInt64.self, 128)
    ascii.update(repeating: 0, count: 128)
    letters = arena.allocate(Letter.self, max(word.count, 1))
    end = 1 &<< UInt64(word.count)
    all = end &* 2 &- 1
    var tail: UInt64 = 0
    var tailBytes = 0
    var tailScalars = 0
    for scalar in word.reversed() where usesTail && tailBytes < TermTails.size {
      let (bytes, length) = UTF8Scalars.bytes(scalar)
      tail |= (bytes &>> UInt64(64 &- 8 &* length)) &<< UInt64(8 &* tailBytes)
      tailBytes += length
      tailScalars += 1
    }
    if tailBytes >= TermTails.size {
      self.tail = TermTails.code(UInt32(truncatingIfNeeded: tail))
      behindTail = all & ~((2 &<< UInt64(word.count - tailScalars)) &- 1)
    } else {
      self.tail = nil
      behindTail = all
    }
    for (i, scalar) in word.enumerated() {
      let place: UInt64 = 2 &<< UInt64(i)
      if scalar < 128 { ascii[Int(scalar)] |= place }
      add(scalar, place)
    }
  }

  private mutating func add(_ scalar: UInt32, _ place: UInt64) {
    var at = letterCount
    while at > 0 && letters[at - 1].scalar >= scalar { at -= 1 }
    if at < letterCount && letters[at].scalar == scalar {
      letters[at].places |= place
      return
    }
    var last = letterCount
    while last > at {
      letters[last] = letters[last - 1]
      last -= 1
    }
    let (bytes, length) = UTF8Scalars.bytes(scalar)
    letters[at] = Letter(scalar: scalar, bytes: bytes, length: length, places: place)
    letterCount += 1
  }

  /// The state before the first scalar.
  var start: FuzzyState {
    let r2 = (distance == 2 ? 7 : distance == 1 ? 3 : 1) & all
    let r1 = (distance == 2 ? 3 : distance == 1 ? 1 : 0) & all
    return FuzzyState(r0: distance == 2 ? 1 : 0, r1: r1, r2: r2, late: r2 & behindTail)
  }

  /// Whether a state is that of a word within the distance.
  @inline(__always)
  func accepts(_ state: FuzzyState) -> Bool { state.r2 & end != 0 }

  /// Whether some ending leads to a match that may end with another tail than the word.
  ///
  /// What is not open never is again.
  @inline(__always)
  func isOpen(_ state: FuzzyState) -> Bool {
    state.r1 | state.late | state.swapped2 & behindTail != 0
  }

  @inline(__always)
  func step(_ state: FuzzyState, ascii byte: UInt8) -> FuzzyState {
    step(state, places: ascii[Int(byte)])
  }

  func step(_ state: FuzzyState, scalar: UInt32) -> FuzzyState {
    var places: UInt64 = 0
    for at in 0..<letterCount where letters[at].scalar == scalar { places = letters[at].places }
    return step(state, places: places)
  }

  /// The state behind a scalar, given by the places behind it; 0 for one that the word has not.
  @inline(__always)
  func step(_ old: FuzzyState, places: UInt64) -> FuzzyState {
    let ahead = places &<< 1
    var new = FuzzyState()
    new.r0 = old.r0 &<< 1 & places
    // Matched, added, changed, left out, swapped.
    new.r1 =
      (old.r1 &<< 1 & places | old.r0 | old.r0 &<< 1 | new.r0 &<< 1 | old.swapped1 & ahead) & all
    let edited = old.r1 | old.r1 &<< 1 | new.r1 &<< 1 | old.swapped2 & ahead
    new.r2 = (old.r2 &<< 1 & places | edited) & all
    new.late = (old.late &<< 1 & places | edited) & behindTail
    new.swapped1 = old.r0 &<< 2 & places
    new.swapped2 = old.r1 &<< 2 & places
    return new
  }
}
