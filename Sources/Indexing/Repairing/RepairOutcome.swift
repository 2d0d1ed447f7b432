// What a repair found, and what it could not keep.

internal import LimelightSegments
internal import LimelightSnapshots
internal import LimelightStorage

/// A place where the bytes of an index are not what was written.
package struct Damage: Hashable, Sendable {
  package let file: String
  package let section: String?
  package let offset: Int?
  package let message: String

  package init(file: String, section: String? = nil, offset: Int? = nil, _ message: String) {
    self.file = file
    self.section = section
    self.offset = offset
    self.message = message
  }
}

/// What a repair found and kept.
package struct RepairOutcome: Sendable {
  /// All that is wrong with the files.
  package var damages: [Damage] = []
  /// Items taken out of damaged segments.
  package var rescued = 0
  /// Items that are lost, each once.
  package var lost: Set<String> = []
  /// Items that are lost and whose ids are lost as well, by segment.
  package var unidentified: [(file: String, items: Int)] = []
  /// Items that are kept without their thumbnails.
  package var withoutThumbnail: Set<String> = []
  /// Journal records that are lost: changes of which nothing is known.
  package var lostChanges = 0

  package init() {}
}

extension Damage {
  init(_ error: CorruptionError) {
    self.init(
      file: error.file, section: error.section, offset: error.offset, error.message)
  }

  init(_ error: SnapshotError) {
    self.init(file: error.file, offset: error.offset, error.message)
  }

  /// Any error that opening or reading a file has thrown.
  init(_ error: any Error, file: String) {
    switch IndexingError(error) {
    case .corrupt(let error): self.init(error)
    case .snapshot(let error): self.init(error)
    case .segment(.wrongDictionary):
      self.init(file: file, "the dictionary that it needs cannot be read")
    case .segment(.foreign): self.init(file: file, "the file belongs to another index")
    case let error: self.init(file: file, error.description)
    }
  }
}
