// Random and typical items for the tests of this module.

import LimelightItems

/// A small generator with a seed (SplitMix64), so that every failure can be repeated.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}

extension AttributeKind {
  /// A typical value of the kind.
  var sample: Value {
    switch self {
    case .text: .text("Blau \"ist\" 漢字 🦊\n")
    case .texts: .texts(["one", "", "zwei drei"])
    case .number: .number(-12.625)
    case .bool: .bool(true)
    case .date: .date(Timestamp(microseconds: 1_709_210_096_123_456))
    case .dates: .dates([Timestamp(microseconds: -1), Timestamp(microseconds: 0)])
    case .url: .url("https://example.com/a?b=c#d")
    case .data: .data([0, 1, 2, 254, 255])
    case .persons: .persons([Person(displayName: "Ada", handles: ["ada@example.com", "+44 1"])])
    case .dictionary: .dictionary(["received": ["a", "b"], "lines": ["30"], "none": []])
    case .contentType: .contentType("public.jpeg")
    }
  }
}

extension SeededGenerator {
  mutating func chance(_ part: Int) -> Bool { next() % UInt64(part) == 0 }

  mutating func number(upTo limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  mutating func text(upTo limit: Int = 24) -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "Z", " ", "\"", "\\", "/", "\n", "\t", "\u{0}", "\u{1F}", "\u{7F}", "é", "ß", "漢", "🦊",
      "\u{2028}", "\u{FFFD}", "\u{301}", "{", "]", ":", ",",
    ]
    var text = ""
    for _ in 0..<number(upTo: limit) {
      text.unicodeScalars.append(scalars[number(upTo: scalars.count)])
    }
    if chance(40) { text += String(repeating: "long ", count: number(upTo: 2000)) }
    return text
  }

  mutating func list<Element>(_ make: (inout Self) -> Element) -> [Element] {
    (0..<number(upTo: 5)).map { _ in make(&self) }
  }

  mutating func double() -> Double {
    if chance(2) { return Double(Int.random(in: -2_000_000...2_000_000, using: &self)) }
    let number = Double(bitPattern: next())
    return number.isFinite ? number : 0.1
  }

  mutating func timestamp() -> Timestamp {
    Timestamp(microseconds: chance(4) ? Int64(bitPattern: next()) : Int64(next() >> 13))
  }

  mutating func value(of kind: AttributeKind) -> Value {
    switch kind {
    case .text:
      switch number(upTo: 6) {
      case 0: .texts(list { $0.text() })
      case 1:
        .localized(
          (0..<number(upTo: 4)).map { LocalizedText(tag: "l\($0)", text: text()) })
      default: .text(text())
      }
    case .texts: .texts(list { $0.text() })
    case .number: .number(double())
    case .bool: .bool(chance(2))
    case .date: .date(timestamp())
    case .dates: .dates(list { $0.timestamp() })
    case .url: .url("https://example.com/" + text())
    case .data: .data(list { UInt8(truncatingIfNeeded: $0.next()) })
    case .persons:
      .persons(list { Person(displayName: $0.text(), handles: $0.list { $0.text() }) })
    case .dictionary:
      .dictionary(
        Dictionary(list { ($0.text(), $0.list { $0.text() }) }, uniquingKeysWith: { $1 }))
    case .contentType: .contentType("public." + text())
    }
  }

  /// An item that an index takes; its custom attribute `when` holds dates.
  mutating func item() -> Item {
    var item = Item(
      id: "i/\(next())é", thumbnail: chance(4) ? list { UInt8($0.next() >> 56) } : nil)
    if chance(2) { item.domain = "a.b\(number(upTo: 9)).漢" }
    if chance(2) { item.contentType = "public.text" }
    if chance(4) { item.expirationDate = timestamp() }
    // The three that are other words for members of the item are left to a test of their own.
    let moved: Set<String> = ["domainIdentifier", "contentType", "thumbnailData"]
    for _ in 0..<number(upTo: chance(10) ? 60 : 8) {
      let definition = AttributeTable.builtIn[number(upTo: AttributeTable.builtIn.count)]
      guard !moved.contains(definition.name) else { continue }
      item.attributes[Attribute(definition.name)] = value(of: definition.kind)
    }
    for (name, kind) in [
      ("note \\ é", AttributeKind.text), ("com_acme_size", .number), ("flag", .bool),
      ("when", .date),
    ] where chance(3) {
      item.attributes[Attribute(name)] = value(of: kind)
    }
    return item
  }
}

/// The item that a line gives.
func parse(
  _ line: String, map: [String: String] = [:], dates: Set<String> = []
) throws(ItemError) -> Item {
  try parse(Array(line.utf8), JSONOptions(map: map, dates: dates))
}

/// The item that the bytes of a line give.
func parse(
  _ line: [UInt8], _ options: JSONOptions = JSONOptions()
) throws(ItemError) -> Item {
  do {
    return try line.withUnsafeBytes { try ItemJSON.parseLine($0, options: options) }
  } catch let error as ItemError {
    throw error
  } catch {
    throw ItemError(.invalidJSON, message: "\(error)")
  }
}

/// The item that encoded bytes give.
func decode(_ bytes: [UInt8]) throws -> ResolvedItem {
  try bytes.withUnsafeBytes { try ItemCodec.decode($0) }
}

/// The bytes of an item.
func encode(
  _ item: ResolvedItem, thumbnail: ItemCodec.ThumbnailForm = .omitted
) -> [UInt8] {
  var bytes: [UInt8] = []
  ItemCodec.encode(item, into: &bytes, thumbnail: thumbnail)
  return bytes
}

/// The checked item, on a registry of its own.
func resolved(_ item: Item) throws(ItemError) -> ResolvedItem {
  var registry = AttributeRegistry()
  return try ItemValidator.validate(item, registry: &registry)
}
