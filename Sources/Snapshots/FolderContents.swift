// FolderContents: which files of an index stand in a folder.
internal import LimelightStorage

/// The numbered files of a folder at one moment; names that are not ours are passed over.
///
/// An array: the first set of a type costs a reader more than all the rest of its opening.
struct FolderContents {
  let files: [FileName]

  init(of folder: Folder) throws(SnapshotError) {
    let names = try storing("") { () throws(StorageError) in try folder.list() }
    files = names.compactMap { FileName($0) }
  }

  /// The newest manifest that was published.
  var newestManifest: UInt64? {
    files.lazy.filter { $0.kind == .manifest && !$0.isPartial }.map(\.number).max()
  }

  /// A number above those of all files but manifests.
  var nextFile: UInt64 {
    (files.lazy.filter { $0.kind != .manifest }.map(\.number).max() ?? 0) + 1
  }

  /// Manifests that were never finished.
  var partials: [FileName] { files.filter(\.isPartial) }
}

extension Manifest {
  /// Reads `manifest.<number>`.
  static func read(_ number: UInt64, in folder: Folder) throws(SnapshotError) -> Manifest {
    let name = FileNames.manifest(number)
    // Read, not mapped: for so few bytes a map costs more.
    let bytes = try storing(name) { () throws(StorageError) in try folder.read(name) }
    var manifest: Manifest?
    var failure: SnapshotError?
    bytes.withUnsafeBytes { bytes in
      do throws(SnapshotError) {
        manifest = try Manifest(decoding: bytes, number: number)
      } catch {
        failure = error
      }
    }
    if let manifest { return manifest }
    throw failure ?? .damaged(name, at: 0, "the file is cut short")
  }

  /// Reads the newest manifest of a folder in which a writer may be at work.
  static func newest(in folder: Folder) throws(SnapshotError) -> Manifest {
    // The newest goes only when a newer one is there: each failure is a writer's progress.
    for _ in 0..<100 {
      guard let number = try FolderContents(of: folder).newestManifest else {
        throw SnapshotError(.noIndex, file: "", "there is no index in \(folder.path)")
      }
      do throws(SnapshotError) {
        return try read(number, in: folder)
      } catch {
        guard error.storage?.kind == .notFound else { throw error }
      }
    }
    throw SnapshotError(
      .vanished, file: "", "manifests come and go faster than they can be read")
  }
}
