// The ends of a range of values.

public import LimelightItems

/// One end of a range: open, or a value that itself belongs to the range or not.
public enum RangeBound: Hashable, Sendable {
  /// No end on this side.
  case open
  /// The value and all beyond it.
  case included(RangeValue)
  /// All beyond the value, but not the value itself.
  case excluded(RangeValue)

  /// The value at this end, or nil when it is open.
  public var value: RangeValue? {
    switch self {
    case .open: nil
    case .included(let value), .excluded(let value): value
    }
  }
}

/// A value that attributes are compared with.
///
/// Literals give one: `.atLeast(.pageCount, 10)`, `.equals(.allDay, true)`.
public enum RangeValue: Hashable, Sendable {
  /// A number; one that is not a number (NaN) matches nothing.
  case number(Double)
  /// A moment.
  case date(Timestamp)
  /// False, or true, which comes after it.
  case bool(Bool)
  /// A text, compared by its folded form, then by its bytes.
  case string(String)
}

extension RangeValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByStringLiteral
{
  /// Makes a number.
  public init(integerLiteral number: Int) {
    self = .number(Double(number))
  }

  /// Makes a number.
  public init(floatLiteral number: Double) {
    self = .number(number)
  }

  /// Makes a boolean.
  public init(booleanLiteral flag: Bool) {
    self = .bool(flag)
  }

  /// Makes a text.
  public init(stringLiteral text: String) {
    self = .string(text)
  }
}
