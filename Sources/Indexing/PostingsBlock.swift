// Postings on their way to a segment, from the tables of builders or from segments that are merged.

internal import LimelightCodecs
internal import LimelightSegments

/// A block of up to 128 postings.
///
/// For one thread.
final class PostingsBlock {
  let documents = UnsafeMutablePointer<UInt32>.allocate(capacity: 128)
  let frequencies = UnsafeMutablePointer<UInt32>.allocate(capacity: 128)
  let codes = UnsafeMutablePointer<UInt32>.allocate(capacity: 128)
  private let bytes = ByteWriter(capacity: 4096)
  @exclusivity(unchecked) private(set) var count = 0

  deinit {
    documents.deallocate()
    frequencies.deallocate()
    codes.deallocate()
  }

  var positions: UnsafePointer<UInt32> {
    UnsafePointer(bytes.base.assumingMemoryBound(to: UInt32.self))
  }

  @inline(__always) var isFull: Bool { count == 128 }

  /// Moves the document at hand of a stream to here, where there is room; its code is the caller's.
  @inline(__always)
  func take(_ stream: inout PostingStream) {
    documents[count] = stream.document
    frequencies[count] = stream.take(into: bytes)
    count &+= 1
  }

  /// Adds a posting, where there is room.
  @inline(__always)
  func add(
    _ document: UInt32, frequency: UInt32, code: UInt32, _ positions: UnsafePointer<UInt32>
  ) {
    documents[count] = document
    frequencies[count] = frequency
    codes[count] = code
    bytes.bytes(UnsafeRawBufferPointer(start: positions, count: Int(frequency) &* 4))
    count &+= 1
  }

  @inline(__always)
  func removeAll() {
    count = 0
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes what there is, and is empty then.
  func flush(_ hasCodes: Bool, to writer: FieldsWriter) {
    guard count > 0 else { return }
    writer.appendBlock(
      documents: documents, frequencies: frequencies,
      codes: hasCodes ? UnsafePointer(codes) : nil, count: count, positions: positions)
    removeAll()
  }
}
