// Items as lines of JSON: the options and the two entrances.

/// How lines that come from elsewhere are read.
package struct JSONOptions: Hashable, Sendable {
  /// Names of top-level members and what they mean.
  ///
  /// A target is an attribute's name, `id`, `domain`, `contentType`, `expirationDate`,
  /// `thumbnail`, or the empty string to leave the member out. As soon as there is a map, lines
  /// are flat: top-level members that are named like a built-in attribute are taken as well.
  package var map: [String: String]
  /// Custom attributes whose strings and numbers are dates.
  package var dates: Set<String>

  package init(map: [String: String] = [:], dates: Set<String> = []) {
    self.map = map
    self.dates = dates
  }
}

/// Items as lines of JSON.
///
/// A line is one object of `id`, `domain`, `contentType`, `expirationDate`, `thumbnail` (base64)
/// and `attributes`; all of them may be missing or null. What an attribute takes follows from its
/// kind:
///
/// - text: a string, a list of strings, or an object of texts by language
/// - a list of texts: a string or a list of strings
/// - a number; a boolean, or the numbers 0 and 1
/// - dates: ISO 8601 or seconds since 1970; for a list of dates also a list
/// - an address or a type identifier: a string; bytes: a string in base64
/// - persons: objects of `displayName` and `handles`, alone or in a list
/// - a dictionary: an object of strings or lists of strings
///
/// Custom attributes take strings, lists and objects as text, and numbers and booleans; dates only
/// when they are declared. The text is held to RFC 8259: a name that stands twice, a lone
/// surrogate, or anything behind the object is an error.
package enum ItemJSON {
  /// Reads one line; many are better read by one ``ItemLineParser``.
  package static func parseLine(
    _ bytes: UnsafeRawBufferPointer, options: JSONOptions = JSONOptions()
  ) throws(ItemError) -> Item {
    try ItemLineParser(options: options).parse(bytes)
  }

  /// The item as one line, without the line's end; reading it gives the same item.
  ///
  /// Custom dates come back as dates only when they are declared. A number that is not finite,
  /// which no index takes, is written as null.
  package static func write(_ item: Item) -> [UInt8] {
    var json = JSONText()
    json.item(item)
    return json.bytes
  }
}
