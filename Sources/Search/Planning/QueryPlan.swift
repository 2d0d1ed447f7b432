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
///
/// A searcher keeps one and plans query after query with it. Words and their entries lie in the memory of
/// the query: a plan is good until that is reset.
final class QueryPlan {
  private(set) var root: PlanNode = .nothing
  /// Whether a part was left out because the query is nested too deeply.
  private(set) var isTooDeep = false
  private(set) var wordCount = 0
  private var wordRoom = 0
  private var words: UnsafeMutablePointer<PlannedWord>
  private let snapshot: Snapshot
  private let viewCount: Int
  private let analyzer: TextAnalyzer
  private let tokens: TokenBuffer
  private let arena: ScratchArena
  /// The numbers of the words; only once there are more than a few.
  private var numbers: [WordKey: Int] = [:]

  private struct WordKey: Hashable {
    let target: SearchTarget
    let term: [UInt8]

    init(_ target: SearchTarget, _ term: UnsafeRawBufferPointer) {
      self.target = target
      self.term = Array(term)
    }
  }

  private static let searchedLinearly = 8

  /// Makes a plan of nothing; it takes its memory from an arena and analyses with a buffer of tokens.
  init(
    _ snapshot: Snapshot, analyzer: TextAnalyzer, tokens: TokenBuffer, arena: ScratchArena
  ) {
    self.snapshot = snapshot
    viewCount = snapshot.views.count
    self.analyzer = analyzer
    self.tokens = tokens
    self.arena = arena
    words = arena.allocate(PlannedWord.self, 0)
  }

  /// Plans a query instead of the one before, with the contexts of the snapshot's views and the terms of
  /// their standard fields.
  ///
  /// For the first query, whose bytes may have to come from the disk, the system is asked for what all
  /// words need before the first of them is read.
  func plan(
    _ query: Query, _ contexts: [SegmentContext], standard: UnsafePointer<TermIndex?>,
    isFirst: Bool
  ) throws(CorruptionError) {
    begin()
    root = plan(query, depth: 1)
    if isFirst && wordCount > 1 {
      for number in 0..<wordCount where words[number].target.field == .standard {
        for view in 0..<viewCount { try standard[view]?.prefetch(words[number].term) }
      }
    }
    for number in 0..<wordCount { try lookUp(words + number, contexts, standard) }
    if isFirst {
      for number in 0..<wordCount {
        for view in 0..<viewCount { contexts[view].prefetch(words[number].entries[view]) }
      }
    }
  }

  /// Whether anything may match.
  var canMatch: Bool {
    if isTooDeep { return false }
    switch root {
    case .nothing: return false
    case .word(let number): return words[number].documentFrequency > 0
    default: return true
    }
  }

  private func begin() {
    isTooDeep = false
    wordCount = 0
    wordRoom = Self.searchedLinearly
    words = arena.allocate(PlannedWord.self, wordRoom)
    if !numbers.isEmpty { numbers = [:] }
  }

  /// A word by its number.
  func word(_ number: Int) -> UnsafePointer<PlannedWord> { UnsafePointer(words + number) }

  /// Finds a word in all segments and weighs it.
  @inline(__always)
  private func lookUp(
    _ word: UnsafeMutablePointer<PlannedWord>, _ contexts: [SegmentContext],
    _ standard: UnsafePointer<TermIndex?>
  ) throws(CorruptionError) {
    let isStandard = word.pointee.target.field == .standard
    var sum = 0
    for view in 0..<viewCount {
      let entry = word.pointee.entries + view
      entry.initialize(to: TermEntry())
      let isThere =
        isStandard
        ? try standard[view]?.find(word.pointee.term, into: &entry.pointee)
        : try contexts[view].dictionary(word.pointee.target.field)?
          .pointee.index.find(word.pointee.term, into: &entry.pointee)
      guard isThere == true else {
        entry.pointee.documentFrequency = 0
        continue
      }
      sum &+= Int(entry.pointee.documentFrequency)
    }
    word.pointee.documentFrequency = sum
    if sum > 0 {
      word.pointee.idf = ScoreFormula.idf(
        documents: snapshot.documentCount, documentFrequency: sum)
    }
  }

  // MARK: Nodes

  private func plan(_ query: Query, depth: Int) -> PlanNode {
    guard depth <= Query.maximumDepth else {
      isTooDeep = true
      return .nothing
    }
    switch query {
    case .nothing: return .nothing
    case .everything: return .everything
    case .term(let text, let attribute), .phrase(let text, let attribute):
      return inTarget(attribute) { phrase(analyze(text), $0) }
    case .prefix(let text, let attribute):
      return inTarget(attribute) { prefix(analyze(text), $0) }
    case .fuzzy(let text, let distance, let attribute):
      return inTarget(attribute) { fuzzy(analyze(text), distance, $0) }
    case .all(let queries): return all(queries, depth)
    case .any(let queries): return any(queries, depth)
    case .not(let query): return Self.not(plan(query, depth: depth + 1))
    case .boolean(let must, let should, let not):
      return boolean(must: must, should: should, not: not, depth)
    case .range(let attribute, let lower, let upper):
      guard let known = snapshot.registry.resolve(attribute.name) else { return .nothing }
      return .filter(ColumnFilter(attribute: known, lower: lower, upper: upper))
    case .domain(let domain): return .filter(ColumnFilter(domain: domain))
    }
  }

