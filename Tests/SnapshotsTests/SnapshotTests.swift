// Snapshots: segments in a row, counted.
import LimelightItems
import LimelightSegments
import LimelightSnapshots
import Testing

struct SnapshotTests {
  /// A segment of nothing but its counts.
  private func segment(documents: Int, tokens: UInt64) throws -> Segment {
    let writer = SegmentWriter(uuid: testOptions.uuid, segmentID: 1)
    writer.meta.documentCount = UInt32(documents)
    writer.meta.tokenCount = tokens
    return try Segment.open(writer.finish().mappedBytes(), name: "test", verified: true)
  }

  @Test func countsAreSumsAndPlacesAreInOrderOfArrival() throws {
    let sizes = [3, 0, 5, 1]
    var segments: [(segment: Segment, live: LiveDocs)] = []
    for size in sizes {
      var live = LiveDocs(count: size)
      _ = live.delete(0)
      segments.append((try segment(documents: size, tokens: UInt64(size) * 10), live))
    }
    let snapshot = Snapshot(
      segments, generation: 7, registry: AttributeRegistry(), options: testOptions,
      clientState: [1])
    #expect(snapshot.documentCount == 9 && snapshot.liveCount == 6 && snapshot.tokenCount == 90)
    #expect(snapshot.generation == 7 && snapshot.clientState == [1])
    #expect(snapshot.views.map(\.base) == [0, 3, 3, 8])
    #expect(snapshot.views.map(\.documentCount) == sizes)
    #expect(snapshot.views.map(\.hiddenCount) == [1, 0, 1, 1])
    var place: UInt64 = 0
    for (view, size) in sizes.enumerated() {
      for document in 0..<size {
        let found = try #require(snapshot.locate(place))
        #expect(found.view == view && found.document == UInt32(document))
        place += 1
      }
    }
    #expect(snapshot.locate(9) == nil)
  }
}
