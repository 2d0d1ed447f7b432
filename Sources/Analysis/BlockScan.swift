// The loop that both analysers share: stretches of ASCII found 64 bytes at a time.

extension Analysis {
  /// Cuts the text by letters and numbers.
  mutating func cutRuns() { scan(words: false) }

  /// Cuts the text by the word boundaries of UAX #29.
  mutating func cutWords() { scan(words: true) }

  /// Finds stretches of word bytes and of bytes beyond ASCII, and emits their tokens in order.
  ///
  /// A stretch of ASCII only is one token, ready in the mirror. One with other bytes is cut scalar
  /// by scalar; it begins and ends where a boundary stands whatever surrounds it.
  @inline(__always)
  private mutating func scan(words: Bool) {
    var open = -1  // the start of a stretch that reaches into this block
    var openIsHigh = false
    var border = BlockBorder()
    var offset = 0
    while offset < count {
      let block = readBlock(offset, separators: words)
      var high = block.high
      let stretches =
        words ? joinedMask(block, offset, &border) : block.word | block.high
      // A bit for each byte whose membership differs from that of the byte before it.
      var edges = stretches ^ (stretches &<< 1 | (open >= 0 ? 1 : 0))
      if open >= 0 {
        if edges == 0 {
          openIsHigh = openIsHigh || high != 0
          offset &+= ASCIIBlock.size
          continue
        }
        let end = edges.trailingZeroBitCount
        edges &= edges &- 1
        let below = (1 as UInt64) &<< UInt64(truncatingIfNeeded: end) &- 1
        let isHigh = openIsHigh || high & below != 0
        high &= ~below
        emit(open, offset &+ end, isHigh: isHigh, words: words)
        open = -1
      }
      while edges != 0 {
        let start = edges.trailingZeroBitCount
        edges &= edges &- 1
        if edges == 0 {
          open = offset &+ start
          openIsHigh = high != 0
          break
        }
        let end = edges.trailingZeroBitCount
        edges &= edges &- 1
        let below = (1 as UInt64) &<< UInt64(truncatingIfNeeded: end) &- 1
        emit(offset &+ start, offset &+ end, isHigh: high & below != 0, words: words)
        high &= ~below
      }
      offset &+= ASCIIBlock.size
    }
    if open >= 0 { emit(open, count, isHigh: openIsHigh, words: words) }
  }

  /// Reads the block at `offset` into the mirror; behind the end of the text it reads zeros.
  @inline(__always)
  private func readBlock(_ offset: Int, separators: Bool) -> ASCIIBlock {
    let mirror = UnsafeMutableRawPointer(columns.bytes + offset)
    if count &- offset >= ASCIIBlock.size {
      return ASCIIBlock(source + offset, lowered: mirror, separators: separators)
    }
    scratch.tail.initializeMemory(as: UInt8.self, repeating: 0, count: ASCIIBlock.size)
    scratch.tail.copyMemory(from: source + offset, byteCount: count - offset)
    return ASCIIBlock(scratch.tail, lowered: mirror, separators: separators)
  }

  @inline(__always)
  private mutating func emit(_ start: Int, _ end: Int, isHigh: Bool, words: Bool) {
    if isHigh {
      if words { cutWordStretch(start, end) } else { cutRunStretch(start, end) }
      return
    }
    if words, source[start] == 0x5F, !holdsWord(start, end) { return }
    columns.append(
      start: start, length: min(end &- start, TextAnalyzer.maximumTermBytes),
      sourceStart: start, sourceEnd: end)
  }

  /// Whether an ASCII stretch is more than low lines.
  private func holdsWord(_ start: Int, _ end: Int) -> Bool {
    var at = start
    while at < end {
      if source[at] != 0x5F { return true }
      at &+= 1
    }
    return false
  }

  /// Cuts a stretch into runs of letters, numbers and what continues them.
  @inline(never)
  private mutating func cutRunStretch(_ from: Int, _ to: Int) {
    var start = -1
    var at = from
    while at < to {
      if source[at] < 0x80 {
        if start < 0 { start = at }
        at &+= 1
        continue
      }
      let scalar = UTF8Scalar(source, at: at, end: to)
      if scalar.value == UTF8Scalar.invalid {
        invalidBytes &+= scalar.length
        if start >= 0 { appendFolded(from: start, to: at) }
        start = -1
      } else {
        let entry = tables[scalar.value]
        if entry.isRunScalar {
          if start < 0 { start = at }
        } else if start >= 0, !entry.continuesRun {
          appendFolded(from: start, to: at)
          start = -1
        }
      }
      at &+= scalar.length
    }
    if start >= 0 { appendFolded(from: start, to: to) }
  }

