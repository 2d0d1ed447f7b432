// Snapshot: the index at one moment, for as many searches as like.
package import LimelightItems
package import LimelightSegments

/// The segments that are the index after one journal record; never changed.
///
/// Whoever holds it can search it, whatever is put, merged or removed meanwhile. Threads: any.
package final class Snapshot: Sendable {
  /// Oldest first: their documents, one segment after the other, are in the order of arrival.
  package let views: [SegmentView]
  /// The number of the last journal record that is shown.
  package let generation: UInt64
  /// Documents of all segments, dead ones included: what scores reckon with until they are merged.
  package let documentCount: Int
  package let liveCount: Int
  /// Tokens of default attributes in all segments, dead documents included.
  package let tokenCount: UInt64
  package let registry: AttributeRegistry
  package let options: IndexOptions
  /// What the host left with its last batch.
  package let clientState: [UInt8]?

  /// Puts segments in a row, oldest first, and counts.
  package convenience init(
    _ segments: [(segment: Segment, live: LiveDocs)], generation: UInt64,
    registry: AttributeRegistry, options: IndexOptions, clientState: [UInt8]? = nil
  ) {
    var views: [SegmentView] = []
    views.reserveCapacity(segments.count)
    var documents: UInt64 = 0
    for (segment, docs) in segments {
      views.append(SegmentView(segment, live: docs, base: documents))
      documents += UInt64(docs.count)
    }
    self.init(
      views: views, generation: generation, registry: registry, options: options,
      clientState: clientState)
  }

  /// Takes views that stand in a row already, each with the documents of those before it as its base,
  /// and counts.
  package init(
    views: [SegmentView], generation: UInt64, registry: AttributeRegistry, options: IndexOptions,
    clientState: [UInt8]? = nil
  ) {
    var documents = 0
    var live = 0
    var tokens: UInt64 = 0
    for view in views {
      documents += view.live.count
      live += view.live.liveCount
      tokens &+= view.segment.meta.tokenCount
    }
    self.views = views
    self.generation = generation
    documentCount = documents
    liveCount = live
    tokenCount = tokens
    self.registry = registry
    self.options = options
    self.clientState = clientState
  }

  /// The view that holds the document at a place of the snapshot, and its number in there.
  ///
  /// Takes logarithmic time.
  package func locate(_ place: UInt64) -> (view: Int, document: UInt32)? {
    guard place < UInt64(documentCount) else { return nil }
    var low = 0
    var high = views.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if views[middle].base <= place { low = middle } else { high = middle }
    }
    // Segments without documents share their base with the next one: the last of them holds it.
    return (low, UInt32(place - views[low].base))
  }
}
