// The pages of the documentation: links lead somewhere, and types that are named exist.

import Foundation
import Testing

/// What keeps the pages from rotting.
struct DocumentationTests {
  private static let catalog = "Sources/Limelight/Limelight.docc"
  private let pages: [TextFile]

  init() throws {
    pages = try Tree.files([Self.catalog], endings: ["md"])
  }

  private func name(_ page: TextFile) -> String {
    String(page.path.split(separator: "/").last?.dropLast(3) ?? "")
  }

  /// The texts between two marks.
  private static func pieces(_ text: String, _ open: String, _ close: String) -> [String] {
    var found: [String] = []
    var rest = text[...]
    while let start = rest.firstRange(of: open) {
      rest = rest[start.upperBound...]
      guard let end = rest.firstRange(of: close) else { break }
      found.append(String(rest[..<end.lowerBound]))
      rest = rest[end.upperBound...]
    }
    return found
  }

  /// A page without its fenced blocks.
  private static func prose(_ page: TextFile) -> String {
    var isCode = false
    return page.lines.filter { line in
      if line.hasPrefix("```") {
        isCode.toggle()
        return false
      }
      return !isCode
    }.joined(separator: "\n")
  }

  @Test func thePagesAreThere() throws {
    let names = Set(pages.map(name))
    for page in [
      "Limelight", "Architecture", "FileFormat", "QuerySyntax", "Text", "Threading", "Stability",
      "Performance",
    ] { #expect(names.contains(page), "\(page).md is missing") }
    for page in pages {
      #expect(page.lines.first?.hasPrefix("# ") == true, "\(page.path) does not open with a title")
    }
  }

  @Test func linksBetweenPagesLeadSomewhere() throws {
    let names = Set(pages.map(name))
    for page in pages {
      for target in Self.pieces(page.text, "<doc:", ">") {
        if !names.contains(target) {
          Issue.record("\(page.path) leads to \(target), which is not there")
        }
      }
    }
    let landing = try #require(pages.first { name($0) == "Limelight" })
    let reached = Set(Self.pieces(landing.text, "<doc:", ">"))
    for page in names.subtracting(["Limelight"]).sorted() {
      #expect(reached.contains(page), "the landing page does not lead to \(page)")
    }
  }

  @Test func relativeLinksLeadSomewhere() throws {
    let others = ["README.md", "Benchmarks/README.md"].filter(Tree.exists)
    for page in pages + (try others.map(TextFile.init(path:))) {
      let folder = page.path.split(separator: "/").dropLast().joined(separator: "/")
      for link in Self.pieces(Self.prose(page), "](", ")") {
        let path = link.split(separator: "#", omittingEmptySubsequences: false)[0]
        guard !path.isEmpty, !path.contains(":"), !path.hasPrefix("/") else { continue }
        let target = folder.isEmpty ? String(path) : "\(folder)/\(path)"
        #expect(Tree.exists(target), "\(page.path) leads to \(path), which is not there")
      }
    }
  }

  /// The names that are declared as types anywhere in the sources.
  private func declaredTypes(in folder: String) throws -> Set<String> {
    let introducers: Set<Substring> = [
      "actor", "class", "enum", "protocol", "struct", "typealias",
    ]
    var types: Set<String> = []
    for (_, code) in try Tree.code(in: folder) {
      for line in code.lines {
        let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        for (word, next) in zip(words, words.dropFirst()) where introducers.contains(word) {
          types.insert(String(next))
        }
      }
    }
    return types
  }

  /// Symbols in double backticks belong to the API; docc would only warn of one that is gone.
  @Test func linkedSymbolsExist() throws {
    let types = try declaredTypes(in: "Sources/Limelight")
    for page in pages {
      for symbol in Self.pieces(Self.prose(page), "``", "``") {
        guard let first = symbol.split(separator: "/").first, first != "Limelight" else { continue }
        if !types.contains(String(first)) { Issue.record("\(page.path) links to \(symbol)") }
      }
    }
  }

  /// The codemap names types, so that it can be checked; here it is.
  @Test func typesOfTheCodemapExist() throws {
    let types = try declaredTypes(in: "Sources")
    let page = try #require(pages.first { name($0) == "Architecture" })
    var named = 0
    let prose = Self.prose(page).replacing("``", with: "")
    for word in Self.pieces(prose, "`", "`") {
      guard word.first?.isUppercase == true, word.allSatisfy({ $0.isLetter || $0.isNumber }) else {
        continue
      }
      named += 1
      if !types.contains(word) {
        Issue.record("Architecture.md names \(word), which no source declares")
      }
    }
    #expect(named > 50, "the codemap names hardly a type")
  }
}
