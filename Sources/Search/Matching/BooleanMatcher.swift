// Matches the items that match all required parts and no excluded one.

internal import LimelightCodecs
internal import LimelightSegments

/// A conjunction with exclusions, and optional parts that only add to scores.
///
/// Candidates come from the rarest required part. Bit sets are tested first, then the other parts drop
/// what they do not have, from the rarer to the more frequent. At the root of a ranked search a
/// document also drops out as soon as the scores known so far and the bounds of the rest cannot
/// exceed the threshold.
final class BooleanMatcher: Matcher {
  let required: [Matcher]
  let optional: [Matcher]
  let excluded: [Matcher]
  private let lead: Matcher
  /// The required parts that are not bit sets, rarest first, but for the lead.
  private let lists: [Matcher]
  /// The required parts that are bit sets, rarest first, but for the lead.
  private let sets: [Matcher]
  private var matched: [SlotSet]
  private let scored: Batch
  private let plain: Batch
  /// The scores known so far, by slot.
  private let partial: UnsafeMutablePointer<Float>
  /// The sum of the bounds of the parts in the range at hand.
  private var boundSum: Float = 0

  /// Nil if nothing is required.
  init?(
    required: [Matcher], optional: [Matcher], excluded: [Matcher], _ context: SegmentContext
  ) {
    let byCost = required.enumerated().sorted {
      ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset)
    }.map { $0.element }
    guard let first = byCost.first else { return nil }
    self.required = required
    self.optional = optional
    self.excluded = excluded
    lead = first
    lists = byCost.dropFirst().filter { $0.bits == nil }
    sets = byCost.dropFirst().filter { $0.bits != nil }
    matched = Array(repeating: SlotSet(), count: optional.count)
    scored = Batch(arena: context.scratch, isScored: true)
    plain = Batch(arena: context.scratch, isScored: false)
    partial = context.scratch.allocate(Float.self, Batch.capacity)
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
    boundSum = 0
    for matcher in required {
      matcher.rangeBound = try matcher.bound(from: from, to: to)
      guard matcher.rangeBound >= 0 else { return -1 }
      boundSum += matcher.rangeBound
    }
    for matcher in optional {
      matcher.rangeBound = max(try matcher.bound(from: from, to: to), 0)
      boundSum += matcher.rangeBound
    }
    return boundSum
  }

  override func candidates(
    from: UInt32, to: UInt32, into batch: Batch
  ) throws(CorruptionError) -> UInt32 {
    try lead.candidates(from: from, to: to, into: batch)
  }

  override func keep(_ batch: Batch) throws(CorruptionError) {
    for matcher in sets {
      if let bits = matcher.bits { batch.retain(in: bits) }
    }
    let prunes = batch.isScored && threshold > 0
    var rest = boundSum
    if prunes {
      for i in 0..<batch.count { partial[Int(batch.slots[i])] = 0 }
    }
    if let next = lists.first { try lead.keepCheaply(batch, below: next.cost) }
    for matcher in lists {
      guard batch.count > 0 else { return }
      try keep(batch, matcher, &rest, prunes)
    }
    guard batch.count > 0 else { return }
    try keep(batch, lead, &rest, prunes)
    if batch.isScored {
      for matcher in sets where matcher.isScored {
        guard batch.count > 0 else { return }
        try keep(batch, matcher, &rest, prunes)
      }
    }
    for matcher in excluded {
      guard batch.count > 0 else { return }
      plain.copy(batch)
      try matcher.keep(plain)
      if plain.count > 0 { batch.retain(plain.slotSet, isMember: false) }
    }
    guard batch.isScored else { return }
    for (index, matcher) in optional.enumerated() {
      scored.copy(batch)
      if scored.count > 0 { try matcher.keep(scored) }
      matched[index] = scored.slotSet
    }
  }

  /// Has a part keep what it matches, and drops what cannot win even if the parts left score their
  /// bounds.
  @inline(__always)
  private func keep(
    _ batch: Batch, _ matcher: Matcher, _ rest: inout Float, _ prunes: Bool
  ) throws(CorruptionError) {
    guard prunes, matcher.isScored else { return try matcher.keep(batch) }
    rest = max(rest - matcher.rangeBound, 0)
    // Sums in another order than the query's may differ by their rounding.
    let floor = threshold * (1 - 0x1p-18)
    matcher.threshold = floor - (boundSum - matcher.rangeBound) * (1 + 0x1p-18)
    try matcher.keep(batch)
    matcher.threshold = -1
    let scores = batch.scores
    batch.scores = partial
    matcher.addScores(batch)
    batch.scores = scores
    var kept = 0
    for i in 0..<batch.count {
      let slot = batch.slots[i]
      batch.documents[kept] = batch.documents[i]
      batch.slots[kept] = slot
      kept &+= (partial[Int(slot)] + rest) * (1 + 0x1p-18) > floor ? 1 : 0
    }
    batch.count = kept
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
