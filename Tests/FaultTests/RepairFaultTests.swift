// Repairs on disks that fail, or lose their power, at every single operation.

import Foundation
import LimelightIndexing
import LimelightItems
import LimelightSnapshots
import LimelightStorage
import Testing

/// A damaged index, and what a repair makes of it when nothing goes wrong.
private struct DamagedIndex {
  typealias Files = [String: [UInt8]]

  let files: Files
  /// What was put, before the damage.
  let truth: FaultRun.Items
  private(set) var repaired: FaultRun.Items = [:]
  private(set) var outcome = RepairOutcome()
  /// The operations that it costs on the disk that it is read from, and on the one it is written to.
  private(set) var reads = 0
  private(set) var writes = 0

  /// A segment of several pages of which one is lost, a whole one, thumbnails, and a journal's tail.
  init() throws {
    let made = FaultDisk(seed: 1)
    let run = FaultRun(made)
    try run.run([
      .put((0..<40).map { Self.long($0) }), .checkpoint,
      .put([
        FaultStep.item("a", 1, custom: "colour", thumbnail: 40), FaultStep.item("b", 2),
        FaultStep.item("long3", 3, thumbnail: 20),
      ]), .delete(["long5"]), .checkpoint,
      .put([FaultStep.item("c", 4, custom: "size", thumbnail: 10), FaultStep.item("a", 5)]),
      .delete(["long7", "b"]),
    ])
    var files = try Self.files(.faulty(made))
    let largest = try #require(
      files.filter { $0.key.hasPrefix("segment.") }.max { $0.value.count < $1.value.count })
    #expect(largest.value.count > 3 << 16)
    var bytes = largest.value
    for place in 0..<2048 { bytes[bytes.count * 3 / 4 + place] = 0 }
    files[largest.key] = bytes
    self.files = files
    truth = run.items
    let (source, target) = (try disk(0), FaultDisk(seed: 2))
    let start = source.count()
    outcome = try Self.repair(source, target)
    reads = source.count() - start
    writes = target.count()
    repaired = try Self.contents(target)
  }

  /// An item whose text does not compress.
  private static func long(_ number: Int) -> Item {
    var item = FaultStep.item("long\(number)", number, thumbnail: number % 7 == 0 ? 30 : 0)
    var state = UInt64(number) &* 7919 &+ 1
    var text = "file:///"
    while text.utf8.count < 6000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      text += String(state >> 4, radix: 36) + "/"
    }
    item.attributes[.contentURL] = .url(text)
    return item
  }

  static func files(_ folder: Folder) throws -> Files {
    var files: Files = [:]
    for name in try folder.list() where name != FileNames.lock {
      files[name] = try folder.read(name)
    }
    return files
  }

  /// A disk with the damaged files, all of them durable.
  func disk(_ seed: UInt64) throws -> FaultDisk {
    let disk = FaultDisk(seed: seed)
    let folder = Folder.faulty(disk)
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
      let file = try folder.create(name)
      try file.append(bytes)
      try file.sync()
      file.close()
    }
    try folder.sync()
    return disk
  }

  static func repair(_ source: FaultDisk, _ target: FaultDisk) throws -> RepairOutcome {
    let repair = try IndexRepair(.faulty(source), writesNothing: false)
    try repair.examine()
    try repair.write(to: .faulty(target))
    return repair.outcome
  }

  static func contents(_ disk: FaultDisk) throws -> FaultRun.Items {
    try FaultRun.contents(try IndexFollower(.faulty(disk)).refresh())
  }

  /// Whether an outcome is the one of an untroubled repair.
  func isSame(_ other: RepairOutcome) -> Bool {
    outcome.damages == other.damages && outcome.rescued == other.rescued
      && outcome.lost == other.lost && outcome.withoutThumbnail == other.withoutThumbnail
      && outcome.lostChanges == other.lostChanges
      && outcome.unidentified.map(\.items) == other.unidentified.map(\.items)
  }

  /// `LIMELIGHT_ALL_FAULTS` repairs again after each fault; otherwise one in so many will do.
  private static let stride =
    ProcessInfo.processInfo.environment["LIMELIGHT_ALL_FAULTS"] == nil ? 5 : 1

  /// The old files are as they were, and a repair of them comes to the same.
  func checkAgain(_ source: FaultDisk, _ operation: Int, _ what: String) throws {
    #expect(try Self.files(.faulty(source)) == files, "\(what): the old files have changed")
    guard operation % Self.stride == 0 else { return }
    let target = FaultDisk(seed: 5)
    #expect(isSame(try Self.repair(source, target)), "\(what): another outcome")
    #expect(try Self.contents(target) == repaired, "\(what): other items")
  }
}

