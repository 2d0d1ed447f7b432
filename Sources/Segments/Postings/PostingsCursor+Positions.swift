// The positions of a list, and its frequencies by place.

public import LimelightCodecs

extension PostingsCursor {
  /// The positions of a posting of any block, a run that is good until the next call.
  ///
  /// The block need not be current and does not become it: neither its documents are decoded nor its
  /// set codes. Cheap if block and postings ascend from call to call. `index` is below 128.
  @inlinable
  @inline(__always)
  package mutating func run(
    at index: Int, inBlock number: Int
  ) throws(CorruptionError) -> AscendingRun {
    if number == reader.block, let run = reader.decoded(index) { return run }
    return try decodeRun(at: index, inBlock: number)
  }

  /// The frequency of a posting of any block, which need not be current; `index` is below 128.
  ///
  /// Behind the last posting any number.
  @inlinable
  @inline(__always)
  package mutating func frequency(
    at index: Int, inBlock number: Int
  ) throws(CorruptionError) -> UInt32 {
    if number == reader.block { return reader.starts[index &+ 1] &- reader.starts[index] }
    return try decodeFrequency(at: index, inBlock: number)
  }

  @usableFromInline @inline(never)
  mutating func decodeRun(
    at index: Int, inBlock number: Int
  ) throws(CorruptionError) -> AscendingRun {
    let view = try enterPositions(of: number)
    // The position of a posting that is the only one stands in the dictionary.
    if let run = reader.onlyRun, index == 0 { return run }
    return try reader.run(at: index, view, counters)
  }

  @usableFromInline @inline(never)
  mutating func decodeFrequency(
    at index: Int, inBlock number: Int
  ) throws(CorruptionError) -> UInt32 {
    _ = try enterPositions(of: number)
    return reader.starts[index &+ 1] &- reader.starts[index]
  }

  /// The positions of a posting of the current block, ascending; `index` is below `count`.
  ///
  /// Decodes only the groups that hold them. The pointer is good until the next call.
  package mutating func positions(
    at index: Int
  ) throws(CorruptionError) -> UnsafeBufferPointer<UInt32> {
    guard index < count else { return UnsafeBufferPointer(start: nil, count: 0) }
    return try reader.list(run(at: index, inBlock: block))
  }

  /// The positions of all postings of the current block, as many for each as its frequency says.
  ///
  /// For whoever reads whole lists. Loads frequencies. The pointer is good until the next call.
  package mutating func allPositions() throws(CorruptionError) -> UnsafePointer<UInt32> {
    guard count > 0 else { return UnsafePointer(documents) }
    try loadFrequencies()
    let view = try enterPositions(of: block)
    if let run = reader.onlyRun { return run.sums }
    return try reader.all(view, counters)
  }

  /// Makes the reader stand at a block, with the running sums of its frequencies.
  private mutating func enterPositions(of number: Int) throws(CorruptionError) -> SectionView {
    if documentFrequency == 1 && onlyFrequency == 1 {
      if reader.block != 0 { reader.enter(onlyPosition: onlyPosition) }
      return positionsView ?? postings
    }
    guard let view = positionsView else {
      throw postings.corrupt("a list has no positions", at: listStart)
    }
    guard reader.block != number else { return view }
    let sums = reader.prepare()
    let size = try sumFrequencies(ofBlock: number, into: sums)
    var start = 0
    var end = positionsLength
    if let positionOffsets, documentFrequency > SkipLayout.postingsPerBlock {
      start = Int(positionOffsets[number])
      if number &+ 1 < blockCount { end = Int(positionOffsets[number &+ 1]) }
    }
    guard start <= end, end <= positionsLength else {
      throw view.corrupt("positions of a block lie outside their list", at: positionsStart)
    }
    try reader.enter(number, size, view, positionsStart &+ start, positionsStart &+ end)
    return view
  }

  /// Decodes the frequencies of a block to running sums and returns how many they are.
  ///
  /// They ascend, or it is an error.
  private func sumFrequencies(
    ofBlock number: Int, into sums: UnsafeMutablePointer<UInt32>
  ) throws(CorruptionError) -> Int {
    guard documentFrequency > 1 else {
      sums[0] = onlyFrequency
      return 1
    }
    let (start, end, size) = try bytes(ofBlock: number)
    var at = start
    if bits == nil && size > 1 {
      let gaps = size == 128 ? 128 : size &- 1
      let used = PFOR.skip(postings.base + at, available: end &- at, count: gaps)
      guard used > 0 else { throw postings.corrupt("a block of postings is damaged", at: at) }
      at &+= used
    }
    let source = postings.base + at
    let used = PFOR.decodeSum(source, available: end &- at, count: size, base: 0, into: sums)
    guard used > 0 else { throw postings.corrupt("a block of frequencies is damaged", at: at) }
    // Frequencies are stored less one.
    for i in 0..<size { sums[i] &+= UInt32(truncatingIfNeeded: i &+ 1) }
    // Those of up to 24 bits cannot wrap in 128 steps.
    if PFOR.bitLimit(source) > 24 {
      for i in 1..<size where sums[i] <= sums[i &- 1] {
        throw postings.corrupt("a block of frequencies is damaged", at: at)
      }
    }
    return size
  }
}
