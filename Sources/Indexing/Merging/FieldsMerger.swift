// Merges the fields of several segments: terms in step, postings one input after the other.

internal import LimelightCodecs
internal import LimelightSegments
internal import LimelightSnapshots

/// Merges terms and postings of the inputs, whose documents may change their order.
struct FieldsMerger {
  private let views: [SegmentView]
  private let map: DocumentMap
  private let sets: MergedSets
  /// A block of postings on their way.
  let block = PostingsBlock()
  /// Where postings wait that change their order.
  let gathered = GatheredPostings()

  init(_ views: [SegmentView], map: DocumentMap, sets: MergedSets) {
    self.views = views
    self.map = map
    self.sets = sets
  }

  /// Writes the merged fields; stops when `isCancelled`, asked for each term and block, says so.
  func write(
    to writer: FieldsWriter, isCancelled: () -> Bool
  ) throws(CorruptionError) {
    var keys: Set<FieldKey> = []
    for view in views { keys.formUnion(try view.segment.fieldKeys()) }
    for key in keys.sorted() {
      if isCancelled() { return }
      let sources = MergedSources(capacity: views.count)
      for (input, view) in views.enumerated() {
        guard let dictionary = try view.segment.field(key) else { continue }
        try sources.add(
          MergedSource(
            dictionary, row: map.rows[input], isWhole: map.isWhole[input],
            codes: sets.codes[input]))
      }
      writer.beginField(key)
      let hasCodes = sets.sets != nil && key == .standard
      while sources.nextTerm(), !isCancelled() {
        try writeTerm(sources, hasCodes, to: writer, isCancelled)
        if isCancelled() { return }
        try sources.advance()
      }
      if isCancelled() { return }
      writer.endField()
    }
    writer.finish()
  }

  private func writeTerm(
    _ sources: MergedSources, _ hasCodes: Bool, to writer: FieldsWriter, _ isCancelled: () -> Bool
  ) throws(CorruptionError) {
    var frequency = 0
    for i in 0..<sources.matchCount { frequency += try sources.match(i).pointee.liveFrequency() }
    guard frequency > 0 else { return }
    writer.beginTerm(sources.match(0).pointee.terms.term, documentFrequency: frequency)
    guard map.keepsOrder else {
      try writeReordered(
        sources, hasCodes, frequency: frequency, items: map.count, to: writer, isCancelled)
      if !isCancelled() { writer.endTerm() }
      return
    }
    for i in 0..<sources.matchCount {
      try sources.match(i).pointee.write(hasCodes, block, to: writer, isCancelled)
      if isCancelled() { return }
    }
    writer.endTerm()
  }
}
