// What all matchers of one segment share: norms, boosts, values, and which documents count.

internal import LimelightCodecs
internal import LimelightItems
internal import LimelightSegments
internal import LimelightSnapshots

/// One segment as searches see it, kept by a `Searcher` from query to query.
///
/// Matchers refer to it without owning it; the searcher outlives them.
final class SegmentContext {
  let view: SegmentView
  let segment: Segment
  let documentCount: UInt32
  let norms: UnsafePointer<UInt8>
  /// `K` by norm, over the whole snapshot.
  let lengthFactors: UnsafePointer<Float>
  /// Memory of the query at hand.
  let scratch: ScratchArena
  /// Documents that are live and have not expired.
  let visible: AcceptedDocs
  /// The order in which the documents arrived; nil if it is that of their numbers.
  let order: ArrivalOrder?
  let sets: AttributeSets
  let boosts: BoostTable
  /// Whether scores are made by loops for processors with wide vectors.
  let isWide: Bool
  private let weights: AttributeWeights
  private let values: ValueTableReader?
  private var entries: [ValueEntry] = []
  /// The dictionaries that were asked for; kept behind pointers, so that asking again copies nothing.
  private let standard: UnsafeMutablePointer<TermDictionary>?
  private var named: [FieldKey: UnsafeMutablePointer<TermDictionary>?] = [:]

  init(
    _ view: SegmentView, now: Int64, weights: AttributeWeights,
    lengthFactors: UnsafePointer<Float>, arena: ScratchArena, scratch: ScratchArena
  ) throws(CorruptionError) {
    self.view = view
    segment = view.segment
    documentCount = view.segment.meta.documentCount
    norms = try view.segment.norms()
    self.lengthFactors = lengthFactors
    // Those read norms by aligned fours.
    isWide = Wide.isSupported && UInt(bitPattern: norms) & 3 == 0
    self.scratch = scratch
    visible = try AcceptedDocs(view, now: now, arena: arena)
    order = try view.segment.arrivalOrder()
    sets = try view.segment.attributeSets()
    self.weights = weights
    boosts = BoostTable(sets, weights: weights, arena: arena)
    values = try view.segment.valueTable()
    standard = Self.kept(try view.segment.field(.standard))
  }

  deinit {
    Self.free(standard)
    for dictionary in named.values { Self.free(dictionary) }
  }

  private static func free(_ dictionary: UnsafeMutablePointer<TermDictionary>?) {
    dictionary?.deinitialize(count: 1)
    dictionary?.deallocate()
  }

  private static func kept(_ dictionary: TermDictionary?) -> UnsafeMutablePointer<TermDictionary>? {
    guard let dictionary else { return nil }
    let place = UnsafeMutablePointer<TermDictionary>.allocate(capacity: 1)
    place.initialize(to: dictionary)
    return place
  }

  /// The terms of a field, looked up once; good while the context lives.
  @inline(__always)
  func dictionary(
    _ key: FieldKey
  ) throws(CorruptionError) -> UnsafeMutablePointer<TermDictionary>? {
    key == .standard ? standard : try dictionary(named: key)
  }

  @inline(never)
  private func dictionary(
    named key: FieldKey
  ) throws(CorruptionError) -> UnsafeMutablePointer<TermDictionary>? {
    if let known = named[key] { return known }
    let found = Self.kept(try segment.field(key))
    named[key] = .some(found)
    return found
  }

  /// Asks the system for the beginning of a list.
  func prefetch(_ entry: TermEntry) {
    guard entry.documentFrequency > 1 else { return }
    segment.section(.postings)?.prefetch(
      Int(clamping: entry.postingsOffset), Int(clamping: min(entry.postingsLength, 1 << 16)))
    guard entry.documentFrequency > SkipLayout.postingsPerBlock else { return }
    segment.section(.skips)?.prefetch(Int(clamping: entry.skipsOffset), 1)
    if entry.isDense {
      segment.section(.bitSets)?.prefetch(Int(clamping: entry.bitSetOffset), 1)
    }
  }

  // MARK: Attributes by position

  /// The standard attribute in whose value a position of field 0 lies, and the attribute's value.
  private func loadValues(of document: UInt32) throws(CorruptionError) {
    guard let values else {
      entries.removeAll(keepingCapacity: true)
      return
    }
    try values.values(of: document, into: &entries)
  }

  private func attribute(at position: UInt32, _ from: inout Int) -> UInt16? {
    while from < entries.count {
      let entry = entries[from]
      if !entry.isNamed {
        if position < entry.start { return nil }
        if position &- entry.start < entry.positionCount { return entry.attribute }
      }
      from &+= 1
    }
    return nil
  }

  /// The largest weight of the standard attributes that hold one of the ascending positions.
  func boost(
    of document: UInt32, positions: UnsafeBufferPointer<UInt32>
  ) throws(CorruptionError) -> Float {
    try loadValues(of: document)
    var best: Float = 0
    var entry = 0
    for position in positions {
      if let attribute = attribute(at: position, &entry) {
        best = max(best, weights.weight(of: attribute))
      }
    }
    return best
  }

  /// Keeps the ascending positions that lie in values of an attribute, and returns how many.
  func keep(
    _ positions: UnsafeMutablePointer<UInt32>, count: Int, in wanted: UInt16, of document: UInt32
  ) throws(CorruptionError) -> Int {
    try loadValues(of: document)
    var kept = 0
    var entry = 0
    for i in 0..<count where attribute(at: positions[i], &entry) == wanted {
      positions[kept] = positions[i]
      kept &+= 1
    }
    return kept
  }

  /// Whether one of the ascending positions lies in a value of an attribute.
  func holds(
    _ wanted: UInt16, of document: UInt32, positions: UnsafeBufferPointer<UInt32>
  ) throws(CorruptionError) -> Bool {
    try loadValues(of: document)
    var entry = 0
    for position in positions where attribute(at: position, &entry) == wanted { return true }
    return false
  }

  // MARK: Attributes by code

  /// The boost of a set code that the table does not know yet.
  @inline(never)
  func boost(ofCode code: UInt32) -> Float {
    guard code < boosts.codeCount else { return 0 }
    var best: Float = 0
    for attribute in sets.attributes(of: Int(code)) {
      best = max(best, weights.weight(of: attribute))
    }
    boosts.byCode[Int(code)] = best
    return best
  }

  /// The weight of an attribute in this search.
  func weight(of attribute: UInt16) -> Float { weights.weight(of: attribute) }
}
