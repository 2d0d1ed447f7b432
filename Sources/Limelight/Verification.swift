// Reads everything and names what is damaged.

internal import LimelightIndexing
internal import LimelightSegments
internal import LimelightSnapshots
internal import LimelightStorage

/// Something that is wrong with an index.
public struct Problem: Hashable, Sendable {
  /// The file within the index's folder.
  public let file: String
  /// The section of the file, if it has sections.
  public let section: String?
  /// The byte in the file.
  public let offset: Int?
  /// The kind of the problem.
  public let code: LimelightError.Code
  /// What is wrong, for people.
  public let message: String
}

extension Index {
  /// Reads every byte of every segment, compares checksums and structure, and names what is wrong.
  ///
  /// An empty list says that the index is whole. Linear in its size.
  ///
  /// - Throws: ``LimelightError``: `cancelled`, `closed`, or what the operating system says.
  public func verify(cancellation: Cancellation? = nil) throws(LimelightError) -> [Problem] {
    let root = try root(inItsFiles: true)
    var problems: [Problem] = []
    for (number, view) in root.snapshot.views.enumerated() {
      let errors = view.segment.verify { cancellation?.isCancelled ?? false }
      try cancellation?.check()
      problems += errors.map(Problem.init)
      root.readThumbnails(view: number, isCancelled: { cancellation?.isCancelled ?? false }) {
        // A file that is gone is one problem, however many thumbnails it held.
        let problem = Problem(LimelightError($1))
        if problems.last != problem { problems.append(problem) }
      }
      do throws(CorruptionError) { try view.segment.checkMap() } catch {
        problems.append(Problem(error))
      }
      try cancellation?.check()
    }
    return problems
  }

  /// Opens the index of a folder for reading and verifies it; damage that keeps it from being opened is a
  /// problem like any other.
  ///
  /// Then each file is looked at by itself, so that all that is damaged is named: manifest, journals,
  /// dictionary, every page of every segment, every thumbnail. What is read so is read into memory, a
  /// segment at a time.
  ///
  /// - Throws: ``LimelightError``: `cancelled`, `notFound` if there is no index, `newerFormat`,
  ///   `olderFormat`, or what keeps the operating system from reading it.
  public static func verify(
    _ path: String, cancellation: Cancellation? = nil
  ) throws(LimelightError) -> [Problem] {
    do throws(LimelightError) {
      let index = try Index(path, access: .readOnly)
      return try index.verify(cancellation: cancellation)
    } catch {
      guard error.code == .damaged else { throw error }
      let problems = try examine(path, cancellation)
      // What has kept it from being opened is among them, unless it is a file as a whole.
      guard !problems.contains(where: { $0.file == error.file }) else { return problems }
      return [Problem(error)] + problems
    }
  }

  private static func examine(
    _ path: String, _ cancellation: Cancellation?
  ) throws(LimelightError) -> [Problem] {
    try publicly {
      let folder = try Folder.open(path: path, create: false, reading: .salvaged)
      return try IndexExamination.damages(of: folder) { cancellation?.isCancelled ?? false }
        .map(Problem.init)
    }
  }
}

extension Problem {
  /// An error of reading a file; what it names none for is about the index as a whole.
  fileprivate init(_ error: LimelightError) {
    self.init(
      file: error.file ?? "", section: error.section, offset: error.offset, code: error.code,
      message: error.message)
  }
}

extension Problem {
  init(_ error: CorruptionError) {
    self.init(
      file: error.file, section: error.section, offset: error.offset, code: .damaged,
      message: error.message)
  }
}
