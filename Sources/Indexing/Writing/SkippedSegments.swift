// Opens what is whole of an index whose segments are damaged, for reading.

internal import LimelightSegments
internal import LimelightSnapshots
internal import LimelightStorage

/// A segment that a reader does without.
package struct SkippedSegment: Sendable {
  package let file: String
  /// Its live items as of the manifest.
  package let items: Int
  package let damage: Damage
}

extension SegmentFiles {
  /// Opens the segments of a manifest whose every byte is what was written; those in `open`, by file
  /// number, are used again.
  ///
  /// Reads all pages of a segment when it is opened, so that no search meets damage later. Throws what
  /// is no damage, and a file that is missing because there is a newer manifest.
  func wholeSegments(
    _ manifest: Manifest, open: [UInt64: Segment]
  ) throws(IndexingError) -> (segments: [LiveSegment], skipped: [SkippedSegment]) {
    var segments: [LiveSegment] = []
    var skipped: [SkippedSegment] = []
    let dictionary = try wholeDictionary(manifest)
    for entry in manifest.segments {
      if let known = open[entry.file] {
        segments.append(LiveSegment(known, live: entry.live, file: entry.file))
        continue
      }
      do throws(IndexingError) {
        let segment = try self.open(entry.file, dictionary, manifest.options.uuid)
        try check(segment, entry)
        try indexing { try segment.verifyPages() }
        segments.append(LiveSegment(segment, live: entry.live, file: entry.file))
      } catch {
        guard isDamage(error) else { throw error }
        let file = FileNames.segment(entry.file)
        skipped.append(
          SkippedSegment(
            file: file, items: entry.live.liveCount, damage: Damage(error, file: file)))
      }
    }
    return (segments, skipped)
  }

  /// The dictionary, or nil if it is damaged: then the segments that need it are.
  private func wholeDictionary(_ manifest: Manifest) throws(IndexingError) -> StoredDictionary? {
    do throws(IndexingError) {
      return try dictionary(manifest)
    } catch {
      guard isDamage(error) else { throw error }
      return nil
    }
  }

  private func isDamage(_ error: IndexingError) -> Bool {
    switch error {
    case .corrupt: true
    case .segment: !error.isOfAnotherVersion
    case .snapshot(let error):
      switch error.kind {
      case .damaged, .wrongIndex: true
      // A newer manifest may do without it.
      case .vanished: !index.isOutdated
      case .storage: error.storage?.kind == .io
      default: false
      }
    case .storage(let error): error.kind == .io
    case .cancelled, .analyzer: false
    }
  }
}
