// Plans a query over a snapshot: analyses its texts, looks its words up, gathers statistics.

internal import LimelightAnalysis
internal import LimelightItems
internal import LimelightSegments
internal import LimelightSnapshots

/// A query resolved against a snapshot.
///
/// **Meaning.** A text of several words is a phrase. A named attribute of class standard narrows
/// field 0, one of class named is a field of its own, anything else matches nothing. A prefix of
/// several words is the phrase of those before the last and the prefix of the last, each a condition of
/// its own; a near word of several words wants each of them.
///
/// **Statistics.** `N`, the average length and document frequencies are sums over all segments, dead
/// items included, so that how items are cut into segments never changes a score. The frequency of a
/// word that is asked for in a standard attribute is that of field 0.
struct QueryPlan {
  private(set) var root: PlanNode = .nothing
  private(set) var words: [PlannedWord] = []
  private let analyzer: TextAnalyzer
  private let tokens: TokenBuffer
  private let registry: AttributeRegistry
  /// The numbers of the words; only once there are more than a few.
  private var numbers: [WordKey: Int] = [:]

  private struct WordKey: Hashable {
    let target: SearchTarget
    let term: [UInt8]
  }

  private static let searchedLinearly = 8

  /// Plans a query; `contexts` are those of the snapshot's views, `tokens` a buffer to analyse with.
  init(
    _ query: Query, _ snapshot: Snapshot, _ contexts: [SegmentContext], analyzer: TextAnalyzer,
    tokens: TokenBuffer
  ) throws(CorruptionError) {
    self.analyzer = analyzer
    self.tokens = tokens
    registry = snapshot.registry
    root = plan(query)
    for number in words.indices {
      try lookUp(&words[number], snapshot, contexts)
    }
  }

  /// Finds a word in all segments and weighs it.
  private func lookUp(
    _ word: inout PlannedWord, _ snapshot: Snapshot, _ contexts: [SegmentContext]
  ) throws(CorruptionError) {
    word.entries.reserveCapacity(contexts.count)
    for context in contexts {
      let entry = try context.dictionary(word.target.field)?.find(bytes: word.term)
      word.entries.append(entry)
      word.documentFrequency += Int(entry?.documentFrequency ?? 0)
    }
    if word.documentFrequency > 0 {
      word.idf = ScoreFormula.idf(
        documents: snapshot.documentCount, documentFrequency: word.documentFrequency)
    }
  }

  // MARK: Nodes

  private mutating func plan(_ query: Query) -> PlanNode {
    switch query {
    case .nothing: return .nothing
    case .everything: return .everything
    case .term(let text, let attribute), .phrase(let text, let attribute):
      return plan(attribute) { plan, target in plan.phrase(plan.terms(text), target) }
    case .prefix(let text, let attribute):
      return plan(attribute) { plan, target in plan.prefix(plan.terms(text), target) }
    case .fuzzy(let text, let distance, let attribute):
      return plan(attribute) { plan, target in
        let parts = plan.terms(text).map { plan.fuzzy($0.term, distance, target) }
        return parts.isEmpty ? .nothing : Self.all(parts)
      }
    case .all(let queries): return Self.all(queries.map { plan($0) })
    case .any(let queries): return Self.any(queries.map { plan($0) })
    case .not(let query): return Self.not(plan(query))
    case .boolean(let must, let should, let not):
      return Self.boolean(
        must: must.map { plan($0) }, should: should.map { plan($0) }, not: not.map { plan($0) })
    case .range(let attribute, let lower, let upper):
      guard let known = registry.resolve(attribute.name) else { return .nothing }
      return .filter(ColumnFilter(attribute: known, lower: lower, upper: upper))
    case .domain(let domain): return .filter(ColumnFilter(domain: domain))
    }
  }

  private mutating func plan(
    _ attribute: Attribute?, _ body: (inout QueryPlan, SearchTarget) -> PlanNode
  ) -> PlanNode {
    guard let target = SearchTarget(attribute, registry: registry) else { return .nothing }
    return body(&self, target)
  }

