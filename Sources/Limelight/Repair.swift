// Puts together what is whole of a damaged index.

internal import LimelightIndexing
internal import LimelightStorage

/// What a repair found, kept and lost.
public struct RepairReport: Sendable {
  /// All that is wrong with the files; empty if the index is whole, and then nothing was done.
  public let problems: [Problem]
  /// Items that were taken out of damaged segments.
  public let rescued: Int
  /// The ids of items that are lost, sorted: of what was put last under them, nothing whole is left.
  public let lost: [String]
  /// Items that are lost together with their ids, by the segment that held them.
  ///
  /// At most so many: the journal may have replaced or deleted some of them since.
  public let unidentified: [(file: String, items: Int)]
  /// The ids of items that are kept without their thumbnails, sorted.
  public let withoutThumbnail: [String]
  /// Calls that changed the index and whose records in the journal are lost: what they put or deleted is
  /// not known.
  ///
  /// A journal that cannot be read at all counts as one; it may have held more, or none.
  public let lostChanges: Int
  /// The folder of the repaired index; nil if none was made.
  public let path: String?
  /// The folder with the files as they were before; nil if none was made or they are where they were.
  public let original: String?

  /// Whether everything that was ever acknowledged is there, in the repaired index or in one that was
  /// whole.
  public var isComplete: Bool {
    lost.isEmpty && unidentified.isEmpty && withoutThumbnail.isEmpty && lostChanges == 0
  }
}

extension Index {
  /// Makes an index of all that is whole in a damaged one.
  ///
  /// Reads every byte. What is whole is written to another folder: segments as they are, the whole items
  /// of damaged ones anew, then what the journal holds. When that is durable and was read once more, the
  /// two folders are swapped in one step: the repaired index is at `path`, and all the old files are in
  /// the folder beside it whose name ends in `.before-repair`; nothing ever removes them. A crash before
  /// the swap leaves the index as it was and an unfinished folder of that name.
  ///
  /// A single bit that was flipped is found by its checksum and flipped back, in a manifest, a
  /// dictionary and any page of a segment; nothing is lost then. Items of damaged segments stand behind
  /// all others, as if they had been put last, before the changes of the journal.
  ///
  /// Linear in the size of the index, and takes as much disk; in memory, the largest segment and those
  /// that are damaged. Some seconds more for each damaged page.
  /// Handles that are open for reading go on with the old files: open them anew.
  ///
  /// - Parameters:
  ///   - output: Where to make the repaired index, a folder that is empty or not there; `path` then stays
  ///     as it is. Nil: beside, and swapped.
  ///   - dryRun: Changes nothing, and tells what would be lost.
  ///   - soleWriter: As ``IndexConfiguration/soleWriter``: the host promises that nobody writes.
  ///   - cancellation: Ends it from another thread; the index is then as it was.
  /// - Throws: ``LimelightError``: `locked` if somebody writes the index; `notFound`; `newerFormat`; `olderFormat`;
  ///   `damaged` if no manifest can be read, without which nothing says which items were deleted; `noSpace`;
  ///   `unsupported` if the file system cannot swap folders in one step; `cancelled`.
  public static func repair(
    _ path: String, output: String? = nil, dryRun: Bool = false, soleWriter: Bool = false,
    cancellation: Cancellation? = nil
  ) throws(LimelightError) -> RepairReport {
    let locking: FolderLocking = soleWriter ? .promised : .required
    return try publicly {
      let folder = try Folder.open(
        path: path, create: false, reading: .salvaged, locking: locking)
      let repair = try IndexRepair(folder, writesNothing: dryRun) {
        cancellation?.isCancelled ?? false
      }
      try repair.examine()
      guard !dryRun, !repair.outcome.damages.isEmpty else { return RepairReport(repair.outcome) }
      if let output {
        try write(repair, to: output, locking)
        return RepairReport(repair.outcome, path: output)
      }
      let beside = try freePath(beside: path)
      try write(repair, to: beside, locking)
      do throws(StorageError) {
        try FolderPaths.exchange(beside, path)
      } catch {
        guard error.kind == .invalid else { throw error }
        throw LimelightError(
          .unsupported,
          "the file system cannot swap \(path) with the repaired index, which is \(beside)",
          file: beside)
      }
      return RepairReport(repair.outcome, path: path, original: beside)
    }
  }

  /// A name for a folder beside an index that nothing has yet.
  private static func freePath(beside path: String) throws(LimelightError) -> String {
    for number in 1...1000 {
      let suffix = ".before-repair" + (number == 1 ? "" : "-\(number)")
      guard let beside = FolderPaths.sibling(of: path, suffix: suffix) else {
        throw LimelightError(
          .invalidArgument, "\(path) names no folder that could be swapped: call it by its name")
      }
      if !FolderPaths.exists(beside) { return beside }
    }
    throw LimelightError(
      .invalidArgument, "there are 1,000 folders of earlier repairs beside \(path)")
  }

  /// Writes the repaired index; when that fails, nothing of it stays.
  private static func write(
    _ repair: IndexRepair, to path: String, _ locking: FolderLocking
  ) throws {
    let isNew = !FolderPaths.exists(path)
    let target = try Folder.open(path: path, create: true, locking: locking)
    guard try target.list().isEmpty else {
      throw LimelightError(.invalidArgument, "the folder \(path) is not empty")
    }
    do {
      try repair.write(to: target)
    } catch {
      for name in (try? target.list()) ?? [] { try? target.remove(name) }
      if isNew { try? FolderPaths.removeEmpty(path) }
      throw error
    }
  }
}

extension RepairReport {
  init(_ outcome: RepairOutcome, path: String? = nil, original: String? = nil) {
    problems = outcome.damages.map(Problem.init)
    rescued = outcome.rescued
    lost = outcome.lost.sorted()
    unidentified = outcome.unidentified
    withoutThumbnail = outcome.withoutThumbnail.subtracting(outcome.lost).sorted()
    lostChanges = outcome.lostChanges
    self.path = path
    self.original = original
  }
}

extension Problem {
  init(_ damage: Damage) {
    self.init(
      file: damage.file, section: damage.section, offset: damage.offset, code: .damaged,
      message: damage.message)
  }
}
