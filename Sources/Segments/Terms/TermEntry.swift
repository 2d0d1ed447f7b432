// What the dictionary knows of a term: how many postings, and where they are.

internal import LimelightCodecs

/// The dictionary's record of a term.
///
/// In a page, behind the keys, as varints unless said otherwise; places are running sums over the
/// page that start at the bases in its header:
///
///     documents
///     one document:   document, frequency - 1, [set code], and
///                     frequency 1: the position; else: the bytes of its positions
///     up to 128:      bytes of the list, bytes of its positions, [signature u16]
///     more:           bytes of the list, bytes of its positions, [signature u16],
///                     blocks * 2 + (1 if dense)
///
/// What stands in brackets is there only in a field with attribute sets.
@usableFromInline
package struct TermEntry: Sendable, BitwiseCopyable {
  /// The items that hold the term, deleted ones included until a merge drops them.
  @usableFromInline package var documentFrequency: UInt32 = 0
  /// The union of the attribute signatures of its postings; 0xFFFF where the field has no sets.
  @usableFromInline package var signature: UInt16 = 0xFFFF
  /// Whether the list is a bit set.
  package var isDense = false
  /// Blocks of a list of more than 128 postings; else 1.
  package var blockCount: UInt32 = 1
  /// The only document, if there is one.
  package var document: UInt32 = 0
  /// Its frequency.
  package var frequency: UInt32 = 0
  /// Its attribute set.
  package var code: UInt32 = 0
  /// Its position, if the frequency is 1.
  package var position: UInt32 = 0
  package var postingsOffset: UInt64 = 0
  package var postingsLength: UInt64 = 0
  package var positionsOffset: UInt64 = 0
  package var positionsLength: UInt64 = 0
  package var skipsOffset: UInt64 = 0
  package var bitSetOffset: UInt64 = 0

  package init() {}
}

/// Where the next term's data starts in the four sections that lists use.
struct ListPlaces {
  var postings: UInt64 = 0
  var positions: UInt64 = 0
  var skips: UInt64 = 0
  var bitSets: UInt64 = 0
}

extension TermEntry {
  /// Appends the record.
  func encode(hasSets: Bool, into writer: ByteWriter) {
    writer.varint(UInt64(documentFrequency))
    if documentFrequency == 1 {
      writer.varint(UInt64(document))
      writer.varint(UInt64(frequency &- 1))
      if hasSets { writer.varint(UInt64(code)) }
      writer.varint(frequency == 1 ? UInt64(position) : positionsLength)
      return
    }
    writer.varint(postingsLength)
    writer.varint(positionsLength)
    if hasSets { writer.u16(signature) }
    if documentFrequency > 128 {
      writer.varint(UInt64(blockCount) &* 2 &+ (isDense ? 1 : 0))
    }
  }

