// Every line of the shared collection of items is read, checked, and comes back.

import Foundation
import LimelightItems
import Testing

@Suite struct SharedItemsTests {
  private static let folder =
    ProcessInfo.processInfo.environment["LIMELIGHT_SHARED"] ?? "../shared"
  private static let file = folder + "/corpora/items.jsonl.zst"
  private static let required =
    ProcessInfo.processInfo.environment["LIMELIGHT_REQUIRE_SHARED"] == "1"

  @Test(
    .enabled(
      if: required || FileManager.default.fileExists(atPath: file),
      "items.jsonl.zst is missing: set LIMELIGHT_SHARED to the folder that holds corpora"))
  func everyLineIsTaken() throws {
    let unpack = Process()
    unpack.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    unpack.arguments = ["zstd", "-dcq", Self.file]
    let pipe = Pipe()
    unpack.standardOutput = pipe
    try unpack.run()

    let parser = ItemLineParser(options: JSONOptions(dates: ["birthday"]))
    var registry = AttributeRegistry()
    var lines = 0
    var buffer: [UInt8] = []
    var failures: [String] = []
    while let chunk = try pipe.fileHandleForReading.read(upToCount: 1 << 20), !chunk.isEmpty {
      buffer.append(contentsOf: chunk)
      let consumed = buffer.withUnsafeBytes { bytes in
        var start = 0
        while let line = Self.line(of: bytes, from: start) {
          lines += 1
          do {
            try Self.check(line, parser, &registry, roundTrip: lines % 16 == 0)
          } catch {
            failures.append("line \(lines): \(error)")
          }
          start += line.count + 1
        }
        return start
      }
      buffer.removeFirst(consumed)
    }
    unpack.waitUntilExit()
    #expect(unpack.terminationStatus == 0)
    #expect(buffer.isEmpty)
    #expect(lines == 176_680)
    #expect(failures.isEmpty, "\(failures.prefix(3))")
    #expect(registry.resolve("birthday")?.kind == .date)
    #expect(registry.resolve("population")?.kind == .number)
  }

  private static func line(
    of bytes: UnsafeRawBufferPointer, from start: Int
  ) -> UnsafeRawBufferPointer? {
    guard start < bytes.count, let base = bytes.baseAddress,
      let end = memchr(base + start, 0x0A, bytes.count - start)
    else { return nil }
    return UnsafeRawBufferPointer(start: base + start, count: UnsafeRawPointer(end) - base - start)
  }

  private static func check(
    _ line: UnsafeRawBufferPointer, _ parser: ItemLineParser, _ registry: inout AttributeRegistry,
    roundTrip: Bool
  ) throws {
    let item = try parser.parse(line)
    let taken = try ItemValidator.validate(item, registry: &registry)
    guard roundTrip else { return }
    #expect(try ItemJSON.write(item).withUnsafeBytes { try parser.parse($0) } == item)
    let bytes = encode(taken)
    #expect(try decode(bytes) == taken)
  }
}
