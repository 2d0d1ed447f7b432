// The fuzzers' seeds and all inputs that once broke something, run as plain tests.

import Foundation
import LimelightFuzz
import Testing

@Suite(.serialized) struct ReplayTests {
  /// Inputs that fuzzers have found, by target: `Fixtures/<target>/<name>`.
  private static func fixtures(_ target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/\(target.rawValue)")
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
      (name, Array(try Data(contentsOf: folder.appendingPathComponent(name))))
    }
  }

  private func run(_ target: FuzzTarget, _ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try target.run($0) }
  }

  @Test(arguments: FuzzTarget.allCases)
  func whatWasFoundStaysMended(target: FuzzTarget) throws {
    for (name, bytes) in try Self.fixtures(target) {
      #expect(throws: Never.self, "\(target), \(name)") { try run(target, bytes) }
    }
  }

  /// Seeds are right: each one is opened, and what lies deepest in a target is reached.
  @Test(arguments: FuzzTarget.allCases)
  func seedsReachTheDeepestCode(target: FuzzTarget) throws {
    let seeds = try target.seeds()
    #expect(!seeds.isEmpty)
    for (number, seed) in seeds.enumerated() {
      let before = FuzzReach.count(.opened)
      let refused = FuzzReach.count(.refused)
      #expect(throws: Never.self, "\(target), seed \(number)") { try run(target, seed) }
      #expect(FuzzReach.count(.opened) > before, "\(target), seed \(number)")
      #expect(FuzzReach.count(.refused) == refused || target == .lines, "\(target), seed \(number)")
    }
    for step in Self.deepest(target) { #expect(FuzzReach.count(step) > 0, "\(target), \(step)") }
  }

  private static func deepest(_ target: FuzzTarget) -> [FuzzReach.Step] {
    switch target {
    case .segment:
      [
        .whole, .terms, .postings, .positions, .columnValues, .storedItems, .hits, .merges,
        .highlights,
      ]
    case .manifest: [.records]
    case .journal: [.records, .items, .hits, .merges]
    case .lines: [.items, .whole, .storedItems]
    case .text: [.terms, .hits, .highlights]
    }
  }

  /// A file taken apart and put together is the same file, and mutations keep the frame whole.
  @Test(arguments: [FuzzTarget.segment, .manifest, .journal])
  func mutationsGetBehindTheFrame(target: FuzzTarget) throws {
    var opened = 0
    var count = 0
    for seed in try target.seeds() {
      for number in UInt32(0)..<40 {
        // Without any change, what is put together is the file.
        let same = target.mutate(seed, limit: 1 << 20, seed: number) { part, _ in part }
        let mutated = target.mutate(seed, limit: 1 << 20, seed: number) { part, _ in
          var part = part
          if !part.isEmpty { part[Int(number) % part.count] ^= UInt8(1 + number) }
          return part
        }
        let before = FuzzReach.count(.opened)
        #expect(throws: Never.self) { try run(target, same) }
        #expect(throws: Never.self) { try run(target, mutated) }
        opened += FuzzReach.count(.opened) - before
        count += 2
      }
    }
    #expect(opened > count / 3, "\(opened) of \(count)")
  }
}
