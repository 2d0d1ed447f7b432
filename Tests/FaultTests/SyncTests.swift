// How often a put syncs, and what becomes of an index whose sync has failed.

import Glibc
import LimelightIndexing
import LimelightItems
import LimelightSnapshots
import LimelightStorage
import Testing

struct SyncTests {
  private static let options = IndexOptions(analyzerName: "words", analyzerVersion: 1)

  private func writer(_ disk: FaultDisk) throws -> IndexWriter {
    try IndexWriter(.faulty(disk), creating: Self.options, waiting: 2000)
  }

  @Test func aLonePutCostsExactlyOneSync() throws {
    let disk = FaultDisk()
    let writer = try writer(disk)
    for number in 0..<60 {
      let before = (disk.count(of: .dataSync), disk.count(of: .folderSync))
      _ = try writer.put([FaultStep.item("i\(number % 7)", number, thumbnail: number % 3)])
      #expect((disk.count(of: .dataSync), disk.count(of: .folderSync)) == (before.0 + 1, before.1))
    }
    for ids in [["i1"], ["i2", "nobody"]] {
      let before = disk.count(of: .dataSync)
      _ = try writer.delete(ids: ids)
      #expect(disk.count(of: .dataSync) == before + 1)
    }
    let before = disk.count()
    #expect(try writer.put([]).put == 0)
    _ = try FaultRun.contents(writer.root)
    #expect(disk.count() == before)
    try writer.close()
  }

  @Test func putsAtTheSameTimeShareSyncs() throws {
    let disk = FaultDisk()
    let writer = try writer(disk)
    let before = disk.count(of: .dataSync)
    let threads = try (0..<4).map { thread in
      try WorkerThread(name: "put", stackSize: 4 << 20) {
        for number in 0..<25 {
          let put = try? writer.put([FaultStep.item("t\(thread)", number)])
          #expect(put?.put == 1)
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(disk.count(of: .dataSync) - before <= 100)
    #expect(try FaultRun.contents(writer.root).count == 4)
    #expect(writer.root.snapshot.generation == 100)
    try writer.close()
  }

  @Test func aFailedSyncPoisonsTheIndexUntilItIsOpenedAgain() throws {
    for seed in 0..<20 as Range<UInt64> {
      let disk = FaultDisk(seed: seed)
      let writer = try writer(disk)
      _ = try writer.put([FaultStep.item("a", 1), FaultStep.item("b", 1)])
      let acknowledged = try FaultRun.contents(writer.root)
      disk.fail(.dataSync, number: disk.count(of: .dataSync) + 1)
      #expect(throws: IndexingError.self) { _ = try writer.put([FaultStep.item("a", 2)]) }
      for _ in 0..<2 {
        let error = #expect(throws: IndexingError.self) {
          _ = try writer.put([FaultStep.item("c", 1)])
        }
        guard case .snapshot(let reason)? = error else {
          Issue.record("\(String(describing: error))")
          return
        }
        #expect(reason.kind == .poisoned)
      }
      #expect(throws: IndexingError.self) { try writer.checkpoint() }
      // What was acknowledged can still be searched.
      #expect(try FaultRun.contents(writer.root) == acknowledged)
      #expect(throws: IndexingError.self) { try writer.close() }

      var doubtful = acknowledged
      FaultStep.put([FaultStep.item("a", 2)]).apply(to: &doubtful)
      for disk in [disk.powerCut(seed: seed), disk] {
        let again = try self.writer(disk)
        let found = try FaultRun.contents(again.root)
        #expect(found == acknowledged || found == doubtful)
        _ = try again.put([FaultStep.item("c", 2)])
        #expect(try FaultRun.contents(again.root).count == 3)
        try again.close()
      }
    }
  }
}
