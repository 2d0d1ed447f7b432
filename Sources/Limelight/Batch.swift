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

/// How far a load is.
public struct LoadProgress: Sendable {
  /// Items or lines read.
  public let read: Int
  /// Items put.
  public let put: Int
  /// Bytes read.
  public let bytes: Int
  /// Items refused.
  public let refused: Int
  /// Seconds since the start.
  public let seconds: Double
}

/// What a load did.
public struct LoadReport: Sendable {
  /// Items or lines read.
  public let read: Int
  /// Items put.
  public let put: Int
  /// Bytes of text read.
  public let bytes: Int
  /// The items that were not taken, in order.
  public let refused: [Refusal]
  /// Seconds until all was durable.
  public let seconds: Double
}
