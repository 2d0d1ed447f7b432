// Where a query's words stand in an item's texts, in the units of the host's strings.

public import LimelightItems

/// The places in one text of an item at which it matches a query.
public struct Highlight: Hashable, Sendable {
  /// The attribute that holds the text.
  public var attribute: Attribute
  /// Which of the attribute's texts it is, from 0: the place in a list, the language of a
  /// localized text, a person's name and then each of their handles.
  public var valueIndex: Int
  /// The places in ascending order, apart from each other, never inside a character as people
  /// see it.
  public var ranges: [Range<Int>]

  /// Makes a highlight.
  public init(attribute: Attribute, valueIndex: Int, ranges: [Range<Int>]) {
    self.attribute = attribute
    self.valueIndex = valueIndex
    self.ranges = ranges
  }
}

/// What offsets into a text count.
public enum TextUnit: String, Sendable, CaseIterable {
  /// Bytes of UTF-8: Swift's `utf8` view, C, Rust, Go.
  case utf8
  /// Code units of UTF-16: `NSString`, JavaScript, Java.
  case utf16
  /// Unicode scalars: Python, Swift's `unicodeScalars` view.
  case scalars
}

extension TextUnit {
  /// Converts byte ranges of a text, in ascending order and apart, to this unit.
  ///
  /// One pass up to the last range, so linear in the text. Ranges start and end between scalars.
  package func convert(
    _ ranges: [Range<Int>], in utf8: UnsafeBufferPointer<UInt8>
  ) -> [Range<Int>] {
    if self == .utf8 { return ranges }
    var place = 0
    var units = 0
    func advance(to end: Int) {
      while place < min(end, utf8.count) {
        let byte = utf8[place]
        if byte & 0xC0 != 0x80 { units += 1 }
        if byte >= 0xF0, self == .utf16 { units += 1 }
        place += 1
      }
    }
    return ranges.map { range in
      advance(to: range.lowerBound)
      let start = units
      advance(to: range.upperBound)
      return start..<units
    }
  }
}