  /// Reads a record and moves `places` behind its data.
  @inline(__always)
  mutating func decode(
    _ reader: inout ByteReader, hasSets: Bool, documents: UInt32, places: inout ListPlaces
  ) throws(DecodingError) {
    let start = reader.position
    let count = try reader.varint()
    guard count > 0, count <= UInt64(documents) else {
      throw .corrupt("a term's document count is not between 1 and that of the segment", at: start)
    }
    documentFrequency = UInt32(truncatingIfNeeded: count)
    postingsOffset = places.postings
    positionsOffset = places.positions
    isDense = false
    blockCount = 1
    if documentFrequency == 1 {
      let document = try reader.varint()
      let frequency = try reader.varint()
      let code = hasSets ? try reader.varint() : 0
      let last = try reader.varint()
      guard document < UInt64(documents), frequency < 0x7FFF_FFFF, code <= 0xFFFF,
        last <= 0xFFFF_FFFF
      else { throw .corrupt("a term's only posting is out of range", at: start) }
      self.document = UInt32(truncatingIfNeeded: document)
      self.frequency = UInt32(truncatingIfNeeded: frequency) &+ 1
      self.code = UInt32(truncatingIfNeeded: code)
      signature = 0xFFFF
      postingsLength = 0
      positionsLength = 0
      if frequency == 0 {
        position = UInt32(truncatingIfNeeded: last)
      } else {
        positionsLength = last
        places.positions &+= last
      }
      return
    }
    postingsLength = try reader.varint()
    positionsLength = try reader.varint()
    // Sums of lengths below 2^40 cannot wrap; the sections are checked when a list is opened.
    guard postingsLength < 1 << 40, positionsLength < 1 << 40 else {
      throw .corrupt("a term's list is longer than a segment can be", at: start)
    }
    places.postings &+= postingsLength
    places.positions &+= positionsLength
    signature = hasSets ? try reader.u16() : 0xFFFF
    if documentFrequency > 128 {
      let shape = try reader.varint()
      guard shape >> 1 >= (count &+ 127) / 128, shape >> 1 <= count else {
        throw .corrupt("a term's list has an impossible number of blocks", at: start)
      }
      blockCount = UInt32(truncatingIfNeeded: shape >> 1)
      isDense = shape & 1 == 1
      skipsOffset = places.skips
      bitSetOffset = places.bitSets
      places.skips &+= UInt64(SkipLayout(blocks: Int(blockCount), hasSets: hasSets).byteCount)
      if isDense { places.bitSets &+= UInt64(SkipLayout.bitSetBytes(documents: Int(documents))) }
    }
  }
}

// MARK: Skipping

extension TermEntry {
  /// The most bytes at which the fast part of `skip` looks: five numbers and a signature.
  private static var longestSkip: Int { 5 * QuickVarint.window + 2 }

  /// Moves over records, `places` behind their data.
  ///
  /// Of values that do not matter to later records only the length is looked at; where a record of full
  /// length would not fit any more, all is decoded and checked.
  @inline(__always)
  static func skip(
    _ count: Int, _ reader: inout ByteReader, hasSets: Bool, documents: UInt32,
    places: inout ListPlaces
  ) throws(DecodingError) {
    var left = count
    if reader.remaining >= longestSkip {
      let last = reader.base + (reader.count &- longestSkip)
      var at = reader.base + reader.position
      var moved = places
      while left > 0, at <= last {
        let start = at
        guard skip(&at, hasSets: hasSets, documents: documents, places: &moved) else {
          // One that cannot be: decoding it says so.
          at = start
          break
        }
        left &-= 1
      }
      places = moved
      reader.position = at - reader.base
    }
    var entry = TermEntry()
    for _ in 0..<left {
      try entry.decode(&reader, hasSets: hasSets, documents: documents, places: &places)
    }
  }

  /// Moves over one with enough bytes to read; false if the record is one that cannot be.
  @inline(__always)
  private static func skip(
    _ at: inout UnsafeRawPointer, hasSets: Bool, documents: UInt32, places: inout ListPlaces
  ) -> Bool {
    let count = QuickVarint.read(&at)
    guard count &- 1 < UInt64(documents) else { return false }
    if count == 1 {
      QuickVarint.skip(&at)
      let isOnce = at.load(as: UInt8.self) == 0
      QuickVarint.skip(&at)
      if hasSets { QuickVarint.skip(&at) }
      if isOnce { QuickVarint.skip(&at) } else { places.positions &+= QuickVarint.read(&at) }
      return true
    }
    places.postings &+= QuickVarint.read(&at)
    places.positions &+= QuickVarint.read(&at)
    if hasSets { at += 2 }
    guard count > 128 else { return true }
    let shape = QuickVarint.read(&at)
    guard shape &>> 1 >= (count &+ 127) / 128, shape &>> 1 <= count else { return false }
    places.skips &+= UInt64(
      SkipLayout(blocks: Int(truncatingIfNeeded: shape &>> 1), hasSets: hasSets).byteCount)
    if shape & 1 == 1 {
      places.bitSets &+= UInt64(SkipLayout.bitSetBytes(documents: Int(documents)))
    }
    return true
  }
}
