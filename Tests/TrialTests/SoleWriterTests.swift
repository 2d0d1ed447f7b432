// Indexes on file systems without locks, and the host's promise that one process writes.

import Foundation
import Limelight
import LimelightStorage
import Testing

struct SoleWriterTests {
  private func filled(_ folder: TrialFolder, _ range: Range<Int>) throws {
    let index = try Index(folder.index)
    try index.put(
      range.map { Item(id: "i\($0)", attributes: [.title: .text("all n\($0)")]) })
    try index.close()
  }

  /// What systems without locks answer.
  @Test(arguments: ["ENOLCK", "EOPNOTSUPP", "ENOSYS", "EINVAL"])
  func withThePromiseAnIndexIsWrittenWithoutLocks(_ code: String) throws {
    let folder = try TrialFolder()
    try filled(folder, 0..<5)
    let library = try SystemCalls.library(
      in: folder, SystemCalls.noLocks.replacingOccurrences(of: "ENOLCK", with: code))
    let child = try TrialProcess(["sole", folder.index], preloading: library)
    #expect(try child.end() == "sole: 34 items")
    let index = try Index(folder.index)
    #expect(try index.count == 34 && index.verify().isEmpty)
    try index.close()
  }

  @Test func whereThereAreLocksTheyCountAllTheSame() throws {
    let folder = try TrialFolder()
    let child = try TrialProcess(["hold", folder.index])
    try #require(try child.wait(lines: 2))
    let error = #expect(throws: LimelightError.self) {
      _ = try Index(folder.index, options: IndexConfiguration(soleWriter: true))
    }
    #expect(error?.code == .locked && error?.holder == child.number)
    try child.kill()
    try Index(folder.index, options: IndexConfiguration(soleWriter: true)).close()
  }

  /// Readers whose file system does not keep removed files for them read files as a whole.
  @Test func readersThatReadFilesFollowAWriterWithoutLocks() throws {
    let folder = try TrialFolder()
    let count = 1000
    try filled(folder, 0..<count)
    let library = try SystemCalls.library(in: folder, SystemCalls.noLocks)
    let reading = IndexConfiguration(fileAccess: .read)
    let follower = try Index(folder.index, options: reading, access: .readOnly)
    let kept = try follower.search("all", limit: count)
    let child = try TrialProcess(["churn", folder.index, "sole"], preloading: library)
    var looks = 0
    while !child.isAtEnd {
      try child.read(milliseconds: 5)
      for index in [follower, try Index(folder.index, options: reading, access: .readOnly)] {
        let found = try index.count(.term("all"))
        try #require(found == count || found == count - count / 2, "\(found)")
      }
      looks += 1
    }
    #expect(try child.end() == "churn: \(count) items")
    #expect(looks > 1)
    #expect(try follower.count == count - count / 2)
    #expect(try kept.map { try $0.id } == (0..<count).map { "i\($0)" })
  }

  @Test(arguments: [false, true])
  func aPromiseThatIsBrokenIsNoticedBeforeAnythingIsReplaced(_ merges: Bool) throws {
    let folder = try TrialFolder()
    for start in [0, 5, 10] { try filled(folder, start..<start + 5) }
    let options = IndexConfiguration(soleWriter: true)
    let first = try Index(folder.index, options: options)
    if !merges { try first.put([Item(id: "first")]) }
    // Another file to lock: as on a file system whose locks do nothing.
    try FileManager.default.removeItem(atPath: folder.index + "/lock")
    let second = try Index(folder.index, options: options)
    try second.put([Item(id: "second")])
    try second.commit()
    let error = #expect(throws: LimelightError.self) {
      // A merge has nothing to sync first, where the loss of the journal would be noticed.
      if merges { try first.merge() } else { try first.commit() }
    }
    #expect(error?.code == .poisoned)
    #expect(!merges || error?.message.contains("sole writer") == true, "\(error as Any)")
    #expect(throws: LimelightError.self) { try first.put([Item(id: "lost")]) }
    #expect(throws: LimelightError.self) { try first.close() }
    try second.put([Item(id: "third")])
    try second.close()
    let index = try Index(folder.index)
    #expect(try index.contains("second") && index.contains("third") && !index.contains("lost"))
    #expect(try index.verify().isEmpty)
    try index.close()
  }
}
