// Applies the journal's tail: at opening, and in readers that follow a writer.

internal import LimelightItems
internal import LimelightSegments
internal import LimelightSnapshots

/// Brings a state up to the end of the journal.
///
/// Neighbouring puts are built into one segment, so that an index with a long journal does not open as
/// thousands of tiny segments.
struct Replay {
  private let state: IndexState
  private let pool: BuilderPool
  /// The segments built so far; they number the next ones.
  private(set) var segmentCount: UInt64

  /// Items that are not in a segment yet, and the text that they hold.
  private var items: [ResolvedItem] = []
  private var bytes = 0
  /// The record at hand.
  private var sequence: UInt64 = 0

  /// A segment is built at this many items or bytes.
  private static let itemLimit = 10_000
  private static let byteLimit = 8 << 20

  init(_ state: IndexState, _ pool: BuilderPool, segmentCount: UInt64 = 0) {
    self.state = state
    self.pool = pool
    self.segmentCount = segmentCount
  }

  /// Applies all records that are there; true if there were any.
  mutating func catchUp(_ follower: JournalFollower) throws(IndexingError) -> Bool {
    var last: UInt64?
    while let record = try indexing({ try follower.next() }) {
      last = record.sequence
      sequence = record.sequence
      for operation in record.operations {
        if case .put(let batch) = operation {
          try add(batch)
        } else {
          try flush()
          try state.apply(operation, prepared: nil, record: record.sequence)
        }
      }
    }
    try flush()
    if let last { state.finish(record: last) }
    return last != nil
  }

  private mutating func add(_ batch: [ResolvedItem]) throws(IndexingError) {
    items.append(contentsOf: batch)
    for item in batch { bytes += item.values.reduce(0) { $0 + $1.value.byteCount } }
    if items.count >= Self.itemLimit || bytes >= Self.byteLimit { try flush() }
  }

  private mutating func flush() throws(IndexingError) {
    guard !items.isEmpty else { return }
    let builder = pool.take()
    for item in items { builder.add(item, registry: state.registry) }
    segmentCount += 1
    let id = MemorySegment.id(segmentCount)
    let built = builder.finish(uuid: state.options.uuid, segmentID: id, compressesItems: false)
    pool.giveBack(builder)
    let segment = try LiveSegment.inMemory(built, name: MemorySegment.name(id))
    let put = PreparedPut(segment: segment, ids: items.map(\.id))
    items = []
    bytes = 0
    try state.apply(.put([]), prepared: put, record: sequence)
  }
}
