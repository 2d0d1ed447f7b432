// Merges the ids of several segments, which are sorted already.

internal import LimelightCodecs

/// Writes the ids of inputs in their common order, one at a time.
package struct IdsMerger {
  private let segment: SegmentWriter
  private let sources: [IdsReader]
  private let maps: [[UInt32]]

  /// `maps[i]` gives for each document of `sources[i]` its new number, or `UInt32.max` when it is left
  /// out; the new numbers must be 0 ..< n in all.
  package init(_ segment: SegmentWriter, _ sources: [IdsReader], maps: [[UInt32]]) {
    self.segment = segment
    self.sources = sources
    self.maps = maps
  }

  /// A source at one of its ids that are kept.
  private struct Source {
    let place: Int
    var cursor: KeyPagesCursor
    /// The first bytes of the id, which tell most ids apart.
    var head: UInt64 = 0
    var document = 0

    func compare(_ other: Source) -> Int {
      if head != other.head { return head < other.head ? -1 : 1 }
      return cursor.key.withUnsafeBytes { key in
        other.cursor.key.withUnsafeBytes { KeyBytes.compare(key, $0) }
      }
    }
  }

  /// Writes the sections; stops when `isCancelled`, asked now and then, says so.
  package func write(isCancelled: () -> Bool = { false }) throws(CorruptionError) {
    var count = 0
    for map in maps { for new in map where new != .max { count += 1 } }
    guard count > 0 else { return }
    var active: [Source] = []
    var last: [UInt8] = []
    for (place, source) in sources.enumerated() {
      var at = Source(place: place, cursor: try source.sortedCursor())
      guard try advance(&at) else { continue }
      active.append(at)
      try raise(&last, toLastOf: place)
    }
    guard var first = active.first else { throw disagreement(0) }
    for source in active where source.compare(first) < 0 { first = source }
    let target = first.cursor.key.withUnsafeBytes { key in
      IdsTarget(
        segment, count: count, first: key,
        shared: last.withUnsafeBytes { KeyBytes.sharedLength(key, $0) })
    }
    var held = HeldKey()
    while !active.isEmpty {
      // Few sources: a linear look at all of them is as fast as a heap.
      var least = 0
      for place in active.indices.dropFirst() where active[place].compare(active[least]) < 0 {
        least = place
      }
      guard target.count < count else { throw disagreement(active[least].place) }
      if target.count & 0xFFFF == 0, isCancelled() { return }
      target.add(held.hold(active[least].cursor.key), document: active[least].document)
      if !(try advance(&active[least])) { active.remove(at: least) }
    }
    guard target.count == count else { throw disagreement(0) }
    target.finish()
  }

  /// Goes to a source's next id whose document is kept.
  private func advance(_ source: inout Source) throws(CorruptionError) -> Bool {
    let map = maps[source.place]
    while try source.cursor.next() {
      guard source.cursor.number < UInt64(map.count) else { continue }
      let document = map[Int(source.cursor.number)]
      guard document != .max else { continue }
      source.document = Int(document)
      source.head = source.cursor.key.withUnsafeBytes { KeyBytes.prefix($0) }
      return true
    }
    return false
  }

  /// Makes `last` the last id of a source that is kept, if that is larger.
  private func raise(
    _ last: inout [UInt8], toLastOf place: Int
  ) throws(CorruptionError) {
    guard
      let id = try sources[place].lastID(where: { [map = maps[place]] document in
        document < UInt64(map.count) && map[Int(document)] != .max
      })
    else { return }
    if last.lexicographicallyPrecedes(id) { last = id }
  }

  private func disagreement(_ place: Int) -> CorruptionError {
    sources[place].corrupt("not one id for each document that is kept")
  }
}
