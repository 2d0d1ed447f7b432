// The reference: every item looked at, every score by the letter of the formula.

import Foundation
import LimelightItems
import LimelightSearch
import LimelightSegments

/// Evaluates queries over all items of a model, one after the other.
struct ModelOracle {
  struct Answer: Equatable {
    let document: Int
    let score: Float
  }

  private let documents: [ModelDocument]
  private let lists: [FieldKey: [String: [(document: Int, posting: ModelPosting)]]]
  private let factors: [Float]
  private let weights: Weights

  init(_ index: ModelIndex, weights: Weights) {
    documents = index.documents
    var lists: [FieldKey: [String: [(document: Int, posting: ModelPosting)]]] = [:]
    for (number, document) in documents.enumerated() {
      for (key, terms) in ModelSegment.invert(document) {
        for (term, posting) in terms {
          lists[key, default: [:]][term, default: []].append((number, posting))
        }
      }
    }
    self.lists = lists
    self.weights = weights
    let lengths = documents.map(ModelSegment.length)
    let tokens = lengths.reduce(0, +)
    let average = tokens == 0 ? 1 : Double(tokens) / Double(max(lengths.count, 1))
    factors = lengths.map {
      Float(1.2 * (1 - 0.75 + 0.75 * Double(Self.rounded($0)) / average))
    }
  }

  /// A length as the norm keeps it: three bits below the leading one.
  private static func rounded(_ length: Int) -> Int {
    guard length >= 16 else { return length }
    var shift = 0
    while length >> shift >= 16 { shift += 1 }
    return (length >> shift) << shift
  }

  /// All matches, best first.
  func answers(_ query: Query) -> [Answer] {
    let node = prepare(query)
    var answers: [Answer] = []
    for (number, document) in documents.enumerated() {
      if document.isDead { continue }
      if let expiry = document.expiry, expiry <= ModelIndex.now { continue }
      guard node.matches(number) else { continue }
      var score: Float = 0
      node.add(number, &score)
      answers.append(Answer(document: number, score: score))
    }
    return answers.sorted { ($1.score, $0.document) < ($0.score, $1.document) }
  }

  // MARK: Parts of a query

  private indirect enum Node {
    /// The score of each item that matches.
    case leaf([Float?], isScored: Bool)
    case all([Node])
    case any([Node])
    case not(Node)
    /// Optional parts that only add scores.
    case optional([Node])

    func matches(_ document: Int) -> Bool {
      switch self {
      case .leaf(let scores, _): scores[document] != nil
      case .all(let nodes): nodes.allSatisfy { $0.matches(document) }
      case .any(let nodes): nodes.contains { $0.matches(document) }
      case .not(let node): !node.matches(document)
      case .optional: true
      }
    }

    func add(_ document: Int, _ score: inout Float) {
      switch self {
      case .leaf(let scores, let isScored):
        if isScored, let own = scores[document] { score += own }
      case .not: break
      case .all(let nodes), .any(let nodes), .optional(let nodes):
        for node in nodes where node.matches(document) { node.add(document, &score) }
      }
    }
  }

  private func prepare(_ query: Query) -> Node {
    switch query {
    case .term(let text, let attribute), .phrase(let text, let attribute):
      let words = text.split(separator: " ").map(String.init)
      return words.count == 1 ? word(words[0], attribute) : phrase(words, attribute)
    case .prefix(let text, let attribute):
      let words = text.split(separator: " ").map(String.init)
      let last = expansion(words.last ?? "", attribute) { $0.hasPrefix(words.last ?? "") }
      return words.count == 1
        ? last
        : .all([
          prepare(.phrase(words.dropLast().joined(separator: " "), in: attribute)), last,
        ])
    case .fuzzy(let text, let distance, let attribute):
      return .all(
        text.split(separator: " ").map { part in
          distance < 1
            ? word(String(part), attribute)
            : expansion(String(part), attribute) {
              Self.distance(Array($0), Array(part)) <= min(distance, 2)
            }
        })
    case .all(let queries): return .all(queries.map(prepare))
    case .any(let queries): return .any(queries.map(prepare))
    case .not(let query): return .not(prepare(query))
    case .boolean(let must, let should, let not):
      let excluded = not.map { Node.not(prepare($0)) }
      if must.isEmpty && !should.isEmpty { return .all([.any(should.map(prepare))] + excluded) }
      return .all(must.map(prepare) + [.optional(should.map(prepare))] + excluded)
    case .everything: return filter { _ in true }
    case .nothing: return filter { _ in false }
    case .domain(let domain):
      return filter { $0.domain.map { $0 == domain || $0.hasPrefix(domain + ".") } ?? false }
    case .range(let attribute, let lower, let upper): return range(attribute, lower, upper)
    }
  }

  private func filter(_ test: (ModelDocument) -> Bool) -> Node {
    .leaf(documents.map { test($0) ? 0 : nil }, isScored: false)
  }

