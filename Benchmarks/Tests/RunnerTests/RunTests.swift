// Whole runs on a small corpus: index, query, scale.

import Foundation
import Limelight
import Testing

@testable import BenchmarkRunner

struct RunTests {
  private let scratch = Scratch()

  private func indexRun(_ source: IndexRun.Source, _ name: String) -> IndexRun {
    IndexRun(
      source: source, folder: scratch.path(name), analyzer: .words, storesItems: true,
      threads: 1, memoryBudget: 64 << 20, merges: true, map: [:])
  }

  @Test func aFileAndMadeItemsGiveTheSameIndex() throws {
    let lines = ItemGenerator(seed: 7).lines(0..<5_000)
    let file = try scratch.file("corpus.ndjson", lines)
    let fromFile = try indexRun(.file(file), "a").run()
    let made = try indexRun(.generated(items: 5_000, seed: 7), "b").run()
    for result in [fromFile, made] {
      #expect(result.items == 5_000)
      #expect(result.refused == 0)
      #expect(result.segments == 1)
      #expect(result.loadSeconds > 0 && result.inputSeconds > 0)
      #expect(result.inputSeconds < result.loadSeconds)
      // So few items are one segment from the start.
      #expect(result.mergeSeconds == nil && result.mergePeakAnonymous == nil)
      #expect(result.loadPeakAnonymous > 1_000)
      #expect(result.peakResident >= result.loadPeakAnonymous / 2)
      let size = try TextFile.size(ofFolder: scratch.path(result == made ? "b" : "a"))
      #expect(result.indexBytes == size)
      #expect(result.sections.contains { $0.name == "positions" && $0.bytes > 1_000 })
      #expect(result.groups.reduce(0) { $0 + $1.bytes } == result.indexBytes)
    }
    #expect(fromFile.textBytes == lines.count)
    #expect(fromFile.sections == made.sections)
    #expect(fromFile.corpus == "corpus.ndjson")
    #expect(made.corpus == "5,000 made items, seed 7")
  }

  @Test func refusedLinesAreCounted() throws {
    let file = try scratch.file(
      "corpus.ndjson", Array("{\"id\":\"1\",\"body\":\"tea\"}\nnothing\n".utf8))
    var run = indexRun(.file(file), "a")
    run.map = ["body": "textContent"]
    run.merges = false
    run.threads = 2
    let result = try run.run()
    #expect(result.items == 1)
    #expect(result.refused == 1)
    #expect(result.mergeSeconds == nil && result.mergePeakAnonymous == nil)
    let text = ResultText.text(Samples.run(.index(result)))
    #expect(text.contains("1 line was refused"))
    #expect(throws: BenchmarkError.self) { try run.run() }
  }

  @Test func putsAreCountedAndNothingStays() throws {
    let run = PutRun(
      folder: scratch.path("puts"), levels: [.full, .relaxed], threads: [1, 3], seconds: 0.2,
      seed: 1)
    let result = try run.run()
    #expect(result.bareSyncsPerSecond > 0)
    #expect(result.runs.map(\.threads) == [1, 3, 1, 3])
    #expect(result.runs.map(\.durability) == ["full", "full", "relaxed", "relaxed"])
    for run in result.runs {
      #expect(run.puts > 0 && run.segments > 0 && run.seconds >= 0.2)
      #expect(run.median > 0 && run.median <= run.p99)
    }
    #expect(try TextFile.size(ofFolder: scratch.path("puts")) == 0)
    let samples = [Samples.run(.put(result))]
    #expect(try ResultFile.decode(try ResultFile.encode(samples), name: "here") == samples)
    let text = ResultText.text(samples[0])
    #expect(text.contains("| relaxed | 3 | "))
  }

