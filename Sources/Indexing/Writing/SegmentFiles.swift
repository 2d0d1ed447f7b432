// Opens and writes the files that a manifest names.

internal import LimelightCodecs
internal import LimelightItems
internal import LimelightSegments
internal import LimelightSnapshots
internal import LimelightStorage

/// The segment, dictionary and thumbnail files of an index.
struct SegmentFiles {
  let index: IndexFolder
  /// The bytes of a section that is being written that stay in memory.
  let spillBound: Int

  init(index: IndexFolder, spillBound: Int = SpillFile.standardBound) {
    self.index = index
    self.spillBound = spillBound
  }

  private var folder: Folder { index.folder }

  /// The dictionary that a manifest names.
  func dictionary(_ manifest: Manifest) throws(IndexingError) -> StoredDictionary? {
    guard let number = manifest.dictionary else { return nil }
    return try indexing {
      let name = FileNames.dictionary(number)
      let file = try named(name) { () throws(StorageError) in try folder.read(name) }
      let frame = SideFile(.dictionary, number, uuid: manifest.options.uuid)
      return StoredDictionary(try frame.dictionary(in: file))
    }
  }

  /// Opens the segments of a manifest; those in `open`, by file number, are used again.
  func segments(
    _ manifest: Manifest, dictionary: StoredDictionary?, open: [UInt64: Segment] = [:]
  ) throws(IndexingError) -> [LiveSegment] {
    var segments: [LiveSegment] = []
    for entry in manifest.segments {
      let segment: Segment
      if let known = open[entry.file] {
        segment = known
      } else {
        segment = try self.open(entry.file, dictionary, manifest.options.uuid)
      }
      try check(segment, entry)
      segments.append(LiveSegment(segment, live: entry.live, file: entry.file))
    }
    return segments
  }

  /// Refuses a segment that is not the one that a manifest names.
  func check(_ segment: Segment, _ entry: Manifest.Segment) throws(IndexingError) {
    guard segment.segmentID == entry.segmentID, segment.documentCount == entry.documentCount else {
      throw .snapshot(
        .damaged(FileNames.segment(entry.file), at: 0, "not the segment that the manifest names"))
    }
  }

  /// Opens a segment file.
  func open(
    _ number: UInt64, _ dictionary: StoredDictionary?, _ uuid: [UInt8]
  ) throws(IndexingError) -> Segment {
    let name = FileNames.segment(number)
    return try indexing {
      try Segment.open(
        try named(name) { () throws(StorageError) in try folder.map(name) },
        name: name, verified: false, dictionary: dictionary, expecting: uuid)
    }
  }

  /// Where a segment that is being written can put what is too much for memory.
  ///
  /// A file like others, but that its name goes at once: what a crash leaves of it has the name of a
  /// segment that no manifest names, and goes when the index is opened again.
  func spill() -> SpillFile {
    SpillFile(bound: spillBound) { [index] () throws(StorageError) in
      let made: (number: UInt64, file: AppendFile)
      do throws(SnapshotError) {
        made = try index.create(.segment)
      } catch {
        // Without a reason of the storage's, the index is not open for writing any more.
        throw error.storage ?? StorageError(.invalid, "create", index.folder.path)
      }
      try index.folder.remove(FileNames.segment(made.number))
      return made.file
    }
  }

  /// Writes a finished segment to its file, syncs it and opens it.
  func write(
    _ image: SegmentImage, to file: AppendFile, _ number: UInt64,
    _ dictionary: StoredDictionary?, _ uuid: [UInt8]
  ) throws(IndexingError) -> LiveSegment {
    defer { file.close() }
    do throws(StorageError) {
      PhaseHook.reached(.segmentWrite)
      try image.write(to: file)
      PhaseHook.reached(.segmentSync)
      try file.sync()
    } catch {
      index.discard(.segment, number)
      throw .storage(error)
    }
    return LiveSegment(try open(number, dictionary, uuid), file: number)
  }

  /// Writes thumbnails one behind the other into a file of their own; their places.
  ///
  /// The file is known by a u32 in segments, so an index makes at most 4 billion of them.
  func writeThumbnails(
    _ thumbnails: [(document: UInt32, bytes: [UInt8])], _ uuid: [UInt8]
  ) throws(IndexingError) -> ThumbnailPlaces? {
    guard !thumbnails.isEmpty else { return nil }
    return try writeSideFile(.thumbnails) { (number, file) throws(StorageError) in
      let header = SideFile(.thumbnails, number, uuid: uuid).header()
      try file.append(header)
      var places = ThumbnailPlaces(file: number)
      var offset = UInt64(header.count)
      for (document, bytes) in thumbnails {
        let reference = ThumbnailReference(
          file: UInt32(truncatingIfNeeded: number), offset: offset,
          length: UInt32(truncatingIfNeeded: bytes.count))
        places.references.append((document, reference))
        let sealed = SideFile.seal(bytes, at: offset)
        try file.append(sealed)
        offset += UInt64(sealed.count)
      }
      return places
    }
  }

  /// Writes the dictionary of an index that has none yet.
  func writeDictionary(
    _ sample: [UInt8], _ uuid: [UInt8]
  ) throws(IndexingError) -> (file: UInt64, dictionary: StoredDictionary) {
    try writeSideFile(.dictionary) { (number, file) throws(StorageError) in
      try file.append(SideFile(.dictionary, number, uuid: uuid).header(of: sample))
      try file.append(sample)
      return (number, StoredDictionary(sample))
    }
  }

  /// Makes a file, has it written and syncs it; what fails leaves no file.
  private func writeSideFile<Result>(
    _ kind: FileKind, _ write: (UInt64, AppendFile) throws(StorageError) -> Result
  ) throws(IndexingError) -> Result {
    let (number, file) = try indexing { try index.create(kind) }
    defer { file.close() }
    do throws(StorageError) {
      let result = try write(number, file)
      try file.sync()
      return result
    } catch {
      index.discard(kind, number)
      throw .storage(error)
    }
  }
}

/// Where thumbnails were written: the N of their file, and the place of each.
struct ThumbnailPlaces {
  let file: UInt64
  var references: [(document: UInt32, reference: ThumbnailReference)] = []
}

/// How large the dictionary of stored items is, and how much text it is worth making from.
enum DictionarySample {
  /// LZ4 looks back 64 KiB; half of that leaves room for the block itself.
  static let size = 32 << 10
  /// With less text than this the file would cost more than it saves.
  static let worthwhile = 64 << 10
}

/// Opens a file that a manifest names: it has vanished if it is not there.
func named<Result>(
  _ file: String, _ open: () throws(StorageError) -> Result
) throws(SnapshotError) -> Result {
  do {
    return try open()
  } catch {
    guard error.kind == .notFound else { throw SnapshotError(error, file: file) }
    throw SnapshotError(.vanished, file: file, "the file is missing", storage: error)
  }
}
