// The stored fixtures of the file format, and folders in which they can be changed.

import Foundation
import Testing

/// The index of a version, as that version's code wrote it.
struct Fixture: CustomStringConvertible {
  let version: Int
  let files: [String: [UInt8]]
  /// What it has to answer, line by line.
  let answers: [Substring]

  var description: String { "version \(version)" }

  private static var folder: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")
  }

  static let versions: [Int] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.compactMap { $0.hasPrefix("version-") ? Int($0.dropFirst(8)) : nil }.sorted()
  }()

  static func newest() throws -> Fixture { try Fixture(#require(versions.last)) }

  init(_ version: Int) throws {
    self.version = version
    let place = Self.folder.appendingPathComponent("version-\(version)")
    let text = try Data(contentsOf: place.appendingPathComponent("answers.txt"))
    answers = String(decoding: text, as: UTF8.self).split(separator: "\n")
    files = try Scratch.files(place.appendingPathComponent("index").path)
  }

  /// A copy on the disk that may be changed.
  func copy() throws -> Scratch {
    let scratch = try Scratch()
    for (name, bytes) in files { try scratch.write(bytes, to: name) }
    return scratch
  }
}

/// A folder that goes with its last reference.
final class Scratch {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory.path
      + "/limelight-format-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
  }

  /// The files of a folder but for its lock.
  static func files(_ path: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) where name != "lock" {
      files[name] = Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
    }
    return files
  }
}
