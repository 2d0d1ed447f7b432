// Indexes in places with a catch: media that cannot be written, no locks, a path that is relative.

import Glibc
import Limelight

/// Reads an index, which has an item `i0`, on media that cannot be written.
enum ReadingTrial {
  static func run(folder: String) throws {
    let index = try Index(folder, access: .readOnly)
    let count = try index.count
    guard count > 0, try index.count(.term("all")) == count, try index.get("i0") != nil else {
      throw TrialFailure("\(count) items")
    }
    guard try index.verify().isEmpty, try Index.verify(folder).isEmpty else {
      throw TrialFailure("damage")
    }
    try refused([.readOnly], "a put") { try index.put([Item(id: "new")]) }
    try refused([.permission], "opening for writing") { _ = try Index(folder) }
    try refused([.permission], "making an index") { _ = try Index(folder + "/new") }
    // Both have left things as they were.
    guard try Index(folder, access: .readOnly).count == count else {
      throw TrialFailure("something is lost")
    }
    tell("look: \(count) items")
  }
}

/// Opens an index where the system has no locks.
enum LocklessTrial {
  static func run(folder: String) throws {
    let reader = try Index(folder, access: .readOnly)
    let count = try reader.count
    do {
      _ = try Index(folder)
    } catch {
      guard error.code == .io, error.message.contains("lock"),
        error.message.contains("No locks available") || error.message.contains("not supported"),
        error.message.contains("sole writer")
      else { throw TrialFailure("\(error)") }
      guard try reader.count == count, try Index(folder, access: .readOnly).count == count else {
        throw TrialFailure("something is lost")
      }
      tell("lockless: \(count) items")
      return
    }
    throw TrialFailure("a writer does without a lock")
  }
}

/// Writes an index where the system has no locks, on the word that nobody else does.
enum SoleWriterTrial {
  static func run(folder: String) throws {
    let options = IndexConfiguration(soleWriter: true)
    let index = try Index(folder, options: options)
    let reader = try Index(folder, access: .readOnly)
    let before = try index.count
    for number in 0..<30 {
      try index.put([Item(id: "sole\(number)", attributes: [.title: .text("all sole")])])
      guard try reader.count == before + number + 1 else { throw TrialFailure("not seen") }
      if number % 5 == 4 { try index.commit() }
    }
    try refused([.locked], "a second writer in this process") {
      _ = try Index(folder, options: options)
    }
    try refused([.io], "a writer without the promise") { _ = try Index(folder + "/other") }
    try refused([.locked], "a repair meanwhile") {
      _ = try Index.repair(folder, soleWriter: true)
    }
    try index.delete(ids: ["sole0"])
    try index.merge()
    try index.close()
    try refused([.io], "a repair without the promise") { _ = try Index.repair(folder) }
    guard try Index.repair(folder, soleWriter: true).problems.isEmpty else {
      throw TrialFailure("damage")
    }
    let again = try Index(folder, options: options)
    guard try again.count == before + 29, try reader.count == before + 29,
      try again.verify().isEmpty
    else { throw TrialFailure("something is lost") }
    try again.close()
    tell("sole: \(before + 29) items")
  }
}

/// Opens an index by a relative path, then goes elsewhere.
enum WanderingTrial {
  static func run(folder: String) throws {
    try go(folder)
    let index = try Index("some/where/index")
    var model = TrialModel()
    let first = item("a")
    try index.put([first.item])
    model.put([first])
    let reader = try Index("./some/../some/where/index", access: .readOnly)
    for place in ["/", folder + "/some", "/proc/self"] {
      try go(place)
      let next = item("i\(place.count)")
      try index.put([next.item])
      model.put([next])
      try index.commit()
      try index.merge()
      for handle in [index, reader] { try model.checkAll(handle) }
      try refused([.locked], "a second writer") { _ = try Index(folder + "/some/where/index") }
      // What is relative is so to the folder of now: nothing is there, and reading makes nothing.
      try refused([.notFound], "another place") {
        _ = try Index("some/where/index", access: .readOnly)
      }
    }
    try index.close()
    try go(folder)
    let again = try Index("some/where/index")
    for handle in [again, reader] { try model.checkAll(handle) }
    try again.close()
    try TrialModel.checkFiles(folder + "/some/where/index")
    tell("wander: \(model.count) items")
  }

  private static func item(_ id: String) -> TrialItem {
    TrialItem(id: id, domain: "d", words: ["all"], number: id.count, thumbnail: 30)
  }

  private static func go(_ path: String) throws {
    guard chdir(path) == 0 else { throw TrialFailure("chdir \(path): \(errno)") }
  }
}
