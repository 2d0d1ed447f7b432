// Reads everything and names what is damaged.

internal import LimelightIndexing
internal import LimelightSegments
internal import LimelightSnapshots

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
    let root = try root()
    var problems: [Problem] = []
    for view in root.snapshot.views {
      let errors = view.segment.verify { cancellation?.isCancelled ?? false }
      try cancellation?.check()
      problems += errors.map(Problem.init)
      problems += verifyThumbnails(root, view, cancellation)
      try cancellation?.check()
    }
    return problems
  }

  /// Opens the index of a folder for reading and verifies it; damage that keeps it from being opened is a
  /// problem like any other.
  ///
  /// - Throws: ``LimelightError``: `cancelled`, `notFound` if there is no index, or what keeps the
  ///   operating system from reading it.
  public static func verify(
    _ path: String, cancellation: Cancellation? = nil
  ) throws(LimelightError) -> [Problem] {
    do throws(LimelightError) {
      let index = try Index(path, access: .readOnly)
      return try index.verify(cancellation: cancellation)
    } catch {
      guard error.code == .damaged else { throw error }
      return [
        Problem(
          file: error.file ?? "", section: error.section, offset: error.offset, code: .damaged,
          message: error.message)
      ]
    }
  }

  private func verifyThumbnails(
    _ root: IndexRoot, _ view: SegmentView, _ cancellation: Cancellation?
  ) -> [Problem] {
    var problems: [Problem] = []
    do {
      guard let reader = try view.segment.thumbnails() else { return [] }
      guard let number = root.snapshot.views.firstIndex(where: { $0 === view }) else { return [] }
      for place in 0..<reader.count {
        if let cancellation, cancellation.isCancelled { break }
        let document = try reader.entry(place).document
        _ = try root.thumbnail(view: number, document: document)
      }
    } catch let error as IndexingError {
      let error = LimelightError(error)
      problems.append(
        Problem(
          file: error.file ?? "", section: error.section, offset: error.offset, code: error.code,
          message: error.message))
    } catch {
      // The section itself is damaged: the segment's own verification has named it.
    }
    return problems
  }
}

extension Problem {
  init(_ error: CorruptionError) {
    self.init(
      file: error.file, section: error.section, offset: error.offset, code: .damaged,
      message: error.message)
  }
}
