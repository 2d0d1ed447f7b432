// The driver of the side-by-side harness: index, serve, cold, update; one line of JSON each.

internal import BenchmarkRunner
internal import Glibc
internal import Limelight

/// Speaks the harness' protocol: one text attribute that holds title, space, body; the analyser
/// `runs`; stored text is what `--store` says; one segment.
enum Driver {
  static func run(_ arguments: [String]) throws {
    switch arguments.first {
    case "--help", "-h", "help":
      print(Main.usage)
    case "info":
      print(#"{"name":"limelight","version":"1"}"#)
    case "index" where arguments.count >= 3:
      try index(arguments[1], arguments[2], Array(arguments.dropFirst(3)))
    case "serve" where arguments.count == 2:
      try Server(arguments[1]).run()
    case "cold" where arguments.count == 3:
      try cold(arguments[1], arguments[2])
    case "update" where arguments.count == 4:
      guard let count = Int(arguments[3]) else { throw BenchmarkError(Main.usage) }
      try Updates(arguments[1], arguments[2], count).run()
    case "batches" where arguments.count == 3:
      try Batches(arguments[1], arguments[2]).run()
    case "merge" where arguments.count >= 3:
      try TenSegments.run(
        arguments[1], arguments[2], storesItems: Array(arguments.dropFirst(3)) == ["--store", "1"])
    default:
      throw BenchmarkError(Main.usage)
    }
  }

  private static func index(_ tsv: String, _ folder: String, _ options: [String]) throws {
    var storesItems = false
    var threads = 1
    for (place, option) in options.enumerated() where place + 1 < options.count {
      if option == "--store" { storesItems = options[place + 1] == "1" }
      if option == "--threads" { threads = Int(options[place + 1]) ?? 1 }
    }
    let start = nanoseconds()
    let index = try Index(
      folder, options: IndexConfiguration(analyzer: .runs, storesItems: storesItems))
    let reader = try DocumentReader(tsv)
    let report = try index.load(
      threads: threads, memoryBudget: 512 << 20,
      next: {
        var items: [Item] = []
        while items.count < 500, let item = reader.nextItem() { items.append(item) }
        return items.isEmpty ? nil : .items(items)
      })
    let added = nanoseconds()
    try index.commit()
    let committed = nanoseconds()
    try index.merge()
    let merged = nanoseconds()
    try index.close()
    emit([
      "docs": "\(report.put)", "add_s": seconds(added - start),
      "commit_s": seconds(committed - added), "merge_s": seconds(merged - committed),
      "peak_rss_kb": "\(Memory.peakResident())",
    ])
  }

  private static func cold(_ folder: String, _ query: String) throws {
    let parsed = QueryLine.parse(query)
    let start = nanoseconds()
    let index = try Index(folder, access: .readOnly)
    let opened = nanoseconds()
    let first = try index.search(parsed, limit: 10, options: SearchOptions(countsAll: false))
    let answered = nanoseconds()
    let second = try index.search(parsed, limit: 10, options: SearchOptions(countsAll: false))
    let again = nanoseconds()
    _ = second.count
    emit([
      "open_ns": "\(opened - start)", "first_ns": "\(answered - opened)",
      "second_ns": "\(again - answered)", "count": "\(first.count)",
      "peak_rss_kb": "\(Memory.peakResident())",
    ])
  }
}

/// Prints an object whose values are JSON already.
func emit(_ members: KeyValuePairs<String, String>) {
  print("{" + members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}")
  fflush(nil)
}

/// Seconds as JSON.
func seconds(_ nanoseconds: UInt64) -> String { "\(Double(nanoseconds) / 1e9)" }
