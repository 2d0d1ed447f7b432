// Small indexes with everything in them, as the bytes of their files.

import Foundation
import Limelight
import LimelightSpecimens
import LimelightStorage

/// An index as files, and what it answers.
struct Specimen {
  let name: String
  let files: [String: [UInt8]]
  let truth: Answers
  /// What it may answer when its journal is cut short: the state after each of its records.
  var earlier: [Answers] = []

  var journal: String? { files.keys.first { $0.hasPrefix("journal.") } }

  /// A folder of its own, in memory where there is such a place.
  static func scratch(_ name: String) throws -> String {
    let parent =
      FileManager.default.isWritableFile(atPath: "/dev/shm")
      ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    let path = parent + "/limelight-\(name)-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  /// Builds an index and takes its files before it is closed, or after.
  init(
    _ name: String, closes: Bool, options: IndexConfiguration = IndexConfiguration(),
    _ build: (Index, () -> Void) throws -> Void
  ) throws {
    self.name = name
    while true {
      let path = try Self.scratch(name)
      defer { try? FileManager.default.removeItem(atPath: path) }
      let index = try Index(path, options: options)
      var earlier: [Answers] = []
      try build(index) { earlier.append(Answers(of: index)) }
      if closes { try index.close() }
      guard let files = try Self.files(path) else { continue }
      self.files = files
      self.earlier = earlier
      truth = Answers(of: try Index(path, access: .readOnly))
      return
    }
  }

  /// The files of an index; nil if a checkpoint, for which a second of rest is enough, came in between.
  private static func files(_ path: String) throws -> [String: [UInt8]]? {
    let folder = try Folder.open(path: path, create: false)
    let names = try folder.list()
    var files: [String: [UInt8]] = [:]
    for file in names where file != "lock" { files[file] = try? folder.read(file) }
    let isWhole = try files.count == names.count - 1 && folder.list() == names
    return isWhole && names.count { $0.hasPrefix("manifest.") } == 1 ? files : nil
  }

  /// A few plain items in a segment, and some in the journal: so small that each bit can have its turn.
  static func tiny() throws -> Specimen {
    try Specimen("tiny", closes: false) { index, _ in
      try index.put((1..<4).map { SpecimenItems.plain("p\($0)", $0, words: 3) })
      try index.delete(ids: ["p2"])
      try index.commit()
      try index.put([SpecimenItems.plain("p3", 33, words: 2)])
      try index.put([SpecimenItems.plain("p4", 4, words: 2)])
    }
  }

  /// One segment of a few rich items, closed.
  static func single() throws -> Specimen {
    try Specimen("single", closes: true) { index, _ in
      try index.put([SpecimenItems.rich("r1", 1), SpecimenItems.rich("r2", 2)])
    }
  }

  /// Segments of which some items are deleted, thumbnails, and a journal that goes on: all of it
  /// acknowledged, nothing closed.
  static func several() throws -> Specimen {
    try Specimen("several", closes: false) { index, note in
      try index.put([SpecimenItems.rich("r1", 1), SpecimenItems.plain("p1", 1)])
      try index.commit()
      try index.put((2..<12).map { SpecimenItems.plain("p\($0)", $0) })
      try index.delete(ids: ["p5", "p7"])
      try index.commit()
      note()
      try index.put([SpecimenItems.rich("r2", 2), SpecimenItems.plain("p3", 33)])
      note()
      try index.delete(ids: ["p1", "p9"])
      note()
      try index.put([SpecimenItems.plain("p20", 20), SpecimenItems.plain("p1", 21)])
      note()
    }
  }

  /// So much text that segments take several pages and stored items a dictionary, and frequent words
  /// bit sets.
  static func large() throws -> Specimen {
    try Specimen("large", closes: true) { index, _ in
      try index.put((0..<1600).map { SpecimenItems.plain("p\($0)", $0, words: 90) })
      try index.commit()
      try index.put((1600..<1900).map { SpecimenItems.plain("p\($0)", $0, words: 40) })
      try index.delete(ids: (0..<60).map { "p\($0 * 3 + 10)" })
    }
  }

  /// Without stored items.
  static func bare() throws -> Specimen {
    try Specimen("bare", closes: true, options: IndexConfiguration(storesItems: false)) {
      index, _ in
      try index.put((1..<9).map { SpecimenItems.plain("p\($0)", $0) })
      try index.commit()
      try index.put([SpecimenItems.rich("r1", 1)])
    }
  }
}
