// Reads the section prefixLists: the documents of short prefixes, united beforehand.

internal import LimelightCodecs

/// The prefixes of field 0 whose documents are kept; `PrefixListsWriter` draws the bytes.
///
/// A segment has them or not: whoever finds no list unites those of the terms.
struct PrefixLists {
  private let view: SectionView
  private let entries: Int
  let count: Int

  /// Nil if the segment has none.
  init?(_ segment: Segment) throws(CorruptionError) {
    guard let view = segment.section(.prefixLists) else { return nil }
    let size = PrefixListsWriter.entrySize
    guard view.entrySize == size, view.entryCount > 0, view.entryCount <= view.count / size else {
      throw view.corrupt("the prefixes do not fill their entries", at: 0)
    }
    self.view = view
    count = Int(view.entryCount)
    entries = view.count &- count &* size
    try view.touch(entries, count &* size)
  }

  /// The prefix of an entry as `TermKey.prefix` reads it.
  @inline(__always)
  func prefix(_ index: Int) -> UInt64 {
    let place = entries &+ index &* PrefixListsWriter.entrySize
    return UInt64(littleEndian: view.base.loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }

  /// The list of an entry.
  func list(_ index: Int, documents: UInt32) throws(CorruptionError) -> PrefixList {
    let entry = view.base + (entries &+ index &* PrefixListsWriter.entrySize)
    let offset = UInt64(littleEndian: entry.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    let count = UInt32(littleEndian: entry.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
    let blocks = UInt32(littleEndian: entry.loadUnaligned(fromByteOffset: 20, as: UInt32.self))
    guard offset < UInt64(entries), offset & 7 == 0, count > 0, count <= documents else {
      throw view.corrupt("a prefix's list cannot be where it says", at: entries)
    }
    return try PrefixList(
      view, at: Int(offset), end: entries, count: Int(count), blocks: Int(blocks),
      documents: Int(documents))
  }

  /// The list of a prefix, nil if it is not kept.
  func find(
    _ prefix: UnsafeRawBufferPointer, documents: UInt32
  ) throws(CorruptionError) -> PrefixList? {
    guard let last = prefix.last, last != 0, prefix.count <= PrefixListsWriter.longest else {
      return nil
    }
    let head = TermKey.prefix(prefix)
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) &>> 1
      if self.prefix(middle) < head { low = middle &+ 1 } else { high = middle }
    }
    guard low < count, self.prefix(low) == head else { return nil }
    return try list(low, documents: documents)
  }

  /// The bytes of a prefix, of which the last is not zero.
  private func bytes(_ index: Int) -> [UInt8] {
    let head = prefix(index)
    let count = 8 &- head.trailingZeroBitCount / 8
    return (0..<count).map { UInt8(truncatingIfNeeded: head &>> UInt64(56 &- 8 &* $0)) }
  }

  /// Compares each list with those of the terms.
  func verify(
    _ dictionary: TermDictionary, _ isCancelled: () -> Bool
  ) throws(CorruptionError) {
    for index in 0..<count {
      if isCancelled() { return }
      guard index == 0 || prefix(index) > prefix(index &- 1) else {
        throw view.corrupt("prefixes are out of order", at: entries)
      }
      let arena = ScratchArena()
      let kept = DocumentUnion(
        try list(index, documents: dictionary.documents), dictionary, arena: arena)
      let united = DocumentUnion(dictionary, arena: arena)
      var result: Result<Void, CorruptionError> = .success(())
      bytes(index).withUnsafeBytes { prefix in
        do throws(CorruptionError) {
          _ = try dictionary.unite(prefix: prefix, into: united)
        } catch {
          result = .failure(error)
        }
      }
      try result.get()
      guard try kept.equals(united) else {
        throw view.corrupt("a prefix's documents are not those of its terms", at: entries)
      }
    }
  }
}

/// Where the documents of a prefix are.
struct PrefixList {
  let view: SectionView
  /// How many there are.
  let count: Int
  /// All as bits, if they are kept so.
  let bits: UnsafePointer<UInt64>?
  let start: Int
  let blocks: Int

  init(
    _ view: SectionView, at start: Int, end: Int, count: Int, blocks: Int, documents: Int
  ) throws(CorruptionError) {
    self.view = view
    self.count = count
    self.start = start
    self.blocks = blocks
    guard blocks == 0 else {
      guard blocks == (count &+ 127) / 128, start &+ blocks &* 8 &+ 4 <= end else {
        throw view.corrupt("a prefix's list has an impossible number of blocks", at: start)
      }
      try view.touch(start, blocks &* 8 &+ 4)
      bits = nil
      return
    }
    let used = BitSet.wordCount(documents)
    let all = (used &+ 63) & ~63
    guard start &+ all &* 8 <= end else {
      throw view.corrupt("a prefix's list goes past the section's end", at: start)
    }
    try view.touch(start, all &* 8)
    let words = (view.base + start).assumingMemoryBound(to: UInt64.self)
    var behind: UInt64 = documents & 63 == 0 ? 0 : words[used &- 1] &>> UInt64(documents & 63)
    for word in used..<all { behind |= words[word] }
    guard behind == 0 else {
      throw view.corrupt("a prefix's list has documents that are not there", at: start)
    }
    bits = words
  }
}
