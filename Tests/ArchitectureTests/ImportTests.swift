// Imports against the map: no module uses what its line in Package.swift does not list.

import Testing

/// The arrows between modules.
struct ImportTests {
  private let map: PackageMap

  init() throws {
    map = PackageMap(try TextFile(path: "Package.swift").text)
  }

  /// What comes with the toolchain and is no part of the map.
  private static let toolchain: Set<String> = ["Swift", "Glibc", "Synchronization"]
  /// What only the command and the tests may use of it besides.
  private static let large: Set<String> = [
    "Foundation", "FoundationEssentials", "Dispatch", "Testing", "XCTest",
  ]
  /// What no module may use: a library that can be unloaded and forked has no tasks.
  private static let concurrency: Set<String> = ["_Concurrency", "Distributed"]

  /// The imports of a file that its target's line does not list.
  ///
  /// Tests and the command may use the large libraries of the toolchain.
  private static func unlisted(
    _ code: SwiftCode, in target: PackageMap.Target
  ) -> [(module: String, line: Int)] {
    var allowed = toolchain.union(target.uses)
    if !target.isEngine { allowed.formUnion(large) }
    return code.imports.filter { !allowed.contains($0.module) }
  }

  @Test func theMapIsRead() throws {
    let names = map.targets.map(\.name)
    for name in ["LimelightStorage", "LimelightCodecs", "LimelightItems", "LimelightSegments"] {
      #expect(names.contains(name))
    }
    #expect(Set(names).count == names.count, "a target stands twice in the map")
    let codecs = try #require(map.targets.first { $0.name == "LimelightCodecs" })
    #expect(codecs.folder == "Sources/Codecs")
    #expect(codecs.uses == ["CLZ4", "CSIMD", "CWide"])
    let segments = try #require(map.targets.first { $0.name == "LimelightSegments" })
    #expect(segments.uses == ["LimelightStorage", "LimelightCodecs", "LimelightItems"])
    let command = try #require(map.targets.first { $0.name == "LimelightCommand" })
    #expect(command.folder == "Sources/Command")
    #expect(command.uses == ["Limelight"])
  }

  @Test func everyFolderIsInTheMap() throws {
    let mapped = Set(map.targets.map(\.folder))
    for folder in try Tree.folders(in: "Sources") {
      if !mapped.contains("Sources/" + folder) {
        Issue.record("Sources/\(folder) is in no line of the map")
      }
    }
  }

  @Test func filesImportOnlyWhatTheMapLists() throws {
    for (path, code) in Tree.code {
      guard let target = map.target(of: path) else {
        // Tests may have folders of material; code of the engine belongs to a module.
        if path.hasPrefix("Sources/") { Issue.record("\(path) belongs to no target") }
        continue
      }
      for (module, line) in Self.unlisted(code, in: target) {
        Issue.record("\(path):\(line) imports \(module), which its line in the map does not list")
      }
    }
  }

  @Test func whatIsNotListedIsNoticed() throws {
    let map = PackageMap(
      """
      func module(_ name: String) -> Target { .target(name: "Limelight\\(name)", path: "x") }
      let package = Package(targets: [
        module("Ground"),  // module("Comment")
        module("Upper", uses: ["Ground"], and: ["CSIMD"]),
        .executableTarget(name: "Roof", dependencies: ["LimelightUpper"], path: "Sources/Top"),
      ])
      """)
    #expect(map.targets.map(\.name) == ["LimelightGround", "LimelightUpper", "Roof"])
    let code = SwiftCode("import Glibc\nimport LimelightGround\nimport CSIMD\nimport Foundation")
    let upper = try #require(map.target(of: "Sources/Upper/Folder/File.swift"))
    #expect(Self.unlisted(code, in: upper).map(\.line) == [4])
    let ground = try #require(map.target(of: "Sources/Ground/File.swift"))
    #expect(Self.unlisted(code, in: ground).map(\.line) == [2, 3, 4])
    let roof = try #require(map.target(of: "Sources/Top/File.swift"))
    #expect(Self.unlisted(code, in: roof).map(\.line) == [2, 3])
  }

  @Test func foundationStaysOutOfTheEngine() throws {
    for (path, code) in try Tree.code(in: "Sources") where !path.hasPrefix("Sources/Command/") {
      for (module, line) in code.imports {
        #expect(!Self.large.contains(module), "\(path):\(line) imports \(module)")
        #expect(!Self.concurrency.contains(module), "\(path):\(line) imports \(module)")
      }
    }
  }

  /// The map is read from ground to roof, and a line uses only lines above it.
  ///
  /// So there are no circles.
  @Test func arrowsPointDown() {
    var below: Set<String> = []
    for target in map.targets {
      for module in target.uses {
        #expect(below.contains(module), "\(target.name) uses \(module), which is not below it")
      }
      below.insert(target.name)
    }
  }

  /// The arrows that files make, whatever the map says.
  @Test func importsMakeNoCircles() throws {
    var arrows: [String: Set<String>] = [:]
    for (path, code) in try Tree.code(in: "Sources") {
      guard let target = map.target(of: path) else { continue }
      arrows[target.name, default: []].formUnion(code.imports.map(\.module))
    }
    var finished: Set<String> = []
    func walk(_ module: String, _ path: [String]) {
      if path.contains(module) {
        Issue.record("a circle: \((path + [module]).joined(separator: " > "))")
      } else if !finished.contains(module) {
        for next in (arrows[module] ?? []).sorted() { walk(next, path + [module]) }
        finished.insert(module)
      }
    }
    for module in arrows.keys.sorted() { walk(module, []) }
  }

  /// What finds items and what writes them are joined by the API alone.
  @Test(arguments: [("Indexing", "LimelightSearch"), ("Search", "LimelightIndexing")])
  func neverMeet(folder: String, other: String) throws {
    for (path, code) in try Tree.code(in: "Sources/" + folder) {
      for (module, line) in code.imports where module == other {
        Issue.record("\(path):\(line) imports \(other)")
      }
    }
  }

  @Test func importsAreRecognised() {
    let code = SwiftCode(
      """
      // import Comment
      /* import Block /* import Nested */ */
      let text = "import Text" // import Behind
      @_exported public import enum LimelightSearch.Query
      @preconcurrency import Plain; internal import LimelightItems
        package import struct A.B
      let long = \"\"\"
        import Long \\(call("import Inner"))
        \"\"\"
      important import
      let raw = #"import "Raw"#
      import Last
      """)
    #expect(code.imports.map(\.module) == ["LimelightSearch", "Plain", "A", "Last"])
    #expect(code.imports.map(\.line) == [4, 5, 6, 12])
  }
}
