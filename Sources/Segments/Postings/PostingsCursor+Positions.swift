// The positions of the postings of a block.

internal import LimelightCodecs

extension PostingsCursor {
  /// The positions of a posting of the current block, ascending; `index` is below `count`.
  ///
  /// Decodes only the groups that hold them. The pointer is good until the next call.
  package mutating func positions(
    at index: Int
  ) throws(CorruptionError) -> UnsafeBufferPointer<UInt32> {
    if documentFrequency == 1 && frequencies[0] == 1 {
      onlyFirst[1] = onlyPosition
      return UnsafeBufferPointer(start: onlyFirst + 1, count: 1)
    }
    let view = try enterPositions()
    return try reader.positions(at: index, view, counters)
  }

  /// The positions of all postings of the current block, as many for each as its frequency says.
  ///
  /// For whoever reads whole lists. Loads frequencies. The pointer is good until the next call.
  package mutating func allPositions() throws(CorruptionError) -> UnsafePointer<UInt32> {
    try loadFrequencies()
    if documentFrequency == 1 && frequencies[0] == 1 {
      onlyFirst[1] = onlyPosition
      return UnsafePointer(onlyFirst + 1)
    }
    let view = try enterPositions()
    return try reader.all(frequencies: frequencies, count, view, counters)
      ?? UnsafePointer(onlyFirst)
  }

  /// Makes the reader stand at the current block.
  private mutating func enterPositions() throws(CorruptionError) -> SectionView {
    guard let view = positionsView else {
      throw postings.corrupt("a list has no positions", at: listStart)
    }
    if reader.block != block {
      try loadFrequencies()
      var start = 0
      var end = positionsLength
      if let positionOffsets, documentFrequency > SkipLayout.postingsPerBlock {
        start = Int(positionOffsets[block])
        if block &+ 1 < blockCount { end = Int(positionOffsets[block &+ 1]) }
      }
      guard start <= end, end <= positionsLength else {
        throw view.corrupt("positions of a block lie outside their list", at: positionsStart)
      }
      try reader.enter(
        block, frequencies, count, view, positionsStart &+ start, positionsStart &+ end)
    }
    return view
  }
}
