// File names: what is written is read back, and nothing else is taken for ours.
import LimelightSnapshots
import Testing

struct FileNamesTests {
  @Test func namesAreReadBack() {
    for kind in FileKind.allCases {
      for number: UInt64 in [1, 9, 10, 4_611_686_018_427_387_904] {
        #expect(FileName(FileNames.name(kind, number)) == FileName(kind, number))
      }
    }
    #expect(FileName("manifest.7.partial") == FileName(.manifest, 7, isPartial: true))
    #expect(FileNames.partialManifest(7) == "manifest.7.partial")
    #expect(FileNames.segment(12) == "segment.12")
  }

  @Test(arguments: [
    "lock", "", ".", "segment", "segment.", "segment.0", "segment.01", "segment.+1", "segment.1 ",
    "segment.-1", "segment.1.partial", "manifest.1.tmp", "manifest.1.partial.partial", "Segment.1",
    "segment.18446744073709551615", "segment.99999999999999999999", "other.1", ".segment.1",
    "segment.1٣",
  ])
  func otherNamesAreNotOurs(_ name: String) {
    #expect(FileName(name) == nil)
  }
}
