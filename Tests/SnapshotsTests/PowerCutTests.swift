// The commit protocol, with the power cut and the disk failing at every operation.
import Glibc
import LimelightSnapshots
import LimelightStorage
import Testing

struct PowerCutTests {
  /// How many operations a script costs an untroubled disk.
  private func length(of script: UInt64, steps: Int) throws -> Int {
    let disk = FaultDisk(seed: script)
    try IndexModel().run(disk, seed: script, steps: steps)
    return disk.count()
  }

  /// Opens what a power cut left; for its part with a fault during recovery, then once more.
  private func recover(_ model: IndexModel, _ disk: FaultDisk, seed: UInt64) throws {
    var chance = Chance(seed)
    var found = disk.powerCut(seed: chance.next())
    try model.checkReader(of: found)
    for _ in 0..<2 {
      let number = 1 + chance.below(14)
      if chance.below(2) == 0 { found.cut(number: number) } else { found.fail(number: number) }
      do {
        try model.open(found)
        try model.run(found, seed: chance.next(), steps: 4)
      } catch let error as SnapshotError {
        try #require(error.storage != nil || found.isCut, "\(error)")
      } catch let error as StorageError {
        try #require(error.kind == .io, "\(error)")
      }
      model.close()
      found = found.powerCut(seed: chance.next())
      try model.checkReader(of: found)
    }
    try model.open(found)
    try model.checkReader(of: found)
    model.close()
  }

  @Test(arguments: UInt64(1)...12)
  func afterAPowerCutAtAnyOperationTheStateIsTheModels(_ script: UInt64) throws {
    let steps = 26
    for operation in 1...(try length(of: script, steps: steps)) {
      for seed: UInt64 in 0..<3 {
        let disk = FaultDisk(seed: script &* 1_000 &+ seed)
        disk.cut(number: operation)
        let model = IndexModel()
        try model.run(disk, seed: script, steps: steps)
        try #require(disk.isCut)
        try recover(model, disk, seed: UInt64(operation) &* 31 &+ seed)
      }
    }
  }

  @Test(arguments: UInt64(1)...12)
  func afterAFailureOfAnyOperationNothingIsLost(_ script: UInt64) throws {
    let steps = 26
    let code = script % 2 == 0 ? EIO : ENOSPC
    for operation in 1...(try length(of: script, steps: steps)) {
      let disk = FaultDisk(seed: script &* 7 &+ UInt64(operation))
      disk.fail(number: operation, code: code)
      let model = IndexModel()
      try model.run(disk, seed: script, steps: steps)
      // A second failure, while the first one is being got over.
      disk.fail(number: disk.count() + 1 + operation % 11, code: code)
      try model.run(disk, seed: script &+ 100, steps: 12)
      try recover(model, disk, seed: UInt64(operation))
    }
  }

  @Test func anIndexWhoseMakingFailedAtTheLastSyncIsMadeSureOfWhenItIsOpened() throws {
    for seed: UInt64 in 0..<20 {
      let disk = FaultDisk(seed: seed)
      let folder = Folder.faulty(disk)
      disk.fail(.folderSync, number: 2)
      let error = failure { _ = try IndexFolder.openForWriting(folder, creating: testOptions) }
      #expect(error?.kind == .poisoned)
      // The manifest shows, but its name may never reach the disk.
      let index = try IndexFolder.openForWriting(folder)
      try index.sync(through: try index.append(try put("a")))
      for cut: UInt64 in 0..<8 {
        let found = try IndexFolder.openForWriting(.faulty(disk.powerCut(seed: cut)))
        #expect(try drain(try found.follow()).map(\.sequence) == [1])
      }
    }
  }

  @Test func longRunsWithFailuresAndPowerCutsNowAndThen() throws {
    var checkpoints = 0
    var poisonings = 0
    for seed: UInt64 in 1...12 {
      var chance = Chance(seed)
      let model = IndexModel()
      var disk = FaultDisk(seed: seed)
      for _ in 0..<60 {
        switch chance.below(4) {
        case 0: disk.cut(number: disk.count() + 1 + chance.below(120))
        case 1: disk.fail(.dataSync, number: disk.count(of: .dataSync) + 1 + chance.below(8))
        case 2: disk.fail(.folderSync, number: disk.count(of: .folderSync) + 1 + chance.below(5))
        default: disk.fail(number: disk.count() + 1 + chance.below(60), code: ENOSPC, times: 5)
        }
        try model.run(disk, seed: chance.next(), steps: 30)
        guard disk.isCut || chance.below(3) == 0 else { continue }
        disk = disk.powerCut(seed: chance.next())
        try model.checkReader(of: disk)
      }
      checkpoints += model.checkpoints
      poisonings += model.poisonings
    }
    // The runs must have been through what they are to prove.
    #expect(checkpoints > 200 && poisonings > 50, "\(checkpoints) checkpoints, \(poisonings)")
  }
}
