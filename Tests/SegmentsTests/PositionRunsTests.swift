// Positions asked for by block and place, in any order, and damage to them.

import LimelightCodecs
import LimelightSegments
import LimelightStorage
import Testing

@Suite struct PositionRunsTests {
  /// Lists whose postings have few positions, and some so many that they fill the usual room and more.
  private static func model(seed: UInt64) -> FieldsModel {
    var model = FieldsModel(
      documents: 3_000, lengths: [1, 1, 2, 90, 128, 129, 700, 2_500], hasSets: true, seed: seed)
    var random = Random(seed)
    for term in model.fields[0].terms.indices {
      for posting in model.fields[0].terms[term].postings.indices where posting % 61 == 7 {
        var position: UInt32 = 0
        let count = Int.random(in: 1_500...5_000, using: &random)
        model.fields[0].terms[term].postings[posting].positions = (0..<count).map { _ in
          position += UInt32.random(in: 1...3, using: &random)
          return position
        }
      }
    }
    return model
  }

  private func integers(_ run: AscendingRun) -> [UInt32] { (0..<run.count).map { run[$0] } }

  /// Where a block starts among the postings, and how many it has.
  private func blocks(_ cursor: inout PostingsCursor) throws -> [(start: Int, count: Int)] {
    var start = 0
    return try (0..<cursor.blockCount).map { block in
      try cursor.load(block: block)
      defer { start += cursor.count }
      return (start, cursor.count)
    }
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func runsInAnyOrder(seed: UInt64) throws {
    let model = Self.model(seed: seed)
    let segment = try Segment.open(
      model.image(seed: seed).mappedBytes(), name: "test", verified: false)
    #expect(segment.verify().isEmpty)
    let dictionary = try #require(try segment.field(.standard))
    var random = Random(seed + 100)
    for term in model.fields[0].terms {
      let arena = ScratchArena()
      let entry = try #require(try term.bytes.withUnsafeBytes { try dictionary.find($0) })
      var cursor = try PostingsCursor(entry, in: dictionary, arena: arena)
      let blocks = try blocks(&cursor)
      func check(_ block: Int, _ index: Int) throws {
        let expected = term.postings[blocks[block].start + index].positions
        #expect(try cursor.frequency(at: index, inBlock: block) == UInt32(expected.count))
        #expect(integers(try cursor.run(at: index, inBlock: block)) == expected)
      }
      // One after the other, every few, and anywhere.
      for step in [1, 5, 50] {
        for block in blocks.indices {
          for index in stride(from: 0, to: blocks[block].count, by: step) {
            try check(block, index)
          }
        }
      }
      for _ in 0..<200 {
        let block = Int.random(in: blocks.indices, using: &random)
        try check(block, Int.random(in: 0..<blocks[block].count, using: &random))
      }
      // The block at hand is another one all the while.
      #expect(cursor.block == blocks.count - 1)
      #expect(cursor.documents[0] == term.postings[blocks[blocks.count - 1].start].document)
      if let short = blocks.firstIndex(where: { $0.count < 128 }) {
        #expect(throws: CorruptionError.self) {
          try cursor.run(at: blocks[short].count, inBlock: short)
        }
        #expect(throws: CorruptionError.self) { try cursor.run(at: 127, inBlock: short) }
      }
    }
  }

  /// A group of positions that cannot be decoded is an error that says so, and the next call too.
  @Test func damagedGroups() throws {
    let model = Self.model(seed: 4)
    let bytes = model.image(seed: 4).mappedBytes()
    var damaged = bytes.withBytes { Array($0) }
    let whole = try Segment.open(bytes, name: "whole", verified: true)
    let view = try #require(whole.section(.positions))
    // No group has a width of 127 bits.
    for place in 0..<view.count { damaged[view.fileOffset + place] = 0x7F }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: damaged.count, alignment: 64)
    memory.copyMemory(from: damaged, byteCount: damaged.count)
    let segment = try Segment.open(
      .owning(memory, count: damaged.count), name: "damaged", verified: true)
    let dictionary = try #require(try segment.field(.standard))
    var seen = 0
    for term in model.fields[0].terms where term.postings.count > 1 {
      let arena = ScratchArena()
      let entry = try #require(try term.bytes.withUnsafeBytes { try dictionary.find($0) })
      var cursor = try PostingsCursor(entry, in: dictionary, arena: arena)
      for index in [0, 1, 0] {
        let error = #expect(throws: CorruptionError.self) {
          try cursor.run(at: index, inBlock: 0)
        }
        #expect("\(try #require(error))".contains("positions"))
        seen += 1
      }
    }
    #expect(seen >= 18)
  }
}
