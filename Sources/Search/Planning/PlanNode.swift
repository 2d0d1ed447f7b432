// A query whose texts are terms and whose attributes are numbers: what is planned once a snapshot.

internal import LimelightItems
internal import LimelightSegments

/// Where a word is looked for: a field of the segments, maybe narrowed to one of its attributes.
struct SearchTarget: Hashable {
  let field: FieldKey
  /// The standard attribute that was named; its words stand in field 0 like all the others'.
  let attribute: UInt16?

  /// All standard attributes.
  static let standard = SearchTarget(field: .standard, attribute: nil)

  /// Where the words of a named attribute are; nil if it cannot be searched for words.
  init?(_ attribute: Attribute?, registry: AttributeRegistry) {
    guard let attribute else {
      self = .standard
      return
    }
    guard let known = registry.resolve(attribute.name) else { return nil }
    switch known.searchClass {
    case .standard: self.init(field: .standard, attribute: known.id)
    case .named: self.init(field: .named(known.id), attribute: nil)
    case .filter, .none: return nil
    }
  }

  private init(field: FieldKey, attribute: UInt16?) {
    self.field = field
    self.attribute = attribute
  }
}

/// A part of a planned query.
///
/// `all`, `any` and what `boolean` must match are flat; nothing that cannot match is left but as the
/// whole. Words stand in place: planning one allocates nothing.
enum PlanNode {
  case nothing
  case everything
  /// A word, by its number in the plan.
  case word(Int)
  /// Words by their numbers, each with its distance from the first.
  case phrase([(word: Int, offset: UInt32)])
  indirect case expansion(Expansion, SearchTarget)
  case all([PlanNode])
  case any([PlanNode])
  indirect case boolean(must: [PlanNode], should: [PlanNode], not: [PlanNode])
  indirect case not(PlanNode)
  indirect case filter(ColumnFilter)

  /// The words of a dictionary that a part of a query stands for.
  struct Expansion {
    let pattern: TermPattern
    /// The number of the word that was typed.
    let exact: Int
  }

  var isNothing: Bool {
    if case .nothing = self { return true }
    return false
  }

  /// Whether it can add to a score.
  var isScored: Bool {
    switch self {
    case .word, .phrase, .expansion: true
    case .nothing, .everything, .not, .filter: false
    case .all(let nodes), .any(let nodes): nodes.contains { $0.isScored }
    case .boolean(let must, let should, _): (must + should).contains { $0.isScored }
    }
  }
}

extension PlanNode {
  /// Whether positions must be compared.
  var hasPhrase: Bool {
    switch self {
    case .phrase: true
    case .nothing, .everything, .word, .expansion, .filter: false
    case .not(let node): node.hasPhrase
    case .all(let nodes), .any(let nodes): nodes.contains { $0.hasPhrase }
    case .boolean(let must, let should, let not): (must + should + not).contains { $0.hasPhrase }
    }
  }
}

/// A word of a planned query: what the whole snapshot knows of it.
///
/// Plain numbers and pointers into the memory of the query.
struct PlannedWord {
  let target: SearchTarget
  let term: UnsafeRawBufferPointer
  /// For each view the term's entry; one whose frequency is 0 where the term is not.
  let entries: UnsafeMutablePointer<TermEntry>
  var documentFrequency = 0
  var idf: Float = 0
}
