// IndexOpening: how an index is made, opened and recovered.
package import LimelightStorage

extension IndexFolder {
  /// Opens an index to write it, or makes one of these options where there is none.
  ///
  /// Takes the folder's lock, waiting for at most so many milliseconds. What a writer before left is
  /// brought in order first: whole records behind the manifest move to a journal of their own, a
  /// torn tail is left behind, files that nothing names go. Then `follow` gives the records that
  /// the manifest does not show yet.
  package static func openForWriting(
    _ folder: Folder, creating options: IndexOptions? = nil, waiting milliseconds: Int = 0
  ) throws(SnapshotError) -> IndexFolder {
    let lock = try storing(FileNames.lock) { () throws(StorageError) in
      try folder.lock(FileNames.lock, waiting: milliseconds)
    }
    do throws(SnapshotError) {
      let contents = try FolderContents(of: folder)
      if let newest = contents.newestManifest {
        return try recover(folder, contents, try Manifest.read(newest, in: folder), lock)
      }
      guard let options else {
        throw SnapshotError(.noIndex, file: "", "there is no index in \(folder.path)")
      }
      return try make(folder, contents, options, lock)
    } catch {
      lock.unlock()
      throw error
    }
  }

  /// Opens an index to read it: takes no lock and writes nothing.
  package static func openForReading(_ folder: Folder) throws(SnapshotError) -> IndexFolder {
    IndexFolder(folder, try Manifest.newest(in: folder))
  }

  private static func make(
    _ folder: Folder, _ contents: FolderContents, _ options: IndexOptions, _ lock: FolderLock
  ) throws(SnapshotError) -> IndexFolder {
    // Only what an interrupted making leaves may be cleared away: never the data of an index that
    // has lost its manifest.
    for file in contents.files where !file.isPartial {
      let name = file.description
      let size = try storing(name) { () throws(StorageError) in try folder.size(of: name) }
      guard file.kind == .journal, size <= JournalHeader.size else {
        throw .damaged(name, at: 0, "the file is there, but no manifest")
      }
    }
    for file in contents.files { try? folder.remove(file.description) }
    var manifest = Manifest(options: options)
    manifest.journal = contents.nextFile
    let writer = try JournalWriter.create(
      in: folder, number: manifest.journal, uuid: options.uuid, firstSequence: 1)
    let index = try opened(
      folder, manifest, writer, lock, nextFile: contents.nextFile + 1, known: Set(contents.files))
    try index.publish(manifest)
    return index
  }

  private static func recover(
    _ folder: Folder, _ contents: FolderContents, _ manifest: Manifest, _ lock: FolderLock
  ) throws(SnapshotError) -> IndexFolder {
    let nextFile = max(manifest.nextFile, contents.nextFile)
    let follower = try JournalFollower(folder, behind: manifest)
    var frame = try follower.nextFrame()
    if frame == nil, try isInOrder(contents, manifest, follower) {
      let journal = GroupCommit(try JournalWriter.reopen(follower.header, in: folder))
      return IndexFolder(
        folder, manifest, writing: Writing(lock: lock, journal: journal), nextFile: nextFile,
        known: Set(contents.files))
    }
    for file in contents.partials { try? folder.remove(file.description) }
    // Records of a writer that failed may be in the page cache only, where no sync of that file
    // reaches them any more: they are written anew.
    let writer = try JournalWriter.create(
      in: folder, number: nextFile, uuid: manifest.options.uuid,
      firstSequence: manifest.sequence + 1)
    do throws(SnapshotError) {
      PhaseHook.reached(.recovery)
      while let found = frame {
        _ = try writer.append(
          EncodedRecord(copying: found.payload), synced: found.sequence - 1)
        frame = try follower.nextFrame()
      }
    } catch {
      writer.close()
      try? folder.remove(FileNames.journal(nextFile))
      throw error
    }
    let index = try opened(
      folder, manifest, writer, lock, nextFile: nextFile + 1, known: Set(contents.files))
    var state = manifest
    state.journal = nextFile
    try index.publish(state)
    return index
  }

  /// Whether an index can be used on as it stands.
  ///
  /// A file that nothing names has to go, but only behind a manifest whose name is durable, and a
  /// name that shows need not be: its sync may have failed. Publishing once more makes sure. So it
  /// does of the first manifest of all, which has no older one to fall back to.
  private static func isInOrder(
    _ contents: FolderContents, _ manifest: Manifest, _ follower: JournalFollower
  ) throws(SnapshotError) -> Bool {
    guard Set(contents.files) == manifest.files, manifest.number > 1 else { return false }
    // A journal of an earlier version cannot hold all records of this one.
    guard follower.header.version == SnapshotFormat.journalVersion else { return false }
    return try follower.isAtCleanEnd()
  }

  /// Syncs a new journal and makes the object that writes with it.
  private static func opened(
    _ folder: Folder, _ manifest: Manifest, _ writer: JournalWriter, _ lock: FolderLock,
    nextFile: UInt64, known: Set<FileName>
  ) throws(SnapshotError) -> IndexFolder {
    do throws(SnapshotError) {
      try writer.sync()
    } catch {
      writer.close()
      try? folder.remove(FileNames.journal(writer.header.number))
      throw error
    }
    return IndexFolder(
      folder, manifest, writing: Writing(lock: lock, journal: GroupCommit(writer)),
      nextFile: nextFile, known: known)
  }
}
