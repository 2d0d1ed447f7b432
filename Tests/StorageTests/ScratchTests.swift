// Scratch files: written, mapped, and given up piece by piece.

import Glibc
import LimelightStorage
import Testing

struct ScratchTests {
  @Test func whatIsGivenUpTakesNoRoomAndTheRestStays() throws {
    var template = Array("/tmp/limelight-scratch-XXXXXX".utf8CString)
    let path = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer { rmdir(path) }
    let folder = try Folder.open(path: path, create: false)
    let file = try folder.create("scratch")
    let bytes = (0..<300_001).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    try file.append(bytes)
    try file.sync()
    let map = try file.mapScratch()
    let before = try blocks("\(path)/scratch")
    for range in [5..<5, 10..<4000, 70_001..<200_002, 200_002..<300_001, 0..<300_002, -1..<9] {
      map.giveUp(range)
    }
    map.withBytes { shown in
      #expect(shown.count == bytes.count)
      #expect(shown[..<70_001].elementsEqual(bytes[..<70_001]))
    }
    // Not every file system can give room back.
    let after = try blocks("\(path)/scratch")
    #expect(after == before || after < before - 400)
    // The name may go while the file is in use.
    try folder.remove("scratch")
    try file.append([1, 2, 3])
    #expect(try file.mapScratch().count == bytes.count + 3)
    file.close()
    #expect(throws: StorageError.self) { try file.mapScratch() }
    #expect(map.withBytes { $0[7] } == bytes[7])
  }

  @Test func otherMapsGiveNothingUp() throws {
    let folder = Folder.inMemory()
    let file = try folder.create("a")
    try file.append([UInt8](repeating: 7, count: 20_000))
    for map in [try file.mapScratch(), try folder.map("a")] {
      map.giveUp(0..<20_000)
      #expect(map.withBytes { $0.allSatisfy { $0 == 7 } })
    }
  }

  /// The blocks of 512 bytes that a file takes.
  private func blocks(_ path: String) throws -> Int {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return Int(status.st_blocks)
  }
}
