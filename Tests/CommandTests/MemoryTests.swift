// What a load and a merge take for themselves, seen from outside of the process.

import Foundation
import Testing

struct MemoryTests {
  private let space: Workspace

  init() throws { space = try Workspace() }

  /// What memory may hold beside the budget: the program, buffers of sections, a batch of the input.
  private static let allowance = 32 << 10

  /// Lines whose long texts are kept but not analysed, and do not become smaller: 96 MB of them.
  private func lines() throws -> String {
    var state: UInt64 = 1
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var noise = [UInt8](repeating: 0, count: 1 << 20)
    for place in noise.indices {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      noise[place] = letters[Int(state >> 58)]
    }
    let path = space.path("items.ndjson")
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let file = try #require(FileHandle(forWritingAtPath: path))
    defer { try? file.close() }
    for number in 0..<6000 {
      let start = number &* 7919 % ((1 << 20) - 16_384)
      var line = Data(
        #"{"id":"\#(number)","attributes":{"title":"number \#(number)","thumbnailURL":"file:///"#
          .utf8)
      line.append(contentsOf: noise[start..<(start + 16_000)])
      line.append(contentsOf: Array("\"}}\n".utf8))
      try file.write(contentsOf: line)
    }
    return path
  }

  /// Runs the command; the largest anonymous memory that it was seen with, in KiB.
  private func peak(_ arguments: [String]) throws -> Int {
    let process = try Workspace.process(arguments)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    var peak = 0
    while process.isRunning {
      peak = max(peak, Self.anonymous(process.processIdentifier))
      usleep(1000)
    }
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return peak
  }

  private static func anonymous(_ process: Int32) -> Int {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") })
    else { return 0 }
    return Int(line.split { $0 == " " || $0 == "\t" }[1]) ?? 0
  }

  @Test func loadAndMergeStayWithinTheBudget() throws {
    let budget = 8
    let corpus = try lines()
    let load = try peak(["import", space.index, corpus, "--bulk", "--memory", "\(budget)"])
    let first = try space.run("stats", space.index, "--json").json()
    let merge = try peak(["merge", space.index])
    let stats = try space.run("stats", space.index, "--json").json()
    #expect(stats["items"] as? Int == 6000)
    #expect((first["segments"] as? [Any])?.count ?? 0 > 1)
    #expect((stats["segments"] as? [Any])?.count == 1)
    // The segment that the merge has made is many times larger.
    let bytes = try FileManager.default.contentsOfDirectory(atPath: space.index)
      .reduce(0) { sum, name in
        let attributes = try FileManager.default.attributesOfItem(
          atPath: "\(space.index)/\(name)")
        return sum + (attributes[.size] as? Int ?? 0)
      }
    #expect(bytes > 80 << 20)
    print("memory: load \(load) KiB, merge \(merge) KiB, index \(bytes >> 10) KiB")
    #expect(load > 1000 && load < (budget << 10) + Self.allowance, "\(load) KiB")
    #expect(merge > 1000 && merge < Self.allowance, "\(merge) KiB")
  }
}
