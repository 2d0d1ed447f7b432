// What putting items one by one cost.

/// The figures of puts of one item each, by level of durability and number of callers.
struct PutResult: Codable, Equatable {
  /// The puts of some callers at one level.
  struct Run: Codable, Equatable {
    var durability: String
    /// Callers, each of which puts one item after the other.
    var threads: Int
    var puts: Int
    var seconds: Double
    /// The time of one put, in microseconds.
    var median: Double
    var p99: Double
    /// Segments right behind the last put.
    var segments: Int

    var putsPerSecond: Double { seconds > 0 ? Double(puts) / seconds : 0 }
  }

  var seed: UInt64
  /// Appends of a put's bytes that the disk alone takes a second, each with a sync.
  var bareSyncsPerSecond: Double
  var runs: [Run]
}
