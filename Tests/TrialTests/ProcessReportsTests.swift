// Public reports on processes and threads in other engines, by their ids, each tried on this one.

import Foundation
import Limelight
import LimelightStorage
import Testing

/// Processes and threads.
struct ProcessReportsTests {
  /// An index whose items `churn` replaces.
  private func filled(_ folder: TrialFolder, _ count: Int) throws {
    let index = try Index(folder.index)
    for start in stride(from: 0, to: count, by: 500) {
      try index.put(
        (start..<min(start + 500, count)).map { number in
          Item(
            id: "i\(number)", domain: "d", attributes: [.title: .text("all n\(number) first")])
        })
    }
    try index.close()
  }

  @Test("S06 and C01: what a reader has found stays, while another process replaces and merges it")
  func readerWriter() throws {
    let folder = try TrialFolder()
    let count = 1500
    try filled(folder, count)
    let reader = try Index(folder.index, access: .readOnly)
    let results = try reader.search("all", limit: count)
    #expect(results.count == count)
    // Files are never changed in place, only removed: whoever has one open keeps all of it.
    let open = try TrialFolder.files(folder.index).filter { $0.key.hasPrefix("segment.") }
      .map { name, size in
        let path = folder.index + "/" + name
        let file = try #require(FileHandle(forReadingAtPath: path))
        return (file: file, bytes: try #require(FileManager.default.contents(atPath: path)))
      }
    let child = try TrialProcess(["churn", folder.index])
    var number = 0
    for hit in results {
      let title = try hit.item().attributes[.title]
      try #require(try hit.id == "i\(number)" && title == .text("all n\(number) first"))
      number += 1
      if number % 100 == 0 { try child.read(milliseconds: 10) }
    }
    #expect(try child.end() == "churn: \(count) items")
    for (number, hit) in results.enumerated() {
      let title = try hit.item().attributes[.title]
      try #require(try hit.id == "i\(number)" && title == .text("all n\(number) first"))
    }
    for (file, bytes) in open { #expect(try file.readToEnd() == bytes) }
    #expect(!open.isEmpty)
    #expect(try reader.count == count - count / 2)
    #expect(try reader.count(.term("first")) == 0)
    #expect(try reader.count(.term("r5")) == count - count / 2)
    #expect(try reader.verify().isEmpty)
  }

  @Test("C02, two writers: the second is refused when it opens, with nothing half done")
  func twoWriters() throws {
    let folder = try TrialFolder()
    let child = try TrialProcess(["hold", folder.index])
    try #require(try child.wait(lines: 4))
    for _ in 0..<3 {
      let error = #expect(throws: LimelightError.self) { _ = try Index(folder.index) }
      #expect(error?.code == .locked && error?.holder == child.number)
    }
    let reader = try Index(folder.index, access: .readOnly)
    let error = #expect(throws: LimelightError.self) { try reader.delete(ids: ["i0"]) }
    #expect(error?.code == .readOnly)
    #expect(try reader.contains("i0"))
    try child.kill()
    let index = try Index(folder.index)
    #expect(try index.delete(ids: ["i0"]).deleted == 1)
    #expect(try reader.contains("i0") == false)
    try index.close()
  }

  @Test("C03, a pool of writers: four processes add 1,000 items each, and no batch is lost")
  func pool() throws {
    let folder = try TrialFolder()
    let children = try (0..<4).map { try TrialProcess(["append", folder.index, "p\($0)", "1000"]) }
    for child in children { print(try child.end()) }
    let index = try Index(folder.index)
    #expect(try index.count == 4000)
    for name in ["p0", "p1", "p2", "p3"] {
      #expect(try index.count(.domain(name)) == 1000)
      #expect(try Set(index.ids(domain: name)) == Set((0..<1000).map { "\(name)/\($0)" }))
    }
    try index.close()
  }

  @Test("F02 and F04: closing while others search ends them with an error, twice is once")
  func closing() throws {
    let folder = try TrialFolder()
    try filled(folder, 500)
    for access in [Access.readWrite, .readOnly] {
      let index = try Index(folder.index, access: access)
      let kept = try index.search("all", limit: 5)
      let ends = Lock()
      nonisolated(unsafe) var codes: [LimelightError.Code] = []
      let threads = try (0..<4).map { _ in
        try WorkerThread(name: "search", stackSize: 4 << 20) {
          do {
            while true {
              for hit in try index.search("all", limit: 50) { _ = try hit.item() }
            }
          } catch {
            ends.withLock { codes.append((error as? LimelightError)?.code ?? .io) }
          }
        }
      }
      Clock.sleep(milliseconds: 30)
      try index.close()
      try index.close()
      for thread in threads { thread.join() }
      #expect(codes == [.closed, .closed, .closed, .closed])
      #expect(try kept.map { try $0.id } == (0..<5).map { "i\($0)" })
      let calls: [() throws -> Void] = [
        { _ = try index.search("all") }, { _ = try index.count }, { _ = try index.get("i1") },
        { _ = try index.ids() }, { _ = try index.stats() }, { _ = try index.verify() },
        { try index.put([]) }, { try index.delete(ids: []) }, { try index.deleteAll() },
        { try index.commit() }, { try index.merge() }, { try index.load { nil } },
      ]
      for call in calls {
        let error = #expect(throws: LimelightError.self) { try call() }
        #expect(error?.code == .closed)
      }
    }
    #expect(try Index(folder.index).count == 500)
  }
}
