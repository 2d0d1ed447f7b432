// Finds all phrases of a query in one pass over a text's words (Aho and Corasick, 1975).

/// An automaton over the numbers of words.
///
/// A state stands for the longest beginning of any phrase that the words read so far end with. One
/// step a word, so reading is linear in the text whatever the number of phrases; a phrase such
/// as `a a a a`, tried at each place, would not be.
package struct PhraseAutomaton: Sendable {
  private struct State: Sendable {
    var depth = 0
    var parent = 0
    var word = 0
    /// The state of the longest shorter end that is a beginning, too.
    var fallback = 0
    /// Words of the longest phrase that ends here, 0 for none.
    var longest = 0
  }

  private var words = TermTable()
  private var states = [State()]
  private var edges: [UInt64: Int] = [:]

  package init() {}

  /// The state before the first word.
  package static var start: Int { 0 }
  /// Whether there is no phrase.
  package var isEmpty: Bool { states.count == 1 }

  /// Adds a phrase; ``seal()`` must follow the last one.
  package mutating func insert(_ phrase: [[UInt8]]) {
    var state = Self.start
    for term in phrase {
      let word = words.insert(term)
      let key = Self.key(state, word)
      if let next = edges[key] {
        state = next
        continue
      }
      states.append(State(depth: states[state].depth + 1, parent: state, word: word))
      edges[key] = states.count - 1
      state = states.count - 1
    }
    states[state].longest = states[state].depth
  }

  /// Sets the fallbacks, shallow states first, since each builds on a shallower one.
  package mutating func seal() {
    let order = states.indices.dropFirst().sorted { states[$0].depth < states[$1].depth }
    for index in order {
      let state = states[index]
      let fallback =
        state.depth == 1
        ? Self.start : step(states[state.parent].fallback, word: state.word)
      states[index].fallback = fallback
      if state.longest == 0 { states[index].longest = states[fallback].longest }
    }
  }

  /// The state after one more word of the text.
  package func step(_ state: Int, _ term: UnsafeRawBufferPointer) -> Int {
    guard let word = words.find(term) else { return Self.start }
    return step(state, word: word)
  }

  /// Words of the longest phrase that ends with the word last read, 0 for none.
  package func longestMatch(at state: Int) -> Int { states[state].longest }

  private func step(_ state: Int, word: Int) -> Int {
    var state = state
    while true {
      if let next = edges[Self.key(state, word)] { return next }
      if state == Self.start { return state }
      state = states[state].fallback
    }
  }

  private static func key(_ state: Int, _ word: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: state) << 32 | UInt64(truncatingIfNeeded: word)
  }
}
