// Reports: what is computed from results, and what becomes of them in files.

import Foundation
import Testing

@testable import BenchmarkRunner

struct ReportTests {
  @Test func ratesOfIndexing() {
    let result = Samples.index(items: 100_000)
    #expect(result.itemsPerSecond == 50_000)
    #expect(abs(result.megabytesPerSecond - 15) < 1e-9)
    #expect(result.totalSeconds == 2.5)
    #expect(result.peakAnonymous == 110_000)
    #expect(abs(result.sizeShare - 200.0 / 300) < 1e-12)
    var nothing = result
    (nothing.items, nothing.textBytes, nothing.loadSeconds) = (0, 0, 0)
    #expect(nothing.itemsPerSecond == 0 && nothing.megabytesPerSecond == 0)
    #expect(nothing.sizeShare == 0)
  }

  @Test func groupsHoldAllBytes() {
    let result = Samples.index(items: 1_000)
    let groups = Dictionary(uniqueKeysWithValues: result.groups.map { ($0.group, $0.bytes) })
    #expect(groups[.terms] == 25_000)
    #expect(groups[.stored] == 90_000)
    #expect(groups[.values] == 1_000)
    // A section that is not known, and 7 bytes an item that are in no section.
    #expect(groups[.other] == 9_000)
    #expect(result.groups.reduce(0) { $0 + $1.bytes } == result.indexBytes)
  }

  @Test func resultsSurviveAsJSON() throws {
    let runs = [
      Samples.run(.index(Samples.index(items: 10_000))),
      Samples.run(
        .query(Samples.query(items: 10_000, kinds: ["a", "b"], commands: SearchCommand.allCases))),
    ]
    let bytes = try ResultFile.encode(runs)
    #expect(try ResultFile.decode(bytes, name: "x") == runs)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("\"TOP_10_COUNT\""))
    #expect(text.hasSuffix("]\n"))
  }

  @Test func otherFilesAreRefused() throws {
    for text in ["", "{}", "[{\"format\":1}]", "no json"] {
      let error = #expect(throws: BenchmarkError.self) {
        try ResultFile.decode(Array(text.utf8), name: "some.json")
      }
      #expect(error?.description.contains("some.json") == true)
    }
    var run = Samples.run(.index(Samples.index(items: 10)))
    run.format = 2
    let bytes = try ResultFile.encode([run])
    let error = #expect(throws: BenchmarkError.self) {
      try ResultFile.decode(bytes, name: "some.json")
    }
    #expect(error?.description.contains("form 2") == true)
  }

  @Test func aTableByNumberOfItems() throws {
    let runs = [10_000, 1_000_000].map {
      Samples.query(items: $0, kinds: ["word", "phrase"], commands: [.top10])
    }
    let table = try #require(Report.scalingTable(runs, .top10))
    #expect(table.head == ["kind", "10k", "1M"])
    #expect(
      table.rows == [
        ["word", "1.00 / 10.0", "100 / 1,000"], ["phrase", "4.00 / 40.0", "400 / 4,000"],
      ])
    #expect(Report.scalingTable(runs, .count) == nil)
    #expect(Report.scalingTable([runs[0]], .top10) == nil)
  }

  @Test func aBarInACellDoesNotEndIt() {
    var table = MarkdownTable(["a", "b"])
    table.rows = [["x|y", "1\n2"]]
    #expect(table.text == "| a | b |\n|---|--:|\n| x\\|y | 1 2 |\n")
  }

  @Test func theFilesOfAReport() throws {
    var runs: [RunResult] = []
    for items in [1_000_000, 10_000] {
      runs.append(Samples.run(.index(Samples.index(items: items))))
      runs.append(
        Samples.run(
          .query(
            Samples.query(items: items, kinds: ["word", "phrase"], commands: [.count, .top10]))))
    }
    let files = try Report(runs: runs).files()
    #expect(
      files.map(\.name) == [
        "report.md", "report.json", "size.svg", "cost.svg", "scaling-count.svg",
        "scaling-top_10.svg", "latency-10000-count.svg", "latency-10000-top_10.svg",
        "latency-1000000-count.svg", "latency-1000000-top_10.svg",
      ])
    let json = try #require(files.first { $0.name == "report.json" })
    #expect(try ResultFile.decode(Array(json.text.utf8), name: "x") == runs)
    let markdown = try #require(files.first { $0.name == "report.md" }).text
    for file in files.dropFirst(2) { #expect(markdown.contains("](\(file.name))")) }
    // The small corpus comes first, whatever the order of the runs.
    let small = try #require(markdown.firstRange(of: "| 10,000 |"))
    let large = try #require(markdown.firstRange(of: "| 1,000,000 |"))
    #expect(small.lowerBound < large.lowerBound)
  }

  @Test func runsOfOneSizeHaveNoScalingCharts() throws {
    let names = try Report(runs: [
      Samples.run(.index(Samples.index(items: 10_000))),
      Samples.run(.query(Samples.query(items: 10_000, kinds: ["a"], commands: [.count]))),
      Samples.run(.query(Samples.query(items: 10_000, kinds: ["b"], commands: [.count]))),
    ]).files().map(\.name)
    #expect(
      names == [
        "report.md", "report.json", "size.svg", "latency-10000-count-1.svg",
        "latency-10000-count-2.svg",
      ])
  }
}
