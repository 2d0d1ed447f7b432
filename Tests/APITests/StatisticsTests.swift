// What an index tells of itself after items went.

import Limelight
import Testing

@Suite struct StatisticsTests {
  private func item(_ number: Int) -> Item {
    var item = Item(id: "item \(number)", domain: "group.\(number % 3)")
    item.attributes[.title] = .text("title of number \(number)")
    item.attributes[.rating] = .number(Double(number % 5))
    item.attributes[.contentCreationDate] = .date(
      Timestamp(microseconds: Int64(number) * 1_000_000))
    if number % 4 == 0 { item.attributes[.keywords] = .texts(["one", "two words"]) }
    if number % 2 == 0 {
      item.attributes[.importantDates] = .dates([
        Timestamp(microseconds: 1), Timestamp(microseconds: 2),
      ])
    }
    if number % 7 == 0 { item.contentType = "public.plain-text" }
    return item
  }

  /// A merge that leaves items out counts as if these had never been there.
  @Test func mergedWithoutSomeItemsIsCountedAsBuiltWithoutThem() throws {
    let index = try Index.inMemory()
    for start in stride(from: 0, to: 300, by: 50) {
      try index.put((start..<start + 50).map(item))
      try index.commit()
    }
    let gone = { (number: Int) in number % 11 == 3 || (100..<180).contains(number) }
    try index.delete(ids: (0..<300).filter(gone).map { "item \($0)" })
    try index.merge()
    let fresh = try Index.inMemory()
    try fresh.put((0..<300).filter { !gone($0) }.map(item))
    try fresh.merge()
    let (merged, built) = (try index.stats(), try fresh.stats())
    #expect(merged.items == built.items && merged.deleted == 0)
    #expect(
      merged.attributes.map { "\($0.name): \($0.values) values, \($0.tokens) tokens" }
        == built.attributes.map { "\($0.name): \($0.values) values, \($0.tokens) tokens" })
    #expect(merged.attributes.first { $0.name == "rating" }?.values == merged.items)
  }
}
