// Reads the positions of the postings of one block, group by group.

public import LimelightCodecs

/// The positions of a block: `PostingsBlockWriter` draws the bytes.
///
/// The frequencies of the block say where a posting's positions start; only the groups of 128 that
/// hold them are decoded. Their differences are summed up over all postings, so that a posting's
/// positions are a run of these sums less the one before it: nothing is copied. What was decoded last
/// stays for the next posting; while postings are asked for one after the other, groups are decoded a
/// few ahead.
@usableFromInline
struct PositionsReader {
  /// The sums kept at once, unless one posting has more.
  private static let usualCapacity = 2_048
  /// Room before the first sum, whose last place is that of the base.
  private static let lead = 4
  /// The most groups decoded ahead.
  private static let aheadLimit = 7

  /// What `block` is while none is entered; no block of a cursor, not even the one before the first.
  private static let noBlock = -2

  /// The block that was entered.
  @usableFromInline private(set) var block = Self.noBlock
  /// Its postings.
  @usableFromInline private(set) var count = 0
  /// `starts[i]` is the number of positions before posting `i`, `.max` behind the last; room for it is
  /// taken when a block is entered.
  @usableFromInline private(set) var starts: UnsafeMutablePointer<UInt32>
  /// The sum before the position `first` of the block, then those of the positions `first ..< end`.
  ///
  /// (Swift 6.3 drops a store at the place -1 of a pointer if one at 0 follows; so there is none.)
  @usableFromInline private(set) var base: UnsafeMutablePointer<UInt32>
  @usableFromInline private(set) var first = 0
  @usableFromInline private(set) var end = 0

  private let arena: Unmanaged<ScratchArena>
  private var hasStarts = false
  private var capacity = 0
  private var out: UnsafeMutablePointer<UInt32>?
  private var outCapacity = 0
  private var total = 0
  private var bytesStart = 0
  private var bytesEnd = 0
  /// The group behind those that were decoded or skipped, and where it starts.
  private var nextGroup = 0
  private var nextAt = 0
  /// How many groups in a row were asked for, in blocks that were read to their ends.
  private var streak = 0
  /// The block before this one.
  private var lastBlock = Self.noBlock

  /// - Parameter nowhere: What the pointers point to before there is anything to read.
  init(_ arena: ScratchArena, nowhere: UnsafeMutablePointer<UInt32>) {
    self.arena = .passUnretained(arena)
    starts = nowhere
    base = nowhere
  }

  /// Forgets the block.
  mutating func leave() {
    block = Self.noBlock
    count = 0
  }

  /// Room for the running sums of up to 128 frequencies, with a 0 before them; for `enter`.
  mutating func prepare() -> UnsafeMutablePointer<UInt32> {
    leave()
    if !hasStarts {
      hasStarts = true
      starts = arena._withUnsafeGuaranteedRef { $0.allocate(UInt32.self, 136) } + 3
      starts[0] = 0
    }
    return starts + 1
  }

  /// Prepares for the postings of a block whose positions are the bytes `start ..< end`.
  ///
  /// The running sums of its frequencies stand where `prepare` said and ascend.
  mutating func enter(
    _ block: Int, _ count: Int, _ view: SectionView, _ start: Int, _ end: Int
  ) throws(CorruptionError) {
    try view.touch(start, end &- start)
    let sum = Int(starts[count])
    // Each group of 128 takes a byte at least, so this bounds the memory by the bytes that are there.
    guard sum <= (end &- start) &* 128, sum <= Int(Int32.max) else {
      throw view.corrupt("a block has fewer positions than its frequencies say", at: start)
    }
    if block != lastBlock &+ 1 || self.end < total { streak = 0 }
    lastBlock = block
    total = sum
    bytesStart = start
    bytesEnd = end
    close(count)
    rewind()
    self.block = block
  }

  /// Enters a block of one posting with one position, which is known.
  mutating func enter(onlyPosition position: UInt32) {
    let first = prepare()
    first[0] = 1
    if capacity == 0 { grow(to: 128) }
    base[0] = 0
    base[1] = position
    pad(base + 1)
    close(1)
    total = 1
    self.first = 0
    end = 1
    block = 0
  }

  /// Has no posting behind the last one be taken for decoded.
  private mutating func close(_ count: Int) {
    self.count = count
    (starts + (count &+ 1)).update(repeating: .max, count: 128 &- count)
  }

  private mutating func rewind() {
    first = 0
    end = 0
    nextGroup = 0
    nextAt = bytesStart
  }

  /// The positions of one of 128 postings of the block at hand, if they are decoded.
  @inlinable
  @inline(__always)
  func decoded(_ index: Int) -> AscendingRun? {
    let from = Int(starts[index])
    let to = Int(starts[index &+ 1])
    guard from >= first, to <= end else { return nil }
    return AscendingRun(sums: base + (from &- first &+ 1), count: to &- from)
  }

  /// The positions of a block that has one only.
  var onlyRun: AscendingRun? { block == 0 && total == 1 ? decoded(0) : nil }

