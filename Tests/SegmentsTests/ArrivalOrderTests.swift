// The order in which the documents of a segment arrived: written, read, and wrong.

import LimelightCodecs
import LimelightSegments
import Testing

@Suite struct ArrivalOrderTests {
  private func segment(_ ranks: [UInt32], documents: Int? = nil) throws -> Segment {
    let writer = testWriter()
    writer.meta.documentCount = UInt32(documents ?? ranks.count)
    writer.buffer(.norms).bytes([UInt8](repeating: 1, count: documents ?? ranks.count))
    ArrivalOrder.write(ranks, to: writer)
    return try open(writer.finish().mappedBytes())
  }

  @Test(arguments: [1, 2, 3, 8, 9, 127, 128, 129, 1000, 70_000])
  func ranksComeBack(count: Int) throws {
    var random = Random(UInt64(count))
    var ranks = (0..<UInt32(count)).map { $0 }
    for place in ranks.indices.reversed() {
      ranks.swapAt(place, Int(random.next() % UInt64(place + 1)))
    }
    let segment = try segment(ranks)
    defer { withExtendedLifetime(segment) {} }
    let order = try #require(try segment.arrivalOrder())
    #expect(order.count == count)
    #expect((0..<UInt32(count)).allSatisfy { order.rank(of: $0) == ranks[Int($0)] })
    #expect(order.rank(of: UInt32(count)) == .max)
    for (rank, document) in order.documents().enumerated() {
      #expect(ranks[Int(document)] == UInt32(rank))
    }
  }

  @Test func thereIsNoneWhereNumbersFollowArrival() throws {
    let writer = testWriter()
    writer.meta.documentCount = 1
    writer.buffer(.norms).u8(1)
    #expect(try open(writer.finish().mappedBytes()).arrivalOrder() == nil)
  }

  @Test(arguments: [[0, 0, 2], [1, 2, 3], [3, 3, 3]] as [[UInt32]])
  func ranksThatAreNoPermutationAreRefused(ranks: [UInt32]) throws {
    let segment = try segment(ranks)
    let error = #expect(throws: CorruptionError.self) { try segment.arrivalOrder() }
    #expect(error?.section == "order")
    #expect(segment.verify().contains { $0.section == "order" })
  }

  @Test func tooFewOrTooManyAreRefused() throws {
    for documents in [1, 40] {
      let segment = try segment([2, 1, 0], documents: documents)
      let error = #expect(throws: CorruptionError.self) { try segment.arrivalOrder() }
      #expect(error?.section == "order")
    }
  }
}
