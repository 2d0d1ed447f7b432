// Public reports on damage and foreign hands on files, by their ids, each tried on this engine.

import Foundation
import Limelight
import LimelightSpecimens
import Testing

struct RepairReportsTests {
  private func items(_ count: Int) -> [Item] {
    (0..<count).map { SpecimenItems.plain("p\($0)", $0, words: 90) }
  }

  /// Overwrites a stretch in the middle of a section of the largest segment.
  private func damage(_ path: String, section: Int?) throws {
    let files = try TrialFolder.files(path).filter { $0.key.hasPrefix("segment.") }
    let name = try #require(files.max { $0.value < $1.value }?.key)
    let place = URL(fileURLWithPath: path + "/" + name)
    var bytes = Array(try Data(contentsOf: place))
    let whole = 0..<bytes.count
    let range = try section.map { try #require(Reseal.section($0, of: bytes)) } ?? whole
    let middle = (range.lowerBound + range.upperBound) / 2
    for offset in middle..<middle + 700 { bytes[offset] ^= 0x5A }
    try Data(bytes).write(to: place)
  }

  @Test("S09, repair without stored items: the report says which items have to be put again")
  func repairWithoutStoredItems() throws {
    let folder = try TrialFolder()
    let index = try Index(folder.index, options: IndexConfiguration(storesItems: false))
    try index.put(items(600))
    try index.commit()
    try index.put((0..<3).map { SpecimenItems.plain("other\($0)", $0) })
    try index.close()
    // Postings: ids are on other pages.
    try damage(folder.index, section: 8)
    let report = try Index.repair(folder.index)
    let counted = report.unidentified.reduce(0) { $0 + $1.items }
    #expect(report.rescued == 0 && !report.isComplete)
    let left = try Index(folder.index, access: .readOnly)
    #expect(try left.count + report.lost.count + counted == 603)
    #expect(report.lost.count > 0 && report.lost.allSatisfy { $0.hasPrefix("p") })
    #expect(try left.verify().isEmpty)
  }

  @Test("S06, files cut short by others: what was found stays; old names are nobody's any more")
  func truncated() throws {
    let folder = try TrialFolder()
    var index = try Index(folder.index)
    try index.put(items(300))
    try index.commit()
    let reader = try Index(folder.index, access: .readOnly)
    let results = try reader.search("common", limit: 300)
    let old = try TrialFolder.files(folder.index).keys.filter { $0.hasPrefix("segment.") }
    // Another segment takes the place of those that the reader has mapped, whose names are then cut.
    try index.put(items(40))
    try index.merge()
    try index.close()
    for name in old {
      #expect(!FileManager.default.fileExists(atPath: folder.index + "/" + name))
      try Data().write(to: URL(fileURLWithPath: folder.index + "/" + name))
    }
    var number = 0
    for hit in results {
      #expect(try hit.item().id == hit.id)
      number += 1
    }
    #expect(number == 300)
    #expect(try reader.count("common") == 300)
    // What a foreign hand leaves under an old name is cleared away by the next writer.
    index = try Index(folder.index)
    #expect(try index.count == 300)
    try index.close()
    #expect(try Set(TrialFolder.files(folder.index).keys).isDisjoint(with: old))

    // Cut in place, with the files read into memory: nothing changes for who has them open.
    let copied = try Index(
      folder.index, options: IndexConfiguration(fileAccess: .read), access: .readOnly)
    let now = try TrialFolder.files(folder.index).keys.filter { $0.hasPrefix("segment.") }
    for name in now { try Data().write(to: URL(fileURLWithPath: folder.index + "/" + name)) }
    #expect(try copied.search("common", limit: 300).map { try $0.item().id }.count == 300)
    // And who opens it later is told.
    let error = #expect(throws: LimelightError.self) { try Index(folder.index, access: .readOnly) }
    #expect(error?.code == .damaged && error?.file == now.first)
  }
}
