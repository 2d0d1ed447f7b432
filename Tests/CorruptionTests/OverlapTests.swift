// Blocks of postings that overlap, behind right checksums.

import Foundation
import Limelight
import LimelightSpecimens
import Testing

struct OverlapTests {
  private static let documents = 8_192

  /// A segment in which "often" is in each 16th item, and "seldom" in those of them before 2,048.
  private func specimen() throws -> Specimen {
    try Specimen("overlap", closes: true) { index, _ in
      try index.put(
        (0..<Self.documents).map { number in
          var text = "leaf"
          if number % 16 == 0 { text += number < 2_048 ? " often seldom" : " often" }
          var item = Item(id: "\(number)")
          item.attributes[.textContent] = .text(text)
          return item
        })
    }
  }

  /// A candidate that several blocks have once took room in the buffer of candidates for each of them.
  @Test func aHitOfSeveralBlocksIsOne() throws {
    let specimen = try specimen()
    let sandbox = try Sandbox(specimen)
    let (name, bytes) = try #require(specimen.files.first { $0.key.hasPrefix("segment.") })
    let query: Query = .term("often") & .term("seldom")
    let index = try Index(sandbox.path, access: .readOnly)
    #expect(try index.search(query, limit: 1_000).count == 128)

    let place = try Self.place(in: bytes)
    for first in [16, 0] as [UInt32] {
      try damage(sandbox, name, bytes, at: place, [0, first, first, first])
      let index = try Index(sandbox.path, access: .readOnly)
      #expect(try index.search(query, limit: 1_000).count <= 128)
      #expect(try !index.verify().isEmpty)
    }
  }

  @Test func anyOverlapEndsEveryKindOfSearch() throws {
    let specimen = try specimen()
    let sandbox = try Sandbox(specimen)
    let (name, bytes) = try #require(specimen.files.first { $0.key.hasPrefix("segment.") })
    let place = try Self.place(in: bytes)
    let queries: [Query] = [
      .term("often"), .term("often") & .term("leaf"), .term("often") | .term("seldom"),
      .term("seldom") | .term("often") | .term("leaf"), .term("leaf") & !.term("often"),
      .term("seldom") & .term("often") & .term("leaf"), .term("seldom") & !.term("often"),
      .phrase("often seldom"), .phrase("leaf often"), .prefix("oft"), .fuzzy("oftem"),
      .boolean(must: [.term("seldom")], should: [.term("often")]),
      .term("seldom") & (.phrase("leaf often") | .prefix("of")),
    ]
    for number in 0..<150 {
      let highest = [20, 300, 2_049, UInt32(Self.documents)][number % 4]
      var firsts = (0..<4).map { _ in UInt32.random(in: 0..<highest) }
      if number % 3 > 0 { firsts.sort() }
      try damage(sandbox, name, bytes, at: place, firsts)
      let index = try Index(sandbox.path, access: .readOnly)
      for query in queries {
        // Any answer will do, or an error.
        for limit in [1, 10, 1_000] {
          let count = (try? index.search(query, limit: limit).count) ?? 0
          #expect(count <= limit, "\(query), blocks at \(firsts)")
        }
        let count = (try? index.count(query)) ?? 0
        #expect(count <= Self.documents, "\(query), blocks at \(firsts)")
      }
    }
  }

  /// Where the first documents of the four blocks of "often" stand.
  private static func place(in bytes: [UInt8]) throws -> Int {
    let array = ([0, 2_048, 4_096, 6_144] as [UInt32]).withUnsafeBytes { Array($0) }
    return try #require(bytes.indices.first { bytes[$0...].starts(with: array) })
  }

  private func damage(
    _ sandbox: Sandbox, _ name: String, _ bytes: [UInt8], at place: Int, _ firsts: [UInt32]
  ) throws {
    var damaged = bytes
    damaged.replaceSubrange(place..<place + 16, with: firsts.withUnsafeBytes { Array($0) })
    try sandbox.write(Reseal.apply(name, damaged, at: place), to: name)
  }
}
