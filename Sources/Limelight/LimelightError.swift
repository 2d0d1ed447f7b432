// The one error of the public API, and how errors of the modules below become it.

internal import LimelightIndexing
internal import LimelightSearch
internal import LimelightSegments
internal import LimelightSnapshots
internal import LimelightStorage

/// Why a call failed.
///
/// The code says what kind of failure it is and what a program can do about it; the message is for people
/// and names what is wrong. Where a file is damaged, `file`, `section` and `offset` say where.
public struct LimelightError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure.
  ///
  /// New ones may be added in later versions.
  public enum Code: String, Sendable, CaseIterable {
    /// The index was closed.
    case closed
    /// The index was opened for reading, and the call would change it.
    case readOnly
    /// There is no index in that folder.
    case notFound
    /// Another process, or another part of this one, writes the index.
    case locked
    /// Bytes of a file are not what was written.
    case damaged
    /// A later version of Limelight wrote the index.
    case newerFormat
    /// An earlier version of Limelight wrote the index, in a format that this one no longer reads.
    case olderFormat
    /// The index was made with an analyser that this version does not have.
    case analyzerMismatch
    /// The index does not store items, and the call needs them.
    case notStored
    /// An argument is not allowed.
    case invalidArgument
    /// An item, or a declaration of an attribute, is not allowed.
    case invalidItem
    /// The disk is full.
    case noSpace
    /// The operating system reported an error of input or output.
    case io
    /// The operating system does not permit it.
    case permission
    /// The call was cancelled.
    case cancelled
    /// This version cannot do that.
    case unsupported
    /// A write failed in a way that leaves its outcome unknown: open the index again.
    case poisoned
    /// The index was opened by the process from which this one was forked.
    case forked
    /// What was waited for has not come in the time.
    case timedOut
  }

  /// What kind of failure it is.
  public let code: Code
  /// What is wrong, for people.
  public let message: String
  /// The file within the index's folder, if one is to blame.
  public let file: String?
  /// The section of the file.
  public let section: String?
  /// The byte in the file.
  public let offset: Int?
  /// The process that holds the lock, if the code is ``Code/locked`` and the system told.
  public let holder: Int32?

  /// Makes an error.
  public init(
    _ code: Code, _ message: String, file: String? = nil, section: String? = nil,
    offset: Int? = nil, holder: Int32? = nil
  ) {
    self.code = code
    self.message = message
    self.file = file
    self.section = section
    self.offset = offset
    self.holder = holder
  }

  /// The message, with the code in front.
  public var description: String { "\(code.rawValue): \(message)" }
}

extension LimelightError {
  static let cancelled = LimelightError(.cancelled, "the call was cancelled")

  init(_ error: IndexingError) {
    switch error {
    case .snapshot(let error): self.init(error)
    case .corrupt(let error): self.init(error)
    case .storage(let error): self.init(error)
    case .segment(let error): self.init(error)
    case .cancelled: self = .cancelled
    case .analyzer(let name, let version):
      self.init(
        .analyzerMismatch,
        "the index was made with analyser \(name), version \(version), which is not in this library"
      )
    }
  }

  init(_ error: SearchError) {
    switch error {
    case .corrupt(let error): self.init(error)
    case .cancelled: self = .cancelled
    case .unsupported(let what): self.init(.unsupported, what)
    case .tooDeep: self.init(.invalidArgument, "the query is nested too deeply")
    }
  }

  init(_ error: CorruptionError) {
    self.init(
      .damaged, error.description, file: error.file, section: error.section, offset: error.offset)
  }

  private init(_ error: SegmentError) {
    switch error {
    case .corrupt(let damage): self.init(damage)
    case .newerFormat(let file, let section, let version):
      let part = section.map { "section \($0) was" } ?? "it was"
      self.init(
        .newerFormat,
        "\(file): \(part) written in format \(version) by a later version of Limelight; "
          + "this one reads format \(SegmentVersions.known)", file: file)
    case .olderFormat(let file, let version):
      self.init(
        .olderFormat,
        "\(file): written in format \(version) by an earlier version of Limelight; "
          + "this one reads format \(SegmentVersions.known)", file: file)
    case .foreign(let file):
      self.init(.damaged, "\(file) belongs to another index", file: file)
    case .wrongDictionary(let file):
      self.init(.damaged, "\(file) needs a dictionary that is not there", file: file)
    }
  }

  init(_ error: SnapshotError) {
    let code: Code
    switch error.kind {
    case .noIndex: code = .notFound
    case .damaged, .wrongIndex, .vanished: code = .damaged
    case .newerFormat: code = .newerFormat
    case .olderFormat: code = .olderFormat
    case .locked: code = .locked
    case .poisoned: code = .poisoned
    case .notWritable: code = .closed
    case .forked: code = .forked
    case .tooLarge: code = .invalidArgument
    case .storage:
      if let storage = error.storage {
        self.init(storage)
        return
      }
      code = .io
    }
    self.init(
      code, error.description, file: error.file.isEmpty ? nil : error.file, offset: error.offset,
      holder: error.storage?.holder)
  }

  init(_ error: StorageError) {
    let code: Code
    switch error.kind {
    case .notFound: code = .notFound
    case .permission, .readOnly: code = .permission
    case .noSpace: code = .noSpace
    case .locked: code = .locked
    case .poisoned: code = .poisoned
    case .invalid: code = .invalidArgument
    case .exists, .io, .truncated: code = .io
    }
    self.init(code, error.description, file: error.path, holder: error.holder)
  }
}

/// Runs a body and gives its error the public type.
@inline(__always)
func publicly<Result>(_ body: () throws -> Result) throws(LimelightError) -> Result {
  do {
    return try body()
  } catch let error as LimelightError {
    throw error
  } catch let error as IndexingError {
    throw LimelightError(error)
  } catch let error as SearchError {
    throw LimelightError(error)
  } catch let error as CorruptionError {
    throw LimelightError(error)
  } catch let error as StorageError {
    throw LimelightError(error)
  } catch let error as SnapshotError {
    throw LimelightError(error)
  } catch {
    throw LimelightError(.io, "\(error)")
  }
}
