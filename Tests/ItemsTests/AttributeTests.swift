// The built-in attributes against the table that they are generated from.

import Foundation
import LimelightItems
import Testing

@Suite struct AttributeTests {
  private static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func sourceRows() throws -> [[String]] {
    let table = try String(
      contentsOf: root.appendingPathComponent("Tools/attributes.tsv"), encoding: .utf8)
    return table.split(separator: "\n").dropFirst().map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test func theTableIsWhatItsSourceSays() throws {
    let kinds: [String: AttributeKind] = [
      "string": .text, "[string]": .texts, "number": .number, "bool": .bool, "date": .date,
      "[date]": .dates, "url": .url, "data": .data, "[person]": .persons, "dict": .dictionary,
      "type": .contentType,
    ]
    let classes: [String: SearchClass] = [
      "default": .standard, "named": .named, "filter": .filter, "no": SearchClass.none,
    ]
    let rows = try Self.sourceRows()
    #expect(rows.count == 190)
    #expect(AttributeTable.builtIn.count == rows.count)
    for (number, row) in rows.enumerated() {
      let definition = try #require(AttributeTable.definition(named: row[0]))
      #expect(Int(definition.id) == number)
      #expect(AttributeTable.definition(id: UInt16(number)) == definition)
      #expect(definition.kind == kinds[row[1]])
      #expect(definition.category == row[2])
      #expect(definition.searchClass == classes[row[3]])
      #expect(definition.meaning == row[4])
      #expect(definition.unit == row[5])
      #expect(definition.aliases.joined(separator: ",") == row[6])
      for alias in definition.aliases {
        #expect(Attribute(alias) == Attribute(row[0]))
        #expect(AttributeTable.definition(named: alias) == definition)
      }
    }
    #expect(AttributeTable.builtIn.map(\.name) == rows.map { $0[0] }.sorted())
    #expect(AttributeTable.definition(id: 190) == nil)
  }

  @Test func everyAttributeIsAMember() throws {
    let folder = Self.root.appendingPathComponent("Sources/Items/Generated")
    var members = ""
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      members += try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
    }
    let words = members.split { " \n".contains($0) }.joined(separator: " ")
    for definition in AttributeTable.builtIn {
      let (name, id) = (definition.name, definition.id)
      let body = "Attribute(builtIn: \"\(name)\", \(id))"
      #expect(words.contains("static var \(name): Attribute { \(body) }"))
    }
  }

  @Test func membersAndNamesAreTheSame() {
    #expect(Attribute.title == Attribute("title"))
    #expect(Attribute.title == Attribute("kMDItemTitle"))
    #expect(Attribute.url == "URL")
    #expect(Attribute.maxAperture == "maximumAperture")
    #expect(Attribute.fileSize.definition?.unit == "bytes")
    #expect(Attribute("com_acme_course").definition == nil)
    #expect(Attribute("com_acme_course").name == "com_acme_course")
  }

  @Test func numbersOfKindsAndClassesStay() {
    #expect(AttributeKind.allCases.map(\.rawValue) == Array(1...11))
    #expect(AttributeKind.text.rawValue == 1)
    #expect(AttributeKind.contentType.rawValue == 11)
    #expect(SearchClass.allCases.map(\.rawValue) == [1, 2, 3, 4])
    #expect(AttributeTable.definition(named: "isPriority")?.id == 0)
    #expect(AttributeTable.definition(named: "providerInPlaceFileTypeIdentifiers")?.id == 189)
  }
}
