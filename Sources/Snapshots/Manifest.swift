// Manifest: the index as it was after one journal record, in one small file.
internal import LimelightCodecs
package import LimelightStorage

/// The names of all that makes an index, exactly as after journal record `sequence`.
///
/// What came later stands in the journal, which goes on at `sequence + 1`. So opening is: take the
/// manifest, then apply the journal's records one after the other; nothing is applied twice.
package struct Manifest: Sendable {
  /// One segment of the index.
  package struct Segment: Sendable {
    /// The N of `segment.N`.
    package var file: UInt64
    /// The id that stands in the segment's own header.
    package var segmentID: UInt64
    package var live: LiveDocs

    package init(file: UInt64, segmentID: UInt64, live: LiveDocs) {
      self.file = file
      self.segmentID = segmentID
      self.live = live
    }

    package var documentCount: Int { live.count }
  }

  /// The N of `manifest.N`; publishing sets it.
  package var number: UInt64 = 0
  package var options: IndexOptions
  /// The last journal record whose effect is in here; 0 before the first.
  package var sequence: UInt64 = 0
  /// The last journal record that was on disk when the manifest was published.
  ///
  /// It is `sequence` or later; publishing sets it. A journal that does not hold it is damaged.
  package var synced: UInt64 = 0
  /// The N of the `journal.N` that starts with record `sequence + 1`.
  package var journal: UInt64 = 0
  /// No file but manifests has this number or a higher one; publishing sets it.
  package var nextFile: UInt64 = 1
  /// Oldest first.
  package var segments: [Segment] = []
  /// The N of `dictionary.N`, the LZ4 dictionary of stored items, once there is one.
  package var dictionary: UInt64?
  /// The N of each `thumbnails.N`.
  package var thumbnails: [UInt64] = []
  /// The custom attributes, as `AttributeRegistry` writes them.
  package var registry: [UInt8] = []
  /// What the host left with its last batch; nil when it never did.
  package var clientState: [UInt8]?
  /// Kept for the revisions of items; carried along as they are.
  package var revisions: [UInt8] = []

  package init(options: IndexOptions) {
    self.options = options
  }

  /// The files that make the index, this manifest and its journal among them.
  package var files: Set<FileName> {
    var files: Set<FileName> = [FileName(.manifest, number), FileName(.journal, journal)]
    for segment in segments { files.insert(FileName(.segment, segment.file)) }
    for file in thumbnails { files.insert(FileName(.thumbnails, file)) }
    if let dictionary { files.insert(FileName(.dictionary, dictionary)) }
    return files
  }

  /// Whether there is a newer manifest; costs two looks at a name.
  ///
  /// Manifests are numbered one by one and go oldest first. So the newest is the one whose name is
  /// there while the next one's is not.
  package func isOutdated(in folder: Folder) -> Bool {
    !folder.exists(FileNames.manifest(number)) || folder.exists(FileNames.manifest(number + 1))
  }
}
