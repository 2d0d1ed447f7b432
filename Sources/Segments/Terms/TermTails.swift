// A byte a term that tells how it ends.

internal import LimelightCodecs

/// The section `termTails`: a hash of the last three bytes of each term.
///
/// Terms stand in byte order, which says nothing of how they end. With these bytes a search for what
/// may differ at the beginning only, such as words with a slip there, looks at the few pages that have
/// a term with the right ending: two comparisons of 16 bytes a page. 32 bytes a page of the
/// dictionary, in the order of the pages of all fields: the codes of its terms; a field's last page
/// is filled up with zeros. Segments of few documents, whose dictionaries are small, and those that
/// were written before there was this section have none.
package struct TermTails {
  /// The bytes of a tail.
  static let size = 3
  /// Segments of fewer documents have no tails.
  package static let fewestDocuments = 2_048
  static let pageSize = TermDictionaryWriter.termsPerPage

  /// The codes of the first page of the field.
  private let base: UnsafeRawPointer

  /// The code of a term, 0 for one that is shorter than a tail.
  @inline(__always)
  static func code(of term: UnsafeRawBufferPointer) -> UInt8 {
    let count = term.count
    guard count >= size else { return 0 }
    return code(
      UInt32(term[count &- 3]) &<< 16 | UInt32(term[count &- 2]) &<< 8 | UInt32(term[count &- 1]))
  }

  /// The code of three bytes, the last one lowest; the top byte is passed over.
  @inline(__always)
  static func code(_ tail: UInt32) -> UInt8 {
    // Multiplicative hashing: Knuth, The Art of Computer Programming 3, section 6.4.
    UInt8(truncatingIfNeeded: ((tail & 0xFF_FFFF) &* 2_654_435_761) &>> 24)
  }

  /// The tails of a field, nil if the segment has none.
  init?(_ dictionary: TermDictionary) throws(CorruptionError) {
    guard let tails = dictionary.segment.section(.termTails) else { return nil }
    try tails.touch(
      dictionary.firstPage &* Self.pageSize, dictionary.pageCount &* Self.pageSize)
    base = tails.base + dictionary.firstPage &* Self.pageSize
  }

  /// The terms of a page that have a code, a bit each.
  @inline(__always)
  func terms(on page: Int, with code: UInt8) -> UInt32 {
    let codes = base + page &* Self.pageSize
    let low = ByteMask.bits(ByteMask.equal(ByteMask.load(codes), code))
    let high = ByteMask.bits(ByteMask.equal(ByteMask.load(codes + 16), code))
    return UInt32(truncatingIfNeeded: low | high &<< 16)
  }

  /// The code of a term by its number in the field.
  func code(at term: Int) -> UInt8 { base.load(fromByteOffset: term, as: UInt8.self) }
}
