// Tree: the files of the repository, wherever the tests are run from.

import Foundation
import Testing

/// The repository that this file stands in.
enum Tree {
  /// The folder of Package.swift.
  ///
  /// Links are followed: a package whose `Tests` is a link to another tree's tests that tree.
  static let root: URL = {
    var place = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    for _ in 0..<3 { place.deleteLastPathComponent() }
    return place
  }()

  /// All files with one of these endings below some folders, by path; folders that are not there
  /// hold none.
  static func files(_ folders: [String], endings: Set<String>) throws -> [TextFile] {
    var paths: [String] = []
    for folder in folders {
      let start = root.appendingPathComponent(folder)
      guard FileManager.default.fileExists(atPath: start.path) else { continue }
      let below = try FileManager.default.subpathsOfDirectory(atPath: start.path)
      for path in below {
        let parts = path.split(separator: "/")
        let ending = parts.last?.split(separator: ".").last.map(String.init)
        guard let ending, endings.contains(ending) else { continue }
        // What a build leaves behind is no part of the tree.
        guard !parts.contains(where: { $0 == ".build" || $0 == "build" }) else { continue }
        paths.append("\(folder)/\(path)")
      }
    }
    return try paths.sorted().map(TextFile.init(path:))
  }

  /// The names of the folders right inside of a folder that hold any file.
  static func folders(in folder: String) throws -> [String] {
    let start = root.appendingPathComponent(folder)
    return try FileManager.default.contentsOfDirectory(atPath: start.path).filter { name in
      let below = try? FileManager.default.subpathsOfDirectory(
        atPath: start.appendingPathComponent(name).path)
      return below?.isEmpty == false
    }.sorted()
  }

  /// All code of the sources and tests, read once.
  static let code: [(path: String, code: SwiftCode)] = {
    let found = (try? files(["Sources", "Tests"], endings: ["swift"])) ?? []
    return found.map { ($0.path, SwiftCode($0.text)) }
  }()

  /// The code below a folder, which must not be empty.
  static func code(in folder: String) throws -> [(path: String, code: SwiftCode)] {
    let found = code.filter { $0.path.hasPrefix(folder + "/") }
    try #require(!found.isEmpty, "there is no code in \(folder)")
    return found
  }

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
  }
}

/// A file of the tree with its text.
struct TextFile: Sendable {
  /// From the root of the tree.
  let path: String
  let text: String

  init(path: String) throws {
    self.path = path
    text = try String(contentsOf: Tree.root.appendingPathComponent(path), encoding: .utf8)
  }

  var lines: [Substring] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The first folder below `Sources` or the like.
  var folder: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
}
