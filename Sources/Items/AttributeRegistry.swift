// The attributes that one index knows: the built-in ones and its custom ones.

/// An attribute as an index knows it.
package struct ResolvedAttribute: Hashable, Sendable {
  /// The attribute's number: below 1,024 a built-in one, from there on a custom one.
  package let id: UInt16
  /// Its name in the main spelling.
  package let name: String
  /// What its values are.
  package let kind: AttributeKind
  /// How it takes part in searching.
  package let searchClass: SearchClass

  package init(id: UInt16, name: String, kind: AttributeKind, searchClass: SearchClass) {
    self.id = id
    self.name = name
    self.kind = kind
    self.searchClass = searchClass
  }
}

/// The built-in attributes and the custom ones of an index.
///
/// Custom attributes are numbered in the order of their appearance and never forgotten. A
/// registry is a value: a batch is tried on a copy, which costs nothing until a name is new.
package struct AttributeRegistry: Hashable, Sendable {
  /// The custom attributes, each at the place of its number less 1,024.
  package private(set) var custom: [ResolvedAttribute] = []
  private var places: [String: Int] = [:]
  /// Whether a custom attribute has a built-in one's name.
  private var renamesBuiltIn = false

  package init() {}

  /// The attribute of that name or alias, or nil when the index does not know it.
  ///
  /// The index's own names come first: an index stays readable when a later version knows one of
  /// its custom names as a built-in attribute.
  package func resolve(_ name: String) -> ResolvedAttribute? {
    if !places.isEmpty, let place = places[name] { return custom[place] }
    return AttributeTable.number(named: name).map { AttributeTable.resolved[Int($0)] }
  }

  /// The attribute as the index knows it, or nil; without a look at the name where it is built in.
  package func resolve(_ attribute: Attribute) -> ResolvedAttribute? {
    if attribute.number == Attribute.customNumber || renamesBuiltIn {
      return resolve(attribute.name)
    }
    return AttributeTable.resolved[Int(attribute.number)]
  }

  /// The attribute's number in the index, or nil; without the table where it is built in.
  ///
  /// Reading the table takes longer than a search, so the first search is better off without it.
  package func number(of attribute: Attribute) -> UInt16? {
    if attribute.number == Attribute.customNumber || renamesBuiltIn {
      return resolve(attribute.name)?.id
    }
    return attribute.number
  }

  /// The attribute of that number.
  package func attribute(id: UInt16) -> ResolvedAttribute? {
    if id < AttributeTable.firstCustomID {
      return id < AttributeTable.resolved.count ? AttributeTable.resolved[Int(id)] : nil
    }
    let place = Int(id - AttributeTable.firstCustomID)
    return place < custom.count ? custom[place] : nil
  }

  /// Declares a custom attribute, or checks a known one against the declaration.
  ///
  /// A custom attribute holds texts, numbers, booleans or dates. Without a class, text is found
  /// when named and everything else is a filter.
  @discardableResult
  package mutating func declare(
    _ name: String, kind: AttributeKind, searchClass: SearchClass? = nil
  ) throws(ItemError) -> ResolvedAttribute {
    if let known = resolve(name) {
      guard known.kind == kind, searchClass == nil || searchClass == known.searchClass else {
        throw ItemError(
          .wrongKind, attribute: known.name,
          message: "is \(known.kind) (\(known.searchClass)), not \(kind)")
      }
      return known
    }
    try Self.validate(name: name)
    let searchClass = try Self.searchClass(searchClass, for: kind, of: name)
    guard custom.count < ItemLimits.customAttributes else {
      throw ItemError(
        .tooManyAttributes, attribute: name,
        message: "the index holds \(ItemLimits.customAttributes) custom attributes already")
    }
    return add(name, kind: kind, searchClass: searchClass)
  }

  private mutating func add(
    _ name: String, kind: AttributeKind, searchClass: SearchClass
  ) -> ResolvedAttribute {
    let id = AttributeTable.firstCustomID + UInt16(custom.count)
    let attribute = ResolvedAttribute(id: id, name: name, kind: kind, searchClass: searchClass)
    places[name] = custom.count
    custom.append(attribute)
    if AttributeTable.number(named: name) != nil { renamesBuiltIn = true }
    return attribute
  }

  private static func searchClass(
    _ wanted: SearchClass?, for kind: AttributeKind, of name: String
  ) throws(ItemError) -> SearchClass {
    switch kind {
    case .text:
      return wanted ?? .named
    case .number, .bool, .date:
      guard wanted == nil || wanted == .filter || wanted == SearchClass.none else {
        throw ItemError(
          .invalidSearchClass, attribute: name, message: "\(kind) has no words to be found by")
      }
      return wanted ?? .filter
    default:
      throw ItemError(
        .unknownKind, attribute: name,
        message: "a custom attribute holds text, numbers, booleans or dates, not \(kind)")
    }
  }

  /// The names of the custom attributes that hold dates, which lines of text write as texts.
  package var customDates: Set<String> {
    Set(custom.lazy.filter { $0.kind == .date }.map(\.name))
  }

  /// Refuses what cannot name a custom attribute.
  ///
  /// Names that start with `kMD` are kept for the built-in aliases, so that a misspelt one is not
  /// silently taken for a custom attribute.
  package static func validate(name: String) throws(ItemError) {
    let length = name.utf8.count
    guard length <= ItemLimits.customNameBytes else {
      let start = String(name.unicodeScalars.prefix(32))
      throw ItemError(
        .customNameTooLong, attribute: start + "…",
        message: "the name has \(length) bytes, the limit is \(ItemLimits.customNameBytes)")
    }
    let clean = name.utf8.allSatisfy {
      $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"")
    }
    guard length > 0, clean, !name.hasPrefix("kMD") else {
      throw ItemError(
        .invalidName, attribute: name,
        message: "a name is not empty, holds no control character or quote, and no kMD in front")
    }
  }
}

extension AttributeRegistry {
  /// Appends the custom attributes from a place on, for a manifest (all) or a journal (new ones).
  ///
  /// One after the other: kind u8, search class u8, length of the name u8, name.
  package func encode(from place: Int = 0, into bytes: inout [UInt8]) {
    for attribute in custom.dropFirst(place) {
      bytes.append(attribute.kind.rawValue)
      bytes.append(attribute.searchClass.rawValue)
      bytes.append(UInt8(truncatingIfNeeded: attribute.name.utf8.count))
      bytes.append(contentsOf: attribute.name.utf8)
    }
  }

  /// Adds the encoded custom attributes behind those that are known.
  package mutating func append(
    decoding bytes: UnsafeRawBufferPointer
  ) throws(ItemDecodingError) {
    var cursor = ByteCursor(bytes)
    while !cursor.atEnd {
      let start = cursor.position
      let kind = AttributeKind(rawValue: try cursor.byte())
      let searchClass = SearchClass(rawValue: try cursor.byte())
      let name = try cursor.text(Int(try cursor.byte()))
      guard let kind, let searchClass else {
        throw .corrupt("kind or class of a custom attribute", at: start)
      }
      guard places[name] == nil, custom.count < ItemLimits.customAttributes,
        (try? Self.validate(name: name)) != nil,
        (try? Self.searchClass(searchClass, for: kind, of: name)) != nil
      else { throw .corrupt("a custom attribute that cannot be", at: start) }
      _ = add(name, kind: kind, searchClass: searchClass)
    }
  }
}

extension ResolvedAttribute {
  init(_ definition: AttributeDefinition) {
    self.init(
      id: definition.id, name: definition.name, kind: definition.kind,
      searchClass: definition.searchClass)
  }
}
