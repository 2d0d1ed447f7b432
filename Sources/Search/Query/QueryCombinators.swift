// Short forms for queries: comparisons, and `&`, `|` and `!`.

public import LimelightItems

extension Query {
  /// Items with exactly this value of the attribute.
  public static func equals(_ attribute: Attribute, _ value: RangeValue) -> Query {
    .range(attribute, lower: .included(value), upper: .included(value))
  }

  /// Items with this value of the attribute or a greater one.
  public static func atLeast(_ attribute: Attribute, _ value: RangeValue) -> Query {
    .range(attribute, lower: .included(value), upper: .open)
  }

  /// Items with this value of the attribute or a smaller one.
  public static func atMost(_ attribute: Attribute, _ value: RangeValue) -> Query {
    .range(attribute, lower: .open, upper: .included(value))
  }

  /// Items with a greater value of the attribute.
  public static func above(_ attribute: Attribute, _ value: RangeValue) -> Query {
    .range(attribute, lower: .excluded(value), upper: .open)
  }

  /// Items with a smaller value of the attribute.
  public static func below(_ attribute: Attribute, _ value: RangeValue) -> Query {
    .range(attribute, lower: .open, upper: .excluded(value))
  }

  /// Items with a value of the attribute between these two, both included.
  public static func between(
    _ attribute: Attribute, _ lower: RangeValue, _ upper: RangeValue
  ) -> Query {
    .range(attribute, lower: .included(lower), upper: .included(upper))
  }

  /// Items that have any value of the attribute.
  public static func has(_ attribute: Attribute) -> Query {
    .range(attribute, lower: .open, upper: .open)
  }

  /// Items that match both queries; a row of `&` gives one flat ``all(_:)``.
  public static func & (left: Query, right: Query) -> Query {
    switch (left, right) {
    case (.all(let first), .all(let second)): .all(first + second)
    case (.all(let first), _): .all(first + [right])
    case (_, .all(let second)): .all([left] + second)
    default: .all([left, right])
    }
  }

  /// Items that match either query or both; a row of `|` gives one flat ``any(_:)``.
  public static func | (left: Query, right: Query) -> Query {
    switch (left, right) {
    case (.any(let first), .any(let second)): .any(first + second)
    case (.any(let first), _): .any(first + [right])
    case (_, .any(let second)): .any([left] + second)
    default: .any([left, right])
    }
  }

  /// Items that do not match the query; twice is the query itself.
  public static prefix func ! (query: Query) -> Query {
    if case .not(let inner) = query { return inner }
    return .not(query)
  }
}
