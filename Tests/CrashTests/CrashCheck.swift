// Reads all of an index that a child has left.

import Limelight
import LimelightCrashChild
import LimelightSnapshots
import LimelightStorage

/// The checks of an index against what a child has said.
struct CrashCheck {
  let path: String
  let verdict: CrashVerdict

  /// Reads the index, first without writing, then perhaps as a writer, and gives the state found.
  ///
  /// `isMade` says that an index was there for certain.
  func run(isMade: Bool, asWriter: Bool) throws -> CrashModel {
    let found: CrashModel
    do {
      let reader = try Index(path, access: .readOnly)
      found = try read(reader)
    } catch let error as LimelightError where error.code == .notFound && !isMade {
      found = verdict.before
    }
    guard asWriter else { return found }
    let writer = try Index(path)
    let recovered = try read(writer)
    guard recovered.items == found.items else {
      throw CrashFailure("a writer recovers another state than a reader sees")
    }
    try writer.close()
    try checkFiles()
    return found
  }

  private func read(_ index: Index) throws -> CrashModel {
    let ids = try index.ids()
    var found: [String: Item] = [:]
    for id in ids {
      guard let item = try index.get(id) else {
        throw CrashFailure("\(id) is listed and not there")
      }
      guard item.id == id, found.updateValue(item, forKey: id) == nil else {
        throw CrashFailure("\(id) is there twice")
      }
    }
    let model = try verdict.match(found)
    guard try index.count == ids.count, try index.count(.everything) == ids.count else {
      throw CrashFailure("\(try index.count) items are counted, \(ids.count) listed")
    }
    guard try index.stats().generation >= verdict.generation else {
      throw CrashFailure("the index has gone back behind change \(verdict.generation)")
    }
    try checkWords(index, model)
    let problems = try index.verify()
    guard problems.isEmpty else { throw CrashFailure("\(problems)") }
    return model
  }

  /// Every batch is found by its word, whole; what was replaced or deleted is not found.
  private func checkWords(_ index: Index, _ model: CrashModel) throws {
    var expected: [String: Int] = [:]
    for thread in 0..<verdict.plan.threads {
      for number in 0..<verdict.begun[thread] {
        expected[verdict.plan.token(thread: thread, number: number)] = 0
      }
    }
    for item in model.items.values {
      guard case .text(let title)? = item.attributes[.title],
        let token = title.split(separator: " ").first
      else { continue }
      expected[String(token), default: 0] += 1
    }
    for (token, count) in expected {
      let found = try index.count(.term(token))
      guard found == count else {
        throw CrashFailure("\(token) is found in \(found) items, not in \(count)")
      }
    }
  }

  /// After a clean end only files that count are there.
  private func checkFiles() throws {
    let folder = try Folder.open(path: path, create: false)
    let manifest = try IndexFolder.openForReading(folder).manifest
    let expected = Set(manifest.files.map(\.description)).union([FileNames.lock])
    guard Set(try folder.list()) == expected else {
      throw CrashFailure("left over: \(Set(try folder.list()).symmetricDifference(expected))")
    }
  }
}
