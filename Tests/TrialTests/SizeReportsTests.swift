// Public reports on the memory that other engines take, by their ids, each tried on this one.

import Foundation
import Limelight
import Testing

/// Memory and size.
struct SizeReportsTests {
  /// `LIMELIGHT_FULL_SIZE` takes the sizes of the reports; they need optimised code.
  private static let isFull =
    ProcessInfo.processInfo.environment["LIMELIGHT_FULL_SIZE"] != nil

  @Test("M01, memory of merges: long texts among short ones cost no gigabytes")
  func longTexts() throws {
    let sizes = Self.isFull ? ["5000", "200", "5000000"] : ["200", "2", "2000000"]
    print(try TrialFolder().run("heavy", sizes[0], sizes[1], sizes[2]))
  }

  @Test("M02, the same items again: neither memory nor disk grows with the passes")
  func again() throws {
    print(try TrialFolder().run("again", Self.isFull ? "200000" : "3000"))
  }

  @Test("M03, size on disk: an index of mail without its texts is smaller than the mail")
  func mail() throws {
    print(try TrialFolder().run("mail", Self.isFull ? "100000000" : "3000000"))
  }

  @Test(
    "A merge takes no more room than the index before it and the merged segment",
    .enabled(if: TrialProcess.maySetMounts, TrialProcess.noMounts))
  func roomForAMerge() throws {
    let folder = try TrialFolder()
    print(
      try folder.run(
        "disk", Self.isFull ? "100000" : "4500",
        mounting: "mount -t tmpfs -o size=1g limelight \(folder.path)"))
  }

  @Test("M04, budget: a thousand attributes go into the smallest memory budget")
  func manyAttributes() throws {
    let folder = try TrialFolder()
    let index = try Index(folder.index)
    var number = 0
    let report = try index.load(memoryBudget: 1) {
      guard number < 1000 else { return nil }
      let batch = (number..<number + 100).map { number in
        var item = Item(id: "i\(number)")
        for place in 0..<10 {
          let name = "field\((number * 10 + place) % 1000)"
          item.attributes[Attribute(name)] = .text("word\(number % 50) of \(name)")
        }
        return item
      }
      number += 100
      return .items(batch)
    }
    #expect(report.put == 1000 && report.refused.isEmpty)
    #expect(try index.count(.term("of", in: Attribute("field999"))) == 10)
    #expect(try index.count == 1000)
    #expect(try index.verify().isEmpty)
    try index.close()
  }
}
