// The value table, expiry dates and thumbnails, and their merges.

import LimelightSegments
import Testing

@Suite struct ValuesTests {
  @Test func mergeKeepsWhatTheMapKeeps() throws {
    var random = Random(6)
    var kept: [ModelItem] = []
    let writer = testWriter()
    let table = ValueTableWriter(writer)
    let expiry = ExpiryWriter(writer)
    let thumbnails = ThumbnailsWriter(writer)
    for count in [100, 0, 1, 64] {
      let items = modelItems(count, seed: UInt64(count) + 1)
      let source = try open(segmentImage(items).mappedBytes())
      let map = items.map { item -> UInt32 in
        guard random.next() % 5 != 0 else { return .max }
        kept.append(item)
        return UInt32(kept.count - 1)
      }
      if let reader = try source.valueTable() { try table.append(reader, map: map) }
      if let reader = try source.expiry() { try expiry.append(reader, map: map) }
      if let reader = try source.thumbnails() { try thumbnails.append(reader, map: map) }
    }
    table.finish()
    expiry.finish()
    thumbnails.finish()
    writer.meta.documentCount = UInt32(kept.count)
    let segment = try open(writer.finish().mappedBytes())
    let tableReader = try #require(try segment.valueTable())
    let thumbnailReader = try #require(try segment.thumbnails())
    let expiryReader = try #require(try segment.expiry())
    var values: [ValueEntry] = []
    for (document, item) in kept.enumerated() {
      try tableReader.values(of: UInt32(document), into: &values)
      #expect(values == item.values)
      #expect(try thumbnailReader.find(UInt32(document)) == item.thumbnail)
    }
    let dates = kept.compactMap(\.expiry).sorted()
    #expect(expiryReader.count == dates.count)
    for date in stride(from: Int64(-1), through: 1001, by: 13) + dates {
      let expected = dates.firstIndex { $0 > date } ?? dates.count
      #expect(try expiryReader.firstIndex(after: date) == expected)
    }
    for index in dates.indices {
      let entry = try expiryReader.entry(index)
      #expect(entry.date == dates[index])
      #expect(kept[Int(entry.document)].expiry == entry.date)
    }
  }
}
