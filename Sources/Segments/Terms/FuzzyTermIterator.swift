// Walks the terms within an edit distance of a word.

internal import LimelightCodecs

/// Hands out the terms of a dictionary that are near a word, in byte order, with their entries.
///
/// The automaton is carried along the sorted terms: what a term shares with the one before it was
/// read already, and where no ending can match, terms with the same beginning are passed by without
/// a look at their bytes, and whole pages by their heads alone. Entries are decoded only for what
/// matches. So a walk costs a nanosecond a page passed by, and two or three a term on the others.
package struct FuzzyTermIterator {
  /// The longest word, in scalars, for which there is such a walk.
  package static let longestWord = FuzzyAutomaton.longestWord

  private let dictionary: TermDictionary
  private var path: FuzzyPath
  /// The page that is walked next.
  private var page = 0
  /// The terms of the page at hand that match and were not handed out yet, a bit each.
  private var matches: UInt32 = 0
  /// How many entries of that page were decoded.
  private var decoded = 0
  private var records: ByteReader
  private var places = ListPlaces()
  /// Where the page at hand starts.
  private var pageStart = 0

  /// The entry of the term at hand.
  package private(set) var entry = TermEntry()

  fileprivate init(_ dictionary: TermDictionary, _ path: FuzzyPath) {
    self.dictionary = dictionary
    self.path = path
    records = ByteReader(dictionary.prefixes, count: 0)
  }

  /// Moves to the next term that matches; false at the end.
  package mutating func next() throws(CorruptionError) -> Bool {
    while matches == 0 {
      guard passPages() else { return false }
      try walk(page)
      page &+= 1
    }
    let ordinal = matches.trailingZeroBitCount
    matches &= matches &- 1
    do throws(DecodingError) {
      while decoded <= ordinal {
        try entry.decode(
          &records, hasSets: dictionary.hasSets, documents: dictionary.documents, places: &places)
        decoded &+= 1
      }
    } catch {
      throw dictionary.pages.corrupt(error, at: pageStart)
    }
    return true
  }

  /// Moves over pages whose terms all begin with what leads to no match; false at the end.
  private mutating func passPages() -> Bool {
    let count = dictionary.pageCount
    while page < count {
      let head = dictionary.prefix(page)
      // What all terms of the page begin with: they lie between its head and the next one, and what
      // fills up the head of a short term is no part of it.
      let next = page &+ 1 < count ? dictionary.prefix(page &+ 1) : ~head
      let shared = min(
        (head ^ next).leadingZeroBitCount / 8, 8 &- head.trailingZeroBitCount / 8)
      guard shared > 0 else { return true }
      guard let dead = path.follow(head: head, count: shared) else {
        if page &+ 1 == count || path.mayMatch(from: head, to: next, behind: shared) { return true }
        page &+= 1
        continue
      }
      let shift = UInt64(64 &- 8 &* dead)
      let beginning = head &>> shift
      // The last page with that beginning may go on to other terms.
      repeat {
        page &+= 1
      } while page &+ 1 < count
        && dictionary.prefix(page &+ 1) &>> shift == beginning
    }
    return false
  }

  /// Finds the terms of a page that match.
  private mutating func walk(_ number: Int) throws(CorruptionError) {
    let range = try dictionary.pageRange(number)
    pageStart = range.start
    decoded = 0
    do throws(DecodingError) {
      var reader = ByteReader(dictionary.pages.base + range.start, count: range.count)
      places = try TermPage.bases(&reader)
      let keyBytes = try reader.length(atMost: reader.remaining)
      var keys = ByteReader(try reader.bytes(keyBytes))
      records = reader
      let first = try keys.length(atMost: TermDictionaryWriter.longestTerm)
      if path.follow(try keys.bytes(first), behind: 0) { matches = 1 }
      let count = dictionary.terms(on: number)
      let hasNext = number &+ 1 < dictionary.pageCount
      let next = hasNext ? dictionary.prefix(number &+ 1) : 0
      var length = first
      var ordinal = 1
      var dead = path.dead
      let base = keys.base
      let end = keys.position &+ keys.remaining
      var at = keys.position
      while ordinal < count {
        guard at < end else { throw .corrupt("a term page ends within its keys", at: at) }
        let both = base.load(fromByteOffset: at, as: UInt8.self)
        at &+= 1
        var shared = Int(both &>> 4)
        var rest = Int(both & 15)
        if shared == 15 || rest == 15 {
          keys.position = at &- 1
          (shared, rest) = try TermPage.step(&keys)
          at = keys.position
        }
        guard shared <= length, rest <= end &- at else {
          throw .corrupt("a term shares more bytes than the one before it has", at: at)
        }
        length = shared &+ rest
        if shared < dead {
          if path.follow(UnsafeRawBufferPointer(start: base + at, count: rest), behind: shared) {
            matches |= 1 &<< UInt32(ordinal)
          }
          dead = path.dead
          // All that lies between this term and the next page's first begins with what is dead.
          if dead <= 8 && hasNext && path.leads(to: next) { break }
        }
        at &+= rest
        ordinal &+= 1
      }
    } catch {
      throw dictionary.pages.corrupt(error, at: range.start)
    }
  }
}