  @Test(arguments: [1, 2]) func queriesAreAnswered(threads: Int) throws {
    _ = try indexRun(.generated(items: 3_000, seed: 1), "a").run()
    var set = try GeneratedQueries.make(seed: 1)
    set.queries = set.queries.filter { ["word common", "phrase 2", "type 1"].contains($0.kind) }
    set.unsupported = ["Wildcard": 3]
    let run = QueryRun(
      folder: scratch.path("a"), set: set, commands: nil, passes: 2, warmUp: 1,
      threads: threads, isReadOnly: threads == 2)
    let result = try run.run()
    #expect(result.items == 3_000)
    #expect(result.commands.map(\.command) == SearchCommand.allCases)
    let index = try Index(scratch.path("a"), access: .readOnly)
    for command in result.commands {
      #expect(command.queriesPerSecond > 0)
      #expect(Set(command.kinds.map(\.kind)) == ["word common", "phrase 2", "type 1"])
      for kind in command.kinds {
        #expect(kind.median > 0 && kind.median <= kind.p90 && kind.p90 <= kind.p99)
        #expect(kind.p99 <= kind.slowestTime)
        let queries = set.queries.filter { $0.kind == kind.kind }
        #expect(kind.queries == queries.count)
        #expect(queries.contains { $0.text == kind.slowest })
        let answers = try queries.reduce(0) { try $0 + command.command.ask($1, of: index) }
        #expect(kind.answers == answers)
      }
    }
    let text = ResultText.text(Samples.run(.query(result)))
    #expect(text.contains("Wildcard (3)"))
    #expect(text.contains("### TOP_10_COUNT: "))
  }

  @Test func itemsNeedAnIndexThatStoresThem() throws {
    var indexing = indexRun(.generated(items: 100, seed: 1), "a")
    indexing.storesItems = false
    _ = try indexing.run()
    let set = try QueryFile.parse("Term: tea", name: "x")
    var run = QueryRun(
      folder: scratch.path("a"), set: set, commands: nil, passes: 1, warmUp: 0, threads: 1,
      isReadOnly: false)
    #expect(try run.run().commands.map(\.command) == [.count, .top10, .top100, .top10Count])
    run.commands = [.items10]
    #expect(throws: BenchmarkError.self) { try run.run() }
  }

  @Test func aQueryRunMakesNoIndex() throws {
    let set = try QueryFile.parse("Term: tea", name: "x")
    let run = QueryRun(
      folder: scratch.path("none"), set: set, commands: nil, passes: 1, warmUp: 0, threads: 1,
      isReadOnly: false)
    #expect(throws: LimelightError.self) { try run.run() }
    #expect(!FileManager.default.fileExists(atPath: scratch.path("none")))
  }

  @Test func generateWritesTheCorpus() throws {
    let path = scratch.path("corpus.ndjson")
    #expect(
      Commands.run(["generate", "--items", "9000", "--seed", "3", "--output", path]) == 0)
    #expect(try TextFile.read(path) == ItemGenerator(seed: 3).lines(0..<9_000))
    #expect(Commands.run(["generate", "--items", "1", "--output", "/dev/full"]) == 1)
  }

  @Test func foldersAreMadeMeasuredAndRemoved() throws {
    let path = scratch.path("a/b/c")
    try TextFile.makeFolder(path)
    try TextFile.makeFolder(path)
    try TextFile.write("12345", to: "\(path)/x")
    try TextFile.write("678", to: scratch.path("a/y"))
    #expect(try TextFile.size(ofFolder: scratch.path("a")) == 8)
    try TextFile.remove(folder: scratch.path("a"))
    #expect(!FileManager.default.fileExists(atPath: scratch.path("a")))
    #expect(throws: BenchmarkError.self) { try TextFile.remove(folder: scratch.path("a")) }
  }

  @Test func threadsReturnInOrderAndThrow() throws {
    #expect(try BenchmarkThread.together(4) { $0 * $0 } == [0, 1, 4, 9])
    #expect(throws: BenchmarkError.self) {
      try BenchmarkThread.together(3) { if $0 == 1 { throw BenchmarkError("no") } }
    }
  }

  @Test func memoryIsSeen() throws {
    let watch = try MemoryWatch()
    defer { watch.stop() }
    let before = watch.take()
    var bytes: [UInt8]? = [UInt8](repeating: 1, count: 64 << 20)
    #expect(bytes?.reduce(0) { $0 &+ UInt64($1) } == 64 << 20)
    usleep(50_000)
    bytes = nil
    #expect(watch.take() > before + 60_000)
    #expect(Memory.peakResident() > 60_000)
  }
}
