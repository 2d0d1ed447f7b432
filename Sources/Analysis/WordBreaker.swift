// The word boundary rules of UAX #29, version 15.0, as a machine that never looks ahead.

/// Where boundaries stand, told scalar by scalar.
///
/// Rules WB6, WB7b and WB12 depend on what follows a `.` or `'` inside a word. Instead of looking
/// ahead, the machine holds the boundary before it open until the next scalar that counts decides.
/// So a text takes linear time whatever marks it piles up.
struct WordBreaker {
  /// The boundaries that a scalar brings to light.
  struct Boundaries {
    /// The offset of a held boundary that turned out to be one, or -1.
    var held = -1
    /// A boundary stands before the scalar.
    var here = false
  }

  /// What must follow for the punctuation at hand to stay inside the word.
  private enum Awaited { case nothing, letter, hebrewLetter, number }

  private var isFirst = true
  private var before = WordClass.other  // the last scalar that counts (WB4)
  private var justBefore = WordClass.other
  private var awaited = Awaited.nothing
  private var heldOffset = -1
  private var isSecondIndicator = false

  /// Takes the next scalar, at source offset `offset`.
  @inline(__always)
  mutating func next(_ entry: ScalarEntry, at offset: Int) -> Boundaries {
    let now = entry.wordClass
    defer { justBefore = now }
    if isFirst {
      isFirst = false
      before = now
      isSecondIndicator = false
      return Boundaries()
    }
    switch (justBefore, now) {
    case (.carriageReturn, .lineFeed):  // WB3
      before = now
      return Boundaries()
    case (.carriageReturn, _), (.lineFeed, _), (.newline, _),  // WB3a, WB3b
      (_, .carriageReturn), (_, .lineFeed), (_, .newline):
      return broken(now)
    case (.space, .space):  // WB3d
      return Boundaries()
    case (_, .extend), (_, .joiner), (_, .format):  // WB4
      return Boundaries()
    default:
      if awaited != .nothing { return resolve(now, entry.isPictographic) }
      if justBefore == .joiner, entry.isPictographic {  // WB3c
        before = now
        return Boundaries()
      }
      return follow(now, at: offset)
    }
  }

  /// The offset of a boundary still held at the end of the text, or -1.
  var heldAtEnd: Int { heldOffset }

  /// A boundary here, and also the held one.
  private mutating func broken(_ now: WordClass) -> Boundaries {
    let held = heldOffset
    heldOffset = -1
    awaited = .nothing
    before = now
    isSecondIndicator = false
    return Boundaries(held: held, here: true)
  }

  /// Decides about the punctuation inside a word by what follows it.
  private mutating func resolve(_ now: WordClass, _ isPictographic: Bool) -> Boundaries {
    let fits =
      switch awaited {
      case .letter: now == .letter || now == .hebrewLetter  // WB6, WB7
      case .hebrewLetter: now == .hebrewLetter  // WB7b, WB7c
      case .number: now == .numeric  // WB11, WB12
      case .nothing: false
      }
    if !fits {
      let stays = isPictographic && justBefore == .joiner  // WB3c
      var boundaries = broken(now)
      boundaries.here = !stays
      return boundaries
    }
    heldOffset = -1
    awaited = .nothing
    before = now
    return Boundaries()
  }

  /// The rules for two scalars that count, one after the other.
  @inline(__always)
  private mutating func follow(_ now: WordClass, at offset: Int) -> Boundaries {
    switch (before, now) {
    case (.letter, .letter), (.letter, .numeric), (.numeric, .letter), (.numeric, .numeric),
      (.letter, .hebrewLetter), (.hebrewLetter, .letter), (.hebrewLetter, .hebrewLetter),
      (.hebrewLetter, .numeric), (.numeric, .hebrewLetter),  // WB5, WB8 to WB10
      (.katakana, .katakana),  // WB13
      (.letter, .extendNumLet), (.hebrewLetter, .extendNumLet), (.numeric, .extendNumLet),
      (.katakana, .extendNumLet), (.extendNumLet, .extendNumLet),  // WB13a
      (.extendNumLet, .letter), (.extendNumLet, .hebrewLetter), (.extendNumLet, .numeric),
      (.extendNumLet, .katakana):  // WB13b
      before = now
      return Boundaries()
    case (.hebrewLetter, .singleQuote):  // WB7a: stays whatever follows, WB7 may still join
      awaited = .letter
    case (.letter, .midLetter), (.letter, .midNumLet), (.letter, .singleQuote),
      (.hebrewLetter, .midLetter), (.hebrewLetter, .midNumLet):
      awaited = .letter
      heldOffset = offset
    case (.hebrewLetter, .doubleQuote):
      awaited = .hebrewLetter
      heldOffset = offset
    case (.numeric, .midNum), (.numeric, .midNumLet), (.numeric, .singleQuote):
      awaited = .number
      heldOffset = offset
    case (.regionalIndicator, .regionalIndicator) where !isSecondIndicator:  // WB15, WB16
      isSecondIndicator = true
      return Boundaries()
    default:  // WB999
      return broken(now)
    }
    before = now
    return Boundaries()
  }
}
