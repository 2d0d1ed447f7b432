// How long queries took, by command and kind.

/// The figures of one query run.
struct QueryResult: Codable, Equatable {
  /// The figures of a kind of queries.
  struct Kind: Codable, Equatable {
    var kind: String
    /// How many queries there are of the kind.
    var queries: Int
    /// The sum of what they answered: matches or hits.
    var answers: Int
    /// Over the queries, each with its best pass, in microseconds.
    var median: Double
    var p90: Double
    var p99: Double
    var mean: Double
    /// The slowest of them, and its best pass in microseconds.
    var slowest: String
    var slowestTime: Double
  }

  /// The figures of a command.
  struct Command: Codable, Equatable {
    var command: SearchCommand
    /// Queries answered a second, by all threads together, over all timed passes.
    var queriesPerSecond: Double
    var kinds: [Kind]
  }

  /// The set of queries, in few words.
  var queries: String
  /// Items in the index.
  var items: Int
  var segments: Int
  /// The size of the index' segments, in bytes.
  var indexBytes: Int
  var threads: Int
  /// Whether the index was opened to be read only, beside a writer.
  var isReadOnly: Bool
  /// Timed passes over the queries; the best one of each query counts.
  var passes: Int
  /// Passes before these.
  var warmUp: Int
  /// The time to open the index, in microseconds.
  var openTime: Double
  /// The peak of anonymous memory, in KiB.
  var peakAnonymous: Int
  /// The peak of all resident memory, mapped files included, in KiB.
  var peakResident: Int
  /// How many queries of which kind were left out, as Limelight has nothing like them.
  var unsupported: [String: Int]
  var commands: [Command]
}
