// An item as the oracle searches it: the words of each value, numbered.

import Limelight

/// The words that the oracle has met, by number, and the attributes likewise.
final class OracleWords {
  let tokenizer: OracleTokenizer
  private(set) var terms: [String] = []
  /// The scalars of each term.
  private(set) var scalars: [[Unicode.Scalar]] = []
  private var numbers: [String: Int] = [:]
  /// By bytes: texts that are canonically equivalent are equal as strings, but not the same text.
  private var known: [[UInt8]: [Int]] = [:]
  private(set) var attributes: [Attribute] = []
  private var slots: [Attribute: Int] = [:]

  init(_ analyzer: Analyzer) { tokenizer = OracleTokenizer(analyzer: analyzer) }

  /// The numbers of a text's words in order.
  func numbers(of text: String) -> [Int] {
    let key = Array(text.utf8)
    if let words = known[key] { return words }
    let words = tokenizer.tokens(text).map { number(of: $0.term) }
    known[key] = words
    return words
  }

  func number(of term: String) -> Int {
    if let number = numbers[term] { return number }
    numbers[term] = terms.count
    terms.append(term)
    scalars.append(Array(term.unicodeScalars))
    return terms.count - 1
  }

  func slot(of attribute: Attribute) -> Int {
    if let slot = slots[attribute] { return slot }
    slots[attribute] = attributes.count
    attributes.append(attribute)
    return attributes.count - 1
  }
}

/// A word in a field of an item.
struct OraclePosting {
  let term: Int
  var frequency: Int
  /// The slots of the attributes that hold it.
  var attributes: [Int]
}

/// The words of an item in one field: of all standard attributes, or of one named attribute.
struct OracleFieldText {
  /// Value by value, with the slot of its attribute.
  private(set) var values: [(attribute: Int, words: [Int])] = []
  private(set) var postings: [OraclePosting] = []
  private var places: [Int: Int] = [:]

  mutating func add(_ words: [Int], attribute: Int) {
    values.append((attribute, words))
    for word in words {
      if let place = places[word] {
        postings[place].frequency += 1
        if !postings[place].attributes.contains(attribute) {
          postings[place].attributes.append(attribute)
        }
      } else {
        places[word] = postings.count
        postings.append(OraclePosting(term: word, frequency: 1, attributes: [attribute]))
      }
    }
  }

  func posting(of term: Int) -> OraclePosting? { places[term].map { postings[$0] } }

  /// How often the words stand in a row within a value, and in which attributes.
  func occurrences(of words: [Int], in wanted: Int?) -> (count: Int, attributes: [Int]) {
    var count = 0
    var attributes: [Int] = []
    for (attribute, text) in values where wanted == nil || wanted == attribute {
      guard text.count >= words.count else { continue }
      for start in 0...(text.count - words.count) where text[start] == words[0] {
        guard text[start..<(start + words.count)].elementsEqual(words) else { continue }
        count += 1
        if !attributes.contains(attribute) { attributes.append(attribute) }
      }
    }
    return (count, attributes)
  }
}

/// An item that was put, with what queries look at.
final class OracleItem {
  let item: Item
  let isExpired: Bool
  /// Tokens of standard attributes.
  private(set) var length = 0
  private(set) var standard = OracleFieldText()
  /// By the slot of the attribute.
  private(set) var named: [Int: OracleFieldText] = [:]
  /// The texts that ranges see, by attribute.
  private(set) var texts: [Attribute: [OracleText]] = [:]

  private static let titles: Set<Attribute> = [.title, .displayName, .subject, .album, .artist]
  private static let longestText = 255

  init(_ item: Item, _ registry: OracleRegistry, _ words: OracleWords) {
    self.item = item
    isExpired = (item.expirationDate?.microseconds ?? .max) < OracleItem.dateOfTests
    for (attribute, value) in item.attributes { add(attribute, value, registry, words) }
    if let type = item.contentType { add(.contentType, .text(type), registry, words) }
  }

  /// All dates of random items are far from it, on either side.
  private static let dateOfTests: Int64 = 1_700_000_000_000_000

  private func add(
    _ attribute: Attribute, _ value: Value, _ registry: OracleRegistry, _ words: OracleWords
  ) {
    guard let searchClass = registry.searchClass(of: attribute) else { return }
    let slot = words.slot(of: attribute)
    let texts = Self.texts(of: value)
    switch searchClass {
    case .standard:
      for text in texts {
        let numbers = words.numbers(of: text)
        length += numbers.count
        standard.add(numbers, attribute: slot)
      }
    case .named:
      for text in texts {
        named[slot, default: OracleFieldText()].add(words.numbers(of: text), attribute: slot)
      }
    case .filter, .none:
      return
    }
    let isOrdered =
      switch registry.kind(of: attribute) {
      case .text?, .texts?, .url?, .contentType?: true
      default: false
      }
    guard isOrdered, searchClass == .named || Self.titles.contains(attribute) else { return }
    let short = texts.filter { $0.utf8.count <= Self.longestText }
    if !short.isEmpty { self.texts[attribute] = short.map(OracleText.init) }
  }

  /// The texts of a value, each with positions of its own.
  private static func texts(of value: Value) -> [String] {
    switch value {
    case .text(let text), .url(let text), .contentType(let text): [text]
    case .texts(let texts): texts
    case .localized(let texts): texts.map(\.text)
    case .persons(let persons): persons.flatMap { [$0.displayName] + $0.handles }
    case .dictionary(let lists):
      lists.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.flatMap(\.value)
    case .data(let bytes): [withoutTags(String(decoding: bytes, as: UTF8.self))]
    case .number, .bool, .date, .dates: []
    }
  }

  /// The text of plain HTML, without references, comments or scripts.
  private static func withoutTags(_ html: String) -> String {
    var text = ""
    var isInside = false
    for character in html.unicodeScalars {
      if character == "<" { isInside = true }
      if !isInside { text.unicodeScalars.append(character) }
      if character == ">" {
        isInside = false
        text += " "
      }
    }
    return text
  }

  /// Whether the domain is another one or below it.
  func isIn(domain: String) -> Bool {
    guard let own = item.domain else { return false }
    return own == domain || own.hasPrefix(domain + ".")
  }
}

/// A text with its place among others: by folded form, then by bytes.
struct OracleText: Comparable {
  let folded: [UInt8]
  let bytes: [UInt8]

  init(_ text: String) {
    folded = Array(OracleFolding.fold(text).utf8)
    bytes = Array(text.utf8)
  }

  static func < (left: OracleText, right: OracleText) -> Bool {
    if left.folded != right.folded { return left.folded.lexicographicallyPrecedes(right.folded) }
    return left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
