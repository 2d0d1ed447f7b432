// Repairs killed at random moments: the index is the old one or the repaired one, and nothing else.

import Foundation
import Limelight
import LimelightSpecimens
import Testing

struct RepairKillTests {
  private func files(_ path: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) where name != "lock" {
      files[name] = Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
    }
    return files
  }

  private func write(_ files: [String: [UInt8]], to path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    for (name, bytes) in files {
      try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    }
  }

  private func contents(_ path: String) throws -> [String: Item] {
    let index = try Index(path, access: .readOnly)
    var items: [String: Item] = [:]
    for id in try index.ids() { items[id] = try index.get(id) }
    return items
  }

  /// An index of two segments and a journal's tail, of which a page of stored items is lost.
  private func damaged() throws -> [String: [UInt8]] {
    let folder = try TrialFolder()
    let index = try Index(folder.index)
    // What does not compress: the stored items fill some pages, so that one can be lost by itself.
    try index.put(
      (0..<600).map { number in
        var item = SpecimenItems.plain("p\(number)", number)
        item.attributes[.comment] = .text(
          (0..<30).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }
            .joined(separator: " "))
        return item
      })
    try index.commit()
    try index.put((0..<40).map { SpecimenItems.rich("r\($0)", $0) })
    try index.delete(ids: (0..<30).map { "p\($0 * 5)" })
    try index.close()
    var files = try files(folder.index)
    let (name, bytes) = try #require(
      files.filter { $0.key.hasPrefix("segment.") }.max { $0.value.count < $1.value.count })
    var changed = bytes
    let stored = try #require(Reseal.section(19, of: bytes))
    for place in 0..<1024 { changed[(stored.lowerBound + stored.upperBound) / 2 + place] = 0 }
    files[name] = changed
    return files
  }

  @Test func aKilledRepairHasHappenedOrNot() throws {
    let before = try damaged()
    // What comes of it undisturbed, and how long that takes.
    let first = try TrialFolder()
    try write(before, to: first.index)
    let start = Date()
    _ = try first.run("repair")
    let whole = -start.timeIntervalSinceNow
    let repaired = try contents(first.index)
    #expect(try files(first.index + ".before-repair") == before)
    #expect(repaired.count > 200)

    var outcomes = (old: 0, repaired: 0)
    for round in 0..<24 {
      let folder = try TrialFolder()
      try write(before, to: folder.index)
      let child = try TrialProcess(["repair", folder.path])
      _ = try child.wait(lines: 1)
      usleep(UInt32(whole * Double.random(in: 0...1.1) * 1_000_000))
      // It may have ended by itself.
      try? child.kill()
      if try files(folder.index) == before {
        outcomes.old += 1
      } else {
        outcomes.repaired += 1
        #expect(try contents(folder.index) == repaired, "round \(round)")
        #expect(try Index.verify(folder.index).isEmpty, "round \(round)")
        #expect(try files(folder.index + ".before-repair") == before, "round \(round)")
      }
      // Again comes to the same, whatever the first attempt has left.
      let report = try Index.repair(folder.index)
      #expect(try contents(folder.index) == repaired, "round \(round)")
      #expect(try report.original.map { try files($0) == before } ?? true, "round \(round)")
    }
    print("repair: killed \(outcomes.old) times before the swap, \(outcomes.repaired) behind it")
    #expect(outcomes.old > 0)
  }
}
