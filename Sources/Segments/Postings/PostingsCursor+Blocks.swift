// Which block holds a document, where its bytes are, and single frequencies.

internal import LimelightCodecs

extension PostingsCursor {
  /// The last block whose first document is not larger than `document`, not before `from`.
  ///
  /// Gallops: cheap when the answer is near. If the block `from` starts behind `document`, it is the
  /// answer.
  @inlinable
  @inline(__always)
  package func blockIndex(for document: UInt32, from: Int) -> Int {
    // A call on the cursor itself would copy all of it.
    counters.pointee.blockSearches &+= 1
    return Self.gallop(firstDocuments, blockCount, document, from)
  }

  @inlinable
  static func gallop(
    _ firstDocuments: UnsafePointer<UInt32>, _ blockCount: Int, _ document: UInt32, _ from: Int
  ) -> Int {
    var low = from
    var step = 1
    while low &+ step < blockCount && firstDocuments[low &+ step] <= document {
      low &+= step
      step &+= step
    }
    var high = min(low &+ step, blockCount)
    // firstDocuments[low] <= document (or low == from), firstDocuments[high] > document.
    while high &- low > 1 {
      let middle = (low &+ high) >> 1
      if firstDocuments[middle] <= document { low = middle } else { high = middle }
    }
    return low
  }

  /// Where the bytes of a block start, to ask for them ahead; nil in a list of one block.
  @inlinable
  @inline(__always)
  package func address(ofBlock number: Int) -> UnsafeRawPointer? {
    guard let byteOffsets, let listBytes else { return nil }
    return listBytes + min(Int(byteOffsets[number]), listLength)
  }

  /// Where the bytes of a block are, made sure of, and how many postings they hold.
  @inline(__always)
  func bytes(
    ofBlock number: Int
  ) throws(CorruptionError) -> (start: Int, end: Int, size: Int) {
    var start = 0
    var end = listLength
    var size = documentFrequency
    if let byteOffsets, let counts, documentFrequency > SkipLayout.postingsPerBlock {
      start = Int(byteOffsets[number])
      if number &+ 1 < blockCount { end = Int(byteOffsets[number &+ 1]) }
      size = Int(counts[number]) &+ 1
    }
    guard start <= end, end <= listLength, size <= 128 else {
      throw postings.corrupt("a block lies outside its list", at: listStart)
    }
    try postings.touch(listStart &+ start, end &- start)
    return (listStart &+ start, listStart &+ end, size)
  }

  /// The frequency of one posting of the current block: cheaper than all of them for a few.
  ///
  /// The documents of the block must have been decoded, unless the list is dense.
  package mutating func frequency(at index: Int) throws(CorruptionError) -> UInt32 {
    if hasFrequencies { return frequencies[index] }
    let value = PFOR.value(
      at: index, postings.base + frequenciesAt, available: blockEnd &- frequenciesAt, count: count)
    if value >= 0 { return UInt32(truncatingIfNeeded: value &+ 1) }
    try loadFrequencies()
    return frequencies[index]
  }
}
