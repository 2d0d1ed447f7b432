// Opens and writes the files that a manifest names.

internal import LimelightCodecs
internal import LimelightItems
internal import LimelightSegments
internal import LimelightSnapshots
internal import LimelightStorage

/// The segment, dictionary and thumbnail files of an index.
struct SegmentFiles {
  let index: IndexFolder

  private var folder: Folder { index.folder }

  /// The dictionary that a manifest names.
  func dictionary(_ manifest: Manifest) throws(IndexingError) -> StoredDictionary? {
    guard let number = manifest.dictionary else { return nil }
    return StoredDictionary(
      try indexing { try folder.read(FileNames.dictionary(number), from: 0, count: nil) })
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
      guard segment.segmentID == entry.segmentID, segment.documentCount == entry.documentCount
      else {
        throw .snapshot(
          .damaged(
            FileNames.segment(entry.file), at: 0, "not the segment that the manifest names"))
      }
      segments.append(LiveSegment(segment, live: entry.live, file: entry.file))
    }
    return segments
  }

  /// Opens a segment file.
  func open(
    _ number: UInt64, _ dictionary: StoredDictionary?, _ uuid: [UInt8]
  ) throws(IndexingError) -> Segment {
    let name = FileNames.segment(number)
    return try indexing {
      try Segment.open(
        try folder.map(name), name: name, verified: false, dictionary: dictionary, expecting: uuid)
    }
  }

  /// Writes a finished segment to its file, syncs it and opens it.
  func write(
    _ image: SegmentImage, to file: AppendFile, _ number: UInt64,
    _ dictionary: StoredDictionary?, _ uuid: [UInt8]
  ) throws(IndexingError) -> LiveSegment {
    defer { file.close() }
    do throws(StorageError) {
      try image.write(to: file)
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
    _ thumbnails: [(document: UInt32, bytes: [UInt8])]
  ) throws(IndexingError) -> (file: UInt64, references: [(document: UInt32, reference: ThumbnailReference)])? {
    guard !thumbnails.isEmpty else { return nil }
    return try indexing {
      let (number, file) = try index.create(.thumbnails)
      defer { file.close() }
      var references: [(document: UInt32, reference: ThumbnailReference)] = []
      var offset: UInt64 = 0
      for (document, bytes) in thumbnails {
        references.append(
          (
            document,
            ThumbnailReference(
              file: UInt32(truncatingIfNeeded: number), offset: offset,
              length: UInt32(truncatingIfNeeded: bytes.count))
          ))
        try file.append(bytes)
        offset += UInt64(bytes.count)
      }
      try file.sync()
      return (number, references)
    }
  }

  /// Writes the dictionary of an index that has none yet.
  func writeDictionary(_ sample: [UInt8]) throws(IndexingError) -> (UInt64, StoredDictionary) {
    try indexing {
      let (number, file) = try index.create(.dictionary)
      defer { file.close() }
      try file.append(sample)
      try file.sync()
      return (number, StoredDictionary(sample))
    }
  }
}

/// How large the dictionary of stored items is, and how much text it is worth making from.
enum DictionarySample {
  /// LZ4 looks back 64 KiB; half of that leaves room for the block itself.
  static let size = 32 << 10
  /// With less text than this the file would cost more than it saves.
  static let worthwhile = 64 << 10
}
