// The table of terms and the automaton of phrases against plain arrays.

import LimelightSearch
import Testing

@Suite struct TermTableTests {
  private func word(_ random: inout SplitMix) -> [UInt8] {
    (0..<Int.random(in: 1...6, using: &random)).map { _ in
      UInt8.random(in: 0x61...0x63, using: &random)
    }
  }

  @Test func findsWhatWasInserted() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix(state: seed)
    var table = TermTable()
    var terms: [[UInt8]] = []
    #expect(table.isEmpty && [0x61].withUnsafeBytes { table.find($0) } == nil)
    for _ in 0..<600 {
      let asked = word(&random)
      let number = terms.firstIndex(of: asked)
      #expect(asked.withUnsafeBytes { table.find($0) } == number, "seed \(seed)")
      let begins = terms.contains { asked.starts(with: $0) }
      #expect(asked.withUnsafeBytes { table.containsPrefix(of: $0) } == begins, "seed \(seed)")
      let term = word(&random)
      let known = terms.firstIndex(of: term)
      if known == nil { terms.append(term) }
      #expect(table.insert(term) == known ?? terms.count - 1, "seed \(seed)")
    }
    #expect(table.count == terms.count)
  }

  @Test func longTermsAreFound() {
    var table = TermTable()
    let longest = [UInt8](repeating: 0x61, count: 255)
    table.insert(longest)
    #expect(longest.withUnsafeBytes { table.find($0) } == 0)
    let longer = longest + [0x61]
    #expect(longer.withUnsafeBytes { table.find($0) } == nil)
    #expect(longer.withUnsafeBytes { table.containsPrefix(of: $0) })
  }

  @Test func automatonFindsTheLongestPhrase() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix(state: seed)
    func words(_ count: ClosedRange<Int>) -> [[UInt8]] {
      (0..<Int.random(in: count, using: &random)).map { _ in
        [UInt8.random(in: 0x61...0x63, using: &random)]
      }
    }
    for _ in 0..<400 {
      let phrases = (0..<Int.random(in: 1...6, using: &random)).map { _ in words(2...5) }
      var automaton = PhraseAutomaton()
      phrases.forEach { automaton.insert($0) }
      automaton.seal()
      let text = words(0...40)
      var state = PhraseAutomaton.start
      for end in text.indices {
        state = text[end].withUnsafeBytes { automaton.step(state, $0) }
        let longest =
          phrases.filter { text[...end].suffix($0.count).elementsEqual($0) }
          .map(\.count).max() ?? 0
        #expect(automaton.longestMatch(at: state) == longest, "seed \(seed)")
      }
    }
  }
}
