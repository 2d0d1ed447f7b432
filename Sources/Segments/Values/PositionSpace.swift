// How the values of an item share its positions.

/// The rule by which a value's first position follows from the values before it.
///
/// Default attributes share one space an item, in the order of their values; each named attribute
/// has a space of its own. Between two values lies a gap, so that no phrase crosses from one value
/// into the next.
package enum PositionSpace {
  /// The positions that no token has, after each value.
  package static let gap: UInt32 = 8

  /// Where the next value of the space begins.
  @inlinable package static func next(start: UInt32, positionCount: UInt32) -> UInt32 {
    start &+ positionCount &+ 8
  }
}

/// One text value of an item.
package struct ValueEntry: Equatable, Sendable {
  package var attribute: UInt16
  /// The positions that the value takes (which may be more than its tokens).
  package var positionCount: UInt32
  /// Its first position, in the space that it belongs to.
  package var start: UInt32
  /// Whether the attribute is a field of its own, with its own positions.
  package var isNamed: Bool

  package init(attribute: UInt16, positionCount: UInt32, start: UInt32, isNamed: Bool) {
    self.attribute = attribute
    self.positionCount = positionCount
    self.start = start
    self.isNamed = isNamed
  }
}
