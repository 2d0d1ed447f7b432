// One column: its values by document, its documents by value.

internal import LimelightCodecs

/// The values of one attribute and type.
///
/// Plain words: valid while the segment lives, usable by any number of threads. Values are
/// `Int64` codes that sort like the values, see `ColumnKind`.
package struct Column {
  package let attribute: UInt16
  package let kind: ColumnKind
  /// Whether every document has exactly one value.
  package let isDense: Bool
  /// The documents that have a value.
  package let documentCount: Int
  package let valueCount: Int
  /// The smallest and the largest code; both 0 in a column without values.
  package let minimum: Int64
  package let maximum: Int64
  /// Values that were too long to be in the column: when there are any, a document that is not
  /// found here may still have the value that is looked for.
  package let skipped: Int
  package let blockCount: Int

  let segmentDocuments: Int
  private let dictionary: KeyPagesReader?
  private let arrays: SectionView
  private let blocks: SectionView

  init(
    entry at: Int, of directory: SectionView, in section: SectionView, documentCount total: Int
  ) throws(CorruptionError) {
    attribute = try directory.u16(at: at)
    guard let kind = ColumnKind(rawValue: try directory.u8(at: at + 2)) else {
      throw directory.corrupt("no such kind of column", at: at + 2)
    }
    let values = try directory.u64(at: at + 8)
    documentCount = Int(try directory.u32(at: at + 4))
    // A block of 128 values takes 38 bytes at least, 28 of them outside of it.
    guard values <= UInt64(section.count) * 4, documentCount <= total,
      UInt64(documentCount) <= values
    else { throw directory.corrupt("more values than there is room for", at: at + 8) }
    self.kind = kind
    valueCount = Int(values)
    blockCount = ColumnFormat.blockCount(valueCount)
    minimum = Int64(bitPattern: try directory.u64(at: at + 16))
    maximum = Int64(bitPattern: try directory.u64(at: at + 24))
    skipped = Int(try directory.u32(at: at + 64))
    isDense = try directory.u8(at: at + 3) & ColumnFormat.aligned != 0
    guard !isDense || valueCount == total else {
      throw directory.corrupt("not one value for each document", at: at + 3)
    }
    segmentDocuments = total

    let whole = try section.slice(try directory.u64(at: at + 32), try directory.u64(at: at + 40))
    let indexLength = try directory.u64(at: at + 48)
    let pagesLength = try directory.u64(at: at + 56)
    var start = 0
    if kind == .string, indexLength > 0 {
      let index = try whole.slice(0, indexLength)
      let pages = try whole.slice(indexLength, pagesLength)
      dictionary = try KeyPagesReader(index: index, pages: pages, payload: .bytes)
      start = (index.count + pages.count + 7) & ~7
    } else {
      dictionary = nil
    }
    let arraysLength = (blockCount * 28 + 7) & ~7
    arrays = try whole.slice(start, arraysLength)
    blocks = try whole.slice(start + arraysLength, whole.count - start - arraysLength)
  }

  // MARK: Blocks

  /// The smallest code of a block.
  package func minimum(ofBlock block: Int) throws(CorruptionError) -> Int64 {
    Int64(bitPattern: try arrays.u64(at: block &* 8))
  }

  /// The largest code of a block.
  package func maximum(ofBlock block: Int) throws(CorruptionError) -> Int64 {
    Int64(bitPattern: try arrays.u64(at: (blockCount &+ block) &* 8))
  }

  /// The document of a block's first entry.
  package func firstDocument(ofBlock block: Int) throws(CorruptionError) -> UInt32 {
    try arrays.u32(at: blockCount &* 24 &+ block &* 4)
  }

  /// How many entries a block has.
  package func count(ofBlock block: Int) -> Int {
    min(ColumnFormat.blockSize, valueCount &- block &* ColumnFormat.blockSize)
  }

  /// The bytes of a block, touched.
  func bytes(ofBlock block: Int) throws(CorruptionError) -> SectionView {
    let at = (2 &* blockCount &+ block) &* 8
    let start = try arrays.u64(at: at)
    let end = block + 1 < blockCount ? try arrays.u64(at: at + 8) : UInt64(blocks.count)
    guard start < end, end <= UInt64(blocks.count) else {
      throw arrays.corrupt("a block lies outside of its column", at: at)
    }
    let view = try blocks.slice(Int(start), Int(end - start))
    try view.touchAll()
    return view
  }

  /// The last block that begins at or before a document, -1 when there is none, in O(log n).
  func lastBlock(beginningBy document: UInt32) throws(CorruptionError) -> Int {
    var low = 0
    var high = blockCount
    while low < high {
      let middle = (low &+ high) &>> 1
      if try firstDocument(ofBlock: middle) <= document {
        low = middle &+ 1
      } else {
        high = middle
      }
    }
    return low &- 1
  }

  /// A walk over the column with buffers of its own, for one thread.
  package func cursor() -> ColumnCursor { ColumnCursor(self) }

  /// Sets the bits of all documents that have a value in `low ... high`.
  ///
  /// `words` has a bit for each document of the segment. Blocks outside of the range cost two
  /// comparisons, those inside of it only their documents.
  package func fill(
    _ words: UnsafeMutablePointer<UInt64>, from low: Int64, through high: Int64
  ) throws(CorruptionError) {
    guard low <= high, valueCount > 0 else { return }
    let cursor = cursor()
    for block in 0..<blockCount {
      let blockMinimum = try minimum(ofBlock: block)
      let blockMaximum = try maximum(ofBlock: block)
      guard blockMinimum <= high, blockMaximum >= low else { continue }
      if blockMinimum >= low, blockMaximum <= high {
        try cursor.loadDocuments(block)
        if cursor.isConsecutive {
          let first = Int(cursor.documents[0])
          BitSet.setRange(words, from: first, to: first + cursor.count)
        } else {
          for index in 0..<cursor.count { BitSet.set(words, Int(cursor.documents[index])) }
        }
      } else {
        try cursor.load(block)
        Self.fill(words, cursor.documents, cursor.values, cursor.count, low, high)
      }
    }
  }

  /// The values of one block against a range, without a branch that could be guessed wrong.
  private static func fill(
    _ words: UnsafeMutablePointer<UInt64>, _ documents: UnsafePointer<UInt32>,
    _ values: UnsafePointer<Int64>, _ count: Int, _ low: Int64, _ high: Int64
  ) {
    let width = UInt64(bitPattern: high &- low)
    for index in 0..<count {
      let isInside = UInt64(bitPattern: values[index] &- low) <= width
      let document = Int(documents[index])
      words[document &>> 6] |=
        (isInside ? 1 : 0) &<< UInt64(truncatingIfNeeded: document & 63)
    }
  }

  // MARK: Strings

  /// How many strings the dictionary has.
  package var stringCount: Int { dictionary?.count ?? 0 }

  /// The ordinals of the strings whose folded form is in `lower ..< upper`; nil = no limit.
  package func ordinals(
    from lower: [UInt8]?, to upper: [UInt8]?
  ) throws(CorruptionError) -> Range<Int> {
    guard let dictionary else { return 0..<0 }
    var start = 0
    var end = dictionary.count
    if let lower { start = try Self.lowerBound(lower, in: dictionary) }
    if let upper { end = try Self.lowerBound(upper, in: dictionary) }
    return start..<max(start, end)
  }

  /// The ordinals of the strings with this folded form: equality without case and accents.
  package func ordinals(folded: [UInt8]) throws(CorruptionError) -> Range<Int> {
    // The least string after `folded` is `folded` and a zero byte.
    try ordinals(from: folded, to: folded + [0])
  }

  /// The ordinals of the strings whose folded form begins so.
  package func ordinals(prefix: [UInt8]) throws(CorruptionError) -> Range<Int> {
    var next = prefix
    while next.last == 0xFF { next.removeLast() }
    if let last = next.popLast() { next.append(last + 1) }
    return try ordinals(from: prefix, to: next.isEmpty ? nil : next)
  }

  /// The ordinal of a string, nil when no document has it.
  package func ordinal(
    of text: [UInt8], folded: [UInt8]
  ) throws(CorruptionError) -> Int? {
    let range = try ordinals(folded: folded)
    guard !range.isEmpty else { return nil }
    var walk = try strings(from: range.lowerBound)
    for ordinal in range {
      guard let next = try walk.next() else { return nil }
      if next.text == text { return ordinal }
    }
    return nil
  }

  private static func lowerBound(
    _ key: [UInt8], in dictionary: KeyPagesReader
  ) throws(CorruptionError) -> Int {
    try key.withUnsafeBufferPointer { bytes throws(CorruptionError) in
      try dictionary.lowerBound(UnsafeRawBufferPointer(bytes)).ordinal
    }
  }

  /// The bytes of the string with an ordinal.
  package func string(_ ordinal: Int) throws(CorruptionError) -> [UInt8] {
    guard let dictionary, ordinal >= 0, ordinal < dictionary.count else {
      throw arrays.corrupt("an ordinal is out of range", at: 0)
    }
    var folded: [UInt8] = []
    let form = try dictionary.key(at: ordinal, into: &folded).bytes
    guard let text = StringForm.text(folded: folded, form: form) else {
      throw dictionary.pages.corrupt("a string's form cannot be", at: 0)
    }
    return text
  }

  /// The folded form of the string with an ordinal that exists.
  func foldedString(_ ordinal: Int) throws(CorruptionError) -> [UInt8] {
    var folded: [UInt8] = []
    _ = try dictionary?.key(at: ordinal, into: &folded)
    return folded
  }

  /// The strings in order, from an ordinal on.
  package func strings(from ordinal: Int) throws(CorruptionError) -> Strings {
    Strings(cursor: try dictionary?.cursor(from: ordinal), section: blocks)
  }

  /// A walk over the strings of a column in order.
  package struct Strings {
    fileprivate var cursor: KeyPagesCursor?
    fileprivate let section: SectionView

    package mutating func next() throws(CorruptionError) -> (text: [UInt8], folded: [UInt8])? {
      guard try cursor?.next() == true, let cursor else { return nil }
      guard let text = StringForm.text(folded: cursor.key, form: cursor.payload) else {
        throw section.corrupt("a string's form cannot be", at: 0)
      }
      return (text, cursor.key)
    }
  }

  func verifyStrings() throws(CorruptionError) {
    guard let dictionary else { return }
    try dictionary.verify()
    var walk = try strings(from: 0)
    var previous: (text: [UInt8], folded: [UInt8])?
    while let next = try walk.next() {
      if let previous, previous.folded == next.folded,
        !previous.text.lexicographicallyPrecedes(next.text)
      {
        throw dictionary.pages.corrupt("strings are out of order", at: 0)
      }
      previous = next
    }
  }
}
