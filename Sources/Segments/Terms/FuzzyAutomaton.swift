// All words within an edit distance of one, as bits that move along with the scalars read.

internal import LimelightCodecs

/// Where a word may stand after some scalars: bit `i` of `r0`, `r1`, `r2` says that its first `i`
/// scalars were reached with none, at most one, at most two edits.
struct FuzzyState {
  var r0: UInt64 = 0
  var r1: UInt64 = 0
  var r2: UInt64 = 0
  /// The same where the last scalar read was the second of a pair whose first comes next.
  var swapped1: UInt64 = 0
  var swapped2: UInt64 = 0

  /// Whether some ending leads to a match.
  @inline(__always) var isAlive: Bool { r0 | r1 | r2 != 0 }
}

/// The words within a distance of 1 or 2 of one: left out, added, changed, swapped with its neighbour.
///
/// The automaton of Wu and Manber (Fast text searching allowing errors, CACM 1992) with the
/// transpositions of Hyyrö (A bit-vector algorithm for computing Levenshtein and Damerau edit
/// distances, 2003), for whole words: about a dozen instructions a scalar, whatever the word's length.
/// A pair that was swapped is not edited again (optimal string alignment).
struct FuzzyAutomaton {
  /// The longest word whose places fit into the bits of a state.
  static let longestWord = 62

  /// The places behind each ASCII scalar of the word.
  private let ascii: UnsafeMutablePointer<UInt64>
  /// The word's scalars, once each, and the places behind them.
  private let letters: UnsafeMutablePointer<(scalar: UInt32, places: UInt64)>
  private var letterCount = 0
  /// Whether all scalars of the word are ASCII.
  private(set) var isASCII = true
  private let within1: UInt64
  private let within2: UInt64
  private let end: UInt64

  /// For a word of at most `longestWord` scalars.
  init(_ word: [UInt32], distance: Int, arena: ScratchArena) {
    ascii = arena.allocate(UInt64.self, 128)
    ascii.update(repeating: 0, count: 128)
    letters = arena.allocate((scalar: UInt32, places: UInt64).self, max(word.count, 1))
    for (i, scalar) in word.enumerated() {
      let place: UInt64 = 2 &<< UInt64(i)
      if scalar < 128 { ascii[Int(scalar)] |= place } else { isASCII = false }
      var at = 0
      while at < letterCount && letters[at].scalar != scalar { at += 1 }
      if at == letterCount {
        letters[at] = (scalar, 0)
        letterCount += 1
      }
      letters[at].places |= place
    }
    end = 1 &<< UInt64(word.count)
    within1 = distance >= 1 ? end &* 2 &- 1 : 0
    within2 = distance >= 2 ? end &* 2 &- 1 : 0
  }

  /// The state before the first scalar.
  var start: FuzzyState { FuzzyState(r0: 1, r1: 3 & within1, r2: 7 & within2) }

  /// Whether a state is that of a word within the distance.
  @inline(__always)
  func accepts(_ state: FuzzyState) -> Bool { (state.r0 | state.r1 | state.r2) & end != 0 }

  @inline(__always)
  func step(_ state: FuzzyState, ascii byte: UInt8) -> FuzzyState {
    step(state, places: ascii[Int(byte)])
  }

  @inline(__always)
  func step(_ state: FuzzyState, scalar: UInt32) -> FuzzyState {
    if scalar < 128 { return step(state, places: ascii[Int(scalar)]) }
    var places: UInt64 = 0
    for at in 0..<letterCount where letters[at].scalar == scalar { places = letters[at].places }
    return step(state, places: places)
  }

  /// Whether a byte from `low` on and below `high` may come next, of a scalar that leads on.
  func goesOn(_ state: FuzzyState, from low: Int, below high: Int) -> Bool {
    guard low < high else { return false }
    // While an edit is left, any scalar may.
    if (within2 != 0 ? state.r1 : within1 != 0 ? state.r0 : 0) != 0 { return true }
    let behind = (state.r0 | state.r1 | state.r2) &<< 1
    let swapped = state.swapped1 | state.swapped2
    for at in 0..<letterCount {
      let (scalar, places) = letters[at]
      guard places & behind | places &<< 1 & swapped != 0 else { continue }
      if scalar >= 128 ? high > 0x80 : scalar >= low && scalar < high { return true }
    }
    return false
  }

  /// The state behind a scalar that the word has not.
  @inline(__always)
  func stepOverOther(_ state: FuzzyState) -> FuzzyState { step(state, places: 0) }

  @inline(__always)
  private func step(_ old: FuzzyState, places: UInt64) -> FuzzyState {
    let ahead = places &<< 1
    var new = FuzzyState()
    new.r0 = old.r0 &<< 1 & places
    // Matched, added, changed, left out, swapped.
    new.r1 =
      (old.r1 &<< 1 & places | old.r0 | old.r0 &<< 1 | new.r0 &<< 1 | old.swapped1 & ahead)
      & within1
    new.r2 =
      (old.r2 &<< 1 & places | old.r1 | old.r1 &<< 1 | new.r1 &<< 1 | old.swapped2 & ahead)
      & within2
    new.swapped1 = old.r0 &<< 2 & places
    new.swapped2 = old.r1 &<< 2 & places
    return new
  }
}
