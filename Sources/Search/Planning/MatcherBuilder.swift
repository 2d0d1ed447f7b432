// Builds the matchers of a planned query for one segment.

internal import LimelightCodecs
internal import LimelightItems
internal import LimelightSegments

/// Turns a plan into matchers over one segment; both outlive it.
struct MatcherBuilder {
  private unowned(unsafe) let plan: QueryPlan
  private unowned(unsafe) let context: SegmentContext
  private let view: Int
  /// Whether scores are wanted; without them, parts that only add to scores are left out.
  private let isScored: Bool
  private var filters: [UInt16: AttributeFilter?] = [:]

  init(_ plan: QueryPlan, _ context: SegmentContext, view: Int, isScored: Bool) {
    self.plan = plan
    self.context = context
    self.view = view
    self.isScored = isScored
  }

  /// The matcher of the whole query, nil if nothing in the segment matches, and the documents that
  /// count.
  ///
  /// Filters at the root do not become matchers but narrow the documents that count, so that one word
  /// or a disjunction under a filter keeps its own loop.
  mutating func buildRoot() throws(CorruptionError) -> (matcher: Matcher, accepted: AcceptedDocs)? {
    var accepted = context.visible
    if case .word(let number) = plan.root {
      guard let list = try term(number) else { return nil }
      return (TermMatcher(list, context), accepted)
    }
    if isFlat(plan.root) {
      guard let words = try flatWords(plan.root) else { return nil }
      return (words, accepted)
    }
    var must: [PlanNode] = []
    var should: [PlanNode] = []
    var not: [PlanNode] = []
    switch plan.root {
    case .all(let nodes): must = nodes
    case .boolean(let wanted, let optional, let excluded):
      must = wanted
      should = optional
      not = excluded
    default: must = [plan.root]
    }
    var rest: [PlanNode] = []
    var filters: [ColumnFilter] = []
    for node in must {
      if case .filter(let filter) = node { filters.append(filter) } else { rest.append(node) }
    }
    if !filters.isEmpty, !rest.isEmpty {
      accepted = accepted.intersected(with: try words(filters), arena: context.scratch)
    } else {
      rest = must
    }
    guard let matcher = try conjunction(rest, should: should, not: not) else { return nil }
    guard isScored, rest.count > 1 else { return (matcher, accepted) }
    if let boolean = matcher as? BooleanMatcher {
      matcher.expandedWords = ExpandedWords(boolean, arena: context.scratch)
    }
    if matcher.expandedWords == nil {
      matcher.seed = try seed(of: rest, not: not, below: matcher.cost)
    }
    return (matcher, accepted)
  }

  /// The same conjunction of the very words that were typed, if these are much rarer.
  ///
  /// What holds them scores far more than what holds another word that begins so. Nil without
  /// expansions, and where it would cost a good part of `cost`.
  private mutating func seed(
    of must: [PlanNode], not: [PlanNode], below cost: Int
  ) throws(CorruptionError) -> Matcher? {
    var words: [PlanNode] = []
    var least = Int.max
    for node in must {
      guard case .expansion(let expansion, _) = node else {
        words.append(node)
        continue
      }
      words.append(.word(expansion.exact))
      let entry = plan.word(expansion.exact).pointee.entries + view
      least = min(least, Int(entry.pointee.documentFrequency))
    }
    guard least > 0, least < cost / 4 else { return nil }
    return try conjunction(words, should: [], not: not)
  }

  // MARK: Words alone

  /// Whether a query is of words that are looked for in whole fields, without any other structure.
  private func isFlat(_ root: PlanNode) -> Bool {
    switch root {
    case .any(let nodes), .all(let nodes): nodes.allSatisfy { isWord($0) }
    case .boolean(let must, let should, let not):
      !must.isEmpty && must.allSatisfy { isWord($0) } && should.allSatisfy { isWord($0) }
        && not.allSatisfy { isWord($0) }
    default: false
    }
  }

  private func isWord(_ node: PlanNode) -> Bool {
    guard case .word(let number) = node else { return false }
    return plan.word(number).pointee.target.attribute == nil
  }

  /// The matcher of a flat query; nil if the segment has nothing that matches.
  private mutating func flatWords(_ root: PlanNode) throws(CorruptionError) -> Matcher? {
    let must: [PlanNode]
    var should: [PlanNode] = []
    var not: [PlanNode] = []
    switch root {
    case .any(let nodes): (must, should) = ([], nodes)
    case .all(let nodes): must = nodes
    case .boolean(let wanted, let optional, let excluded):
      (must, should, not) = (wanted, optional, excluded)
    default: return nil
    }
    let arena = context.scratch
    let lists = arena.allocate(WordQuery.List.self, must.count + should.count + 1)
    let excluded = arena.allocate(WordQuery.List.self, not.count + 1)
    guard try place(must, lists) == must.count else { return nil }
    var count = must.count
    // Optional words add to scores alone.
    if must.isEmpty || isScored { count += try place(should, lists + count) }
    let excludedCount = try place(not, excluded)
    guard count > 0 else { return nil }
    if count == 1, excludedCount == 0 { return TermMatcher(lists[0], context) }
    return WordsMatcher(
      WordQuery(
        lists, count: count, mustCount: must.count, excluded: excluded,
        excludedCount: excludedCount), context)
  }

  /// Opens the lists of words as far as the segment has them, and returns how many.
  private mutating func place(
    _ nodes: [PlanNode], _ lists: UnsafeMutablePointer<WordQuery.List>
  ) throws(CorruptionError) -> Int {
    var count = 0
    for node in nodes {
      guard case .word(let number) = node, let list = try term(number) else { continue }
      (lists + count).initialize(to: list)
      count += 1
    }
    return count
  }

