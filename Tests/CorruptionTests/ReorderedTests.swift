// Damage of a reordered index: named, and repaired into the order in which the items came.

import Foundation
import Limelight
import Testing

@Suite struct ReorderedTests {
  /// The path of an index of one reordered segment, of some ten pages, and the ids by arrival.
  private func index() throws -> (path: String, ids: [String]) {
    let path = try Specimen.scratch("reordered")
    let index = try Index(path)
    try index.put(
      (0..<3000).map { number in
        var item = Item(id: "item \(number &* 7919 % 3001)")
        item.attributes[.title] = .text(
          (0..<40).map { "t\(number % 3)w\((number &* 31 &+ $0 &* $0) % 97)" }
            .joined(separator: " "))
        return item
      })
    try index.merge(options: .reorder)
    let ids = try index.ids()
    #expect(try index.stats().segments[0].sections.contains { $0.name == "order" })
    try index.close()
    return (path, ids)
  }

  private func flip(_ path: String, _ offset: (Int) -> Int) throws {
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: path).first { $0.hasPrefix("segment.") })
    let url = URL(fileURLWithPath: path + "/" + name)
    var bytes = try Data(contentsOf: url)
    bytes[offset(bytes.count)] ^= 0x24
    try bytes.write(to: url)
  }

  @Test func aRepairKeepsTheOrderOfArrival() throws {
    let (path, ids) = try index()
    let output = path + ".repaired"
    defer {
      for folder in [path, output] { try? FileManager.default.removeItem(atPath: folder) }
    }
    // In the lists of words: items and their order are whole.
    try flip(path) { _ in 70_000 }
    #expect(!(try Index.verify(path).isEmpty))
    let report = try Index.repair(path, output: output)
    #expect(report.path != nil)
    #expect(try Index.verify(output).isEmpty)
    #expect(try Index(output, access: .readOnly).ids() == ids)
  }

  @Test func aDamagedOrderIsNamed() throws {
    let (path, _) = try index()
    defer { try? FileManager.default.removeItem(atPath: path) }
    // The ranks are the last of all sections: some 4,500 bytes before less than 2,000 of others.
    try flip(path) { $0 - 4000 }
    let index = try Index(path, access: .readOnly)
    for call in [
      { _ = try index.search("t1w1") }, { _ = try index.ids() },
    ] as [() throws -> Void] {
      let error = #expect(throws: LimelightError.self) { try call() }
      #expect(error?.code == .damaged)
    }
    #expect(try index.verify().count > 0)
  }
}