/// The bytes of a term along which the states of an automaton are known.
private struct FuzzyPath {
  private let automaton: FuzzyAutomaton
  private let bytes: UnsafeMutablePointer<UInt8>
  /// The state behind so many bytes, where a scalar ends there.
  private let states: UnsafeMutablePointer<FuzzyState>
  /// Where the scalar begins that so many bytes end within; the same place if they end with one.
  private let starts: UnsafeMutablePointer<Int>
  /// How many of `bytes` are known.
  private var size = 0
  /// So many bytes of the last term lead to no match; `Int.max` if all of them may.
  private(set) var dead = Int.max

  /// A path dies at the latest with the third scalar that the word has not.
  init(_ automaton: FuzzyAutomaton, arena: ScratchArena) {
    self.automaton = automaton
    let room = (FuzzyAutomaton.longestWord + 4) * 4
    bytes = arena.allocate(UInt8.self, room)
    states = arena.allocate(FuzzyState.self, room)
    starts = arena.allocate(Int.self, room)
    states[0] = automaton.start
    starts[0] = 0
  }

  /// Follows a term, given by what stands behind the bytes it shares with the one before.
  ///
  /// `shared` is at most the size of that term, and less than `dead`. Returns whether it matches.
  @inline(__always)
  mutating func follow(_ suffix: UnsafeRawBufferPointer, behind shared: Int) -> Bool {
    var at = starts[shared]
    // Most terms are ASCII from there on.
    guard at == shared else { return followScalars(suffix, behind: shared) }
    var state = states[at]
    var source = 0
    while source < suffix.count {
      let byte = suffix[source]
      source &+= 1
      guard byte < 0x80 else { return followScalars(suffix, behind: shared) }
      bytes[at] = byte
      at &+= 1
      state = automaton.step(state, ascii: byte)
      guard state.isAlive else {
        dead = at
        size = at &- 1
        return false
      }
      states[at] = state
      starts[at] = at
    }
    dead = Int.max
    size = at
    return automaton.accepts(state)
  }

  @inline(never)
  private mutating func followScalars(
    _ suffix: UnsafeRawBufferPointer, behind shared: Int, isWhole: Bool = true
  ) -> Bool {
    let end = shared &+ suffix.count
    var at = starts[shared]
    var state = states[at]
    dead = Int.max
    while at < end {
      let first = at < shared ? bytes[at] : suffix[at &- shared]
      var length = UTF8Scalars.length(first)
      if at &+ length > end {
        // The rest of the scalar stands on the page, or nowhere.
        if !isWhole { break }
        length = 1
      }
      for i in 0..<length {
        if at &+ i >= shared { bytes[at &+ i] = suffix[at &+ i &- shared] }
        starts[at &+ i] = at
      }
      let scalar = UTF8Scalars.next(UnsafeRawBufferPointer(start: bytes + at, count: length), 0)
      state = automaton.step(state, scalar: scalar.scalar)
      guard state.isAlive else {
        dead = at &+ length
        size = dead &- 1
        return false
      }
      at &+= length
      states[at] = state
      starts[at] = at
    }
    size = at
    return automaton.accepts(state)
  }