  private mutating func build(_ node: PlanNode) throws(CorruptionError) -> Matcher? {
    switch node {
    case .nothing: return nil
    case .everything: return everything()
    case .word(let number): return try term(number).map { TermMatcher($0, context) }
    case .phrase(let words): return try phrase(words)
    case .expansion(let expansion, let target): return try expand(expansion, target)
    case .filter(let filter): return BitSetMatcher(try words([filter]), context)
    case .not: return try conjunction([node], should: [], not: [])
    case .all(let nodes): return try conjunction(nodes, should: [], not: [])
    case .boolean(let must, let should, let not):
      return try conjunction(must, should: should, not: not)
    case .any(let nodes):
      var children: [Matcher] = []
      for node in nodes {
        if let child = try build(node) { children.append(child) }
      }
      guard let first = children.first else { return nil }
      return children.count == 1 ? first : AnyMatcher(children, context)
    }
  }

  private mutating func conjunction(
    _ must: [PlanNode], should: [PlanNode], not: [PlanNode]
  ) throws(CorruptionError) -> Matcher? {
    var required: [Matcher] = []
    var filters: [ColumnFilter] = []
    var excluded: [PlanNode] = not
    for node in must {
      switch node {
      case .not(let inner): excluded.append(inner)
      case .everything: continue
      case .filter(let filter): filters.append(filter)
      default:
        guard let matcher = try build(node) else { return nil }
        required.append(matcher)
      }
    }
    if !filters.isEmpty {
      required.append(BitSetMatcher(try words(filters), context))
    } else if required.isEmpty {
      required.append(everything())
    }
    if !isScored { try complete(required) }
    var optional: [Matcher] = []
    for node in should where isScored {
      if let matcher = try build(node) { optional.append(matcher) }
    }
    var unwanted: [Matcher] = []
    for node in excluded {
      if let matcher = try build(node) { unwanted.append(matcher) }
    }
    if required.count == 1, optional.isEmpty, unwanted.isEmpty { return required[0] }
    return BooleanMatcher(required: required, optional: optional, excluded: unwanted, context)
  }

  /// Unites expansions as a whole where candidates are so many that no window would be left out.
  private func complete(_ required: [Matcher]) throws(CorruptionError) {
    guard let least = required.map(\.cost).min(), least > Int(context.documentCount) / 64 else {
      return
    }
    for matcher in required {
      if let expansion = matcher as? ExpansionMatcher { try expansion.complete() }
    }
  }

  // MARK: Leaves

  private func everything() -> Matcher {
    let words = DocumentWords.allocate(context.documentCount, arena: context.scratch)
    BitSet.setRange(words, from: 0, to: Int(context.documentCount))
    return BitSetMatcher(words, context)
  }

  /// The documents that all the filters let through.
  private func words(
    _ filters: [ColumnFilter]
  ) throws(CorruptionError) -> UnsafeMutablePointer<UInt64> {
    let words = DocumentWords.allocate(context.documentCount, arena: context.scratch)
    for (index, filter) in filters.enumerated() {
      guard index > 0 else {
        try filter.fill(words, context.segment)
        continue
      }
      let more = DocumentWords.allocate(context.documentCount, arena: context.scratch)
      try filter.fill(more, context.segment)
      BitSet.and(words, more, BitSet.wordCount(Int(context.documentCount)), into: words)
    }
    return words
  }

  /// What narrows lists to an attribute; the outer nil if no item of the segment has it.
  private mutating func filter(_ attribute: UInt16?) -> AttributeFilter?? {
    guard let attribute else { return .some(nil) }
    if let known = filters[attribute] { return known.map { .some($0) } }
    let filter = AttributeFilter(attribute, context.sets, arena: context.scratch)
    filters[attribute] = .some(filter)
    return filter.map { .some($0) }
  }

  /// The list of a word, in the memory of the query.
  private mutating func term(
    _ number: Int, idf: Float? = nil
  ) throws(CorruptionError) -> UnsafeMutablePointer<TermList>? {
    let word = plan.word(number)
    let entry = word.pointee.entries + view
    guard entry.pointee.documentFrequency > 0,
      let filter = filter(word.pointee.target.attribute),
      let dictionary = try context.dictionary(word.pointee.target.field)
    else { return nil }
    if let filter, entry.pointee.signature & filter.signatureBit == 0 { return nil }
    return context.scratch.place(
      try TermList(
        entry.pointee, in: dictionary.pointee, idf: idf ?? word.pointee.idf,
        isPartOfPhrase: idf != nil, filter: filter, context: context, arena: context.scratch))
  }

  private mutating func phrase(
    _ words: [(word: Int, offset: UInt32)]
  ) throws(CorruptionError) -> Matcher? {
    var lists: [(list: UnsafeMutablePointer<TermList>, offset: UInt32)] = []
    var idf: Float = 0
    for (number, offset) in words {
      guard let list = try term(number, idf: 1) else { return nil }
      lists.append((list, offset))
      idf += plan.word(number).pointee.idf
    }
    guard let first = words.first else { return nil }
    return PhraseMatcher(
      lists, idf: idf, attribute: plan.word(first.word).pointee.target.attribute, context)
  }

  private mutating func expand(
    _ expansion: PlanNode.Expansion, _ target: SearchTarget
  ) throws(CorruptionError) -> Matcher? {
    guard let filter = filter(target.attribute),
      let dictionary = try context.dictionary(target.field),
      let union = try TermExpansion.documents(
        expansion.pattern, in: dictionary.pointee, filter: filter, context)
    else { return nil }
    let exact = isScored ? try term(expansion.exact).map { TermMatcher($0, context) } : nil
    return ExpansionMatcher(union, exact: exact, context)
  }
}
