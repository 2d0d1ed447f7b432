// Why a change or an opening failed, below the public API.

package import LimelightSegments
package import LimelightSnapshots
package import LimelightStorage

/// What can go wrong while an index is opened, changed or merged.
package enum IndexingError: Error, Sendable, CustomStringConvertible {
  /// The journal, a manifest or the folder.
  case snapshot(SnapshotError)
  /// Damaged bytes of a segment.
  case corrupt(CorruptionError)
  /// A segment that cannot be opened.
  case segment(SegmentError)
  /// The operating system refused.
  case storage(StorageError)
  /// Somebody cancelled the merge.
  case cancelled
  /// The index was made with an analyser that this library does not have.
  case analyzer(name: String, version: UInt32)

  package var description: String {
    switch self {
    case .snapshot(let error): error.description
    case .corrupt(let error): error.description
    case .segment(let error): "\(error)"
    case .storage(let error): error.description
    case .cancelled: "cancelled"
    case .analyzer(let name, let version): "unknown analyser \(name), version \(version)"
    }
  }
}

/// Runs a body and gives its error the type of this module.
@inline(__always)
func indexing<Result>(_ body: () throws -> Result) throws(IndexingError) -> Result {
  do {
    return try body()
  } catch {
    throw IndexingError(error)
  }
}

extension IndexingError {
  /// Whether a file is whole, and of a version that this library does not read.
  var isOfAnotherVersion: Bool {
    switch self {
    case .segment(.newerFormat), .segment(.olderFormat): true
    case .snapshot(let error): error.kind == .newerFormat || error.kind == .olderFormat
    default: false
    }
  }

  /// Any error of the modules below.
  init(_ error: any Error) {
    switch error {
    case let error as IndexingError: self = error
    case let error as SnapshotError: self = .snapshot(error)
    case let error as CorruptionError: self = .corrupt(error)
    case let error as SegmentError:
      if case .corrupt(let damage) = error {
        self = .corrupt(damage)
      } else {
        self = .segment(error)
      }
    case let error as StorageError: self = .storage(error)
    default:
      self = .snapshot(SnapshotError(.storage, file: "", "\(error)"))
    }
  }
}
