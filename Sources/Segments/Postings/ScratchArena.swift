// Memory for the buffers of one query, given back at once.

/// What a query's cursors did; tests compare pruned with exhaustive runs by it.
@usableFromInline
package struct DecodeCounters {
  /// Posting blocks whose documents were decoded.
  @usableFromInline package var blocks = 0
  /// Posting blocks whose frequencies were decoded.
  @usableFromInline package var frequencyBlocks = 0
  /// Groups of positions that were decoded.
  @usableFromInline package var positionGroups = 0
  /// Searches for a block among first documents.
  @usableFromInline package var blockSearches = 0
}

/// A bump allocator: buffers live until `reset` or until the arena goes.
///
/// Cursors take their decode buffers here, so that opening a list allocates nothing from the heap
/// once the arena is warm. Not for use by two threads at once.
@usableFromInline
package final class ScratchArena {
  // Where the address sanitizer watches, each buffer is memory of its own, so that it sees a step beyond
  // the end of one or a use after `reset`.
  #if SEPARATE_BUFFERS
    @inlinable static var unit: Int { 1 }
    private static let leastChunk = 1
  #else
    /// What buffers are multiples of.
    @inlinable static var unit: Int { 64 }
    private static let leastChunk = 64 << 10
  #endif

  private var chunks: [UnsafeMutableRawPointer] = []
  private var sizes: [Int] = []
  private var current = -1
  /// The free rest of the current chunk.
  @usableFromInline var rest: UnsafeMutableRawPointer
  @usableFromInline var room = 0
  /// Counters of the query; at a fixed address, so that cursors write to them without the class.
  @usableFromInline package let counters: UnsafeMutablePointer<DecodeCounters>

  package init() {
    counters = .allocate(capacity: 1)
    counters.initialize(to: DecodeCounters())
    // Of no use as memory, but never nil.
    rest = UnsafeMutableRawPointer(counters)
  }

  deinit {
    free()
    counters.deallocate()
  }

  private func free() {
    for chunk in chunks { chunk.deallocate() }
    chunks = []
    sizes = []
    current = -1
    rest = UnsafeMutableRawPointer(counters)
    room = 0
  }

  /// Room for `count` values, aligned to 64 bytes, with undefined content.
  @inlinable
  package func allocate<T: BitwiseCopyable>(_ type: T.Type, _ count: Int) -> UnsafeMutablePointer<T>
  {
    let bytes = (count &* MemoryLayout<T>.stride &+ Self.unit &- 1) & ~(Self.unit &- 1)
    if bytes > room { advance(bytes) }
    let place = rest
    rest = place + bytes
    room &-= bytes
    return place.bindMemory(to: T.self, capacity: count)
  }

  @usableFromInline @inline(never)
  func advance(_ bytes: Int) {
    current &+= 1
    while current < chunks.count && sizes[current] < bytes { current &+= 1 }
    if current >= chunks.count {
      let size = max(bytes, Self.leastChunk)
      chunks.append(.allocate(byteCount: size, alignment: 64))
      sizes.append(size)
      current = chunks.count &- 1
    }
    enter()
  }

  /// Makes all of the current chunk free.
  private func enter() {
    rest = chunks[current]
    room = sizes[current]
  }

  /// Makes all the memory free for the next query; nothing handed out before may be used.
  package func reset() {
    if Self.unit == 1 {
      free()
    } else if !chunks.isEmpty {
      current = 0
      enter()
    }
    counters.pointee = DecodeCounters()
  }
}
