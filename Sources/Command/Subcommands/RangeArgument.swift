// A range of values as it is written on the command line.

internal import Limelight

/// `NAME:LOW..HIGH`, where an end may be open, or `NAME:VALUE`.
struct RangeArgument {
  /// Items with a value in the range.
  let query: Query

  init(_ argument: String) throws(Failure) {
    let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw .usage(
        "--range wants NAME:LOW..HIGH, not '\(argument)'",
        hint: "such as fileSize:1000000.. or rating:4 or dueDate:2026-01-01..2026-06-30T12:00:00Z")
    }
    let attribute = Attribute(String(parts[0]))
    let (low, high) = Self.ends(parts[1])
    let readings = Self.readings(attribute).compactMap { read in
      Self.range(attribute, low, high, read)
    }
    guard !readings.isEmpty else {
      let kind = attribute.definition.map { "\($0.kind)" } ?? "value"
      throw .usage("--range: '\(parts[1])' is no range of \(attribute.name), which is a \(kind)")
    }
    query = readings.count == 1 ? readings[0] : .any(readings)
  }

  /// The two ends around the periods; a value alone is both.
  private static func ends(_ text: Substring) -> (low: Substring, high: Substring) {
    var place = text.startIndex
    while place < text.endIndex {
      if text[place...].hasPrefix("..") {
        return (text[..<place], text[text.index(place, offsetBy: 2)...])
      }
      place = text.index(after: place)
    }
    return (text, text)
  }

  private static func range(
    _ attribute: Attribute, _ low: Substring, _ high: Substring,
    _ read: (String) -> RangeValue?
  ) -> Query? {
    guard let lower = bound(low, read), let upper = bound(high, read) else { return nil }
    return .range(attribute, lower: lower, upper: upper)
  }

  private static func bound(_ text: Substring, _ read: (String) -> RangeValue?) -> RangeBound? {
    text.isEmpty ? .open : read(String(text)).map(RangeBound.included)
  }

  /// How the attribute's values can be read.
  ///
  /// A custom attribute may be of any kind: then the range is tried in each kind that both
  /// ends can be read as, for a bound of another kind matches nothing.
  private static func readings(_ attribute: Attribute) -> [(String) -> RangeValue?] {
    switch attribute.definition?.kind {
    case .number?: [number]
    case .date?, .dates?: [date]
    case .bool?: [bool]
    case .text?, .texts?, .url?, .data?, .persons?, .dictionary?, .contentType?: [string]
    case nil: [number, date, bool, string]
    }
  }

  private static func number(_ text: String) -> RangeValue? {
    Double(text).flatMap { $0.isNaN ? nil : .number($0) }
  }

  private static func date(_ text: String) -> RangeValue? {
    let date =
      Timestamp(iso8601: text) ?? Double(text).map { Timestamp(secondsSince1970: $0) }
    return date.map(RangeValue.date)
  }

  private static func bool(_ text: String) -> RangeValue? { Bool(text).map(RangeValue.bool) }

  private static func string(_ text: String) -> RangeValue? { .string(text) }
}
