// Up to 128 candidates on their way through the matchers.

internal import LimelightSegments

/// Candidates in ascending order, each with the slot under which matchers note what they know of it.
///
/// Slots are given when a batch is filled and stay with their documents while others drop out. Scores
/// are kept by slot.
final class Batch {
  static let capacity = 128

  var count = 0
  let documents: UnsafeMutablePointer<UInt32>
  let slots: UnsafeMutablePointer<UInt32>
  /// The slots of a full batch.
  private let ascending: UnsafeMutablePointer<UInt32>
  /// The sums so far, by slot; shared with the batch from which this one was split off.
  var scores: UnsafeMutablePointer<Float>
  /// Whether matchers must note what their scores need.
  let isScored: Bool
  /// The matcher from whose current block the documents come, in the order of the slots.
  var leader: ObjectIdentifier?

  init(arena: ScratchArena, isScored: Bool) {
    documents = arena.allocate(UInt32.self, Self.capacity + 16)
    slots = arena.allocate(UInt32.self, Self.capacity + 16)
    ascending = arena.allocate(UInt32.self, Self.capacity)
    for i in 0..<Self.capacity { ascending[i] = UInt32(truncatingIfNeeded: i) }
    scores = arena.allocate(Float.self, Self.capacity)
    self.isScored = isScored
  }

  /// Numbers the slots of a batch whose documents were just filled in, and clears their scores.
  func begin(count: Int) {
    self.count = count
    leader = nil
    slots.update(from: ascending, count: count)
    scores.update(repeating: 0, count: count)
  }

  /// Becomes a copy of another batch that adds to the same scores.
  func copy(_ other: Batch) {
    count = other.count
    documents.update(from: other.documents, count: count)
    slots.update(from: other.slots, count: count)
    scores = other.scores
    leader = other.leader
  }

  /// The set of its slots.
  var slotSet: SlotSet {
    var set = SlotSet()
    for i in 0..<count { set.insert(slots[i]) }
    return set
  }

  /// Drops the documents that are not in a bit set.
  func retain(in bits: UnsafePointer<UInt64>) {
    var kept = 0
    for i in 0..<count {
      let document = documents[i]
      documents[kept] = document
      slots[kept] = slots[i]
      let bit = bits[Int(document &>> 6)] &>> UInt64(document & 63) & 1
      kept &+= Int(truncatingIfNeeded: bit)
    }
    count = kept
  }

  /// Drops the documents whose slots are in a set, or those whose slots are not.
  func retain(_ set: SlotSet, isMember: Bool) {
    var kept = 0
    for i in 0..<count {
      let slot = slots[i]
      documents[kept] = documents[i]
      slots[kept] = slot
      kept &+= set.contains(slot) == isMember ? 1 : 0
    }
    count = kept
  }
}

/// A set of the slots of a batch.
struct SlotSet {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// Whether there is no slot in it.
  var isEmpty: Bool { low | high == 0 }

  @inline(__always)
  mutating func insert(_ slot: UInt32) {
    let bit: UInt64 = 1 &<< UInt64(slot & 63)
    if slot < 64 { low |= bit } else { high |= bit }
  }

  mutating func formUnion(_ other: SlotSet) {
    low |= other.low
    high |= other.high
  }

  @inline(__always)
  func contains(_ slot: UInt32) -> Bool {
    (slot < 64 ? low : high) &>> UInt64(slot & 63) & 1 != 0
  }
}
