// Puts items one by one from several threads and measures how fast that goes.

internal import Glibc
internal import Limelight

/// How items are put.
struct PutRun {
  /// A folder for the indexes, one a run, which go again.
  var folder: String
  var levels: [Durability]
  /// Numbers of callers.
  var threads: [Int]
  /// How long each run takes.
  var seconds: Double
  var seed: UInt64

  /// Items that a caller makes at once, at about a microsecond each.
  private static let chunk = 256

  /// Puts at every level from every number of threads.
  func run() throws -> PutResult {
    try TextFile.makeFolder(folder)
    let generator = ItemGenerator(seed: seed)
    var result = PutResult(seed: seed, bareSyncsPerSecond: try bareSyncs(), runs: [])
    for level in levels {
      for count in threads { result.runs.append(try run(level, count, generator)) }
    }
    return result
  }

  private func run(
    _ level: Durability, _ count: Int, _ generator: ItemGenerator
  ) throws -> PutResult.Run {
    let path = "\(folder)/put-\(level.rawValue)-\(count)"
    guard access(path, F_OK) != 0 else {
      throw BenchmarkError("\(path) is there already: figures need a new index")
    }
    let index = try Index(path, options: IndexConfiguration(durability: level))
    let start = nanoseconds()
    let end = start + UInt64(seconds * 1e9)
    let times = try BenchmarkThread.together(count) { thread in
      try Self.put(into: index, until: end, thread, count, generator)
    }
    let stop = nanoseconds()
    let segments = try index.stats().segments.count
    try index.close()
    try TextFile.remove(folder: path)
    let all = Distribution(times.joined().map { Double($0) / 1e3 })
    return PutResult.Run(
      durability: level.rawValue, threads: count, puts: times.reduce(0) { $0 + $1.count },
      seconds: Double(stop - start) / 1e9, median: all.percentile(0.5) ?? 0,
      p99: all.percentile(0.99) ?? 0, segments: segments)
  }

  /// Puts the items of one caller; the nanoseconds that each took.
  private static func put(
    into index: Index, until end: UInt64, _ thread: Int, _ count: Int, _ generator: ItemGenerator
  ) throws -> [UInt64] {
    var times: [UInt64] = []
    var chunk = thread
    while true {
      let first = chunk * Self.chunk
      let lines = generator.lines(first..<first + Self.chunk)
      chunk += count
      for line in lines.split(separator: UInt8(ascii: "\n")) {
        let start = nanoseconds()
        guard start < end else { return times }
        let receipt = try index.put(.lines(Array(line)))
        guard receipt.put == 1 else { throw BenchmarkError("an item was refused") }
        times.append(nanoseconds() - start)
      }
    }
  }

  /// How often a second the disk appends 512 bytes and syncs them, measured for half a second.
  private func bareSyncs() throws -> Double {
    let path = folder + "/put-bare"
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw BenchmarkError.system("write", path) }
    defer {
      close(file)
      unlink(path)
    }
    let bytes = [UInt8](repeating: 0x6C, count: 512)
    let start = nanoseconds()
    var count = 0
    while nanoseconds() - start < 500_000_000 {
      guard write(file, bytes, bytes.count) == bytes.count, fdatasync(file) == 0 else {
        throw BenchmarkError.system("write", path)
      }
      count += 1
    }
    return Double(count) / BenchmarkRunner.seconds(from: start, to: nanoseconds())
  }

}
