// FolderSurvey: the files of a folder, each looked at by itself, for want of a manifest to go by.
internal import LimelightCodecs
package import LimelightStorage

/// What stands in the folder of an index that has lost its manifests.
///
/// Each file is taken to be of the index that it says it is of. Threads: any.
package struct FolderSurvey {
  private let folder: Folder
  /// All but unfinished manifests, sorted by kind and number.
  package let files: [FileName]

  package init(_ folder: Folder) throws(SnapshotError) {
    self.folder = folder
    files = try FolderContents(of: folder).files.filter { !$0.isPartial }
      .sorted { ($0.kind.rawValue, $0.number) < ($1.kind.rawValue, $1.number) }
  }

  /// What is wrong with a file, its checksums included; nil if it is whole.
  ///
  /// Of segments, which have a reader of their own, nothing is said.
  package func problem(of file: FileName) -> SnapshotError? {
    do throws(SnapshotError) {
      switch file.kind {
      case .manifest: _ = try Manifest.read(file.number, in: folder)
      case .journal: try checkJournal(file.number)
      case .dictionary: _ = try dictionary(file.number)
      case .thumbnails: try checkThumbnails(file.number)
      case .segment: break
      }
      return nil
    } catch {
      return error
    }
  }

  /// The bytes of a dictionary.
  package func dictionary(_ number: UInt64) throws(SnapshotError) -> [UInt8] {
    let bytes = try read(.dictionary, number)
    return try SideFile(.dictionary, number, uuid: Self.uuid(bytes)).dictionary(in: bytes)
  }

  private func checkThumbnails(_ number: UInt64) throws(SnapshotError) {
    let bytes = try read(.thumbnails, number)
    try SideFile(.thumbnails, number, uuid: Self.uuid(bytes))
      .check(header: Array(bytes.prefix(SideFile.headerSize)))
  }

  /// Reads all records; what is not proved to have been synced is a torn tail.
  private func checkJournal(_ number: UInt64) throws(SnapshotError) {
    let bytes = try read(.journal, number)
    let reader = try JournalReader(in: folder, number: number, uuid: Self.uuid(bytes))
    while try reader.next() != nil {}
    guard try reader.isDamagedHere(synced: 0) else { return }
    throw .damaged(
      reader.name, at: reader.position,
      "record \(reader.nextSequence), which had reached the disk, is not whole")
  }

  private func read(_ kind: FileKind, _ number: UInt64) throws(SnapshotError) -> [UInt8] {
    let name = FileNames.name(kind, number)
    return try storing(name) { () throws(StorageError) in try folder.read(name) }
  }

  private static func uuid(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.dropFirst(16).prefix(16)) }
}
