// Matches the items that match at least one of several parts.

internal import LimelightCodecs
internal import LimelightSegments

/// A disjunction: candidates come out of the union of a window, scores from the parts that match.
final class AnyMatcher: Matcher {
  let children: [Matcher]
  /// For each child the slots of the batch at hand in which it matches.
  private var matched: [SlotSet]
  private let scored: Batch
  private let plain: Batch
  private let words: UnsafeMutablePointer<UInt64>
  private var window = UInt32.max

  init(_ children: [Matcher], _ context: SegmentContext) {
    self.children = children
    matched = Array(repeating: SlotSet(), count: children.count)
    scored = Batch(arena: context.scratch, isScored: true)
    plain = Batch(arena: context.scratch, isScored: false)
    words = context.scratch.allocate(UInt64.self, DocumentWords.windowWords)
    super.init(context)
  }

  override var cost: Int {
    min(children.reduce(0) { $0 + $1.cost }, Int(context.documentCount))
  }
  override var isScored: Bool { children.contains { $0.isScored } }

  override func bound(from: UInt32, to: UInt32) throws(CorruptionError) -> Float {
    var sum: Float = 0
    var canMatch = false
    for child in children {
      let bound = try child.bound(from: from, to: to)
      guard bound >= 0 else { continue }
      canMatch = true
      sum += bound
    }
    return canMatch ? sum : -1
  }

  override func candidates(
    from: UInt32, to: UInt32, into batch: Batch
  ) throws(CorruptionError) -> UInt32 {
    let start = DocumentWords.window(of: from)
    if window != start {
      window = .max
      words.initialize(repeating: 0, count: DocumentWords.windowWords)
      for child in children { try child.unite(window: start, into: words, scratch: plain) }
      window = start
    }
    let end = min(to, min(start &+ DocumentWords.windowSize, context.documentCount))
    var place = Int(from &- start)
    let count = BitSet.extract(
      words, from: &place, to: Int(end &- start), base: start, into: batch.documents,
      limit: Batch.capacity)
    batch.begin(count: count)
    return start &+ UInt32(truncatingIfNeeded: place)
  }

  override func keep(_ batch: Batch) throws(CorruptionError) {
    let scratch = batch.isScored ? scored : plain
    var union = SlotSet()
    for (index, child) in children.enumerated() {
      scratch.copy(batch)
      // Without scores it is enough to know one part that matches.
      if !batch.isScored { scratch.retain(union, isMember: false) }
      if scratch.count > 0 { try child.keep(scratch) }
      let set = scratch.slotSet
      matched[index] = set
      union.formUnion(set)
    }
    batch.retain(union, isMember: true)
  }

  override func addScores(_ batch: Batch) {
    for (index, child) in children.enumerated() where child.isScored && !matched[index].isEmpty {
      scored.copy(batch)
      scored.retain(matched[index], isMember: true)
      if scored.count > 0 { child.addScores(scored) }
    }
  }

  override func unite(
    window: UInt32, into words: UnsafeMutablePointer<UInt64>, scratch: Batch
  ) throws(CorruptionError) {
    for child in children { try child.unite(window: window, into: words, scratch: plain) }
  }
}
