// A segment of any bytes: opened, verified, walked, searched, merged.

internal import LimelightAnalysis
internal import LimelightIndexing
internal import LimelightItems
internal import LimelightSearch
internal import LimelightSegments
internal import LimelightSnapshots

enum SegmentTarget {
  static func run(_ bytes: [UInt8]) throws {
    let mapped = FuzzIndex.mapped(bytes)
    let segment: Segment
    do throws(SegmentError) {
      segment = try Segment.open(
        mapped, name: "segment.1", verified: false, dictionary: FuzzIndex.dictionary)
    } catch {
      FuzzReach.note(.refused)
      return
    }
    FuzzReach.note(.opened)
    let isWhole = segment.verify().isEmpty
    if isWhole { FuzzReach.note(.whole) }
    SegmentWalk(segment).run()
    // An index takes no segment whose manifest counts other documents: the norms stand for it here.
    guard segment.section(.norms)?.count ?? 0 == segment.documentCount else { return }
    var live = LiveDocs(count: segment.documentCount)
    FuzzQueries.ask(FuzzIndex.snapshot([(segment, live)]))
    highlight(segment)
    let refusal = try merge(segment, live)
    try FuzzFailure.unless(
      !isWhole || refusal == nil, "a whole segment cannot be merged: \(refusal ?? "")")
    // Beside dead documents matchers take other ways: for one input in two.
    if segment.documentCount > 1, bytes.reduce(0, { $0 &+ $1 }) & 1 == 0 {
      _ = live.delete(0)
      FuzzQueries.ask(FuzzIndex.snapshot([(segment, live)]))
      _ = try merge(segment, live)
    }
  }

  /// Merges the segment with one that is whole; gives the reason if that is refused.
  private static func merge(_ segment: Segment, _ live: LiveDocs) throws -> String? {
    let other = try FileSeeds.other()
    let views = [
      SegmentView(segment, live: live),
      SegmentView(
        other, live: LiveDocs(count: other.documentCount), base: UInt64(segment.documentCount)),
    ]
    let writer = SegmentWriter(uuid: FuzzIndex.uuid, segmentID: 2)
    do {
      var merger = try SegmentMerger(views, sequences: [1, 2], thumbnails: [])
      // With an odd number of items they change their order, too.
      if segment.documentCount & 1 == 1 { try merger.reorder { false } }
      try merger.write(to: writer)
    } catch {
      return "\(error)"
    }
    FuzzReach.note(.merges)
    // What a damaged input gives may be damaged; opening it must come back all the same.
    let merged = try? Segment.open(
      writer.finish().mappedBytes(), name: "segment.2", verified: true)
    _ = merged?.verify()
    return merged == nil ? "the merged segment cannot be opened" : nil
  }

  private static func highlight(_ segment: Segment) {
    let analyzer = TextAnalyzer(.words)
    let terms = HighlightTerms(
      .any([.term("common"), .phrase("quick brown"), .prefix("w"), .fuzzy("alfa")]),
      analyzer: analyzer, registry: FuzzIndex.registry, fuzzy: FuzzyPattern.test)
    let highlighter = Highlighter(terms, analyzer: analyzer)
    guard let reader = try? segment.storedItems() else { return }
    for document in 0..<min(segment.documentCount, 8) {
      guard let record = try? reader.record(of: UInt32(document)),
        let item = try? ItemCodec.decode(record)
      else { continue }
      for unit in TextUnit.allCases {
        let found = highlighter.highlights(of: item, registry: FuzzIndex.registry, unit: unit)
        FuzzReach.note(.highlights, found.count)
      }
    }
  }
}
