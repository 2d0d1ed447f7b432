// What columns hold, and their bytes.

/// The type of a column's values; the raw value stands in the file.
///
/// Inside, every value is an `Int64` that sorts like it: integers as they are, dates in
/// microseconds since 1970, booleans 0 and 1, numbers by `Ordered`, strings by their ordinal in
/// the column's sorted dictionary.
package enum ColumnKind: UInt8, Sendable, CaseIterable {
  case integer = 1
  case number = 2
  case bool = 3
  case date = 4
  case string = 5
}

/// The columns that every index has, beside those of attributes.
package enum SystemColumn {
  /// Ids from here on are no attributes.
  package static let first: UInt16 = 0xFF00
  /// The item's domain as `DomainKey` writes it: string.
  package static let domain: UInt16 = 0xFF00
  /// When the item expires: date.
  package static let expiry: UInt16 = 0xFF01
  /// How often the item was put: integer.
  package static let revision: UInt16 = 0xFF02
  /// The journal's number of the operation that put it: integer.
  package static let putSequence: UInt16 = 0xFF03
}

/// The bytes of the sections `columnDirectory` and `columns`.
///
/// Directory, an entry of 72 bytes a column, sorted by attribute, then kind:
///
///      0  attribute u16, kind u8, flags u8 (1 = the i-th value is that of document i)
///      4  documents that have a value u32
///      8  values u64, smallest value i64, largest value i64
///     32  where the column starts u64, its length u64
///     48  length of the dictionary's index u64, of its pages u64: 0 unless strings
///     64  values that are too long to be in the column u32, 0 u32
///
/// Column, at a multiple of 8:
///
///     dictionary   index and pages (`KeyPagesWriter`): key = folded form; payload = nothing if the
///                  string is its folded form, else 1 and a bit for each byte whose case bit
///                  differs, else 0 and the string; then zeros up to a multiple of 8
///     minima       i64 a block
///     maxima       i64 a block
///     offsets      u64 a block, from the end of these arrays
///     documents    u32 a block: the first one's number; then zeros up to a multiple of 8
///     blocks       of 128 entries, the last one of 1 to 128:
///                    u8   1 = documents follow each other; 2 = numbers as integers
///                    PFOR gaps of the documents, the first 0 (left out with 1)
///                    PackedIntegers of the values
package enum ColumnFormat {
  static let entrySize = 72
  static let blockSize = 128
  static let aligned: UInt8 = 1
  static let consecutive: UInt8 = 1
  static let integral: UInt8 = 2
  /// The bytes of an attribute's string at most; longer ones are left out and counted.
  ///
  /// Columns of the system hold all of theirs: deleting by domain relies on it.
  static func stringLimit(_ attribute: UInt16) -> Int {
    attribute < SystemColumn.first ? 255 : .max
  }

  static func blockCount(_ values: Int) -> Int { (values + blockSize - 1) / blockSize }
}
