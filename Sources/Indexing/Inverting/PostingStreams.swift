// Reads the lists of a term from the tables of several builders as one list.

internal import LimelightCodecs

/// The list of a term in one table: its documents by their numbers in the segment.
struct PostingStream {
  private var reader: SliceReader
  private let documents: UnsafePointer<UInt32>?
  /// The document at hand, as the table numbers it.
  private var local: UInt32 = 0
  /// The document at hand; `end` behind the last one.
  private(set) var document: UInt32

  static let end = UInt32.max

  /// Reads a list; `documents` are the numbers of the table's documents, nil if they stay.
  @inline(__always)
  init(
    _ pool: SlicePool, _ record: UnsafePointer<TermRecord>, documents: UnsafePointer<UInt32>?
  ) {
    self.documents = documents
    reader = SliceReader(pool, first: record.pointee.first, stop: record.pointee.place)
    document = Self.end
    if !reader.isAtEnd { move(by: reader.varint() &>> 1) }
  }

  @inline(__always)
  private mutating func move(by gap: UInt32) {
    local &+= gap
    if let documents { document = documents[Int(local)] } else { document = local }
  }

  /// Appends the positions of the document at hand and goes to the next one; how many they were.
  @inline(__always)
  mutating func take(into positions: ByteWriter) -> UInt32 {
    var position = reader.varint()
    var frequency: UInt32 = 1
    positions.u32(position)
    while !reader.isAtEnd {
      let value = reader.varint()
      if value & 1 == 1 {
        move(by: value &>> 1)
        return frequency
      }
      position &+= value &>> 1
      positions.u32(position)
      frequency &+= 1
    }
    document = Self.end
    return frequency
  }
}
