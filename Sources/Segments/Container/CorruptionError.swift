// The one way for a segment to be damaged, and the reasons to refuse one that is not.

/// Bytes that cannot be what a writer wrote.
///
/// Names the file, the section and the offset in the file, so that `verify` can list the damage
/// and a person can look at it.
@usableFromInline
package struct CorruptionError: Error, Equatable, Sendable, CustomStringConvertible {
  @usableFromInline package let file: String
  @usableFromInline package let section: String
  @usableFromInline package let offset: Int
  @usableFromInline package let message: String

  /// The only place where a `CorruptionError` is made: set a breakpoint here.
  @inline(never)
  package static func corrupt(
    file: String, section: String, offset: Int, _ message: String
  ) -> CorruptionError {
    CorruptionError(file: file, section: section, offset: offset, message: message)
  }

  @usableFromInline package var description: String {
    "\(file), \(section) at byte \(offset): \(message)"
  }
}

/// Why a segment cannot be opened.
package enum SegmentError: Error, Equatable, Sendable {
  /// Its bytes are damaged.
  case corrupt(CorruptionError)
  /// A later version of Limelight wrote it: the format or a section that must be understood.
  case newerFormat(file: String, section: UInt16?, version: UInt32)
  /// An earlier version wrote it, one that is no longer read.
  case olderFormat(file: String, version: UInt32)
  /// It belongs to another index.
  case foreign(file: String)
  /// Its stored items need a dictionary that is missing or not the one they were written with.
  case wrongDictionary(file: String)
}
