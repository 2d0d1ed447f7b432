// What of a query can be shown in a text: its words, beginnings, phrases and near words.

package import LimelightAnalysis
package import LimelightItems

/// The patterns of a query by the attributes in which they are looked for.
///
/// Built once a query and used for all its hits. What is negated, ranges and domains show nothing.
package struct HighlightTerms: Sendable {
  /// A test on the bytes of a term, such as a fuzzy automaton.
  package typealias TermTest = @Sendable (UnsafeRawBufferPointer) -> Bool
  /// Makes the test for the words within a distance of a term.
  package typealias FuzzyTest = (_ term: [UInt8], _ distance: Int) -> TermTest

  /// Patterns without an attribute: for the attributes of class *standard*.
  private(set) var standard = HighlightPatterns()
  /// Patterns of one attribute, by its number.
  private(set) var fields: [UInt16: HighlightPatterns] = [:]

  /// Makes terms that show nothing.
  package init() {}

  /// Collects what a query can show.
  ///
  /// - Parameters:
  ///   - query: The query, of any depth.
  ///   - analyzer: The analyser of the index.
  ///   - registry: The attributes of the index; what it does not know shows nothing.
  ///   - fuzzy: Makes the tests for near words.
  package init(
    _ query: Query, analyzer: TextAnalyzer, registry: AttributeRegistry, fuzzy: FuzzyTest
  ) {
    var pending = [query]
    while let query = pending.popLast() {
      switch query {
      case .term(let text, let attribute), .phrase(let text, let attribute):
        guard let field = Field(attribute, registry) else { continue }
        insert(phrase: QueryAnalysis.terms(of: text, analyzer: analyzer).map(\.term), in: field)
      case .prefix(let text, let attribute):
        guard let field = Field(attribute, registry) else { continue }
        var terms = QueryAnalysis.terms(of: text, analyzer: analyzer).map(\.term)
        guard let last = terms.popLast() else { continue }
        insert(phrase: terms, in: field)
        edit(field) { $0.prefixes.insert(last) }
      case .fuzzy(let text, let distance, let attribute):
        guard let field = Field(attribute, registry) else { continue }
        for term in QueryAnalysis.terms(of: text, analyzer: analyzer) {
          let test = fuzzy(term.term, min(max(distance, 0), 2))
          edit(field) { $0.tests.append(test) }
        }
      case .not: continue
      case .boolean(let must, let should, _): pending += must + should
      default: pending += query.children
      }
    }
    standard.phrases.seal()
    for field in fields.keys { fields[field]?.phrases.seal() }
  }

  /// Whether nothing can be shown.
  package var isEmpty: Bool { standard.isEmpty && fields.isEmpty }

  /// Where a pattern is looked for.
  private enum Field {
    case standard
    case attribute(UInt16)

    init?(_ attribute: Attribute?, _ registry: AttributeRegistry) {
      guard let attribute else {
        self = .standard
        return
      }
      guard let resolved = registry.resolve(attribute.name) else { return nil }
      self = .attribute(resolved.id)
    }
  }

  private mutating func insert(phrase terms: [[UInt8]], in field: Field) {
    guard let first = terms.first else { return }
    edit(field) { patterns in
      if terms.count == 1 {
        patterns.words.insert(first)
      } else {
        patterns.phrases.insert(terms)
      }
    }
  }

  private mutating func edit(_ field: Field, _ body: (inout HighlightPatterns) -> Void) {
    switch field {
    case .standard: body(&standard)
    case .attribute(let id): body(&fields[id, default: HighlightPatterns()])
    }
  }
}

/// The patterns for one text.
struct HighlightPatterns: Sendable {
  /// Whole words.
  var words = TermTable()
  /// Beginnings of words.
  var prefixes = TermTable()
  /// Words in a row.
  var phrases = PhraseAutomaton()
  /// Tests for near words.
  var tests: [HighlightTerms.TermTest] = []

  /// Whether there is no pattern.
  var isEmpty: Bool {
    words.isEmpty && prefixes.isEmpty && phrases.isEmpty && tests.isEmpty
  }

  /// Whether the term is wanted by itself, outside any phrase.
  func matches(_ term: UnsafeRawBufferPointer) -> Bool {
    words.find(term) != nil || prefixes.containsPrefix(of: term)
      || tests.contains { $0(term) }
  }
}
