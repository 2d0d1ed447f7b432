// Answers the harness' queries, a line in, a line out.

internal import BenchmarkRunner
internal import Glibc
internal import Limelight

/// The query loop.
struct Server {
  private let index: Index

  init(_ folder: String) throws { index = try Index(folder) }

  func run() throws {
    while let line = readLine() {
      let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
      let command = String(parts[0])
      let query = parts.count > 1 ? String(parts[1]) : ""
      if command == "STATS" {
        let stats = try index.stats()
        emit([
          "docs": "\(stats.items)", "segments": "\(stats.segments.count)",
          "peak_rss_kb": "\(Memory.peakResident())",
        ])
        continue
      }
      if command.hasPrefix("HITS_") {
        try answerHits(query, Int(command.dropFirst(5)) ?? 10)
      } else if command.hasPrefix("T:") {
        let asked = String(command.dropFirst(2))
        let start = nanoseconds()
        let parsed = QueryLine.parse(query)
        let built = nanoseconds()
        let answer = try answer(asked, parsed)
        let end = nanoseconds()
        print(answer.map { "\($0)\t\(end - built)\t\(built - start)" } ?? "UNSUPPORTED")
      } else {
        let answer = try answer(command, QueryLine.parse(query))
        print(answer.map { "\($0)" } ?? "UNSUPPORTED")
      }
      flush()
    }
  }

  private func answer(_ command: String, _ query: Query) throws -> Int? {
    let pruned = SearchOptions(countsAll: false)
    switch command {
    case "COUNT": return try index.count(query)
    case "TOP_10": return try index.search(query, limit: 10, options: pruned).count
    case "TOP_100": return try index.search(query, limit: 100, options: pruned).count
    case "TOP_1000": return try index.search(query, limit: 1000, options: pruned).count
    case "TOP_10_COUNT": return try index.search(query, limit: 10).total
    case "DOCS_10":
      guard index.storesItems else { return nil }
      let hits = try index.search(query, limit: 10, options: pruned)
      var bytes = 0
      for hit in hits {
        if case .text(let text)? = try hit.attributes()[.textContent] { bytes += text.utf8.count }
      }
      return bytes > 0 || hits.isEmpty ? hits.count : nil
    default: return nil
    }
  }

  private func answerHits(_ query: String, _ count: Int) throws {
    let hits = try index.search(
      QueryLine.parse(query), limit: count, options: SearchOptions(countsAll: false))
    print("[" + (try hits.map { "[\"\(try $0.id)\",\($0.score)]" }).joined(separator: ",") + "]")
  }
}