  /// Whether a page's head begins with the bytes that lead to no match.
  @inline(__always)
  func leads(to head: UInt64) -> Bool {
    let own = UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self).bigEndian
    return (own ^ head).leadingZeroBitCount >= 8 &* dead
  }

  /// Follows the first bytes of a page's head; how many of them lead to no match, nil if all may.
  mutating func follow(head: UInt64, count: Int) -> Int? {
    var at = 0
    let limit = min(count, size)
    while at < limit && bytes[at] == Self.byte(head, at) { at &+= 1 }
    let known = at
    if starts[at] == at {
      var state = states[at]
      while at < count {
        let byte = Self.byte(head, at)
        guard byte < 0x80 else { break }
        bytes[at] = byte
        at &+= 1
        state = automaton.step(state, ascii: byte)
        guard state.isAlive else {
          dead = at
          size = at &- 1
          return at
        }
        states[at] = state
        starts[at] = at
      }
      if at == count {
        dead = Int.max
        size = at
        return nil
      }
    }
    var head = head.bigEndian
    return withUnsafeBytes(of: &head) { head in
      let rest = UnsafeRawBufferPointer(rebasing: head[known..<count])
      _ = followScalars(rest, behind: known, isWhole: false)
      return dead == Int.max ? nil : dead
    }
  }

  /// Whether some term from a page's head on and before the next one's may match, when the `shared`
  /// bytes that both begin with, just followed, may; true where only the page itself can tell.
  func mayMatch(from head: UInt64, to next: UInt64, behind shared: Int) -> Bool {
    guard shared < 8 else { return true }
    let state = states[size]
    // Both share a part of a scalar only.
    if size < shared { return mayMatchOther(state) }
    let low = Int(Self.byte(head, shared))
    let high = Int(Self.byte(next, shared))
    return automaton.goesOn(state, from: low &+ 1, below: high)
      || mayMatch(state, from: head, shared) || mayMatch(state, upTo: next, shared)
  }

  /// Terms that begin with more of the page's head than `shared` bytes, and do not lie before it.
  private func mayMatch(_ state: FuzzyState, from head: UInt64, _ shared: Int) -> Bool {
    var state = state
    var at = shared
    while true {
      let byte = Self.byte(head, at)
      guard byte < 0x80 else { return mayMatchOther(state) }
      // The end of the term, or its own 0.
      guard byte > 0 else { return true }
      state = automaton.step(state, ascii: byte)
      guard state.isAlive else { return false }
      at &+= 1
      guard at < 8 else { return true }
      if automaton.goesOn(state, from: Int(Self.byte(head, at)) &+ 1, below: 256) { return true }
    }
  }

  /// Terms that begin with more of the next page's head than `shared` bytes, and lie before it.
  private func mayMatch(_ state: FuzzyState, upTo next: UInt64, _ shared: Int) -> Bool {
    var state = state
    var at = shared
    while true {
      let byte = Self.byte(next, at)
      guard byte < 0x80 else { return mayMatchOther(state) }
      guard byte > 0 else { return true }
      state = automaton.step(state, ascii: byte)
      guard state.isAlive else { return false }
      at &+= 1
      guard at < 8, !automaton.accepts(state) else { return true }
      if automaton.goesOn(state, from: 0, below: Int(Self.byte(next, at))) { return true }
    }
  }

  /// Whether a scalar beyond ASCII may come next, of which a page's head tells a part.
  private func mayMatchOther(_ state: FuzzyState) -> Bool {
    !automaton.isASCII || automaton.stepOverOther(state).isAlive
  }

  @inline(__always)
  private static func byte(_ head: UInt64, _ at: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: head &>> (56 &- 8 &* UInt64(at)))
  }
}

extension TermDictionary {
  /// A walk over the terms within a distance of 1 or 2 of a word.
  ///
  /// The word has at most `FuzzyTermIterator.longestWord` scalars.
  package func iterator(
    near word: [UInt32], distance: Int, arena: ScratchArena
  ) -> FuzzyTermIterator {
    let automaton = FuzzyAutomaton(word, distance: distance, arena: arena)
    return FuzzyTermIterator(self, FuzzyPath(automaton, arena: arena))
  }
}