  /// The terms of a text, each with its position.
  private func terms(_ text: String) -> [(term: [UInt8], position: UInt32)] {
    // As `QueryAnalysis` does it, with a buffer that is kept from query to query.
    var text = text
    text.withUTF8 { analyzer.analyze(UnsafeRawBufferPointer($0), into: tokens) }
    return (0..<tokens.count).map { (Array(tokens.term($0)), tokens.position[$0]) }
  }

  /// The number of a word, the same for the same word.
  private mutating func word(_ term: [UInt8], _ target: SearchTarget) -> Int {
    let next = words.count
    if next <= Self.searchedLinearly {
      for (number, word) in words.enumerated()
      where word.term == term && word.target == target { return number }
    } else {
      if numbers.isEmpty {
        for (number, word) in words.enumerated() {
          numbers[WordKey(target: word.target, term: word.term)] = number
        }
      }
      let key = WordKey(target: target, term: term)
      if let known = numbers[key] { return known }
      numbers[key] = next
    }
    words.append(PlannedWord(target: target, term: term))
    return next
  }

  private mutating func phrase(
    _ terms: [(term: [UInt8], position: UInt32)], _ target: SearchTarget
  ) -> PlanNode {
    guard let first = terms.first else { return .nothing }
    if terms.count == 1 { return .word(word(first.term, target)) }
    return .phrase(
      terms.map { (word: word($0.term, target), offset: $0.position &- first.position) })
  }

  private mutating func prefix(
    _ terms: [(term: [UInt8], position: UInt32)], _ target: SearchTarget
  ) -> PlanNode {
    guard let last = terms.last else { return .nothing }
    let expansion = PlanNode.Expansion(
      pattern: .prefix(last.term), exact: word(last.term, target))
    let end = PlanNode.expansion(expansion, target)
    return terms.count == 1 ? end : Self.all([phrase(Array(terms.dropLast()), target), end])
  }

  private mutating func fuzzy(
    _ term: [UInt8], _ distance: Int, _ target: SearchTarget
  ) -> PlanNode {
    guard distance > 0 else { return .word(word(term, target)) }
    let expansion = PlanNode.Expansion(
      pattern: .fuzzy(FuzzyPattern(term, distance: min(distance, 2))), exact: word(term, target))
    return .expansion(expansion, target)
  }
}

// MARK: Simplification

extension QueryPlan {
  /// A flat conjunction, without what changes nothing.
  private static func all(_ nodes: [PlanNode]) -> PlanNode {
    var flat: [PlanNode] = []
    for node in nodes {
      switch node {
      case .nothing: return .nothing
      case .everything: continue
      case .all(let inner): flat += inner
      default: flat.append(node)
      }
    }
    if flat.isEmpty { return .everything }
    return flat.count == 1 ? flat[0] : .all(flat)
  }

  /// A flat disjunction, without what changes nothing.
  private static func any(_ nodes: [PlanNode]) -> PlanNode {
    var flat: [PlanNode] = []
    for node in nodes {
      switch node {
      case .nothing: continue
      case .any(let inner): flat += inner
      default: flat.append(node)
      }
    }
    if flat.isEmpty { return .nothing }
    return flat.count == 1 ? flat[0] : .any(flat)
  }

  private static func not(_ node: PlanNode) -> PlanNode {
    switch node {
    case .nothing: .everything
    case .everything: .nothing
    default: .not(node)
    }
  }

  private static func boolean(
    must: [PlanNode], should: [PlanNode], not: [PlanNode]
  ) -> PlanNode {
    let excluded = not.filter { !$0.isNothing }
    let wanted = must.isEmpty && !should.isEmpty ? any(should) : all(must)
    if wanted.isNothing { return .nothing }
    let optional = must.isEmpty ? [] : should.filter { $0.isScored }
    if excluded.isEmpty && optional.isEmpty { return wanted }
    return .boolean(must: [wanted], should: optional, not: excluded)
  }
}

extension TermDictionary {
  /// Finds a term given as an array.
  func find(bytes: [UInt8]) throws(CorruptionError) -> TermEntry? {
    var result: Result<TermEntry?, CorruptionError> = .success(nil)
    bytes.withUnsafeBytes { term in
      do throws(CorruptionError) {
        result = .success(try find(term))
      } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }
}
