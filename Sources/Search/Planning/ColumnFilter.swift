// Ranges of values and domains, answered from columns.

internal import LimelightAnalysis
internal import LimelightCodecs
internal import LimelightItems
internal import LimelightSegments

/// The items with a value between two bounds.
///
/// Worked out once a segment as a bit set. Columns hold texts of up to 255 bytes: a longer one is in no
/// range.
struct ColumnFilter {
  private enum Target {
    case values(ResolvedAttribute, lower: RangeBound, upper: RangeBound)
    case domain(lower: [UInt8], upper: [UInt8])
  }

  private let target: Target

  init(attribute: ResolvedAttribute, lower: RangeBound, upper: RangeBound) {
    target = .values(attribute, lower: lower, upper: upper)
  }

  init(domain: String) {
    let range = DomainKey.range(of: domain)
    target = .domain(lower: range.lower, upper: range.upper)
  }

  /// Sets the bits of the items of a segment that match.
  func fill(
    _ words: UnsafeMutablePointer<UInt64>, _ segment: Segment
  ) throws(CorruptionError) {
    switch target {
    case .domain(let lower, let upper):
      guard let column = try segment.columns()?.column(SystemColumn.domain, .string) else {
        return
      }
      try fill(words, column, ordinals: try column.ordinals(from: lower, to: upper))
    case .values(let attribute, let lower, let upper):
      guard let columns = try segment.columns() else { return }
      guard let bound = lower.value ?? upper.value else {
        for column in try columns.all() where column.attribute == attribute.id {
          try column.fill(words, from: .min, through: .max)
        }
        return
      }
      guard let kind = Self.kind(of: bound),
        let column = try columns.column(attribute.id, kind)
      else { return }
      if kind == .string {
        guard let start = try Self.start(lower, in: column),
          let end = try Self.end(upper, in: column), start < end
        else { return }
        return try fill(words, column, ordinals: start..<end)
      }
      guard let first = Self.first(lower, kind), let last = Self.last(upper, kind), first <= last
      else { return }
      try column.fill(words, from: first, through: last)
    }
  }

  private func fill(
    _ words: UnsafeMutablePointer<UInt64>, _ column: Column, ordinals: Range<Int>
  ) throws(CorruptionError) {
    guard !ordinals.isEmpty else { return }
    try column.fill(
      words, from: Int64(ordinals.lowerBound), through: Int64(ordinals.upperBound - 1))
  }

  // MARK: Codes

  private static func kind(of value: RangeValue) -> ColumnKind? {
    switch value {
    case .number(let number): number.isNaN ? nil : .number
    case .date: .date
    case .bool: .bool
    case .string: .string
    }
  }

  /// The code by which a column sorts a value; nil for a value of another kind.
  private static func code(_ value: RangeValue, _ kind: ColumnKind) -> Int64? {
    guard self.kind(of: value) == kind else { return nil }
    switch value {
    case .number(let number): return Ordered.integer(number)
    case .date(let date): return date.microseconds
    case .bool(let flag): return flag ? 1 : 0
    case .string: return nil
    }
  }

  /// The least code of a range; nil for an empty one.
  private static func first(_ bound: RangeBound, _ kind: ColumnKind) -> Int64? {
    switch bound {
    case .open: return .min
    case .included(let value): return code(value, kind)
    case .excluded(let value):
      guard let code = code(value, kind), code < .max else { return nil }
      return code + 1
    }
  }

  /// The largest code of a range; nil for an empty one.
  private static func last(_ bound: RangeBound, _ kind: ColumnKind) -> Int64? {
    switch bound {
    case .open: return .max
    case .included(let value): return code(value, kind)
    case .excluded(let value):
      guard let code = code(value, kind), code > .min else { return nil }
      return code - 1
    }
  }

  // MARK: Texts

  /// The ordinal of the first string of a range; nil for a bound of another kind.
  private static func start(
    _ bound: RangeBound, in column: Column
  ) throws(CorruptionError) -> Int? {
    switch bound {
    case .open: 0
    case .included(.string(let text)): try place(of: text, behindEqual: false, in: column)
    case .excluded(.string(let text)): try place(of: text, behindEqual: true, in: column)
    default: nil
    }
  }

  /// The ordinal behind the last string of a range; nil for a bound of another kind.
  private static func end(
    _ bound: RangeBound, in column: Column
  ) throws(CorruptionError) -> Int? {
    switch bound {
    case .open: column.stringCount
    case .included(.string(let text)): try place(of: text, behindEqual: true, in: column)
    case .excluded(.string(let text)): try place(of: text, behindEqual: false, in: column)
    default: nil
    }
  }

  /// How many strings come before a text, by folded form, then by bytes.
  private static func place(
    of text: String, behindEqual: Bool, in column: Column
  ) throws(CorruptionError) -> Int {
    let bytes = Array(text.utf8)
    let range = try column.ordinals(folded: Folding.fold(text))
    guard !range.isEmpty else { return range.lowerBound }
    var walk = try column.strings(from: range.lowerBound)
    for ordinal in range {
      guard let next = try walk.next() else { return ordinal }
      if bytes.lexicographicallyPrecedes(next.text) { return ordinal }
      if !behindEqual, next.text == bytes { return ordinal }
    }
    return range.upperBound
  }
}
