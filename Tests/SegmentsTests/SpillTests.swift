// A segment that outgrows memory while it is written has the bytes of one that does not.

import Glibc
import LimelightSegments
import LimelightStorage
import Testing

struct SpillTests {
  /// How much of a section stays in memory: nothing, less than any, and so on up to all.
  private static let bounds = [0, 1, 200, 4096, 60_000, Int.max]

  /// The bytes of an image as they come to a file.
  private func written(
    _ bound: Int, folder: Folder = .inMemory(), _ image: (SpillFile) -> SegmentImage
  ) throws -> [UInt8] {
    let spill = SpillFile(bound: bound) { () throws(StorageError) in
      let file = try folder.create("scratch")
      try folder.remove("scratch")
      return file
    }
    let file = try folder.create("segment")
    defer { try? folder.remove("segment") }
    let image = image(spill)
    try image.write(to: file)
    #expect(file.size == image.count)
    // What has spilled is not in memory any more.
    let isSpilled = image.mappedBytes().count == 0
    if bound <= 4096 || bound == .max { #expect(isSpilled == (bound <= 4096)) }
    #expect(try folder.list() == ["segment"])
    return contents(try folder.map("segment"))
  }

  @Test(arguments: bounds) func itemsHaveTheSameBytes(bound: Int) throws {
    let items = modelItems(4000, seed: 5)
    let expected = contents(segmentImage(items).mappedBytes())
    let spilled = try written(bound) { segmentImage(items, spill: $0) }
    let isEqual = spilled == expected
    #expect(isEqual)
    #expect(try open(mapped(spilled)).verify() == [])
  }

  @Test(arguments: bounds) func fieldsHaveTheSameBytes(bound: Int) throws {
    let model = FieldsModel(
      documents: 3000, lengths: [1, 2, 40, 128, 129, 370, 380, 1500, 2999], hasSets: true, seed: 3)
    let expected = contents(model.image(seed: 8).mappedBytes())
    let isEqual = try written(bound) { model.image(seed: 8, spill: $0) } == expected
    #expect(isEqual)
  }

  @Test func filesOfTheSystemSpillToo() throws {
    var template = Array("/tmp/limelight-spill-XXXXXX".utf8CString)
    let path = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer { rmdir(path) }
    let folder = try Folder.open(path: path, create: false)
    let items = modelItems(4000, seed: 6)
    let expected = contents(segmentImage(items).mappedBytes())
    let isEqual =
      try written(1000, folder: folder) { segmentImage(items, spill: $0) } == expected
    #expect(isEqual)
  }

  @Test func aFailureIsKeptUntilTheSegmentIsWritten() throws {
    for number in 1...6 {
      let disk = FaultDisk(seed: UInt64(number))
      // The scratch file, its name that goes, then its bytes.
      disk.fail(number: number, code: ENOSPC)
      let folder = Folder.faulty(disk)
      let spill = SpillFile(bound: 100) { () throws(StorageError) in
        let file = try folder.create("scratch")
        try folder.remove("scratch")
        return file
      }
      let writer = testWriter(spill: spill)
      let stored = StoredWriter(writer)
      for item in modelItems(3000, seed: 1) { stored.add(item.record) }
      stored.finish()
      #expect(writer.hasFailed)
      #expect(spill.failure?.kind == .noSpace)
      let file = try folder.create("segment")
      #expect(throws: StorageError.self) { try writer.finish().write(to: file) }
      #expect(file.size == 0)
    }
  }
}
