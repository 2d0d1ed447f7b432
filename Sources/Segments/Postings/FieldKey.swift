// What a field of the term table holds: all default attributes, or one named attribute.

/// The name of a field within a segment.
///
/// Field 0 (`standard`) holds one list per term over all default attributes, so that a query that
/// names no attribute needs one cursor a word. Each named attribute is a field of its own. Fields are
/// stored in the order of their keys; the standard field comes first.
@usableFromInline
package struct FieldKey: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The attribute, or `standardAttribute` for field 0.
  @usableFromInline package let attribute: UInt16
  /// 0 for field 0, 1 for a named attribute; other kinds are derived fields.
  @usableFromInline package let kind: UInt8

  @inlinable
  package init(attribute: UInt16, kind: UInt8) {
    self.attribute = attribute
    self.kind = kind
  }

  /// Stands for "all default attributes".
  @inlinable package static var standardAttribute: UInt16 { 0xFFFF }
  /// Field 0.
  @inlinable package static var standard: FieldKey {
    FieldKey(attribute: standardAttribute, kind: 0)
  }

  /// The field of one named attribute.
  @inlinable
  package static func named(_ attribute: UInt16) -> FieldKey {
    FieldKey(attribute: attribute, kind: 1)
  }

  /// Orders by kind, then by attribute.
  @inlinable
  package static func < (a: FieldKey, b: FieldKey) -> Bool {
    a.kind != b.kind ? a.kind < b.kind : a.attribute < b.attribute
  }
}
