// Byte ranges in other units.

import LimelightSearch
import Testing

@Suite struct TextUnitTests {
  private func convert(_ ranges: [Range<Int>], _ text: String, _ unit: TextUnit) -> [Range<Int>] {
    var text = text
    return text.withUTF8 { unit.convert(ranges, in: $0) }
  }

  @Test func units() {
    let text = "aé東𝄞z"  // 1, 2, 3, 4 and 1 bytes
    let ranges = [0..<1, 1..<3, 3..<6, 6..<10, 10..<11]
    #expect(convert(ranges, text, .utf8) == ranges)
    #expect(convert(ranges, text, .utf16) == [0..<1, 1..<2, 2..<3, 3..<5, 5..<6])
    #expect(convert(ranges, text, .scalars) == [0..<1, 1..<2, 2..<3, 3..<4, 4..<5])
    #expect(convert([3..<10], text, .utf16) == [2..<5])
    #expect(convert([], text, .scalars).isEmpty)
    #expect(convert([0..<99], text, .utf16) == [0..<6])
  }
}
