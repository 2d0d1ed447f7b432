// Walks the terms within an edit distance of a word.

internal import LimelightCodecs

/// Hands out the terms of a dictionary that are near a word, in byte order, with their entries.
///
/// Pages that can hold no match are passed by without a look at them: by their heads (`FuzzyPages`),
/// and where a match must end like the word also by the tails of their terms (`TermTails`). On the
/// others the automaton is carried along the sorted terms: what a term shares with the one before it
/// was read already, and terms that begin with what leads to no match are not read. Entries are
/// decoded only for what matches.
package struct FuzzyTermIterator {
  /// The longest word, in scalars, for which there is such a walk.
  package static let longestWord = FuzzyAutomaton.longestWord

  private let dictionary: TermDictionary
  private let pages: FuzzyPages
  private let tails: TermTails?
  /// The code of the word's tail; of use with `tails` only.
  private let tail: UInt8
  private var path: FuzzyPath
  /// The pages of a word of the two sets that were not walked yet.
  private var left: UInt64 = 0
  /// The number of that word.
  private var word = -1
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

  fileprivate init(
    _ dictionary: TermDictionary, _ automaton: FuzzyAutomaton, _ tails: TermTails?,
    arena: ScratchArena
  ) {
    self.dictionary = dictionary
    self.tails = automaton.tail == nil ? nil : tails
    tail = automaton.tail ?? 0
    pages = FuzzyPages(dictionary, automaton, arena: arena)
    path = FuzzyPath(automaton, arena: arena)
    records = ByteReader(dictionary.prefixes, count: 0)
  }

  /// Moves to the next term that matches; false at the end.
  package mutating func next() throws(CorruptionError) -> Bool {
    while matches == 0 {
      guard try walkNextPage() else { return false }
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

  /// Finds the terms that match on the next page that may hold any; false at the end.
  private mutating func walkNextPage() throws(CorruptionError) -> Bool {
    let count = BitSet.wordCount(dictionary.pageCount)
    while true {
      while left == 0 {
        word &+= 1
        guard word < count else {
          word = count
          return false
        }
        left = pages.open[word] | pages.tailed[word]
      }
      let page = word &* 64 &+ left.trailingZeroBitCount
      left &= left &- 1
      let tailed = tails?.terms(on: page, with: tail) ?? .max
      let terms = BitSet.test(pages.open, page) ? .max : tailed
      guard terms != 0 else { continue }
      try walk(page, terms, tailed)
      return true
    }
  }

  /// Finds the terms of a page that match.
  ///
  /// `terms` are those that may, `tailed` those of them that may do so whatever their beginning.
  private mutating func walk(
    _ number: Int, _ terms: UInt32, _ tailed: UInt32
  ) throws(CorruptionError) {
    let range = try dictionary.pageRange(number)
    pageStart = range.start
    do throws(DecodingError) {
      var reader = ByteReader(dictionary.pages.base + range.start, count: range.count)
      var keys = ByteReader(try TermPage.keys(&reader))
      let keyBytes = keys.remaining
      let isLast = number &+ 1 == dictionary.pageCount
      let next = isLast ? nil : dictionary.prefix(number &+ 1)
      // The bytes behind the keys are those of the page's records.
      let readable = keyBytes &+ reader.remaining
      let base = keys.base
      let end = keyBytes
      var length = try keys.length(atMost: TermDictionaryWriter.longestTerm)
      path.begin(try keys.bytes(length))
      var at = keys.position
      let count = min(dictionary.terms(on: number), 32 &- terms.leadingZeroBitCount)
      var ordinal = 0
      while true {
        let bit: UInt32 = 1 &<< UInt32(ordinal)
        if terms & bit != 0, path.mayMatch(hasTail: tailed & bit != 0) {
          if path.follow(to: length, hasTail: tailed & bit != 0) {
            matches |= bit
          } else if let next, path.isDead(upTo: next) {
            // All terms from here on begin with what leads to no match.
            break
          }
        }
        ordinal &+= 1
        guard ordinal < count else { break }
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
        guard shared <= length, rest <= end &- at,
          shared &+ rest <= TermDictionaryWriter.longestTerm
        else { throw .corrupt("a term shares more bytes than the one before it has", at: at) }
        length = shared &+ rest
        path.replace(behind: shared, base + at, rest, readable: readable &- at)
        at &+= rest
      }
      if matches != 0 {
        records = reader
        decoded = 0
        reader.position = 0
        places = try TermPage.bases(&reader)
      }
    } catch {
      throw dictionary.pages.corrupt(error, at: range.start)
    }
  }
}

/// The bytes of a term, and the states of an automaton along them as far as they are known.
private struct FuzzyPath {
  private let automaton: FuzzyAutomaton
  /// The bytes of the term at hand, at least as far as it shares them with a term that may match.
  private let bytes: UnsafeMutablePointer<UInt8>
  /// The state behind so many bytes, where a scalar ends there.
  private let states: UnsafeMutablePointer<FuzzyState>
  /// Where the scalar begins that so many bytes end within; the same place if they end with one.
  private let starts: UnsafeMutablePointer<Int>
  /// The states behind up to so many bytes are known.
  private var known = 0
  /// So many bytes lead to no match; `Int.max` if that is not known of any.
  private var dead = Int.max
  /// So many bytes lead to no match without the word's tail; `Int.max` if that is not known of any.
  private var closed = Int.max

  init(_ automaton: FuzzyAutomaton, arena: ScratchArena) {
    self.automaton = automaton
    bytes = arena.allocate(UInt8.self, TermDictionaryWriter.longestTerm + 8)
    // A path dies at the latest with the third scalar that the word has not.
    let room = (FuzzyAutomaton.longestWord + 4) * 4
    states = arena.allocate(FuzzyState.self, room)
    starts = arena.allocate(Int.self, room)
    states[0] = automaton.start
    starts[0] = 0
  }

  /// Takes the first term of a page.
  @inline(__always)
  mutating func begin(_ term: UnsafeRawBufferPointer) {
    known = 0
    dead = .max
    closed = .max
    if let source = term.baseAddress {
      UnsafeMutableRawPointer(bytes).copyMemory(from: source, byteCount: term.count)
    }
  }

  /// Takes the next term, given by what stands behind the bytes it shares with the one before.
  @inline(__always)
  mutating func replace(
    behind shared: Int, _ source: UnsafeRawPointer, _ rest: Int, readable: Int
  ) {
    // What begins with a dead end is not read, and what comes next shares less than that.
    guard shared < dead else { return }
    dead = .max
    if shared < closed { closed = .max }
    if shared < known { known = starts[shared] }
    if rest <= 8 && readable >= 8 {
      UnsafeMutableRawPointer(bytes + shared).storeBytes(
        of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
    } else {
      UnsafeMutableRawPointer(bytes + shared).copyMemory(from: source, byteCount: rest)
    }
  }

  /// Whether the term at hand is to be followed.
  @inline(__always)
  func mayMatch(hasTail: Bool) -> Bool { dead == .max && (hasTail || closed == .max) }

  /// Follows the term at hand, which has so many bytes, to its end or until it cannot match.
  @inline(__always)
  mutating func follow(to end: Int, hasTail: Bool) -> Bool {
    var at = known
    var state = states[at]
    while at < end {
      let start = at
      let byte = bytes[at]
      if byte < 0x80 {
        state = automaton.step(state, ascii: byte)
        at &+= 1
      } else {
        let term = UnsafeRawBufferPointer(start: bytes, count: end)
        let (scalar, length) = UTF8Scalars.next(term, at)
        state = automaton.step(state, scalar: scalar)
        for i in 1..<max(length, 1) { starts[at &+ i] = at }
        at &+= length
      }
      guard state.isAlive else {
        dead = at
        known = start
        return false
      }
      states[at] = state
      starts[at] = at
      if !automaton.isOpen(state) {
        closed = min(closed, at)
        guard hasTail else {
          known = at
          return false
        }
      }
    }
    known = end
    return automaton.accepts(state)
  }

  /// Whether a page's head begins with the bytes that lead to no match.
  @inline(__always)
  func isDead(upTo head: UInt64) -> Bool {
    guard dead <= 8 else { return false }
    let own = UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self).bigEndian
    return (own ^ head).leadingZeroBitCount >= 8 &* dead
  }
}

extension TermDictionary {
  /// A walk over the terms within a distance of up to 2 of a word.
  ///
  /// The word has at most `FuzzyTermIterator.longestWord` scalars.
  package func iterator(
    near word: [UInt32], distance: Int, arena: ScratchArena
  ) throws(CorruptionError) -> FuzzyTermIterator {
    let tails = try TermTails(self)
    let automaton = FuzzyAutomaton(
      word, distance: distance, usesTail: tails != nil, arena: arena)
    return FuzzyTermIterator(self, automaton, tails, arena: arena)
  }
}
