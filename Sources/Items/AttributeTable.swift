// The built-in attributes, by name and by number.

/// The built-in attributes.
///
/// Their numbers are the order of the rows of the generated table and part of the file format;
/// custom attributes are numbered from ``firstCustomID``.
public enum AttributeTable {
  /// All built-in attributes in the order of their names.
  public static let builtIn: [AttributeDefinition] = byID.sorted { $0.name < $1.name }

  /// The built-in attribute of that name or alias.
  public static func definition(named name: String) -> AttributeDefinition? {
    numbers[name].map { byID[Int($0)] }
  }

  /// The number of the built-in attribute of that name or alias.
  package static func number(named name: String) -> UInt16? { numbers[name] }

  /// The built-in attribute of that number.
  package static func definition(id: UInt16) -> AttributeDefinition? {
    id < byID.count ? byID[Int(id)] : nil
  }

  /// The number of the first custom attribute of an index.
  package static let firstCustomID: UInt16 = 1024

  /// All built-in attributes, each at the place of its number.
  package static let byID: [AttributeDefinition] = parseRows()

  /// All built-in attributes as an index knows them, each at the place of its number.
  static let resolved: [ResolvedAttribute] = byID.map(ResolvedAttribute.init)

  private static let numbers: [String: UInt16] = {
    var numbers: [String: UInt16] = [:]
    for definition in byID {
      numbers[definition.name] = definition.id
      for alias in definition.aliases { numbers[alias] = definition.id }
    }
    return numbers
  }()

  /// Parses the generated table; a test compares the number of rows with the source table, since
  /// a row that cannot be read would be left out.
  private static func parseRows() -> [AttributeDefinition] {
    var definitions: [AttributeDefinition] = []
    for row in rows.description.utf8.split(separator: UInt8(ascii: "\n")) {
      let fields = row.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
        .map { String(Substring($0)) }
      guard fields.count == 7, let kind = UInt8(fields[1]).flatMap(AttributeKind.init(rawValue:)),
        let searchClass = UInt8(fields[2]).flatMap(SearchClass.init(rawValue:))
      else { continue }
      definitions.append(
        AttributeDefinition(
          id: UInt16(truncatingIfNeeded: definitions.count), name: fields[0], kind: kind,
          searchClass: searchClass, category: fields[3], meaning: fields[4], unit: fields[5],
          aliases: fields[6].split(separator: ",").map(String.init)))
    }
    return definitions
  }
}
