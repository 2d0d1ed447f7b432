// Matches the items that match all required parts and no excluded one.

internal import LimelightCodecs
internal import LimelightSegments

/// A conjunction with exclusions, and optional parts that only add to scores.
///
/// Candidates come from the rarest required part; the others drop what they do not have, from the
/// rarer to the more frequent. What the rarest one needs for its scores is noted last, for the
/// documents that are left.
final class BooleanMatcher: Matcher {
  let required: [Matcher]
  let optional: [Matcher]
  let excluded: [Matcher]
  private let lead: Matcher
  /// The required parts but for the lead, rarest first.
  private let others: [Matcher]
  private var matched: [SlotSet]
  private let scored: Batch
  private let plain: Batch

  /// Nil if nothing is required.
  init?(
    required: [Matcher], optional: [Matcher], excluded: [Matcher], _ context: SegmentContext
  ) {
    let byCost = required.enumerated().sorted {
      ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset)
    }
    guard let first = byCost.first else { return nil }
    self.required = required
    self.optional = optional
    self.excluded = excluded
    lead = first.element
    others = byCost.dropFirst().map { $0.element }
    matched = Array(repeating: SlotSet(), count: optional.count)
    scored = Batch(arena: context.scratch, isScored: true)
    plain = Batch(arena: context.scratch, isScored: false)
    super.init(context)
  }

  override var cost: Int { lead.cost }
  override var isScored: Bool {
    required.contains { $0.isScored } || optional.contains { $0.isScored }
  }

  override func rangeEnd(from document: UInt32) -> UInt32 { lead.rangeEnd(from: document) }
  override func wideRangeEnd(from document: UInt32) -> UInt32 {
    lead.wideRangeEnd(from: document)
  }

  override func bound(from: UInt32, to: UInt32) throws(CorruptionError) -> Float {
    var sum: Float = 0
    for matcher in required {
      let bound = try matcher.bound(from: from, to: to)
      guard bound >= 0 else { return -1 }
      sum += bound
    }
    for matcher in optional { sum += max(try matcher.bound(from: from, to: to), 0) }
    return sum
  }

  override func candidates(
    from: UInt32, to: UInt32, into batch: Batch
  ) throws(CorruptionError) -> UInt32 {
    try lead.candidates(from: from, to: to, into: batch)
  }

  override func keep(_ batch: Batch) throws(CorruptionError) {
    for matcher in others {
      guard batch.count > 0 else { return }
      try matcher.keep(batch)
    }
    for matcher in excluded {
      guard batch.count > 0 else { return }
      plain.copy(batch)
      try matcher.keep(plain)
      if plain.count > 0 { batch.retain(plain.slotSet, isMember: false) }
    }
    guard batch.count > 0 else { return }
    try lead.keep(batch)
    guard batch.isScored else { return }
    for (index, matcher) in optional.enumerated() {
      scored.copy(batch)
      if scored.count > 0 { try matcher.keep(scored) }
      matched[index] = scored.slotSet
    }
  }

  override func addScores(_ batch: Batch) {
    for matcher in required where matcher.isScored { matcher.addScores(batch) }
    for (index, matcher) in optional.enumerated() where !matched[index].isEmpty {
      scored.copy(batch)
      scored.retain(matched[index], isMember: true)
      if scored.count > 0 { matcher.addScores(scored) }
    }
  }

  /// The matches as words, if all parts are bit sets; for counts.
  func intersection() -> UnsafeMutablePointer<UInt64>? {
    let all = required.compactMap { $0.bits }
    let not = excluded.compactMap { $0.bits }
    guard all.count == required.count, not.count == excluded.count, let first = all.first else {
      return nil
    }
    let words = DocumentWords.allocate(context.documentCount, arena: context.scratch)
    let count = BitSet.wordCount(Int(context.documentCount))
    words.update(from: first, count: count)
    for bits in all.dropFirst() { BitSet.and(words, bits, count, into: words) }
    for bits in not { BitSet.andNot(words, bits, count, into: words) }
    return words
  }
}
