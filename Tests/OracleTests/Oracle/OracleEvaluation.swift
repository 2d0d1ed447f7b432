// Which items match a query and what they score, item by item.

import Limelight

/// One query over all items.
///
/// Leaves are worked out for every item first; then each item goes through the tree. The score of
/// an item is one running sum in `Float`, in the order of the query's leaves.
struct OracleEvaluation {
  /// A query whose leaves know each item's answer, by its place.
  private indirect enum Node {
    /// Nil where the item does not match.
    case scores([Float?])
    case matches([Bool])
    case all([Node])
    case any([Node])
    case boolean(must: [Node], should: [Node], not: [Node])
    case not(Node)
  }

  private let oracle: Oracle
  private let items: [OracleItem]
  private let scoring: OracleScoring

  init(_ oracle: Oracle, _ weights: Weights) {
    self.oracle = oracle
    items = oracle.items
    scoring = OracleScoring(items, oracle.words, weights)
  }

  mutating func hits(_ query: Query) -> [OracleHit] {
    let root = node(query)
    var found: [(place: Int, score: Float)] = []
    for (place, item) in items.enumerated() where !item.isExpired && matches(root, place) {
      var score: Float = 0
      add(root, place, &score)
      found.append((place, score))
    }
    found.sort { $0.score != $1.score ? $0.score > $1.score : $0.place < $1.place }
    return found.map { OracleHit(id: items[$0.place].item.id, score: $0.score) }
  }

  private func matches(_ node: Node, _ place: Int) -> Bool {
    switch node {
    case .scores(let scores): scores[place] != nil
    case .matches(let matches): matches[place]
    case .all(let nodes): nodes.allSatisfy { matches($0, place) }
    case .any(let nodes): nodes.contains { matches($0, place) }
    case .not(let node): !matches(node, place)
    case .boolean(let must, let should, let not):
      must.allSatisfy { matches($0, place) } && !not.contains { matches($0, place) }
        && (!must.isEmpty || should.isEmpty || should.contains { matches($0, place) })
    }
  }

  private func add(_ node: Node, _ place: Int, _ score: inout Float) {
    switch node {
    case .scores(let scores): score += scores[place] ?? 0
    case .matches, .not: break
    case .all(let nodes), .any(let nodes):
      for node in nodes where matches(node, place) { add(node, place, &score) }
    case .boolean(let must, let should, _):
      for node in must + should where matches(node, place) { add(node, place, &score) }
    }
  }

  // MARK: Nodes

  private func node(_ query: Query) -> Node {
    switch query {
    case .term(let text, let attribute), .phrase(let text, let attribute):
      inTarget(attribute) { phrase(numbers(text), $0) }
    case .prefix(let text, let attribute):
      inTarget(attribute) { prefix(numbers(text), $0) }
    case .fuzzy(let text, let distance, let attribute):
      inTarget(attribute) { target in
        let words = numbers(text)
        let parts = words.map { fuzzy($0, min(max(distance, 0), 2), target) }
        return words.isEmpty ? nothing : .all(parts)
      }
    case .all(let queries): .all(queries.map(node))
    case .any(let queries): .any(queries.map(node))
    case .boolean(let must, let should, let not):
      .boolean(must: must.map(node), should: should.map(node), not: not.map(node))
    case .not(let query): .not(node(query))
    case .range(let attribute, let lower, let upper):
      .matches(items.map { OracleRange(attribute, lower, upper).contains($0, oracle.registry) })
    case .domain(let domain): .matches(items.map { $0.isIn(domain: domain) })
    case .everything: .matches(items.map { _ in true })
    case .nothing: nothing
    }
  }

  private var nothing: Node { .matches(items.map { _ in false }) }

  private func numbers(_ text: String) -> [Int] { oracle.words.numbers(of: text) }

  private func inTarget(_ attribute: Attribute?, _ body: (OracleTarget) -> Node) -> Node {
    guard let attribute else { return body(.standard) }
    let slot = oracle.words.slot(of: attribute)
    switch oracle.registry.searchClass(of: attribute) {
    case .standard?: return body(.attribute(slot))
    case .named?: return body(.named(slot))
    case .filter?, SearchClass.none?, nil: return nothing
    }
  }

  private func phrase(_ words: [Int], _ target: OracleTarget) -> Node {
    switch words.count {
    case 0: nothing
    case 1: .scores(scoring.scores(word: words[0], target))
    default: .scores(scoring.scores(phrase: words, target))
    }
  }

  private func prefix(_ words: [Int], _ target: OracleTarget) -> Node {
    guard let last = words.last else { return nothing }
    let beginning = oracle.words.scalars[last]
    let end = expansion(last, target) { $0.starts(with: beginning) }
    return words.count == 1 ? end : .all([phrase(Array(words.dropLast()), target), end])
  }

  private func fuzzy(_ word: Int, _ distance: Int, _ target: OracleTarget) -> Node {
    if distance == 0 { return phrase([word], target) }
    let pattern = oracle.words.scalars[word]
    return expansion(word, target) {
      OracleDistance.of(pattern, $0, limit: distance) <= distance
    }
  }

  private func expansion(
    _ word: Int, _ target: OracleTarget, _ isWanted: ([Unicode.Scalar]) -> Bool
  ) -> Node {
    .scores(scoring.scores(expansion: oracle.words.scalars.map(isWanted), exact: word, target))
  }
}

/// The edit distance in which a swap of neighbours is one edit, and nothing is edited twice.
enum OracleDistance {
  /// The distance, or some number beyond the limit.
  static func of(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar], limit: Int) -> Int {
    if abs(a.count - b.count) > limit { return limit + 1 }
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, beforeLast[j - 1] + 1)
        }
        row.append(best)
      }
      // Later rows come from the last two.
      if min(row.min() ?? 0, last.min() ?? 0) > limit { return limit + 1 }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
