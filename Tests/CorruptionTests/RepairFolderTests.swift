// Repairs and folders: swapped in one step, nothing destroyed, refused where they must be.

import Foundation
import Limelight
import LimelightSpecimens
import Testing

struct RepairFolderTests {
  private func files(_ path: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) where name != "lock" {
      files[name] = Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
    }
    return files
  }

  /// A sandbox with a damaged segment.
  private func damaged() throws -> Sandbox {
    let specimen = try Specimen.several()
    let sandbox = try Sandbox(specimen)
    let (name, bytes) = try #require(specimen.files.first { $0.key.hasPrefix("segment.") })
    var changed = bytes
    changed[200] ^= 0x40
    try sandbox.write(changed, to: name)
    return sandbox
  }

  @Test func theOldFilesStayBeside() throws {
    let sandbox = try damaged()
    let before = try files(sandbox.path)
    defer { try? FileManager.default.removeItem(atPath: sandbox.path + ".before-repair") }
    defer { try? FileManager.default.removeItem(atPath: sandbox.path + ".before-repair-2") }
    let reader = try? Index(sandbox.path, access: .readOnly)
    let report = try Index.repair(sandbox.path + "/")
    #expect(report.isComplete && !report.problems.isEmpty)
    #expect(report.original == sandbox.path + ".before-repair")
    #expect(try files(sandbox.path + ".before-repair") == before)
    #expect(try Index.verify(sandbox.path).isEmpty)
    _ = reader

    // The repaired index is one like any other, and its changes have new numbers.
    let index = try Index(sandbox.path)
    let generation = try index.stats().generation
    #expect(try index.put([SpecimenItems.plain("new", 1)]).generation > generation)
    try index.close()
    #expect(try Index.repair(sandbox.path).problems.isEmpty)

    // Another repair takes another name.
    let name = try #require(try files(sandbox.path).keys.first { $0.hasPrefix("segment.") })
    try sandbox.remove(name)
    #expect(try Index.repair(sandbox.path).original == sandbox.path + ".before-repair-2")
    #expect(try files(sandbox.path + ".before-repair") == before)
  }

  @Test func aDryRunWritesNothing() throws {
    let sandbox = try damaged()
    let before = try files(sandbox.path)
    let report = try Index.repair(sandbox.path, dryRun: true)
    #expect(!report.problems.isEmpty && report.path == nil && report.original == nil)
    #expect(try files(sandbox.path) == before)
    #expect(!FileManager.default.fileExists(atPath: sandbox.path + "/lock"))
    #expect(!FileManager.default.fileExists(atPath: sandbox.path + ".before-repair"))
  }

  @Test func aWriterIsNotDisturbed() throws {
    let sandbox = try Sandbox(try Specimen.single())
    let index = try Index(sandbox.path)
    for isDry in [false, true] {
      let error = #expect(throws: LimelightError.self) {
        try Index.repair(sandbox.path, dryRun: isDry)
      }
      #expect(error?.code == .locked && error?.holder == getpid())
    }
    try index.put([SpecimenItems.plain("new", 1)])
    try index.close()
    #expect(try Index.repair(sandbox.path).problems.isEmpty)
  }

  @Test func outputsMustBeEmpty() throws {
    let sandbox = try damaged()
    let error = #expect(throws: LimelightError.self) {
      try Index.repair(sandbox.path, output: sandbox.path)
    }
    #expect(error?.code == .invalidArgument)
    let other = try Sandbox(try Specimen.single())
    let before = try files(other.path)
    #expect(throws: LimelightError.self) {
      try Index.repair(sandbox.path, output: other.path)
    }
    #expect(try files(other.path) == before)
  }

  @Test func aCancelledRepairLeavesNothing() throws {
    let sandbox = try damaged()
    let before = try files(sandbox.path)
    let cancellation = Cancellation()
    cancellation.cancel()
    let error = #expect(throws: LimelightError.self) {
      try Index.repair(sandbox.path, cancellation: cancellation)
    }
    #expect(error?.code == .cancelled)
    #expect(try files(sandbox.path) == before)
    #expect(!FileManager.default.fileExists(atPath: sandbox.path + ".before-repair"))
  }

  @Test func withoutAnyManifestNothingIsGuessed() throws {
    let specimen = try Specimen.several()
    let sandbox = try Sandbox(specimen)
    let name = try #require(specimen.files.keys.first { $0.hasPrefix("manifest.") })
    try sandbox.write([UInt8](repeating: 0, count: 300), to: name)
    let before = try files(sandbox.path)
    let error = #expect(throws: LimelightError.self) { try Index.repair(sandbox.path) }
    #expect(error?.code == .damaged && error?.file == name)
    #expect(try files(sandbox.path) == before)
    try sandbox.remove(name)
    let gone = #expect(throws: LimelightError.self) { try Index.repair(sandbox.path) }
    #expect(gone?.code == .damaged)
    let none = try Specimen.scratch("empty")
    defer { try? FileManager.default.removeItem(atPath: none) }
    let empty = #expect(throws: LimelightError.self) { try Index.repair(none) }
    #expect(empty?.code == .notFound)
    #expect(try files(none).isEmpty)
  }

  @Test func anOlderWholeManifestIsTaken() throws {
    let specimen = try Specimen.several()
    let sandbox = try Sandbox(specimen)
    let name = try #require(specimen.files.keys.first { $0.hasPrefix("manifest.") })
    let number = try #require(Int(name.dropFirst("manifest.".count)))
    try sandbox.write([1, 2, 3], to: "manifest.\(number + 1)")
    defer { try? FileManager.default.removeItem(atPath: sandbox.path + ".before-repair") }
    #expect(sandbox.read().refusal == .damaged)
    let report = try Index.repair(sandbox.path)
    #expect(report.problems.map(\.file) == ["manifest.\(number + 1)"])
    #expect(report.isComplete)
    let index = try Index(sandbox.path, access: .readOnly)
    guard case .found(let ids) = Answers(of: index).answers[0] else {
      Issue.record("no ids")
      return
    }
    guard case .found(let expected) = specimen.truth.answers[0] else { return }
    #expect(Set(ids) == Set(expected))
  }
}