  private func range(_ attribute: Attribute, _ lower: RangeBound, _ upper: RangeBound) -> Node {
    func holds<T>(_ value: T?, _ read: (RangeValue) -> T?, _ isLess: (T, T) -> Bool) -> Bool {
      guard let value else { return false }
      switch lower {
      case .open: break
      case .included(let bound):
        guard let bound = read(bound), !isLess(value, bound) else { return false }
      case .excluded(let bound):
        guard let bound = read(bound), isLess(bound, value) else { return false }
      }
      switch upper {
      case .open: return true
      case .included(let bound): return read(bound).map { !isLess($0, value) } ?? false
      case .excluded(let bound): return read(bound).map { isLess(value, $0) } ?? false
      }
    }
    let id = attribute.definition?.id
    return filter { document in
      if id == ModelAttributes.number?.id {
        return holds(
          document.number, { if case .number(let n) = $0 { n } else { nil } }, { $0 < $1 })
      }
      if id == ModelAttributes.date?.id {
        return holds(
          document.date, { if case .date(let d) = $0 { d.microseconds } else { nil } },
          { $0 < $1 })
      }
      if id == ModelIndex.labelAttribute?.id {
        return holds(
          document.label, { if case .string(let s) = $0 { s } else { nil } },
          { a, b in
            let folded = (Array(modelFold(a).utf8), Array(modelFold(b).utf8))
            return folded.0 == folded.1
              ? a.utf8.lexicographicallyPrecedes(b.utf8)
              : folded.0.lexicographicallyPrecedes(folded.1)
          })
      }
      return false
    }
  }

  // MARK: Words

  /// The field of an attribute, and the standard attribute that was named.
  private func target(_ attribute: Attribute?) -> (key: FieldKey, only: UInt16?)? {
    guard let attribute else { return (.standard, nil) }
    guard let definition = attribute.definition else { return nil }
    switch definition.searchClass {
    case .standard: return (.standard, definition.id)
    case .named: return (.named(definition.id), nil)
    default: return nil
    }
  }

  private func weight(_ attribute: UInt16) -> Float {
    AttributeTable.definition(id: attribute).map { weights[Attribute($0.name)] } ?? 0
  }

  private func idf(_ word: String, _ key: FieldKey) -> Float {
    let n = Double(documents.count)
    let df = Double(lists[key]?[word]?.count ?? 0)
    return Float(log(1 + (n - df + 0.5) / (df + 0.5)))
  }

  private func score(_ idf: Float, _ tf: Int, _ document: Int, _ boost: Float) -> Float {
    let tf = Float(tf)
    return idf * (tf / (tf + factors[document]) + boost)
  }

  /// The nearest multiple of 2^-16, for scores below 64.
  private func onGrid(_ score: Float) -> Float {
    score < 64 ? (score * 65_536).rounded(.toNearestOrEven) / 65_536 : score
  }

  private func wordScores(_ word: String, _ attribute: Attribute?) -> [Float?] {
    guard let (key, only) = target(attribute) else { return documents.map { _ in nil } }
    let idf = idf(word, key)
    var scores = [Float?](repeating: nil, count: documents.count)
    for (document, posting) in lists[key]?[word] ?? [] {
      if let only, !posting.attributes.contains(only) { continue }
      let boost = only.map(weight) ?? posting.attributes.map(weight).max() ?? 0
      scores[document] = onGrid(score(idf, posting.positions.count, document, boost))
    }
    return scores
  }

  private func word(_ word: String, _ attribute: Attribute?) -> Node {
    .leaf(wordScores(word, attribute), isScored: true)
  }

  private func phrase(_ words: [String], _ attribute: Attribute?) -> Node {
    guard let (key, only) = target(attribute) else { return filter { _ in false } }
    var sum: Float = 0
    for word in words { sum += idf(word, key) }
    let scores: [Float?] = documents.enumerated().map { number, document in
      var count = 0
      var boost: Float = 0
      for (attribute, text) in document.values {
        let isHere =
          key == .standard
          ? !ModelSegment.isNamed(attribute) && (only == nil || only == attribute)
          : attribute == key.attribute
        guard isHere, text.count >= words.count else { continue }
        for start in 0...(text.count - words.count)
        where Array(text[start..<(start + words.count)]) == words {
          count += 1
          boost = max(boost, weight(attribute))
        }
      }
      return count > 0 ? score(sum, count, number, boost) : nil
    }
    return .leaf(scores, isScored: true)
  }

  private func expansion(
    _ exact: String, _ attribute: Attribute?, _ test: (String) -> Bool
  ) -> Node {
    guard let (key, only) = target(attribute) else { return filter { _ in false } }
    let exactScores = wordScores(exact, attribute)
    var scores = [Float?](repeating: nil, count: documents.count)
    for (term, list) in lists[key] ?? [:] where test(term) {
      for (document, posting) in list where only.map(posting.attributes.contains) ?? true {
        scores[document] = 1 + (exactScores[document] ?? 0)
      }
    }
    return .leaf(scores, isScored: true)
  }

  /// The optimal string alignment, by the table.
  static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var table = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
    for i in 0...a.count {
      for j in 0...b.count {
        if i == 0 || j == 0 {
          table[i][j] = i + j
          continue
        }
        var cell = table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        cell = min(cell, table[i - 1][j] + 1, table[i][j - 1] + 1)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          cell = min(cell, table[i - 2][j - 2] + 1)
        }
        table[i][j] = cell
      }
    }
    return table[a.count][b.count]
  }
}
