// Ranges of values, compared with bounds of their own kind.

import Limelight

/// A range of one attribute's values.
struct OracleRange {
  private let attribute: Attribute
  private let lower: RangeBound
  private let upper: RangeBound

  init(_ attribute: Attribute, _ lower: RangeBound, _ upper: RangeBound) {
    self.attribute = attribute
    self.lower = lower
    self.upper = upper
  }

  /// Whether any of the item's values is in the range.
  func contains(_ item: OracleItem, _ registry: OracleRegistry) -> Bool {
    if let texts = item.texts[attribute] {
      return texts.contains { text in
        isInside(text) { if case .string(let bound) = $0 { OracleText(bound) } else { nil } }
      }
    }
    guard registry.searchClass(of: attribute) == .filter else { return false }
    switch item.item.attributes[attribute] {
    case .number(let number)?:
      return isInside(number) {
        if case .number(let bound) = $0, !bound.isNaN { bound } else { nil }
      }
    case .bool(let flag)?:
      return isInside(flag ? 1 : 0) {
        if case .bool(let bound) = $0 { bound ? 1 : 0 } else { nil }
      }
    case .date(let date)?: return isInside(date, bound: Self.date)
    case .dates(let dates)?: return dates.contains { isInside($0, bound: Self.date) }
    default: return false
    }
  }

  private static func date(_ value: RangeValue) -> Timestamp? {
    if case .date(let date) = value { date } else { nil }
  }

  /// Whether a value is between the bounds; `bound` gives nil for one of another kind.
  private func isInside<V: Comparable>(_ value: V, bound: (RangeValue) -> V?) -> Bool {
    switch lower {
    case .open: break
    case .included(let end): guard let end = bound(end), value >= end else { return false }
    case .excluded(let end): guard let end = bound(end), value > end else { return false }
    }
    switch upper {
    case .open: break
    case .included(let end): guard let end = bound(end), value <= end else { return false }
    case .excluded(let end): guard let end = bound(end), value < end else { return false }
    }
    return true
  }
}
