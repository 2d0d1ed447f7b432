// LiveDocsCodec: live docs as bytes of a manifest.
internal import LimelightCodecs

/// How a page of live docs is written; the numbers are part of the file format.
private enum PageForm: UInt8 {
  /// 4,096 bytes, bit by bit.
  case bits = 0
  /// The dead documents as 16-bit numbers within the page.
  case dead = 1
}

extension LiveDocs {
  /// Up to this many dead documents, the list is shorter than the bits.
  private static let listLimit = LiveDocsPage.wordCount * 8 / 2 - 1

  /// Appends the pages that hold a dead document.
  ///
  ///     pages      varint, the number of pages that follow
  ///     each:      pages left out since the one before varint, form u8, then
  ///                form 0: 512 words u64 of bits, 1 = live
  ///                form 1: count - 1 varint, and so many numbers u16, ascending
  func encode(into writer: ByteWriter) {
    let changed = (0..<pageCount).filter { deadCount(inPage: $0) > 0 }
    writer.varint(UInt64(changed.count))
    var next = 0
    for page in changed {
      writer.varint(UInt64(page - next))
      next = page + 1
      encode(page, into: writer)
    }
  }

  private func encode(_ page: Int, into writer: ByteWriter) {
    guard let words = words(page) else { return }
    let dead = deadCount(inPage: page)
    guard dead <= Self.listLimit else {
      writer.u8(PageForm.bits.rawValue)
      for word in 0..<LiveDocsPage.wordCount { writer.u64(words[word]) }
      return
    }
    writer.u8(PageForm.dead.rawValue)
    writer.varint(UInt64(dead - 1))
    for document in 0..<documents(inPage: page)
    where words[document >> 6] >> UInt64(document & 63) & 1 == 0 {
      writer.u16(UInt16(truncatingIfNeeded: document))
    }
  }

  private func deadCount(inPage page: Int) -> Int {
    guard let words = words(page) else { return 0 }
    return documents(inPage: page) - BitSet.popcount(words, LiveDocsPage.wordCount)
  }

  /// Reads the live docs of a segment of `count` documents.
  init(decoding reader: inout ByteReader, count: Int) throws(DecodingError) {
    self.init(count: count)
    let start = reader.position
    let changed = try reader.length(atMost: pageCount)
    var page = 0
    for _ in 0..<changed {
      page += try reader.length(atMost: pageCount)
      guard page < pageCount else { throw .corrupt("a page of live docs past the end", at: start) }
      let pageStart = reader.position
      let bits: LiveDocsPage
      switch PageForm(rawValue: try reader.u8()) {
      case .bits: bits = try LiveDocsPage(bits: &reader)
      case .dead: bits = try LiveDocsPage(dead: &reader, documents: documents(inPage: page))
      case nil: throw .corrupt("an unknown form of live docs", at: pageStart)
      }
      guard replace(page, with: bits) else {
        throw .corrupt("live docs of documents that do not exist", at: pageStart)
      }
      page += 1
    }
  }
}

extension LiveDocsPage {
  fileprivate convenience init(bits reader: inout ByteReader) throws(DecodingError) {
    self.init(live: 0)
    for word in 0..<Self.wordCount { words[word] = try reader.u64() }
  }

  fileprivate convenience init(
    dead reader: inout ByteReader, documents: Int
  ) throws(DecodingError) {
    self.init(live: documents)
    let count = try reader.length(atMost: documents) + 1
    var next = 0
    for _ in 0..<count {
      let start = reader.position
      let document = Int(try reader.u16())
      guard document >= next, document < documents else {
        throw .corrupt("dead documents are not in order", at: start)
      }
      words[document >> 6] &= ~(1 << UInt64(document & 63))
      next = document + 1
    }
  }
}
