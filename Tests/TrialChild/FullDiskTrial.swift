// A small disk that is full at each step of the work in turn, then has room again.

import Glibc
import Limelight

/// Runs the same changes with ever more room on the disk, until they all fit.
///
/// The folder is a file system of its own, of a few megabytes.
final class FullDiskTrial {
  private let mount: String
  private var path: String { mount + "/index" }
  private var filler: String { mount + "/filler" }
  /// What was acknowledged: what writer and readers show.
  private var model = TrialModel()
  private var refusals: [String: Int] = [:]

  static func run(mount: String) throws {
    let trial = FullDiskTrial(mount: mount)
    var room = 0
    var refused = 1
    while refused > 0 {
      do {
        refused = try trial.attempt(room: room)
      } catch {
        throw TrialFailure("\(room) bytes of room: \(error)")
      }
      room += 4096
      guard room < 4 << 20 else { throw TrialFailure("the changes never fit") }
    }
    let kinds = trial.refusals.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    tell("full: up to \(room) bytes of room, refused: \(kinds.joined(separator: ", "))")
    // Otherwise the steps did not meet what they are to meet.
    for name in ["put", "commit", "merge", "load", "close"] where trial.refusals[name] == nil {
      throw TrialFailure("\(name) never met a full disk")
    }
  }

  private init(mount: String) { self.mount = mount }

  /// Runs all steps with so much room; how many were refused.
  private func attempt(room: Int) throws -> Int {
    try begin()
    let index = try Index(path)
    try fill(leaving: room)
    var refused = 0
    for round in 0..<2 {
      let batch = items(round * 40..<round * 40 + 40, version: 2)
      if try !change("put", index, { try index.put(batch.map(\.item)) }, { $0.put(batch) }) {
        refused += 1
      }
      if try !change("commit", index, { try index.commit() }) { refused += 1 }
      let ids = ["i3", "i\(round + 50)"]
      if try !change("delete", index, { try index.delete(ids: ids) }, { $0.remove(ids) }) {
        refused += 1
      }
      let more = items(round * 30 + 60..<round * 30 + 90, version: 3)
      if try !change("load", index, { try load(more, index) }, { $0.put(more) }) {
        refused += 1
      }
      if try !change("merge", index, { try index.merge() }) { refused += 1 }
    }
    // The lock is free whether or not the last checkpoint had room.
    if try !attempt("close", { try index.close() }) { refused += 1 }
    try checkReader()
    if try !attempt("open", { try Index(path).close() }) { refused += 1 }
    try checkReader()
    try goOn()
    return refused
  }

  /// An index of some files, and a disk with nothing else.
  private func begin() throws {
    for name in [filler] where unlink(name) != 0 && errno != ENOENT {
      throw TrialFailure("unlink: \(errno)")
    }
    model = TrialModel()
    let index = try Index(path)
    try index.deleteAll()
    for part in 0..<2 {
      let batch = items(part * 20..<part * 20 + 20, version: 1)
      try index.put(batch.map(\.item))
      model.put(batch)
      try index.commit()
    }
    try index.close()
  }

  /// With room again everything works, and nothing was left lying about.
  private func goOn() throws {
    guard unlink(filler) == 0 else { throw TrialFailure("unlink: \(errno)") }
    let index = try Index(path)
    try model.checkAll(index)
    let batch = items(10..<70, version: 4)
    try index.put(batch.map(\.item))
    model.put(batch)
    try index.commit()
    try index.merge()
    try model.checkAll(index)
    try index.close()
    try TrialModel.checkFiles(path)
    try checkReader()
  }

  private func items(_ range: Range<Int>, version: Int) -> [TrialItem] {
    range.map { number in
      TrialItem(
        id: "i\(number)", domain: "d\(number % 3)",
        words: ["all", "v\(version)"] + (0..<12).map { "w\(number * 7 + $0 * version)" },
        number: version, thumbnail: number % 8 == 0 ? 600 : 0)
    }
  }

  private func load(_ batch: [TrialItem], _ index: Index) throws {
    var rest: [Item]? = batch.map(\.item)
    try index.load {
      defer { rest = nil }
      return rest.map { .items($0) }
    }
  }

  // MARK: Steps

  /// Runs a step; false if the disk was full, and nothing else may be wrong.
  private func attempt(_ name: String, _ step: () throws -> Void) throws -> Bool {
    do {
      try step()
      return true
    } catch let error as LimelightError where error.code == .noSpace {
      refusals[name, default: 0] += 1
      return false
    } catch {
      throw TrialFailure("\(name): \(error)")
    }
  }

  /// Runs a change: done it is all there, refused it has not happened.
  private func change(
    _ name: String, _ index: Index, _ step: () throws -> Void,
    _ apply: (inout TrialModel) -> Void = { _ in }
  ) throws -> Bool {
    let isDone = try attempt(name, step)
    if isDone { apply(&model) }
    do {
      try model.check(index, word: "all")
      try model.check(index, id: "i3")
      try model.check(index, id: "i8")
      try model.check(index, word: "v3")
      try checkReader()
    } catch {
      throw TrialFailure("after \(name), \(isDone ? "done" : "refused"): \(error)")
    }
    return isDone
  }

  /// A reader needs no room.
  private func checkReader() throws {
    let reader = try Index(path, access: .readOnly)
    try model.checkAll(reader)
  }

  // MARK: The disk

  /// Fills the disk but for so many bytes.
  private func fill(leaving room: Int) throws {
    let file = open(filler, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0 else { throw TrialFailure("open: \(errno)") }
    defer { close(file) }
    let bytes = [UInt8](repeating: 0, count: 1 << 16)
    while write(file, bytes, bytes.count) > 0 {}
    guard errno == ENOSPC else { throw TrialFailure("write: \(errno)") }
    var status = stat()
    guard fstat(file, &status) == 0, Int(status.st_size) >= room,
      ftruncate(file, Int(status.st_size) - room) == 0
    else { throw TrialFailure("ftruncate to leave \(room) bytes: \(errno)") }
  }
}
