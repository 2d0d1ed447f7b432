// Live docs against a set of numbers, copies among them.
import LimelightCodecs
import LimelightSnapshots
import Testing

func deadDocuments(_ live: LiveDocs) -> Set<UInt32> {
  Set((0..<UInt32(live.count)).filter { !live.isLive($0) })
}

struct LiveDocsTests {
  private static let sizes = [0, 1, 63, 64, 65, 32_767, 32_768, 32_769, 70_001]

  /// Compares everything that live docs tell with the dead documents that there should be.
  private func expect(_ live: LiveDocs, deadIs dead: Set<UInt32>, _ what: String) {
    #expect(deadDocuments(live) == dead, "\(what)")
    #expect(live.liveCount == live.count - dead.count && live.deadCount == dead.count, "\(what)")
    var counted = 0
    for page in 0..<live.pageCount {
      let documents = live.documents(inPage: page)
      guard let words = live.words(page) else {
        counted += documents
        continue
      }
      counted += BitSet.popcount(words, 512)
    }
    #expect(counted == live.liveCount, "\(what): bits behind the last document")
  }

  @Test(arguments: sizes)
  func copiesAreIndependent(_ count: Int) {
    var chance = Chance(UInt64(count))
    var all: [(live: LiveDocs, dead: Set<UInt32>)] = [(LiveDocs(count: count), [])]
    for step in 0..<400 {
      let which = chance.below(all.count)
      switch chance.below(20) {
      case 0 where all.count < 6: all.append(all[which])
      case 1 where all.count > 1: all.remove(at: which)
      case 2 where step % 5 == 0:
        all[which].live.deleteAll()
        all[which].dead = Set(0..<UInt32(count))
      case 3:
        var words = [UInt64](repeating: 0, count: (count + 63) / 64 + 1)
        for _ in 0..<min(count, 5) { words[chance.below(words.count)] |= chance.next() }
        let hit = (0..<UInt32(count)).filter { words[Int($0) / 64] >> UInt64($0 % 64) & 1 == 1 }
        let fresh = Set(hit).subtracting(all[which].dead).count
        #expect(
          words.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { all[which].live.delete($0) }
          } == fresh)
        all[which].dead.formUnion(hit)
      default:
        let document = UInt32(chance.below(count + 3))
        let isFresh = document < count && !all[which].dead.contains(document)
        #expect(all[which].live.delete(document) == isFresh)
        if document < count { all[which].dead.insert(document) }
      }
      if step % 80 == 79 {
        for (live, dead) in all { expect(live, deadIs: dead, "size \(count), step \(step)") }
      }
    }
  }

  @Test func aDeleteCopiesOnePageAndLeavesTheOthersShared() throws {
    var live = LiveDocs(count: 100_000)
    _ = live.delete(1)
    _ = live.delete(40_000)
    let copy = live
    #expect(live.words(0) == copy.words(0))
    _ = live.delete(2)
    #expect(live.words(0) != copy.words(0))
    #expect(live.words(1) == copy.words(1))
    #expect(copy.isLive(2) && !live.isLive(2))
    let before = live.words(0)
    _ = live.delete(3)
    #expect(live.words(0) == before, "a page of one's own is changed in place")
    #expect(live.words(3) == nil && live.words(-1) == nil && live.words(4) == nil)
    #expect(!live.isLive(100_000) && !live.isLive(.max))
  }

  @Test(arguments: sizes, [0, 1, 50, 3_000, 60_000])
  func manifestsBringThemBack(_ count: Int, _ deletes: Int) throws {
    var chance = Chance(UInt64(count + deletes))
    var live = LiveDocs(count: count)
    for _ in 0..<min(deletes, count * 4) { _ = live.delete(UInt32(chance.below(max(count, 1)))) }
    var manifest = Manifest(options: testOptions)
    (manifest.number, manifest.journal, manifest.nextFile) = (1, 1, 3)
    manifest.segments = [.init(file: 2, segmentID: 2, live: live)]
    let bytes = manifest.encode().asArray()
    let back = try bytes.withUnsafeBytes { try Manifest(decoding: $0, number: 1) }
    let segment = try #require(back.segments.first)
    expect(segment.live, deadIs: deadDocuments(live), "\(count) documents, \(deletes) deletes")
    #expect(bytes.count < 300 + min(2 * live.deadCount + 16, 4_200 * live.pageCount))
  }
}
