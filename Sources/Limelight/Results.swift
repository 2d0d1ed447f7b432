// What a search found: hits over one snapshot, read when asked for.

internal import LimelightAnalysis
internal import LimelightIndexing
internal import LimelightSearch
internal import LimelightSegments
internal import LimelightSnapshots
internal import LimelightStorage
internal import Synchronization

/// The hits of a search, best first.
///
/// Holds the snapshot that was searched: ids, attributes and highlights are read from it when asked for,
/// and stay what they were whatever changes later. Reading a hit takes microseconds. Threads: any.
public struct Results: Sendable, RandomAccessCollection {
  let source: ResultSource
  /// How many items match; exact if ``totalIsExact``, else at least so many.
  public let total: Int
  /// Whether ``total`` is exact.
  public let totalIsExact: Bool
  /// How long the search took, in nanoseconds.
  public let nanoseconds: UInt64

  init(
    _ root: IndexRoot, _ found: TopDocs, query: Query, analyzer: Analyzer, nanoseconds: UInt64
  ) {
    source = ResultSource(root, found.hits, query, analyzer)
    total = found.count
    totalIsExact = found.countIsExact
    self.nanoseconds = nanoseconds
  }

  /// How long the search took, in microseconds, rounded up.
  public var microseconds: Int { Int((nanoseconds + 999) / 1000) }

  /// The first hit's place.
  public var startIndex: Int { 0 }
  /// The place behind the last hit.
  public var endIndex: Int { source.hits.count }

  /// A hit; the place must be one of the hits'.
  public subscript(position: Int) -> Hit { Hit(source: source, place: position) }
}

/// What the hits of a search share.
final class ResultSource: Sendable {
  let root: IndexRoot
  let hits: [TopDocs.Hit]
  let query: Query
  let analyzer: Analyzer
  /// Set once at most, never taken back.
  private let terms = AtomicLazyReference<Terms>()

  private final class Terms: Sendable {
    let value: HighlightTerms
    init(_ value: HighlightTerms) { self.value = value }
  }

  init(_ root: IndexRoot, _ hits: [TopDocs.Hit], _ query: Query, _ analyzer: Analyzer) {
    self.root = root
    self.hits = hits
    self.query = query
    self.analyzer = analyzer
  }

  /// What the query shows in texts; worked out when the first hit is asked.
  ///
  /// Threads that ask at the same moment all work it out, and all take what the first of them has.
  func highlightTerms() -> HighlightTerms {
    if let known = terms.load() { return known.value }
    let made = HighlightTerms(
      query, analyzer: TextAnalyzer(analyzer), registry: root.snapshot.registry,
      fuzzy: FuzzyPattern.test)
    return terms.storeIfNil(Terms(made)).value
  }
}

/// An item that was found.
public struct Hit: Sendable {
  let source: ResultSource
  let place: Int

  private var found: TopDocs.Hit { source.hits[place] }
  private var reader: ItemReader { ItemReader(source.root) }

  /// How well the item matches; only scores of one search can be compared.
  public var score: Float { found.score }

  /// The item's id.
  public var id: String {
    get throws(LimelightError) {
      try publicly(reading: source.root, view: found.view) {
        try reader.id(found.view, found.document)
      }
    }
  }

  /// The item's domain.
  public var domain: String? {
    get throws(LimelightError) {
      try publicly(reading: source.root, view: found.view) {
        try reader.domain(found.view, found.document)
      }
    }
  }

  /// The whole item, as it was put; `notStored` if the index does not store items.
  public func item() throws(LimelightError) -> Item {
    try publicly(reading: source.root, view: found.view) {
      try reader.item(found.view, found.document)
    }
  }

  /// The item's attributes, as they were put; `notStored` if the index does not store items.
  public func attributes() throws(LimelightError) -> AttributeSet {
    try publicly(reading: source.root, view: found.view) {
      try reader.item(found.view, found.document, withThumbnail: false).attributes
    }
  }

  /// Where the query's words stand in the item's texts, as they were put.
  ///
  /// - Parameter unit: What the ranges count.
  /// - Throws: ``LimelightError``: `notStored` if the index does not store items.
  public func highlights(unit: TextUnit = .utf8) throws(LimelightError) -> [Highlight] {
    try publicly(reading: source.root, view: found.view) {
      let item = try reader.resolved(found.view, found.document)
      let highlighter = Highlighter(
        source.highlightTerms(), analyzer: TextAnalyzer(source.analyzer))
      return highlighter.highlights(
        of: item, registry: source.root.snapshot.registry, unit: unit)
    }
  }
}
