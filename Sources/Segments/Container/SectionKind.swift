// The kinds of sections that a segment may hold; their numbers are part of the file format.

/// What a section holds; the raw value stands in the footer.
///
/// A number is never used again for something else. Empty sections are left out of the file.
package enum SectionKind: UInt16, CaseIterable, BitwiseCopyable, Sendable {
  /// The file's first 64 bytes: not a section, but what errors in them are called.
  case header = 0
  case meta = 1
  case fields = 2
  case termIndex = 3
  case termPages = 4
  case skips = 5
  case postings = 6
  case bitSets = 7
  case positions = 8
  case norms = 9
  case attributeSets = 10
  case valueIndex = 11
  case values = 12
  case idIndex = 13
  case idPages = 14
  case idOrder = 15
  case columnDirectory = 16
  case columns = 17
  case storedIndex = 18
  case stored = 19
  case expiry = 20
  case thumbnails = 21
  case checksums = 22
  case prefixLists = 23
  case termTails = 24
  case order = 25

  /// One more than the largest raw value: the size of a table indexed by kind.
  static let limit = 26

  /// The version of the section's bytes that this code writes and the newest that it reads.
  var version: UInt16 { 1 }

  /// Whether a reader that does not know the section must refuse the segment.
  var isRequired: Bool { self != .prefixLists && self != .termTails }

  /// The section's name in errors.
  package var name: String { String(describing: self) }
}
