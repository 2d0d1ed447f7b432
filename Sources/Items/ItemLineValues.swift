// Lines of JSON read into items: the values, each as its attribute's kind wants it.

extension JSONScanner {
  /// What the next value is, by its first byte.
  enum Shape {
    case string, list, object, number, bool, null, broken
  }

  /// What the next value is, by its first byte.
  var shape: Shape {
    mutating get {
      switch peek() {
      case UInt8(ascii: "\""): .string
      case UInt8(ascii: "["): .list
      case UInt8(ascii: "{"): .object
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
      case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
      case UInt8(ascii: "n"): .null
      default: .broken
      }
    }
  }

  /// The error of a value that is not of the shape that its place wants.
  mutating func wrongShape(_ wanted: String) -> ItemError {
    shape == .broken ? malformed("expected a value") : failure(.wrongKind, "takes \(wanted)")
  }

  /// Takes a value; without a kind, that of a custom attribute, its shape decides.
  mutating func value(of kind: AttributeKind?) throws(ItemError) -> Value {
    switch (kind, shape) {
    case (.text?, .string), (nil, .string): return .text(try text())
    case (.text?, .list), (nil, .list), (.texts?, .list): return .texts(try texts())
    case (.text?, .object), (nil, .object): return .localized(try localizedTexts())
    case (.texts?, .string): return .texts([try text()])
    case (.number?, .number), (nil, .number): return .number(try number())
    case (.bool?, .bool), (nil, .bool), (.bool?, .number): return .bool(try bool())
    case (.date?, .string), (.date?, .number): return .date(try date())
    case (.dates?, .list): return .dates(try dates())
    case (.dates?, .string), (.dates?, .number): return .dates([try date()])
    case (.url?, .string): return .url(try text())
    case (.data?, .string): return .data(try base64())
    case (.persons?, .list): return .persons(try persons())
    case (.persons?, .object): return .persons([try person()])
    case (.dictionary?, .object): return .dictionary(try dictionary())
    case (.contentType?, .string): return .contentType(try text())
    case (let kind, _): throw wrongShape(kind?.words ?? "text, a number, true or false")
    }
  }

  /// Takes a string where nothing else will do.
  mutating func textValue() throws(ItemError) -> String {
    guard shape == .string else { throw wrongShape("text") }
    return try text()
  }

  /// Takes a date: ISO 8601, or seconds since 1970.
  mutating func date() throws(ItemError) -> Timestamp {
    let shape = shape
    let start = position
    switch shape {
    case .string:
      guard let date = Timestamp(iso8601: try string()) else {
        throw failure(.invalidDate, "no date that exists", at: start)
      }
      return date
    case .number:
      guard let date = Timestamp(checkedSeconds: try number()) else {
        throw failure(.invalidDate, "the date is out of range", at: start)
      }
      return date
    default:
      throw wrongShape("a date")
    }
  }

  /// Takes bytes as base64.
  mutating func base64() throws(ItemError) -> [UInt8] {
    guard shape == .string else { throw wrongShape("bytes in base64") }
    let start = position
    guard let bytes = Base64.decode(try string()) else {
      throw failure(.invalidBase64, "the bytes are not base64", at: start)
    }
    return bytes
  }

  private mutating func bool() throws(ItemError) -> Bool {
    switch peek() {
    case UInt8(ascii: "t"):
      try literal("true")
      return true
    case UInt8(ascii: "f"):
      try literal("false")
      return false
    default:
      let start = position
      let number = try number()
      guard number == 0 || number == 1 else {
        throw failure(.wrongKind, "takes true, false, 0 or 1", at: start)
      }
      return number == 1
    }
  }

  private mutating func texts() throws(ItemError) -> [String] {
    guard take(UInt8(ascii: "[")) else { throw wrongShape("a list of texts") }
    var texts: [String] = []
    var first = true
    while try next(first: &first, end: UInt8(ascii: "]")) { texts.append(try textValue()) }
    return texts
  }

  private mutating func textOrTexts() throws(ItemError) -> [String] {
    shape == .string ? [try text()] : try texts()
  }

  private mutating func dates() throws(ItemError) -> [Timestamp] {
    try expect(UInt8(ascii: "["), "a list")
    var dates: [Timestamp] = []
    var first = true
    while try next(first: &first, end: UInt8(ascii: "]")) { dates.append(try date()) }
    return dates
  }

  private mutating func localizedTexts() throws(ItemError) -> [LocalizedText] {
    try expect(UInt8(ascii: "{"), "an object")
    var texts: [LocalizedText] = []
    var tags: Set<String> = []
    var first = true
    while try next(first: &first, end: UInt8(ascii: "}")) {
      let start = position
      let tag = try key()
      guard tags.insert(tag).inserted else {
        throw failure(.duplicateKey, "a language stands twice", at: start)
      }
      texts.append(LocalizedText(tag: tag, text: try textValue()))
    }
    return texts
  }

  private mutating func dictionary() throws(ItemError) -> [String: [String]] {
    try expect(UInt8(ascii: "{"), "an object")
    var lists: [String: [String]] = [:]
    var first = true
    while try next(first: &first, end: UInt8(ascii: "}")) {
      let start = position
      let name = try key()
      guard lists.updateValue(try textOrTexts(), forKey: name) == nil else {
        throw failure(.duplicateKey, "a name stands twice", at: start)
      }
    }
    return lists
  }

  private mutating func persons() throws(ItemError) -> [Person] {
    try expect(UInt8(ascii: "["), "a list")
    var persons: [Person] = []
    var first = true
    while try next(first: &first, end: UInt8(ascii: "]")) { persons.append(try person()) }
    return persons
  }

  private mutating func person() throws(ItemError) -> Person {
    guard take(UInt8(ascii: "{")) else { throw wrongShape("a person with displayName and handles") }
    var name: String?
    var handles: [String]?
    var first = true
    while try next(first: &first, end: UInt8(ascii: "}")) {
      let start = position
      switch try key() {
      case "displayName" where name == nil: name = try textValue()
      case "handles" where handles == nil: handles = try textOrTexts()
      case "displayName", "handles":
        throw failure(.duplicateKey, "the member stands twice", at: start)
      default:
        throw failure(.unknownKey, "a person has displayName and handles", at: start)
      }
    }
    return Person(displayName: name ?? "", handles: handles ?? [])
  }
}
