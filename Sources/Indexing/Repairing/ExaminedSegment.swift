// A segment of a damaged index: whole, readable in part, or not at all.

internal import LimelightItems
internal import LimelightSegments
internal import LimelightSnapshots
internal import LimelightStorage

/// A segment that a manifest names, looked at.
struct ExaminedSegment {
  let entry: Manifest.Segment
  /// The bytes to take over, in which single flipped bits were flipped back; nil: those of the file.
  let bytes: MappedBytes?
  /// Nil if it cannot be opened, or is whole: then nothing of it is kept in memory.
  let segment: Segment?
  /// Whether `bytes` can be taken over as they are, and all to which they refer.
  let isWhole: Bool
  /// What is wrong with the file.
  let damages: [Damage]
  /// The thumbnail files that it refers to.
  let thumbnails: Set<UInt64>

  var file: String { FileNames.segment(entry.file) }
}

/// Opens and reads segments, whatever is wrong with them.
struct SegmentExaminer {
  let folder: Folder
  let dictionary: StoredDictionary?
  let options: IndexOptions
  let isCancelled: () -> Bool

  /// Reads all of a segment and of its thumbnails.
  ///
  /// Throws only what is no damage: a file of a newer version, a cancellation.
  func examine(_ entry: Manifest.Segment) throws(IndexingError) -> ExaminedSegment {
    let name = FileNames.segment(entry.file)
    let bytes: MappedBytes
    do throws(SnapshotError) {
      bytes = try named(name) { () throws(StorageError) in try folder.map(name) }
    } catch {
      return lost(entry, [Damage(error)])
    }
    let (first, damages) = try examine(bytes, entry)
    if isCancelled() { throw .cancelled }
    if let first, damages.isEmpty { return finish(entry, nil, first, damages, isWhole: true) }
    if let mended = SegmentMending.mended(bytes) {
      let (second, rest) = try examine(mended, entry)
      if let second { return finish(entry, mended, second, damages, isWhole: rest.isEmpty) }
    }
    guard let first else { return lost(entry, damages) }
    return finish(entry, nil, first, damages, isWhole: false)
  }

  private func lost(_ entry: Manifest.Segment, _ damages: [Damage]) -> ExaminedSegment {
    ExaminedSegment(
      entry: entry, bytes: nil, segment: nil, isWhole: false, damages: damages, thumbnails: [])
  }

  private func finish(
    _ entry: Manifest.Segment, _ mended: MappedBytes?, _ segment: Segment, _ damages: [Damage],
    isWhole: Bool
  ) -> ExaminedSegment {
    let (files, problems) = IndexRoot(of: segment, live: entry.live, options, folder: folder)
      .damagedThumbnails(view: 0, isCancelled: isCancelled)
    let isWhole = isWhole && problems.isEmpty
    return ExaminedSegment(
      entry: entry, bytes: mended, segment: isWhole ? nil : segment, isWhole: isWhole,
      damages: damages + problems, thumbnails: files)
  }

  /// Opens a segment and reads all of it; nil if it cannot be opened.
  private func examine(
    _ bytes: MappedBytes, _ entry: Manifest.Segment
  ) throws(IndexingError) -> (segment: Segment?, damages: [Damage]) {
    let name = FileNames.segment(entry.file)
    let segment: Segment
    do throws(SegmentError) {
      segment = try Segment.open(
        bytes, name: name, verified: false, dictionary: dictionary, expecting: options.uuid,
        salvaging: true)
    } catch {
      if IndexingError(error).isOfAnotherVersion { throw .segment(error) }
      let damage = Damage(error, file: name)
      let pages = Segment.badPages(bytes, name: name).map { Damage($0) }.filter { $0 != damage }
      return (nil, [damage] + pages)
    }
    var damages = segment.verify(isCancelled: isCancelled).map { Damage($0) }
    // With a damaged first page the id is as uncertain as all else in there.
    let isNamed = segment.segmentID == entry.segmentID || !damages.isEmpty
    guard segment.documentCount == entry.documentCount, isNamed else {
      return (nil, damages + [Damage(file: name, offset: 0, "not the segment of the manifest")])
    }
    if !segment.hasItsDictionary {
      damages.append(Damage(SegmentError.wrongDictionary(file: name), file: name))
    }
    return (segment, damages)
  }
}

extension IndexRoot {
  /// One segment by itself, for reading what it refers to.
  convenience init(
    of segment: Segment, live: LiveDocs? = nil, _ options: IndexOptions, folder: Folder
  ) {
    let known = live.flatMap { $0.count == segment.documentCount ? $0 : nil }
    let snapshot = Snapshot(
      [(segment, known ?? LiveDocs(count: segment.documentCount))], generation: 0,
      registry: AttributeRegistry(), options: options)
    self.init(snapshot, folder: folder, thumbnails: [:])
  }
}
