// Indexes a corpus and measures what that costs.

internal import Glibc
internal import Limelight

/// How a corpus is indexed.
struct IndexRun {
  /// Where the lines come from.
  enum Source {
    /// A file; `-` is the standard input.
    case file(String)
    /// So many made items of a seed.
    case generated(items: Int, seed: UInt64)
  }

  var source: Source
  /// The folder of the index, which must not be one yet.
  var folder: String
  var analyzer: Analyzer
  var storesItems: Bool
  var threads: Int
  /// In bytes.
  var memoryBudget: Int
  /// Whether all is merged into one segment in the end.
  var merges: Bool
  /// Members of the corpus' lines and the attributes that they stand for.
  var map: [String: String]

  /// Indexes.
  func run() throws -> IndexResult {
    if access(folder, F_OK) == 0 {
      throw BenchmarkError("\(folder) is there already: figures need a new index")
    }
    let watch = try MemoryWatch()
    defer { watch.stop() }
    let index = try Index(
      folder, options: IndexConfiguration(analyzer: analyzer, storesItems: storesItems))
    let start = nanoseconds()
    let (report, inputTime) = try load(index)
    let loaded = nanoseconds()
    let loadPeak = watch.take()
    let loadedSegments = try index.stats().segments.count
    var mergeSeconds: Double?
    var mergePeak: Int?
    if merges, loadedSegments > 1 {
      _ = watch.take()
      let start = nanoseconds()
      try index.merge()
      mergeSeconds = seconds(from: start, to: nanoseconds())
      mergePeak = watch.take()
    }
    let statistics = try index.stats()
    try index.close()
    return IndexResult(
      corpus: corpusName, analyzer: analyzer.rawValue, storesItems: storesItems, threads: threads,
      memoryBudget: memoryBudget, items: statistics.items, refused: report.refused.count,
      textBytes: report.bytes, inputSeconds: Double(inputTime) / 1e9,
      loadSeconds: seconds(from: start, to: loaded), mergeSeconds: mergeSeconds,
      loadedSegments: loadedSegments, segments: statistics.segments.count,
      loadPeakAnonymous: loadPeak, mergePeakAnonymous: mergePeak,
      peakResident: Memory.peakResident(), indexBytes: try TextFile.size(ofFolder: folder),
      sections: Self.sections(statistics))
  }

  private var corpusName: String {
    switch source {
    case .file("-"): "standard input"
    case .file(let path): path.split(separator: "/").last.map(String.init) ?? path
    case .generated(let items, let seed): "\(Figures.grouped(items)) made items, seed \(seed)"
    }
  }

  private func load(_ index: Index) throws -> (report: LoadReport, inputTime: UInt64) {
    let options = LineOptions(map: map)
    switch source {
    case .file(let path):
      let reader = try CorpusReader(path)
      let report = try index.load(
        threads: threads, memoryBudget: memoryBudget,
        next: {
          try reader.next().map {
            .lines($0.bytes, firstLine: $0.firstLine, options: options)
          }
        })
      return (report, reader.nanosecondsSpent)
    case .generated(let items, let seed):
      let generator = ItemGenerator(seed: seed)
      var made = 0
      var time: UInt64 = 0
      let report = try index.load(
        threads: threads, memoryBudget: memoryBudget,
        next: {
          guard made < items else { return nil }
          let start = nanoseconds()
          let numbers = made..<min(items, made + GenerateCommand.batch)
          let lines = generator.lines(numbers)
          made = numbers.upperBound
          time += nanoseconds() - start
          return .lines(lines, firstLine: numbers.lowerBound + 1, options: options)
        })
      return (report, time)
    }
  }

  /// The sections by name, summed over the segments, the largest first.
  private static func sections(_ statistics: Statistics) -> [IndexResult.Section] {
    var sums: [String: Int] = [:]
    for segment in statistics.segments {
      for section in segment.sections { sums[section.name, default: 0] += section.bytes }
    }
    return sums.map { IndexResult.Section(name: $0.key, bytes: $0.value) }
      .sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
  }
}