  /// The positions of a posting, good until the next call.
  mutating func run(
    at index: Int, _ view: SectionView, _ counters: UnsafeMutablePointer<DecodeCounters>
  ) throws(CorruptionError) -> AscendingRun {
    guard index >= 0, index < count else {
      throw view.corrupt("a posting lies outside its block", at: bytesStart)
    }
    let from = Int(starts[index])
    let to = Int(starts[index &+ 1])
    try seek(from, view)
    makeRoom(from, to)
    var last = end
    if last < to { last = min(last &+ ((to &- last &+ 127) & ~127), total) }
    // One group says nothing of the next; the longer the row, the likelier it goes on.
    let ahead = min(max(streak &- 1, 0), Self.aheadLimit)
    last = min(last &+ ahead &* 128, total, first &+ capacity)
    while end < last { try decode(view, counters) }
    pad(base + (end &- first))
    return AscendingRun(sums: base + (from &- first &+ 1), count: to &- from)
  }

  /// Moves to the group that holds a position of the block, unless it is decoded.
  private mutating func seek(_ place: Int, _ view: SectionView) throws(CorruptionError) {
    if place < first { rewind() }
    let group = place &>> 7
    streak = place < end || group == nextGroup ? streak &+ 1 : 0
    guard place >= end else { return }
    while nextGroup < group {
      let used = PFOR.skip(view.base + nextAt, available: bytesEnd &- nextAt, count: 128)
      guard used > 0 else { throw damaged(view) }
      nextAt &+= used
      nextGroup &+= 1
    }
    first = group &<< 7
    end = first
    if capacity == 0 { grow(to: Self.usualCapacity) }
    base[0] = 0
  }

  /// Makes room for the sums of the positions `from ..< to`, of which maybe some are decoded.
  private mutating func makeRoom(_ from: Int, _ to: Int) {
    let needed = (to &+ 127) & ~127
    guard needed &- first > capacity else { return }
    // What stands before the group of the first one is not needed any more.
    let group = from & ~127
    let source = base + (group &- first)
    if needed &- group > capacity { grow(to: (needed &- group) &* 2) }
    base.update(from: source, count: end &- group &+ 1)
    first = group
  }

  /// Takes a new buffer; the old one stays readable.
  private mutating func grow(to size: Int) {
    capacity = (size &+ 127) & ~127
    let count = capacity &+ Self.lead &+ AscendingRun.padding
    base = arena._withUnsafeGuaranteedRef { $0.allocate(UInt32.self, count) } + (Self.lead &- 1)
  }

  /// Decodes the next group behind the others.
  private mutating func decode(
    _ view: SectionView, _ counters: UnsafeMutablePointer<DecodeCounters>
  ) throws(CorruptionError) {
    let size = min(128, total &- end)
    let last = base + (end &- first)
    let used = PFOR.decodeSum(
      view.base + nextAt, available: bytesEnd &- nextAt, count: size, base: last[0],
      into: last + 1)
    counters.pointee.positionGroups &+= 1
    guard used > 0 else { throw damaged(view) }
    nextAt &+= used
    nextGroup &+= 1
    end &+= size
  }

  /// Puts sums behind the last one that equal none before them.
  private func pad(_ last: UnsafeMutablePointer<UInt32>) {
    (last + 1).update(repeating: last[0] &+ 1, count: AscendingRun.padding)
  }

  private mutating func damaged(_ view: SectionView) -> CorruptionError {
    leave()
    return view.corrupt("a group of positions is damaged", at: nextAt)
  }

  /// The positions of a run, one by one; good until the next call.
  mutating func list(_ run: AscendingRun) -> UnsafeBufferPointer<UInt32> {
    let out = room(forList: run.count)
    let base = run.base
    for i in 0..<run.count { out[i] = run.sums[i] &- base }
    return UnsafeBufferPointer(start: out, count: run.count)
  }

  private mutating func room(forList count: Int) -> UnsafeMutablePointer<UInt32> {
    if let out, count <= outCapacity { return out }
    outCapacity = max(count, 256)
    let capacity = outCapacity
    let room = arena._withUnsafeGuaranteedRef { $0.allocate(UInt32.self, capacity) }
    out = room
    return room
  }

  /// The positions of all postings of the block, one posting after the other.
  ///
  /// For whoever reads whole lists: each group is decoded once. The pointer is good until the next call.
  mutating func all(
    _ view: SectionView, _ counters: UnsafeMutablePointer<DecodeCounters>
  ) throws(CorruptionError) -> UnsafePointer<UInt32> {
    let out = room(forList: max((total &+ 127) & ~127, 1_024))
    var at = bytesStart
    var place = 0
    while place < total {
      let size = min(128, total &- place)
      let used = PFOR.decode(
        view.base + at, available: bytesEnd &- at, count: size, into: out + place)
      counters.pointee.positionGroups &+= 1
      guard used > 0 else {
        nextAt = at
        throw damaged(view)
      }
      at &+= used
      place &+= size
    }
    for posting in 0..<count {
      var position: UInt32 = 0
      for place in Int(starts[posting])..<Int(starts[posting &+ 1]) {
        position &+= out[place]
        out[place] = position
      }
    }
    return UnsafePointer(out)
  }
}

extension SectionView {
  /// The error for bytes that a decoder refused, which started at `offset`.
  func corrupt(_ error: DecodingError, at offset: Int) -> CorruptionError {
    corrupt(error.what, at: offset &+ error.offset)
  }
}
