// Reads the positions of the postings of one block, group by group.

internal import LimelightCodecs

/// The positions of a block: `PostingsBlockWriter` draws the bytes.
///
/// The frequencies of the block say where a posting's positions start; only the groups of 128 that
/// hold them are decoded, and the last one stays decoded for the next posting.
struct PositionsReader {
  /// The block that was entered, or -1.
  var block = -1

  private let arena: Unmanaged<ScratchArena>
  /// `starts[i]` is the number of positions before posting `i`; allocated at first use.
  private var starts: UnsafeMutablePointer<UInt32>?
  private var group: UnsafeMutablePointer<UInt32>?
  private var out: UnsafeMutablePointer<UInt32>?
  private var outCapacity = 0
  private var total = 0
  private var bytesStart = 0
  private var bytesEnd = 0
  /// The group that is decoded, or -1, and where the group behind it starts.
  private var decoded = -1
  private var nextAt = 0

  init(_ arena: ScratchArena) { self.arena = .passUnretained(arena) }

  /// Prepares for the postings of a block whose positions are the bytes `start ..< end`.
  mutating func enter(
    _ block: Int, _ frequencies: UnsafePointer<UInt32>, _ count: Int, _ view: SectionView,
    _ start: Int, _ end: Int
  ) throws(CorruptionError) {
    try view.touch(start, end &- start)
    let starts = self.starts ?? arena._withUnsafeGuaranteedRef { $0.allocate(UInt32.self, 129) }
    self.starts = starts
    if group == nil {
      group = arena._withUnsafeGuaranteedRef { $0.allocate(UInt32.self, 128) }
    }
    var sum: UInt64 = 0
    for i in 0..<count {
      starts[i] = UInt32(truncatingIfNeeded: sum)
      sum &+= UInt64(frequencies[i])
    }
    // Each group of 128 takes a byte at least, so this bounds the memory by the bytes that are there.
    guard sum <= UInt64(end &- start) &* 128, sum <= UInt64(Int32.max) else {
      throw view.corrupt("a block has fewer positions than its frequencies say", at: start)
    }
    starts[count] = UInt32(truncatingIfNeeded: sum)
    total = Int(sum)
    bytesStart = start
    bytesEnd = end
    decoded = -1
    nextAt = start
    self.block = block
  }

  /// The positions of a posting.
  mutating func positions(
    at index: Int, _ view: SectionView, _ counters: UnsafeMutablePointer<DecodeCounters>
  ) throws(CorruptionError) -> UnsafeBufferPointer<UInt32> {
    guard let starts, let group else { return UnsafeBufferPointer(start: nil, count: 0) }
    let first = Int(starts[index])
    let count = Int(starts[index &+ 1]) &- first
    if count > outCapacity {
      outCapacity = max(count, 256)
      let capacity = outCapacity
      out = arena._withUnsafeGuaranteedRef { $0.allocate(UInt32.self, capacity) }
    }
    guard let out else { return UnsafeBufferPointer(start: nil, count: 0) }
    var position: UInt32 = 0
    var done = 0
    var place = first
    while done < count {
      try decode(place >> 7, into: group, view, counters)
      let offset = place & 127
      let take = min(128 &- offset, count &- done)
      for i in 0..<take {
        position &+= group[offset &+ i]
        out[done &+ i] = position
      }
      done &+= take
      place &+= take
    }
    return UnsafeBufferPointer(start: out, count: count)
  }

  /// The positions of all postings of the block, one posting after the other.
  ///
  /// For whoever reads whole lists: each group is decoded once. The pointer is good until the next call.
  mutating func all(
    frequencies: UnsafePointer<UInt32>, _ postings: Int, _ view: SectionView,
    _ counters: UnsafeMutablePointer<DecodeCounters>
  ) throws(CorruptionError) -> UnsafePointer<UInt32>? {
    guard let group else { return nil }
    if total > outCapacity {
      outCapacity = max(total, 1024)
      let capacity = outCapacity
      out = arena._withUnsafeGuaranteedRef { $0.allocate(UInt32.self, capacity) }
    }
    guard let out else { return nil }
    var place = 0
    for posting in 0..<postings {
      var position: UInt32 = 0
      for _ in 0..<frequencies[posting] {
        if place & 127 == 0 { try decode(place >> 7, into: group, view, counters) }
        position &+= group[place & 127]
        out[place] = position
        place &+= 1
      }
    }
    return UnsafePointer(out)
  }

  private mutating func decode(
    _ number: Int, into group: UnsafeMutablePointer<UInt32>, _ view: SectionView,
    _ counters: UnsafeMutablePointer<DecodeCounters>
  ) throws(CorruptionError) {
    guard number != decoded else { return }
    if number < decoded {
      decoded = -1
      nextAt = bytesStart
    }
    while decoded < number {
      let size = min(128, total &- (decoded &+ 1) &* 128)
      let source = view.base + nextAt
      let used: Int
      if decoded &+ 1 == number {
        used = PFOR.decode(source, available: bytesEnd &- nextAt, count: size, into: group)
        counters.pointee.positionGroups &+= 1
      } else {
        used = PFOR.skip(source, available: bytesEnd &- nextAt, count: size)
      }
      guard used > 0 else {
        decoded = -1
        block = -1
        throw view.corrupt("a group of positions is damaged", at: nextAt)
      }
      nextAt &+= used
      decoded &+= 1
    }
  }
}

extension SectionView {
  /// The error for bytes that a decoder refused, which started at `offset`.
  func corrupt(_ error: DecodingError, at offset: Int) -> CorruptionError {
    corrupt(error.what, at: offset &+ error.offset)
  }
}
