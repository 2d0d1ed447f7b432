// Shows where the words of a query stand in an item's texts.

package import LimelightAnalysis
package import LimelightItems

/// Finds the places of a query's words in texts.
///
/// A text is analysed like at indexing and its tokens are compared with the query's terms, so what
/// is shown is what was matched, and the places are those of the original text, whatever folding
/// did to it. Linear in the text. One highlighter serves one thread.
package final class Highlighter {
  private let terms: HighlightTerms
  private let analyzer: TextAnalyzer
  private let buffer = TokenBuffer()

  /// Makes a highlighter for the terms of one query.
  package init(_ terms: HighlightTerms, analyzer: TextAnalyzer) {
    self.terms = terms
    self.analyzer = analyzer
  }

  /// The places in all texts of an item that show something, in the order of its values.
  ///
  /// Only attributes whose words are searched take part; those of class *named* show only what the
  /// query looks for in them by name.
  package func highlights(
    of item: ResolvedItem, registry: AttributeRegistry, unit: TextUnit
  ) -> [Highlight] {
    var highlights: [Highlight] = []
    for (id, value) in item.values {
      guard let attribute = registry.attribute(id: id), isShown(attribute) else { continue }
      var valueIndex = 0
      forEachText(value) { utf8 in
        let ranges = ranges(in: utf8, of: attribute)
        if !ranges.isEmpty {
          highlights.append(
            Highlight(
              attribute: Attribute(attribute.name), valueIndex: valueIndex,
              ranges: unit.convert(ranges, in: utf8)))
        }
        valueIndex += 1
      }
    }
    return highlights
  }

  /// The places in one text of an attribute, as byte ranges: ascending, apart, on the edges of
  /// characters.
  ///
  /// A phrase is one range from its first word to its last, and only whole ones are shown. The
  /// text must be valid UTF-8; another gives ranges inside the text all the same.
  package func ranges(
    in utf8: UnsafeBufferPointer<UInt8>, of attribute: ResolvedAttribute
  ) -> [Range<Int>] {
    guard isShown(attribute) else { return [] }
    analyzer.analyze(UnsafeRawBufferPointer(utf8), into: buffer)
    var marks = TokenMarks(buffer)
    if attribute.searchClass == .standard { marks.add(terms.standard) }
    if let patterns = terms.fields[attribute.id] { marks.add(patterns) }
    return marks.ranges(in: utf8)
  }

  private func isShown(_ attribute: ResolvedAttribute) -> Bool {
    switch attribute.searchClass {
    case .standard: !terms.standard.isEmpty || terms.fields[attribute.id] != nil
    case .named: terms.fields[attribute.id] != nil
    case .filter, .none: false
    }
  }
}

/// Which tokens of one text are shown; holds until the next analysis into the same buffer.
private struct TokenMarks {
  // The buffer's columns: asking the buffer for each token would check for exclusive access each
  // time.
  private let count: Int
  private let bytes: UnsafeMutablePointer<UInt8>
  private let start, length, position, sourceStart, sourceEnd: UnsafeMutablePointer<UInt32>
  /// By token: 1 if it is shown, 2 if the gap before it is shown, too.
  private var marks: [UInt8]

  init(_ buffer: TokenBuffer) {
    count = buffer.count
    bytes = buffer.bytes
    start = buffer.start
    length = buffer.length
    position = buffer.position
    sourceStart = buffer.sourceStart
    sourceEnd = buffer.sourceEnd
    marks = [UInt8](repeating: 0, count: count)
  }

  private func term(_ index: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes + Int(start[index]), count: Int(length[index]))
  }

  mutating func add(_ patterns: HighlightPatterns) {
    if patterns.isEmpty { return }
    for index in 0..<count where patterns.matches(term(index)) { marks[index] |= 1 }
    if !patterns.phrases.isEmpty { add(patterns.phrases) }
  }

  /// Marks the words of phrases: forwards to find how many words end a phrase at each place, then
  /// backwards to spread that over these words once, however many phrases overlap.
  private mutating func add(_ phrases: PhraseAutomaton) {
    var state = PhraseAutomaton.start
    var ends: [(index: Int, words: Int)] = []
    for index in 0..<count {
      if index > 0, position[index] != position[index - 1] &+ 1 {
        state = PhraseAutomaton.start
      }
      state = phrases.step(state, term(index))
      let words = phrases.longestMatch(at: state)
      if words > 0 { ends.append((index, words)) }
    }
    var first = count  // the first token already marked
    for (index, words) in ends.reversed() {
      let begin = index - words + 1
      // A later phrase covers the words from `first` to `index`, but not the gap before `first`.
      if begin < first, first <= index { marks[first] |= 2 }
      var place = min(index, first - 1)
      while place >= begin {
        marks[place] |= place > begin ? 3 : 1
        place -= 1
      }
      first = min(first, begin)
    }
  }

  /// The marked tokens as ranges, grown to whole characters and merged where they touch.
  func ranges(in utf8: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var edges = ClusterScanner(utf8)
    for index in 0..<count where marks[index] & 1 != 0 {
      let from = edges.roundDown(min(Int(sourceStart[index]), utf8.count))
      let to = edges.roundUp(min(Int(sourceEnd[index]), utf8.count))
      if let last = ranges.last, marks[index] & 2 != 0 || from <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(to, last.upperBound)
      } else if to > from {
        ranges.append(from..<to)
      }
    }
    return ranges
  }
}