  /// Cuts a stretch at its word boundaries; a token begins at its segment's first scalar that is
  /// word-like or a low line, which leaves out a stray mark or joiner before it.
  @inline(never)
  private mutating func cutWordStretch(_ from: Int, _ to: Int) {
    var breaker = WordBreaker()
    var start = -1
    var isWord = false
    var at = from
    while at < to {
      let scalar = UTF8Scalar(source, at: at, end: to)
      var value = scalar.value
      if value == UTF8Scalar.invalid {
        invalidBytes &+= scalar.length
        value = UTF8Scalar.replacement
      }
      let entry = tables[value]
      let boundaries = breaker.next(entry, at: at)
      if boundaries.held >= 0 || boundaries.here {
        if isWord {
          appendFolded(from: start, to: boundaries.held >= 0 ? boundaries.held : at)
        }
        start = -1
        isWord = false
      }
      if start < 0, entry.isWordLike || entry.wordClass == .extendNumLet { start = at }
      isWord = isWord || entry.isWordLike
      at &+= scalar.length
    }
    if isWord {
      appendFolded(from: start, to: breaker.heldAtEnd >= 0 ? breaker.heldAtEnd : to)
    }
  }
}

/// What the words' scan knows of the block before.
struct BlockBorder {
  var word: UInt64 = 0
  var high: UInt64 = 0
}

extension Analysis {
  /// The word bytes of a block, with the punctuation that stays inside words.
  ///
  /// Single separators between two word bytes, and any separator beside a byte beyond ASCII, are
  /// looked at one by one: the first join by WB6 to WB12, the others are left to the scalars'
  /// rules. Spaces join nothing, which leaves few to look at in plain text.
  @inline(__always)
  fileprivate func joinedMask(
    _ block: ASCIIBlock, _ offset: Int, _ border: inout BlockBorder
  ) -> UInt64 {
    let high = block.high
    var words = block.word | block.lowLine | high
    let next = offset &+ ASCIIBlock.size < count ? source[offset &+ ASCIIBlock.size] : 0
    let nextHigh: UInt64 = next >= 0x80 ? 1 &<< 63 : 0
    let nextWord: UInt64 = isWordByte(next) ? 1 &<< 63 : nextHigh
    let besideHigh = high &<< 1 | border.high | high &>> 1 | nextHigh
    let between = (words &<< 1 | border.word) & (words &>> 1 | nextWord)
    border = BlockBorder(word: words &>> 63, high: high &>> 63)
    var candidates = ~words & ~block.space & (between | besideHigh)
    while candidates != 0 {
      let bit = candidates & (0 &- candidates)
      let at = offset &+ candidates.trailingZeroBitCount
      candidates &= candidates &- 1
      if joins(at, isBesideHigh: besideHigh & bit != 0) { words |= bit }
    }
    return words
  }

  /// Whether the separator at `at` may stand inside a word.
  @inline(__always)
  private func joins(_ at: Int, isBesideHigh: Bool) -> Bool {
    let byte = columns.bytes[at]  // the mirror reaches to the end of the block
    let isBoth = byte == 0x2E || byte == 0x27  // . '
    let isMidLetter = isBoth || byte == 0x3A  // :
    let isMidNumber = isBoth || byte == 0x2C || byte == 0x3B  // , ;
    if isBesideHigh { return isMidLetter || isMidNumber || byte == 0x22 }
    guard isMidLetter || isMidNumber, at > 0, at &+ 1 < count else { return false }
    let (before, after) = (source[at &- 1], source[at &+ 1])
    return isMidLetter && isLetter(before) && isLetter(after)
      || isMidNumber && isDigit(before) && isDigit(after)
  }

  @inline(__always) private func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
  @inline(__always) private func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
  @inline(__always) private func isWordByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || byte == 0x5F
  }
}
