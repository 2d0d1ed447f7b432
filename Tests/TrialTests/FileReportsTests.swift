// Public reports on crashes and files of other engines, by their ids, each tried on this one.

import Foundation
import Limelight
import LimelightSpecimens
import Testing

/// Crash, durability and files.
struct FileReportsTests {
  private func item(_ number: Int) -> Item {
    Item(
      id: "i\(number)", domain: "d\(number % 3)",
      attributes: [.title: .text("all n\(number)"), .pageCount: .number(Double(number))])
  }

  private func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// The files of an index of a segment with deletions and of a journal with a put in each of its records,
  /// as a crash leaves them.
  private func sample(_ folder: TrialFolder) throws -> [String: [UInt8]] {
    for attempt in 0..<20 {
      let path = folder.path + "/sample\(attempt)"
      let index = try Index(path)
      try index.put((0..<10).map { item($0) })
      try index.put([SpecimenItems.rich("rich", 1)])
      try index.delete(ids: ["i3"])
      try index.commit()
      for number in 10..<16 { try index.put([item(number)]) }
      // Files that go while they are copied are gone from it.
      let copied: Void? = try? FileManager.default.copyItem(atPath: path, toPath: folder.index)
      let isSame = try TrialFolder.files(path) == TrialFolder.files(folder.index)
      try index.close()
      var files: [String: [UInt8]] = [:]
      for name in try TrialFolder.files(folder.index).keys where name != "lock" {
        let url = URL(fileURLWithPath: folder.index + "/" + name)
        files[name] = Array(try Data(contentsOf: url))
      }
      // A second of rest, which a busy machine may bring, is enough for a checkpoint.
      let journal = files.first { $0.key.hasPrefix("journal.") }
      if copied != nil, isSame, files.count == 4, let journal, journal.value.count > 600 {
        return files
      }
      try FileManager.default.removeItem(atPath: folder.index)
    }
    throw TrialProcessError("the machine is too slow")
  }

  /// Puts a sample's files back, and takes all others away.
  private func restore(_ files: [String: [UInt8]], in folder: TrialFolder) throws {
    for name in try TrialFolder.files(folder.index).keys where files[name] == nil {
      try FileManager.default.removeItem(atPath: folder.index + "/" + name)
    }
    for (name, bytes) in files { try write(bytes, to: folder.index + "/" + name) }
  }

  @Test("S01, truncated: a file cut at any length is damage or an earlier state, never a trap")
  func truncated() throws {
    let folder = try TrialFolder()
    let files = try sample(folder)
    let all = (0..<10).filter { $0 != 3 }.map { "i\($0)" } + ["rich"]
    let ids = all + (10..<16).map { "i\($0)" }
    #expect(try Index(folder.index, access: .readOnly).ids() == ids)
    for (name, bytes) in files {
      let step = max(bytes.count / 60, 1)
      for length in stride(from: Int.random(in: 0..<step), to: bytes.count, by: step) {
        try write(bytes[..<length], to: folder.index + "/" + name)
        do {
          let index = try Index(folder.index, access: .readOnly)
          let found = try index.ids()
          let isJournal = name.hasPrefix("journal.")
          #expect(
            found == ids || isJournal && found == Array(ids.prefix(found.count)),
            "\(name), cut to \(length): \(found)")
          #expect(try isJournal && found.count >= all.count || !index.verify().isEmpty)
        } catch let error as LimelightError {
          #expect(error.code == .damaged && error.file == name, "\(name), \(length): \(error)")
        }
        #expect(
          try name.hasPrefix("journal.") || !Index.verify(folder.index).isEmpty,
          "\(name), cut to \(length), is not noticed")
      }
      try write(bytes, to: folder.index + "/" + name)
    }
    #expect(try Index(folder.index).ids() == ids)
  }

  @Test("S02, stale lock: after a kill at any moment the index opens at once")
  func staleLock() throws {
    let folder = try TrialFolder()
    for round in 0..<30 {
      let child = try TrialProcess(["hold", folder.index])
      // Half of them are killed while they open, the others while they put and commit.
      if round % 2 == 0 { _ = try child.wait(lines: 1 + round) }
      usleep(UInt32.random(in: 0...15_000))
      try child.kill()
      let index = try Index(folder.index)
      #expect(try index.count >= max(child.lines.count - 1, 0))
      try index.close()
    }
  }

  @Test("S03, version: files of a later or earlier format are told from damage", arguments: [3, 0])
  func version(_ version: UInt8) throws {
    let folder = try TrialFolder()
    let files = try sample(folder)
    for (name, bytes) in files where !name.hasPrefix("thumbnails.") {
      var other = bytes
      other[8] = version
      other = Reseal.apply(name, other, at: 8)
      if name.hasPrefix("segment.") {
        other[bytes.count - 36] = version
        other = Reseal.apply(name, other, at: bytes.count - 36)
      }
      let code: LimelightError.Code = version == 0 ? .olderFormat : .newerFormat
      let words = version == 0 ? "an earlier version" : "a later version"
      for access in [Access.readOnly, .readWrite] {
        // A writer that is refused may have recovered the journal before: each begins anew.
        try restore(files, in: folder)
        try write(other, to: folder.index + "/" + name)
        let error = #expect(throws: LimelightError.self) {
          _ = try Index(folder.index, access: access)
        }
        #expect(error?.code == code && error?.file == name, "\(name): \(error as Any)")
        #expect(error?.message.contains(words) == true, "\(error as Any)")
      }
    }
    try restore(files, in: folder)
    #expect(try Index(folder.index).count == 16)
  }

  @Test("S05, network file systems: over a link to the folder nothing is lost when a writer dies")
  func link() throws {
    let folder = try TrialFolder()
    let link = folder.path + "/link"
    try FileManager.default.createDirectory(
      atPath: folder.index, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.index)
    var least = 0
    for _ in 0..<5 {
      let child = try TrialProcess(["hold", link])
      _ = try child.wait(lines: 10)
      try child.kill()
      least += child.lines.count - 1
      let count = try Index(folder.index, access: .readOnly).count
      #expect(count >= least)
      least = count
      #expect(try Index.verify(link).isEmpty)
    }
    #expect(least >= 45)
  }

  @Test("S07, no locks: where the system has none, writing is refused clearly and reading works")
  func noLocks() throws {
    let folder = try TrialFolder()
    let index = try Index(folder.index)
    try index.put((0..<5).map { item($0) })
    try index.close()
    let library = try SystemCalls.library(in: folder, SystemCalls.noLocks)
    let child = try TrialProcess(["lockless", folder.index], preloading: library)
    #expect(try child.end() == "lockless: 5 items")
    // With locks it goes on.
    try Index(folder.index).close()
  }
}