  @inline(__always)
  private func inTarget(
    _ attribute: Attribute?, _ body: (SearchTarget) -> PlanNode
  ) -> PlanNode {
    guard let attribute else { return body(.standard) }
    guard let target = SearchTarget(attribute, registry: snapshot.registry) else {
      return .nothing
    }
    return body(target)
  }

  /// Puts the terms of a text into the buffer of tokens and returns their number.
  @inline(__always)
  private func analyze(_ text: String) -> Int {
    // As `QueryAnalysis` does it, with a buffer that is kept from query to query.
    var text = text
    text.withUTF8 { analyzer.analyze(UnsafeRawBufferPointer($0), into: tokens) }
    return tokens.count
  }

  /// The number of the word that a token is, the same for the same word.
  private func word(ofToken token: Int, _ target: SearchTarget) -> Int {
    let term = tokens.term(token)
    let next = wordCount
    if next <= Self.searchedLinearly {
      for number in 0..<next
      where words[number].target == target && TermOrder.compare(words[number].term, term) == 0 {
        return number
      }
    } else {
      if numbers.isEmpty {
        for number in 0..<next {
          numbers[WordKey(words[number].target, words[number].term)] = number
        }
      }
      let key = WordKey(target, term)
      if let known = numbers[key] { return known }
      numbers[key] = next
    }
    if next == wordRoom { growWords() }
    let bytes = UnsafeMutableRawPointer(arena.allocate(UInt8.self, term.count))
    if let source = term.baseAddress { bytes.copyMemory(from: source, byteCount: term.count) }
    (words + next).initialize(
      to: PlannedWord(
        target: target, term: UnsafeRawBufferPointer(start: bytes, count: term.count),
        entries: arena.allocate(TermEntry.self, viewCount)))
    wordCount = next &+ 1
    return next
  }

  private func growWords() {
    let more = arena.allocate(PlannedWord.self, wordRoom * 2)
    more.moveInitialize(from: words, count: wordCount)
    words = more
    wordRoom *= 2
  }

  /// The first so many tokens as a phrase.
  private func phrase(_ count: Int, _ target: SearchTarget) -> PlanNode {
    if count == 0 { return .nothing }
    if count == 1 { return .word(word(ofToken: 0, target)) }
    let first = tokens.position[0]
    return .phrase(
      (0..<count).map {
        (word: word(ofToken: $0, target), offset: tokens.position[$0] &- first)
      })
  }

  private func prefix(_ count: Int, _ target: SearchTarget) -> PlanNode {
    guard count > 0 else { return .nothing }
    let expansion = PlanNode.Expansion(
      pattern: .prefix(Array(tokens.term(count - 1))), exact: word(ofToken: count - 1, target))
    let end = PlanNode.expansion(expansion, target)
    return count == 1 ? end : .all([phrase(count - 1, target), end])
  }

  private func fuzzy(_ count: Int, _ distance: Int, _ target: SearchTarget) -> PlanNode {
    let parts = (0..<count).map { token -> PlanNode in
      let exact = word(ofToken: token, target)
      guard distance > 0 else { return .word(exact) }
      let pattern = FuzzyPattern(Array(tokens.term(token)), distance: min(distance, 2))
      return .expansion(PlanNode.Expansion(pattern: .fuzzy(pattern), exact: exact), target)
    }
    guard let first = parts.first else { return .nothing }
    return parts.count == 1 ? first : .all(parts)
  }
}

// MARK: Combinations

extension QueryPlan {
  /// A flat conjunction, without what changes nothing.
  private func all(_ queries: [Query], _ depth: Int) -> PlanNode {
    var flat: [PlanNode] = []
    flat.reserveCapacity(queries.count)
    var isNothing = false
    for query in queries {
      switch plan(query, depth: depth + 1) {
      case .nothing: isNothing = true
      case .everything: continue
      case .all(let inner): flat += inner
      case let node: flat.append(node)
      }
    }
    if isNothing { return .nothing }
    if flat.isEmpty { return .everything }
    return flat.count == 1 ? flat[0] : .all(flat)
  }

  /// A flat disjunction, without what changes nothing.
  private func any(_ queries: [Query], _ depth: Int) -> PlanNode {
    var flat: [PlanNode] = []
    flat.reserveCapacity(queries.count)
    for query in queries {
      switch plan(query, depth: depth + 1) {
      case .nothing: continue
      case .any(let inner): flat += inner
      case let node: flat.append(node)
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

  private func boolean(
    must: [Query], should: [Query], not: [Query], _ depth: Int
  ) -> PlanNode {
    let wanted: PlanNode
    var optional: [PlanNode] = []
    if must.isEmpty && !should.isEmpty {
      wanted = any(should, depth)
    } else {
      wanted = all(must, depth)
      for query in should {
        let node = plan(query, depth: depth + 1)
        if node.isScored { optional.append(node) }
      }
    }
    var excluded: [PlanNode] = []
    for query in not {
      let node = plan(query, depth: depth + 1)
      if !node.isNothing { excluded.append(node) }
    }
    if wanted.isNothing { return .nothing }
    if excluded.isEmpty && optional.isEmpty { return wanted }
    if case .all(let parts) = wanted {
      return .boolean(must: parts, should: optional, not: excluded)
    }
    return .boolean(must: [wanted], should: optional, not: excluded)
  }
}
