// Names all that is wrong with an index that cannot be opened, each file looked at by itself.

internal import LimelightItems
internal import LimelightSegments
internal import LimelightSnapshots
package import LimelightStorage

/// Looks at every file of an index, whatever is wrong with the others; changes nothing, takes no lock.
///
/// Only thumbnails are found through another file: a segment says where they are, and if that page of it
/// is bad, nothing tells where one ends.
/// The manifest says which files those are. Without one that can be read, all files of the folder are
/// looked at. For one thread.
package struct IndexExamination {
  private let folder: Folder
  private let isCancelled: () -> Bool
  private var damages: [Damage] = []

  private init(_ folder: Folder, _ isCancelled: @escaping () -> Bool) {
    self.folder = folder
    self.isCancelled = isCancelled
  }

  /// All that is wrong with the index of a folder; a segment and its thumbnails are in memory at a time.
  ///
  /// A writer may be at work: what it replaces meanwhile is looked at anew. Throws what is no damage, such
  /// as a file of a later version.
  package static func damages(
    of folder: Folder, isCancelled: @escaping () -> Bool = { false }
  ) throws(IndexingError) -> [Damage] {
    var attempts = 0
    while true {
      var examination = IndexExamination(folder, isCancelled)
      let manifest = try examination.run()
      attempts += 1
      guard let manifest, manifest.isOutdated(in: folder), attempts < 100 else {
        return examination.damages
      }
    }
  }

  /// Examines everything; the manifest that it went by, if that is the newest.
  private mutating func run() throws(IndexingError) -> Manifest? {
    let found: SalvagedManifest
    do throws(SnapshotError) {
      found = try SalvagedManifest.newest(in: folder)
    } catch {
      guard error.kind == .damaged else { throw .snapshot(error) }
      add(Damage(error))
      try examineAll()
      return nil
    }
    for damage in found.damages { add(Damage(damage)) }
    try examineFiles(of: found.manifest)
    return found.damages.isEmpty ? found.manifest : nil
  }

  private mutating func add(_ damage: Damage) {
    if !damages.contains(damage) { damages.append(damage) }
  }

  private func checkCancelled() throws(IndexingError) {
    if isCancelled() { throw .cancelled }
  }

  // MARK: By the manifest

  private mutating func examineFiles(of manifest: Manifest) throws(IndexingError) {
    var dictionary: StoredDictionary?
    if let number = manifest.dictionary {
      let name = FileNames.dictionary(number)
      do {
        let file = try named(name) { () throws(StorageError) in try folder.read(name) }
        let frame = SideFile(.dictionary, number, uuid: manifest.options.uuid)
        dictionary = StoredDictionary(try frame.dictionary(in: file))
      } catch {
        try add(error, name)
      }
    }
    for entry in manifest.segments {
      let name = FileNames.segment(entry.file)
      guard let segment = try examine(name, dictionary, manifest.options.uuid, entry.live) else {
        continue
      }
      // With a damaged first page the id is as uncertain as all else in there.
      let isNamed =
        segment.segmentID == entry.segmentID || damages.contains { $0.file == name }
      if segment.documentCount != entry.documentCount || !isNamed {
        add(Damage(file: name, offset: 0, "not the segment of the manifest"))
      }
    }
    let journals = try indexing { try JournalSalvage(folder, behind: manifest) }
    while try indexing({ try journals.next() }) != nil { try checkCancelled() }
    for damage in journals.damages { add(Damage(damage)) }
  }

  private mutating func add(_ error: any Error, _ file: String) throws(IndexingError) {
    let error = IndexingError(error)
    if error.isOfAnotherVersion { throw error }
    add(Damage(error, file: file))
  }

  // MARK: Without one

  private mutating func examineAll() throws(IndexingError) {
    let survey = try indexing { try FolderSurvey(folder) }
    // An index has one dictionary at most.
    let dictionary = survey.files.lazy.filter { $0.kind == .dictionary }
      .compactMap { try? survey.dictionary($0.number) }.first.map { StoredDictionary($0) }
    for file in survey.files {
      try checkCancelled()
      if file.kind == .segment {
        _ = try examine(file.description, dictionary, nil, nil)
      } else if let problem = survey.problem(of: file) {
        try add(problem, file.description)
      }
    }
  }

  // MARK: Segments

  /// Reads all of a segment and its thumbnails, and names every damage; nil if it cannot be opened.
  private mutating func examine(
    _ name: String, _ dictionary: StoredDictionary?, _ uuid: [UInt8]?, _ live: LiveDocs?
  ) throws(IndexingError) -> Segment? {
    try checkCancelled()
    let bytes: MappedBytes
    do throws(SnapshotError) {
      bytes = try named(name) { () throws(StorageError) in try folder.map(name) }
    } catch {
      try add(error, name)
      return nil
    }
    func open(_ bytes: MappedBytes) throws(SegmentError) -> Segment {
      try Segment.open(
        bytes, name: name, verified: false, dictionary: dictionary, expecting: uuid,
        salvaging: true)
    }
    var opened: Segment?
    do throws(SegmentError) {
      opened = try open(bytes)
    } catch {
      try add(error, name)
      // Behind a footer of which a bit was flipped the pages can still be told apart.
      let mended = SegmentMending.withMendedFooter(bytes)
      opened = mended.flatMap { try? open($0) }
      if opened == nil {
        for damage in Segment.badPages(mended ?? bytes, name: name) { add(Damage(damage)) }
      }
    }
    guard let segment = opened else { return nil }
    for damage in segment.verify(isCancelled: isCancelled) { add(Damage(damage)) }
    let options = IndexOptions(analyzerName: "", analyzerVersion: 0, uuid: segment.uuid)
    let root = IndexRoot(of: segment, live: live, options, folder: folder)
    for damage in root.damagedThumbnails(view: 0, isCancelled: isCancelled).damages { add(damage) }
    try checkCancelled()
    return segment
  }
}

extension IndexRoot {
  /// Reads the thumbnails of a segment's live items; the files that they are in.
  ///
  /// `failed` is told of each that cannot be read, and of its file.
  @discardableResult
  package func readThumbnails(
    view: Int, isCancelled: () -> Bool, failed: (String, IndexingError) -> Void
  ) -> Set<UInt64> {
    var files: Set<UInt64> = []
    guard let reader = try? snapshot.views[view].segment.thumbnails() else { return files }
    for place in 0..<reader.count {
      // What the section itself has of damage, the segment's own verification has named.
      guard !isCancelled(), let entry = try? reader.entry(place) else { break }
      // Of what is dead nobody reads the thumbnail, whose file may have gone.
      guard snapshot.views[view].live.isLive(entry.document) else { continue }
      files.insert(UInt64(entry.reference.file))
      do throws(IndexingError) {
        _ = try thumbnail(view: view, document: entry.document)
      } catch {
        failed(FileNames.thumbnails(UInt64(entry.reference.file)), error)
      }
    }
    return files
  }

  /// The same: the files, and what is wrong with them, each once however many thumbnails it costs.
  func damagedThumbnails(
    view: Int, isCancelled: () -> Bool
  ) -> (files: Set<UInt64>, damages: [Damage]) {
    var damages: [Damage] = []
    let files = readThumbnails(view: view, isCancelled: isCancelled) { file, error in
      let damage = Damage(error, file: file)
      if damages.last != damage { damages.append(damage) }
    }
    return (files, damages)
  }
}
