// PackageMap: the targets of a Package.swift and what each may import, read from its text.

/// The map of the house.
struct PackageMap {
  /// A target as its line in the map has it.
  struct Target {
    /// What it is imported as.
    let name: String
    /// Its folder from the root.
    let folder: String
    /// The modules that it may import.
    let uses: [String]
    /// Whether it is a module of the engine, declared by `module(…)`, or the API over them.
    let isEngine: Bool
    let isTest: Bool
    /// Whether it stands for headers of C.
    let isSystem: Bool
  }

  /// From ground to roof.
  private(set) var targets: [Target] = []

  init(_ manifest: String) {
    let text = Array(
      manifest.split(separator: "\n").map(Self.withoutComment).joined(separator: "\n"))
    var at = 0
    while at < text.count {
      guard let (callee, open) = Self.call(in: text, from: at) else { break }
      at = open + 1
      guard let kind = Self.kinds[callee.name], !callee.isDeclaration else { continue }
      let end = Self.closing(text, open)
      let arguments = String(text[(open + 1)..<end])
      if let target = Self.target(kind, arguments) {
        targets.append(target)
        at = end
      }
    }
  }

  func target(of path: String) -> Target? {
    targets.filter { path.hasPrefix($0.folder + "/") }.max { $0.folder.count < $1.folder.count }
  }

  // MARK: Calls

  private enum Kind {
    case module, tests, target, executable, testTarget, system
  }

  private static let kinds: [String: Kind] = [
    "module": .module, "tests": .tests, "target": .target, "executableTarget": .executable,
    "testTarget": .testTarget, "systemLibrary": .system,
  ]

  private static func withoutComment(_ line: Substring) -> Substring {
    var isQuoted = false
    var previous: Character = " "
    for index in line.indices {
      if line[index] == "\"" && previous != "\\" { isQuoted.toggle() }
      if !isQuoted, line[index...].hasPrefix("//") { return line[..<index] }
      previous = line[index]
    }
    return line
  }

  /// The next name with an opening parenthesis behind it.
  private static func call(
    in text: [Character], from start: Int
  ) -> (callee: (name: String, isDeclaration: Bool), open: Int)? {
    for open in start..<max(text.count, start) where text[open] == "(" {
      var first = open
      while first > 0, text[first - 1].isLetter { first -= 1 }
      guard first < open else { continue }
      let before = String(text[max(0, first - 5)..<first])
      return ((String(text[first..<open]), before == "func "), open)
    }
    return nil
  }

  private static func closing(_ text: [Character], _ open: Int) -> Int {
    var depth = 0
    var isQuoted = false
    for at in open..<text.count {
      if text[at] == "\"" && text[at - 1] != "\\" { isQuoted.toggle() }
      guard !isQuoted else { continue }
      if text[at] == "(" { depth += 1 }
      if text[at] == ")" { depth -= 1 }
      if depth == 0 { return at }
    }
    return text.count
  }

  // MARK: Arguments

  private static func target(_ kind: Kind, _ arguments: String) -> Target? {
    guard let name = strings(in: arguments).first, !name.contains("\\") else { return nil }
    let uses = strings(in: list("uses:", arguments)).map { "Limelight" + $0 }
    let others = strings(in: list("and:", arguments))
    let dependencies = strings(in: list("dependencies:", arguments))
    let path = string(after: "path:", arguments)
    switch kind {
    case .module:
      return Target(
        name: "Limelight" + name, folder: "Sources/" + name, uses: uses + others, isEngine: true,
        isTest: false, isSystem: false)
    case .tests:
      return Target(
        name: name + "Tests", folder: "Tests/\(name)Tests", uses: uses + others, isEngine: false,
        isTest: true, isSystem: false)
    case .target, .executable:
      let folder = path ?? "Sources/" + name
      return Target(
        name: name, folder: folder, uses: dependencies,
        isEngine: kind == .target && folder.hasPrefix("Sources/"),
        isTest: folder.hasPrefix("Tests/"), isSystem: false)
    case .testTarget:
      return Target(
        name: name, folder: path ?? "Tests/" + name, uses: dependencies, isEngine: false,
        isTest: true, isSystem: false)
    case .system:
      return Target(
        name: name, folder: path ?? "Sources/" + name, uses: [], isEngine: false, isTest: false,
        isSystem: true)
    }
  }

  /// What stands in the brackets behind a label.
  private static func list(_ label: String, _ arguments: String) -> String {
    guard let place = arguments.firstRange(of: label),
      let open = arguments[place.upperBound...].firstIndex(of: "["),
      let close = arguments[open...].firstIndex(of: "]")
    else { return "" }
    return String(arguments[open..<close])
  }

  private static func string(after label: String, _ arguments: String) -> String? {
    guard let place = arguments.firstRange(of: label) else { return nil }
    return strings(in: String(arguments[place.upperBound...])).first
  }

  private static func strings(in text: String) -> [String] {
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
  }
}