struct RepairFaultTests {
  @Test func aRepairIsWorthTrying() throws {
    let index = try DamagedIndex()
    #expect(index.outcome.rescued > 20 && !index.outcome.lost.isEmpty)
    #expect(index.outcome.unidentified.isEmpty && index.outcome.lostChanges == 0)
    #expect(
      Set(index.truth.keys) == Set(index.repaired.keys).union(index.outcome.lost))
    for (id, item) in index.repaired { #expect(index.truth[id] == item, "\(id)") }
    #expect(index.writes > 40 && index.reads > 10, "\(index.writes), \(index.reads)")
  }

  /// Before the two folders are swapped, all of the new one is on the disk.
  @Test func whatWasWrittenOutlivesAPowerCut() throws {
    let index = try DamagedIndex()
    let (source, target) = (try index.disk(1), FaultDisk(seed: 3))
    _ = try DamagedIndex.repair(source, target)
    for seed in 1...20 {
      let found = target.powerCut(seed: UInt64(seed))
      #expect(try DamagedIndex.contents(found) == index.repaired, "seed \(seed)")
    }
  }

  @Test func afterAPowerCutAtAnyOperationTheIndexIsTheOldOneAndCanBeRepaired() throws {
    let index = try DamagedIndex()
    for operation in 1...index.writes {
      let what = "cut at operation \(operation) of \(index.writes)"
      let (source, target) = (try index.disk(1), FaultDisk(seed: UInt64(operation)))
      target.cut(number: operation)
      #expect(throws: (any Error).self, "\(what)") {
        _ = try DamagedIndex.repair(source, target)
      }
      #expect(target.isCut, "\(what)")
      try index.checkAgain(source.powerCut(seed: UInt64(operation)), operation, what)
    }
    // The power goes while the old files are being read.
    for operation in 1...index.reads {
      let what = "cut at reading \(operation) of \(index.reads)"
      let source = try index.disk(1)
      source.cut(number: source.count() + operation)
      _ = try? DamagedIndex.repair(source, FaultDisk(seed: 9))
      #expect(source.isCut, "\(what)")
      try index.checkAgain(source.powerCut(seed: UInt64(operation)), operation, what)
    }
  }

  @Test(arguments: [EIO, ENOSPC])
  func afterAFailureOfAnyOperationTheIndexIsTheOldOneOrWhole(_ code: Int32) throws {
    let index = try DamagedIndex()
    var refusals = 0
    for operation in 1...index.writes {
      let what = "error \(code) at operation \(operation) of \(index.writes)"
      let (source, target) = (try index.disk(1), FaultDisk(seed: UInt64(operation)))
      target.fail(number: operation, code: code)
      do {
        #expect(index.isSame(try DamagedIndex.repair(source, target)), "\(what)")
        let found = target.powerCut(seed: UInt64(operation))
        #expect(try DamagedIndex.contents(found) == index.repaired, "\(what)")
      } catch {
        refusals += 1
      }
      try index.checkAgain(source, operation, what)
    }
    #expect(refusals > index.writes / 2, "\(refusals) of \(index.writes)")
  }

  /// What cannot be read at that moment is told as lost or makes the repair fail; it is never left out.
  @Test func whatCannotBeReadIsTold() throws {
    let index = try DamagedIndex()
    for operation in 1...index.reads {
      let what = "error at reading \(operation) of \(index.reads)"
      let (source, target) = (try index.disk(1), FaultDisk(seed: 4))
      source.fail(number: source.count() + operation, code: EIO)
      if let outcome = try? DamagedIndex.repair(source, target) {
        let found = try DamagedIndex.contents(target)
        let unknown =
          outcome.unidentified.reduce(0) { $0 + $1.items } + 100 * outcome.lostChanges
        let missing = index.truth.filter { id, item in
          if outcome.lost.contains(id) { return false }
          guard let kept = found[id] else { return true }
          return kept != item && !outcome.withoutThumbnail.contains(id)
        }
        #expect(missing.count <= unknown, "\(what): \(missing.keys.sorted()) are not told")
        #expect(outcome.lostChanges > 0 || found.keys.allSatisfy { index.truth[$0] != nil })
      }
      try index.checkAgain(source, operation, what)
    }
  }
}
