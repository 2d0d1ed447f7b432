// What indexing a corpus cost.

/// The figures of one indexing run.
struct IndexResult: Codable, Equatable {
  /// A part of the index files.
  struct Section: Codable, Equatable {
    var name: String
    var bytes: Int
  }

  /// The corpus, in few words.
  var corpus: String
  var analyzer: String
  var storesItems: Bool
  var threads: Int
  /// What the load was allowed to use, in bytes.
  var memoryBudget: Int
  /// Items in the index.
  var items: Int
  /// Lines that were no items.
  var refused: Int
  /// The bytes of the corpus' lines.
  var textBytes: Int
  /// The time for reading or making the lines, which is part of the load, in seconds.
  var inputSeconds: Double
  /// From the first line until all is durable and searchable, in seconds.
  var loadSeconds: Double
  /// The time to merge into one segment, in seconds; nil when that was not asked for, or there was one.
  var mergeSeconds: Double?
  /// Segments after the load.
  var loadedSegments: Int
  /// Segments in the end.
  var segments: Int
  /// The peaks of anonymous memory, in KiB.
  var loadPeakAnonymous: Int
  var mergePeakAnonymous: Int?
  /// The peak of all resident memory, mapped files included, in KiB.
  var peakResident: Int
  /// The size of all files in the end, in bytes.
  var indexBytes: Int
  /// The sections of all segments, the largest first.
  var sections: [Section]

  /// Load and merge together, in seconds.
  var totalSeconds: Double { loadSeconds + (mergeSeconds ?? 0) }

  /// Items a second of the load.
  var itemsPerSecond: Double { loadSeconds > 0 ? Double(items) / loadSeconds : 0 }

  /// Megabytes of text a second of the load.
  var megabytesPerSecond: Double { loadSeconds > 0 ? Double(textBytes) / 1e6 / loadSeconds : 0 }

  /// The highest peak of anonymous memory, in KiB.
  var peakAnonymous: Int { max(loadPeakAnonymous, mergePeakAnonymous ?? 0) }

  /// The index' size as a share of the text's.
  var sizeShare: Double { textBytes > 0 ? Double(indexBytes) / Double(textBytes) : 0 }
}
