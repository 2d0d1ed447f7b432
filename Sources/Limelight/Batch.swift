// Items to put, as values or as lines of text.

/// How lines of a text become items.
public struct LineOptions: Hashable, Sendable {
  /// Flat keys of a line and the attributes that they stand for: `["body": "textContent"]`.
  public var map: [String: String]
  /// Custom attributes whose values are dates.
  public var dates: Set<String>

  /// Describes lines; the plain form needs nothing.
  public init(map: [String: String] = [:], dates: Set<String> = []) {
    self.map = map
    self.dates = dates
  }
}

/// Some items to put.
public enum Batch: Sendable {
  /// Items as values.
  case items([Item])
  /// Whole lines of NDJSON, an item each; `firstLine` is the number of the first in the input, from 1.
  case lines([UInt8], firstLine: Int = 1, options: LineOptions = LineOptions())
}
