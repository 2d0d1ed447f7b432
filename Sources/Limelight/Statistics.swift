// Numbers about an index: items, segments, sections, domains, attributes.

internal import LimelightIndexing
internal import LimelightItems
internal import LimelightSegments
internal import LimelightSnapshots

/// What an index holds, and what it costs.
public struct Statistics: Sendable {
  /// A segment of the index.
  public struct Segment: Sendable {
    /// The file, or a name of its own for a segment in memory.
    public let name: String
    /// Live items.
    public let items: Int
    /// Items deleted or replaced that a merge will drop.
    public let deleted: Int
    /// The size of all its bytes.
    public let bytes: Int
    /// Whether it is in memory only; the journal has its items.
    public let isInMemory: Bool
    /// The size of each section, in bytes.
    public let sections: [(name: String, bytes: Int)]
  }

  /// An attribute that items of the index have.
  public struct Attribute: Sendable {
    /// Its name.
    public let name: String
    /// The words of its texts; deleted items count until a merge drops them.
    public let tokens: Int
    /// Its texts; of an attribute that is not text, the items that have one.
    ///
    /// Deleted items count until a merge drops them.
    public let values: Int
  }

  /// Live items.
  public let items: Int
  /// Items deleted or replaced that merges will drop.
  public let deleted: Int
  /// The number of the last change.
  public let generation: UInt64
  /// The segments, oldest first.
  public let segments: [Segment]
  /// The domains of live items with their numbers of items, in order.
  public let domains: [(domain: String, items: Int)]
  /// The attributes by name.
  public let attributes: [Attribute]
}

extension Index {
  /// Numbers about the index.
  ///
  /// Reads all domains, so linear in the number of items.
  public func stats() throws(LimelightError) -> Statistics {
    let root = try root()
    return try publicly(reading: root) {
      let snapshot = root.snapshot
      return Statistics(
        items: snapshot.liveCount, deleted: snapshot.documentCount - snapshot.liveCount,
        generation: snapshot.generation, segments: snapshot.views.map(Statistics.Segment.init),
        domains: try domains(of: snapshot), attributes: attributes(of: snapshot))
    }
  }

  private func domains(of snapshot: Snapshot) throws -> [(domain: String, items: Int)] {
    var counts: [String: Int] = [:]
    for view in snapshot.views {
      guard let column = try view.segment.columns()?.column(SystemColumn.domain) else { continue }
      var byOrdinal = [Int](repeating: 0, count: column.stringCount)
      let cursor = column.cursor()
      for block in 0..<column.blockCount {
        try cursor.load(block)
        for i in 0..<cursor.count {
          let ordinal = Int(cursor.values[i])
          if view.live.isLive(cursor.documents[i]), byOrdinal.indices.contains(ordinal) {
            byOrdinal[ordinal] += 1
          }
        }
      }
      for (ordinal, count) in byOrdinal.enumerated() where count > 0 {
        let key = try column.string(ordinal)
        guard let domain = key.withUnsafeBufferPointer({ DomainKey.decode($0) }) else { continue }
        counts[domain, default: 0] += count
      }
    }
    return counts.sorted { $0.key < $1.key }.map { (domain: $0.key, items: $0.value) }
  }

  private func attributes(of snapshot: Snapshot) -> [Statistics.Attribute] {
    var sums: [UInt16: (tokens: UInt64, values: UInt64)] = [:]
    for view in snapshot.views {
      for entry in view.segment.meta.attributeStatistics {
        sums[entry.attribute, default: (0, 0)].tokens += entry.tokens
        sums[entry.attribute, default: (0, 0)].values += entry.values
      }
    }
    return sums.compactMap { id, sum in
      snapshot.registry.attribute(id: id).map {
        Statistics.Attribute(
          name: $0.name, tokens: Int(clamping: sum.tokens), values: Int(clamping: sum.values))
      }
    }.sorted { $0.name < $1.name }
  }
}

extension Statistics.Segment {
  init(_ view: SegmentView) {
    name = view.segment.name
    items = view.live.liveCount
    deleted = view.live.deadCount
    bytes = view.segment.byteCount
    isInMemory = view.segment.name.hasPrefix("memory.")
    sections = SectionKind.allCases.compactMap { kind in
      view.segment.section(kind).map { (name: kind.name, bytes: $0.count) }
    }
  }
}
