// The names of what an item can hold, their kinds and their search classes.

/// The name of an attribute: one of the 190 built-in ones, or a custom name.
///
/// The built-in ones are members (`Attribute.title`); their other spellings
/// (`kMDItemTitle`, `URL`) give the same attribute. Any other name is a custom attribute, whose
/// kind is fixed by the first value it takes or by a declaration.
public struct Attribute: Sendable {
  /// The name, for a built-in attribute always in its main spelling.
  public let name: String
  /// The number of a built-in attribute, or ``customNumber``.
  package let number: UInt16

  /// Makes an attribute by its name or, for a built-in one, one of its aliases.
  public init(_ name: String) {
    if let number = AttributeTable.number(named: name) {
      self.init(builtIn: AttributeTable.byID[Int(number)].name, number)
    } else {
      self.init(custom: name)
    }
  }

  /// Makes a built-in attribute out of its row.
  init(builtIn name: String, _ number: UInt16) {
    self.name = name
    self.number = number
  }

  /// Makes an attribute whose name is known not to be a built-in one's.
  init(custom name: String) {
    self.name = name
    number = Self.customNumber
  }

  /// The number of all custom attributes, which only an index tells apart.
  package static let customNumber: UInt16 = .max

  /// What the attribute means, or nil when it is a custom one.
  public var definition: AttributeDefinition? { AttributeTable.definition(id: number) }
}

extension Attribute: Hashable {
  /// Whether both are the same attribute.
  public static func == (left: Attribute, right: Attribute) -> Bool {
    left.number == right.number && (left.number != customNumber || left.name == right.name)
  }

  /// Hashes the number, for a custom attribute the name.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    if number == Self.customNumber { hasher.combine(name) }
  }
}

extension Attribute: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Makes an attribute by its name.
  public init(stringLiteral name: String) {
    self.init(name)
  }

  /// The attribute's name.
  public var description: String { name }
}

/// What an attribute's values are; the numbers are part of the file format.
public enum AttributeKind: UInt8, Sendable, CaseIterable {
  /// A text, several texts, or a text in several languages.
  case text = 1
  /// A list of texts.
  case texts
  /// A finite double.
  case number
  /// True or false.
  case bool
  /// A moment in time.
  case date
  /// A list of moments.
  case dates
  /// A web or file address.
  case url
  /// Bytes.
  case data
  /// A list of people.
  case persons
  /// Names, each with a list of texts.
  case dictionary
  /// A uniform type identifier.
  case contentType
}

/// How an attribute takes part in searching; the numbers are part of the file format.
public enum SearchClass: UInt8, Sendable, CaseIterable {
  /// Its words are found by queries that name no attribute.
  case standard = 1
  /// Its words are found by queries that name it.
  case named
  /// It is compared, sorted and counted.
  case filter
  /// It is stored and returned.
  case none
}

/// What a built-in attribute is and means.
public struct AttributeDefinition: Hashable, Sendable {
  /// The attribute's number in files, the same in every index.
  public let id: UInt16
  /// The main spelling of its name.
  public let name: String
  /// What its values are.
  public let kind: AttributeKind
  /// How it takes part in searching.
  public let searchClass: SearchClass
  /// The group of attributes that it belongs to, such as `media`.
  public let category: String
  /// What it says about an item, in one sentence.
  public let meaning: String
  /// The unit or the meaning of its values; empty where there is nothing to say.
  public let unit: String
  /// Other spellings of its name.
  public let aliases: [String]
}
