// Reading corpora: whole lines, their numbers, packed files, and what goes wrong.

import Foundation
import Testing

@testable import BenchmarkRunner

struct CorpusReaderTests {
  private let folder = Scratch()

  private func read(_ path: String) throws -> (bytes: [UInt8], firstLines: [Int]) {
    let reader = try CorpusReader(path)
    var bytes: [UInt8] = []
    var firstLines: [Int] = []
    while let batch = try reader.next() {
      #expect(batch.bytes.last == UInt8(ascii: "\n"))
      firstLines.append(batch.firstLine)
      bytes += batch.bytes
    }
    #expect(try reader.next() == nil)
    return (bytes, firstLines)
  }

  @Test func batchesAreWholeLinesWithTheirNumbers() throws {
    let lines = ItemGenerator(seed: 1).lines(0..<20_000)
    let path = try folder.file("corpus.ndjson", lines)
    let (bytes, firstLines) = try read(path)
    #expect(bytes == lines)
    #expect(firstLines.count > 2)
    #expect(firstLines.first == 1)
    #expect(firstLines == firstLines.sorted())
    // The number of a batch's first line is one more than the newlines before it.
    let reader = try CorpusReader(path)
    var newlines = 0
    while let batch = try reader.next() {
      #expect(batch.firstLine == newlines + 1)
      newlines += batch.bytes.count { $0 == UInt8(ascii: "\n") }
    }
    #expect(newlines == 20_000)
  }

  @Test func theLastLineNeedsNoEnd() throws {
    let path = try folder.file("corpus.ndjson", Array("one\ntwo".utf8))
    #expect(try read(path).bytes == Array("one\ntwo\n".utf8))
    let empty = try folder.file("empty.ndjson", [])
    #expect(try read(empty).bytes.isEmpty)
  }

  @Test func packedFilesAreUnpacked() throws {
    let lines = ItemGenerator(seed: 1).lines(0..<10_000)
    let path = try folder.file("it's a corpus.ndjson", lines)
    try ChildProcess.run(["zstd", "-q", path])
    let (bytes, _) = try read(path + ".zst")
    #expect(bytes == lines)
  }

  @Test func whatIsNotPackedIsNoticed() throws {
    let path = try folder.file("corpus.ndjson.zst", Array("no zstd\n".utf8))
    let error = #expect(throws: BenchmarkError.self) { _ = try read(path) }
    #expect(error?.description.contains("cannot unpack") == true)
  }

  /// A reader that is dropped in the middle leaves no process behind that waits forever.
  @Test(.timeLimit(.minutes(1))) func readingMayEndEarly() throws {
    let path = try folder.file("corpus.ndjson", ItemGenerator(seed: 1).lines(0..<30_000))
    try ChildProcess.run(["zstd", "-q", path])
    let reader = try CorpusReader(path + ".zst")
    #expect(try reader.next() != nil)
  }

  @Test func missingFilesAndFoldersAreErrors() {
    for path in ["no/such/file", "no/such/file.zst", folder.path] {
      let error = #expect(throws: BenchmarkError.self) { _ = try CorpusReader(path) }
      #expect(error?.description.contains(path) == true)
    }
  }
}
