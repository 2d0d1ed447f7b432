// limelight merge: fewer and denser segments.

internal import Limelight

enum MergeCommand: Subcommand {
  private static let segments = Option(
    "segments", takes: .value("N"), "merge until at most so many are left (1)")
  private static let compact = Option(
    "compact", "compress stored items harder: a smaller index, for one that seldom changes")
  private static let reorder = Option(
    "reorder", "let items with the same words stand together: smaller lists of words")

  static let manual = Manual(
    name: "merge", summary: "merge the segments of an index",
    operands: [.index], options: [segments, compact, reorder, .soleWriter, .json],
    details: """
      An index that was written in many steps is made of many segments; merged into one, it is
      smaller and faster to search, and deleted items take no room any more. Needs as much free
      disk as the index takes. Nothing is lost when it is interrupted.

      --compact and --reorder write one segment anew, whatever was there, and can be given
      together. --compact takes some 4 s for 100 MB of text; items are read no slower from it.
      --reorder takes twice as long and makes what finds the items a twentieth smaller; hits of
      the same score still follow the order in which they were put. What is put later is written
      as usual until the next such merge.
      """,
    examples: [
      ("limelight merge notes.index", "merge all into one segment"),
      ("limelight merge notes.index --compact", "the same, and compress items harder"),
    ])

  static func run(_ arguments: Arguments, _ output: Output) throws -> ExitCode {
    let wanted = try arguments.number(of: segments, in: 1...1_000_000) ?? 1
    var options: MergeOptions = []
    var work = ""
    for (option, meaning, label) in [
      (compact, MergeOptions.compact, ", compacting"), (reorder, .reorder, ", reordering"),
    ] where arguments.has(option) {
      options.insert(meaning)
      work += label
      guard wanted == 1 else {
        throw Failure.usage(
          "--\(option.name) makes one segment: --segments can only be 1 with it")
      }
    }
    let index = try openForWriting(arguments)
    let before = try Size(of: index)
    let start = Moment.now
    let progress = ProgressBar("merging", total: nil)
    progress.show(Figures.count(before.segments, "segment") + work)
    defer { progress.clear() }
    try index.merge(into: wanted, options: options)
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
