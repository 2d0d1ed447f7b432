// The values of an item as bytes, written and read.

extension Value {
  /// How the value is written.
  var form: ItemCodec.Form {
    switch self {
    case .text: .text
    case .texts: .texts
    case .localized: .localized
    case .number: .number
    case .bool: .bool
    case .date: .date
    case .dates: .dates
    case .url: .url
    case .data: .data
    case .persons: .persons
    case .dictionary: .dictionary
    case .contentType: .contentType
    }
  }

  /// The number of bytes that ``appendPayload(to:)`` writes.
  var payloadCount: Int {
    switch self {
    case .text(let text), .url(let text), .contentType(let text): text.utf8.count
    case .texts(let texts): payloadBytes(texts)
    case .localized(let texts):
      texts.reduce(varintBytes(texts.count)) { $0 + payloadBytes($1.tag) + payloadBytes($1.text) }
    case .number, .date: 8
    case .bool: 1
    case .dates(let dates): 8 * dates.count
    case .data(let bytes): bytes.count
    case .persons(let persons):
      persons.reduce(varintBytes(persons.count)) {
        $0 + payloadBytes($1.displayName) + payloadBytes($1.handles)
      }
    case .dictionary(let lists):
      lists.reduce(varintBytes(lists.count)) { $0 + payloadBytes($1.key) + payloadBytes($1.value) }
    }
  }

  /// Appends the value's payload.
  func appendPayload(to bytes: inout [UInt8]) {
    switch self {
    case .text(let text), .url(let text), .contentType(let text):
      bytes.append(contentsOf: text.utf8)
    case .texts(let texts):
      bytes.appendTexts(texts)
    case .localized(let texts):
      bytes.appendVarint(UInt64(texts.count))
      for text in texts {
        bytes.appendText(text.tag)
        bytes.appendText(text.text)
      }
    case .number(let number):
      bytes.appendWord(number.bitPattern)
    case .bool(let flag):
      bytes.append(flag ? 1 : 0)
    case .date(let date):
      bytes.appendWord(UInt64(bitPattern: date.microseconds))
    case .dates(let dates):
      for date in dates { bytes.appendWord(UInt64(bitPattern: date.microseconds)) }
    case .data(let data):
      bytes.append(contentsOf: data)
    case .persons(let persons):
      bytes.appendVarint(UInt64(persons.count))
      for person in persons {
        bytes.appendText(person.displayName)
        bytes.appendTexts(person.handles)
      }
    case .dictionary(let lists):
      bytes.appendVarint(UInt64(lists.count))
      for (name, texts) in lists.inByteOrder {
        bytes.appendText(name)
        bytes.appendTexts(texts)
      }
    }
  }

  /// Reads the payload of a form, which has to fill its part to the end.
  init(_ form: ItemCodec.Form, payload part: ByteCursor) throws(ItemDecodingError) {
    var part = part
    let start = part.position
    switch form {
    case .text: self = .text(try part.text(part.remaining))
    case .url: self = .url(try part.text(part.remaining))
    case .contentType: self = .contentType(try part.text(part.remaining))
    case .texts: self = .texts(try part.texts())
    case .localized: self = .localized(try part.localizedTexts())
    case .number:
      let number = Double(bitPattern: try part.word())
      guard number.isFinite else { throw .corrupt("a number that is not finite", at: start) }
      self = .number(number)
    case .bool:
      let byte = try part.byte()
      guard byte <= 1 else { throw .corrupt("a boolean that is neither", at: start) }
      self = .bool(byte == 1)
    case .date: self = .date(try part.timestamp())
    case .dates: self = .dates(try part.timestamps())
    case .data: self = .data([UInt8](try part.take(part.remaining)))
    case .persons: self = .persons(try part.persons())
    case .dictionary: self = .dictionary(try part.dictionary())
    }
    guard part.atEnd else { throw .corrupt("bytes behind a value", at: part.position) }
  }
}

extension ByteCursor {
  fileprivate mutating func localizedTexts() throws(ItemDecodingError) -> [LocalizedText] {
    let count = try count()
    var texts: [LocalizedText] = []
    for _ in 0..<count {
      let tag = try text()
      texts.append(LocalizedText(tag: tag, text: try text()))
    }
    return texts
  }

  fileprivate mutating func persons() throws(ItemDecodingError) -> [Person] {
    let count = try count()
    var persons: [Person] = []
    for _ in 0..<count {
      let name = try text()
      persons.append(Person(displayName: name, handles: try texts()))
    }
    return persons
  }

  fileprivate mutating func dictionary() throws(ItemDecodingError) -> [String: [String]] {
    let count = try count()
    var lists: [String: [String]] = [:]
    for _ in 0..<count {
      let start = position
      let name = try text()
      guard lists.updateValue(try texts(), forKey: name) == nil else {
        throw .corrupt("a name that stands twice", at: start)
      }
    }
    return lists
  }

  mutating func timestamp() throws(ItemDecodingError) -> Timestamp {
    Timestamp(microseconds: Int64(bitPattern: try word()))
  }

  fileprivate mutating func timestamps() throws(ItemDecodingError) -> [Timestamp] {
    guard remaining % 8 == 0 else { throw .corrupt("a date that is cut off", at: position) }
    var dates: [Timestamp] = []
    dates.reserveCapacity(remaining / 8)
    while !atEnd { dates.append(try timestamp()) }
    return dates
  }
}

/// Bytes of a variable-length integer.
private func varintBytes(_ value: Int) -> Int {
  max(1, (Int.bitWidth - value.leadingZeroBitCount + 6) / 7)
}

/// Bytes of a text behind its length.
private func payloadBytes(_ text: String) -> Int {
  varintBytes(text.utf8.count) + text.utf8.count
}

/// Bytes of a list of texts.
private func payloadBytes(_ texts: [String]) -> Int {
  texts.reduce(varintBytes(texts.count)) { $0 + payloadBytes($1) }
}
