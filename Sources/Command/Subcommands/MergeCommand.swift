// limelight merge: fewer and denser segments.

internal import Limelight

enum MergeCommand: Subcommand {
  private static let segments = Option(
    "segments", takes: .value("N"), "merge until at most so many are left (1)")

  static let manual = Manual(
    name: "merge", summary: "merge the segments of an index",
    operands: [.index], options: [segments, .soleWriter, .json],
    details: """
      An index that was written in many steps is made of many segments; merged into one, it is
      smaller and faster to search, and deleted items take no room any more. Needs as much free
      disk as the index takes. Nothing is lost when it is interrupted.
      """,
    examples: [("limelight merge notes.index", "merge all into one segment")])

  static func run(_ arguments: Arguments, _ output: Output) throws -> ExitCode {
    let wanted = try arguments.number(of: segments, in: 1...1_000_000) ?? 1
    let index = try openForWriting(arguments)
    let before = try Size(of: index)
    let start = Moment.now
    let progress = ProgressBar("merging", total: nil)
    progress.show(Figures.count(before.segments, "segment"))
    defer { progress.clear() }
    try index.merge(into: wanted)
    let after = try Size(of: index)
    try index.close()
    let seconds = Double(start.nanosecondsAgo) / 1e9
    progress.clear()

    if arguments.has(.json) {
      var json = JSONText()
      json.object { json in
        before.write("before", into: &json)
        after.write("after", into: &json)
        json.key("seconds")
        json.number(seconds)
      }
      try output.write(json.line)
    } else {
      try output.line(
        "merged \(before) into \(after) in \(Figures.decimal(seconds, digits: 2)) s")
    }
    return .done
  }
}

/// How large an index is.
private struct Size: CustomStringConvertible {
  let segments: Int
  let bytes: Int

  init(of index: Index) throws(LimelightError) {
    let statistics = try index.stats()
    segments = statistics.segments.count
    bytes = statistics.segments.reduce(0) { $0 + $1.bytes }
  }

  var description: String { "\(Figures.count(segments, "segment")) of \(Figures.size(bytes))" }

  func write(_ name: String, into json: inout JSONText) {
    json.key(name)
    json.object { json in
      json.key("segments")
      json.number(segments)
      json.key("bytes")
      json.number(bytes)
    }
  }
}
