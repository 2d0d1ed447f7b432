// Turns blocks of postings into bytes: gaps, frequencies, set codes, positions.

internal import LimelightCodecs

/// Encodes the blocks of lists.
///
/// A block of `n` postings, each part packed by `PFOR`:
///
///     gaps          n values if n is 128: 0, then each document minus the one before
///                   else n - 1 values: the same without the first (absent if n is 1)
///                   absent in a dense list, whose documents are a bit set
///     frequencies   n values, minus one
///     set codes     n values, only in a field with attribute sets
///
/// Its positions, in a section of their own, start anew with each block: for each posting the first
/// position, then the difference of each further one to that before it; groups of 128 values, the
/// last one shorter. So blocks and their positions can be copied whole when document numbers shift.
struct PostingsBlockWriter {
  private let scratch: UnsafeMutablePointer<UInt32>

  init() { scratch = .allocate(capacity: 128) }

  func deallocate() { scratch.deallocate() }

  /// Appends the gaps of documents in ascending order; nothing if there is only one.
  func gaps(_ documents: UnsafePointer<UInt32>, _ count: Int, into writer: ByteWriter) {
    if count == 128 {
      scratch[0] = 0
      for i in 1..<128 { scratch[i] = documents[i] &- documents[i &- 1] }
      PFOR.encode(scratch, count: 128, into: writer)
    } else if count > 1 {
      for i in 1..<count { scratch[i &- 1] = documents[i] &- documents[i &- 1] }
      PFOR.encode(scratch, count: count &- 1, into: writer)
    }
  }

  /// Appends frequencies, each at least 1.
  func frequencies(_ values: UnsafePointer<UInt32>, _ count: Int, into writer: ByteWriter) {
    for i in 0..<count { scratch[i] = values[i] &- 1 }
    PFOR.encode(scratch, count: count, into: writer)
  }

  /// Appends set codes.
  func codes(_ values: UnsafePointer<UInt32>, _ count: Int, into writer: ByteWriter) {
    PFOR.encode(values, count: count, into: writer)
  }

  /// Appends the positions of a block's postings.
  func positions(
    _ values: UnsafePointer<UInt32>, frequencies: UnsafePointer<UInt32>, _ count: Int,
    into writer: ByteWriter
  ) {
    var filled = 0
    var next = 0
    for posting in 0..<count {
      var previous: UInt32 = 0
      let end = next &+ Int(frequencies[posting])
      while next < end {
        scratch[filled] = values[next] &- previous
        previous = values[next]
        filled &+= 1
        next &+= 1
        if filled == 128 {
          PFOR.encode(scratch, count: 128, into: writer)
          filled = 0
        }
      }
    }
    if filled > 0 { PFOR.encode(scratch, count: filled, into: writer) }
  }
}
