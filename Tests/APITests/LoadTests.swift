// Loads and puts of lines: numbers, made ids, and refusals that name line and id.

import Limelight
import Testing

@Suite struct LoadTests {
  /// Loads batches, and gives the report.
  private func load(_ index: Index, threads: Int = 1, _ batches: [Batch]) throws -> LoadReport {
    var rest = batches[...]
    return try index.load(threads: threads, next: { rest.popFirst() })
  }

  private func lines(_ text: String, firstLine: Int = 1) -> Batch {
    .lines(Array(text.utf8), firstLine: firstLine)
  }

  @Test(arguments: [1, 3])
  func aLoadHasANumberAmongTheChanges(threads: Int) throws {
    let index = try Index.inMemory()
    var last = try index.put([Item(id: "a")]).generation
    for round in 0..<3 {
      let report = try load(index, threads: threads, [.items([Item(id: "load \(round)")])])
      #expect(report.generation > last)
      #expect(try index.stats().generation == report.generation)
      last = report.generation
      let put = try index.put([Item(id: "put \(round)")])
      #expect(put.generation > last)
      last = put.generation
    }
    #expect(try load(index, threads: threads, []).generation == last, "nothing was changed")
    #expect(try load(index, threads: threads, [lines("no item")]).generation == last)
  }

  @Test(arguments: [1, 3])
  func madeIDsHaveThePlacesOfTheirItems(threads: Int) throws {
    let index = try Index.inMemory()
    let items = try load(
      index, threads: threads,
      [.items([Item(), Item(id: "1")]), .items([Item(attributes: [.title: 5])]), .items([Item()])])
    #expect(items.madeIDs.map(\.position) == [0, 3])
    #expect(items.refused.map(\.position) == [2])
    #expect(items.refused.map(\.line) == [nil])
    #expect(Set(items.madeIDs.map(\.id) + ["1"]) == Set(try index.ids()))

    let text = try load(
      index, threads: threads,
      [lines("{}\n\n{\"id\":\"2\"}\n", firstLine: 7), lines("{\"id\":null}\nno", firstLine: 10)])
    #expect(text.madeIDs.map(\.position) == [0, 3])
    #expect(text.refused.map(\.position) == [4])
    #expect(text.refused.map(\.line) == [11])
    for made in items.madeIDs + text.madeIDs { #expect(try index.contains(made.id)) }
    #expect(try index.count == 6)
  }

  /// Lines that are no items, and the id that can be read in each.
  private static let refused: [(line: String, id: String?)] = [
    (#"{"id":"a","attributes":{"title":5}}"#, "a"),
    (#"{"attributes":{"rating":1e999},"id":"b"}"#, "b"),
    (#"{"attributes":{"title":["x\"]}",{"id":"inner"}]},"id":"c"}"#, "c"),
    (#"{"id":"d","attributes":{"title":"cut off"#, "d"),
    (#"{"id":"e","unknown":[1,2,{"x":"y"}]}"#, "e"),
    (#"{"unknown":tru , "id" : "\u0066\n" }"#, "f\n"),
    (#"{"attributes":{"title":"\ud800"},"id":"g"}"#, "g"),
    (#"{"id":"h","id":"i"}"#, "h"),
    (#"{"id":"","attributes":{}}"#, nil),
    (#"{"id":5}"#, nil),
    (#"{"id":"\ud800"}"#, nil),
    (#"{"attributes":{"id":"inner","title":5}}"#, nil),
    (#"["id","x"]"#, nil),
    (#"{"title":"]}","x"#, nil),
    (#"{"id"#, nil),
    (#"{"id":"j"#, nil),
    ("\u{0}", nil),
  ]

  @Test func refusalsNameLineAndID() throws {
    let text = Self.refused.map(\.line).joined(separator: "\n\n")
    let index = try Index.inMemory()
    let put = try index.put(lines(text, firstLine: 5)).refused
    let loads = try [1, 3].map { try load(index, threads: $0, [lines(text, firstLine: 5)]).refused }
    for refusals in [put] + loads {
      try #require(refusals.count == Self.refused.count)
      for (number, (refusal, expected)) in zip(refusals, Self.refused).enumerated() {
        #expect(refusal.id == expected.id, "\(expected.line): \(refusal.error)")
        #expect(refusal.line == 5 + number * 2)
        #expect(refusal.position == number * 2)
      }
    }
    #expect(try index.count == 0)
  }

  /// Nobody sees a part of a load, and one that ends by an error leaves nothing.
  @Test(arguments: [1, 3])
  func aLoadIsVisibleAsAWholeOrNotAtAll(threads: Int) throws {
    struct Broken: Error {}
    let index = try Index.inMemory()
    try index.put([Item(id: "old", attributes: [.title: "before"])])
    let generation = try index.stats().generation
    var number = 0
    func batch() -> Batch {
      number += 1
      let text = Array(repeating: "word\(number)", count: 40_000).joined(separator: " ")
      return .items([
        Item(id: "old", attributes: [.title: "after"]),
        Item(id: "new \(number)", attributes: [.textContent: .text(text)]),
      ])
    }
    let error = #expect(throws: LimelightError.self) {
      try index.load(threads: threads, memoryBudget: 1) {
        #expect(try index.ids() == ["old"])
        if number == 12 { throw Broken() }
        return batch()
      }
    }
    #expect(error?.code == .io)
    #expect(try index.ids() == ["old"])
    #expect(try index.count("before") == 1)
    #expect(try index.stats().generation == generation)
    number = 0
    let report = try index.load(threads: threads, memoryBudget: 1) {
      let ids = try index.ids()
      #expect(ids == ["old"])
      return number < 12 ? batch() : nil
    }
    #expect(report.put == 24)
    #expect(try index.count == 13)
    #expect(try index.count("before") == 0)
    #expect(try index.count("after") == 1)
    // Changes made meanwhile come before the load.
    number = 0
    try index.load(threads: threads) {
      if number == 1 { try index.put([Item(id: "old", attributes: [.title: "meanwhile"])]) }
      return number < 2 ? batch() : nil
    }
    #expect(try index.count("meanwhile") == 0)
    #expect(try index.count("after") == 1)
    #expect(try index.verify().isEmpty)
  }

  @Test func anIDMayHaveAnotherName() throws {
    let index = try Index.inMemory()
    let receipt = try index.put(
      .lines(
        Array(#"{"title":5,"uniqueIdentifier":"a"}"#.utf8),
        options: LineOptions(map: ["uniqueIdentifier": "id"])))
    #expect(receipt.refused.map(\.id) == ["a"])
    #expect(receipt.refused.map(\.error.attribute) == ["title"])
  }
}
