// LZ4 blocks, alone or with a dictionary of bytes that both sides know.

internal import CLZ4

/// LZ4 block compression; the format stores no lengths, its callers do.
package enum LZ4 {
  /// The most bytes that can be compressed in one block.
  package static var maximumSource: Int { 0x7E00_0000 }

  /// How far back matches reach: no more than this of a dictionary counts.
  static let reach = 65_536

  /// Compresses bytes to the end of a writer and returns how many that made, or -1 if the source is
  /// larger than `maximumSource`.
  ///
  /// For many blocks with one dictionary keep an `LZ4Compressor`.
  package static func compress(
    _ source: UnsafeRawBufferPointer, dictionary: UnsafeRawBufferPointer?, into writer: ByteWriter
  ) -> Int {
    LZ4Compressor(dictionary: dictionary).compress(source, into: writer)
  }

  /// A copy of that part of a dictionary that matches reach.
  static func reachable(
    _ dictionary: UnsafeRawBufferPointer?
  ) -> UnsafeMutableBufferPointer<CChar> {
    let source = UnsafeRawBufferPointer(
      rebasing: (dictionary ?? UnsafeRawBufferPointer(start: nil, count: 0)).suffix(reach))
    let words = UnsafeMutableBufferPointer<CChar>.allocate(capacity: source.count)
    UnsafeMutableRawBufferPointer(words).copyMemory(from: source)
    return words
  }

  /// Appends to a writer what one of the library's functions makes of a source: from, to, length and
  /// room.
  static func append(
    _ source: UnsafeRawBufferPointer, to writer: ByteWriter,
    _ function: (UnsafePointer<CChar>, UnsafeMutablePointer<CChar>, Int32, Int32) -> Int32
  ) -> Int {
    guard source.count <= maximumSource, let length = Int32(exactly: source.count) else {
      return -1
    }
    let room = LZ4_compressBound(length)
    let output = writer.reserve(Int(room)).assumingMemoryBound(to: CChar.self)
    let input = source.bindMemory(to: CChar.self).baseAddress ?? UnsafePointer(output)
    let made = function(input, output, length, room)
    guard made > 0 else { return -1 }
    writer.advance(Int(made))
    return Int(made)
  }

  /// Decompresses a block that is known to make exactly as many bytes as `target` holds.
  ///
  /// Returns false if the bytes are corrupt or make fewer or more; `target` then holds rubbish. It
  /// never reads outside the source and the dictionary, nor writes outside the target.
  package static func decompress(
    _ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer,
    dictionary: UnsafeRawBufferPointer?
  ) -> Bool {
    guard let sourceLength = Int32(exactly: source.count),
      let targetLength = Int32(exactly: target.count),
      let input = source.bindMemory(to: CChar.self).baseAddress
    else { return false }
    // A block of nothing is one token; it still needs an address to write nothing to.
    var nothing: CChar = 0
    return withUnsafeMutablePointer(to: &nothing) { spare in
      let output = target.bindMemory(to: CChar.self).baseAddress ?? spare
      let words = dictionary?.bindMemory(to: CChar.self)
      guard let words, let start = words.baseAddress, words.count > 0 else {
        return LZ4_decompress_safe(input, output, sourceLength, targetLength) == targetLength
      }
      let known = min(words.count, reach)
      let made = LZ4_decompress_safe_usingDict(
        input, output, sourceLength, targetLength, start + (words.count - known), Int32(known))
      return made == targetLength
    }
  }
}

/// Compresses blocks, each on its own, with one dictionary or none.
///
/// Loading a dictionary hashes all of it, which costs more than compressing a block of 4 KiB. So it
/// is loaded once, and the state of 16 KiB copied before each block. Not for two threads at once.
package final class LZ4Compressor {
  /// The end of the dictionary, as far as matches reach; the states point into it.
  private let words: UnsafeMutableBufferPointer<CChar>
  private let loaded: UnsafeMutablePointer<LZ4_stream_t>
  private let working: UnsafeMutablePointer<LZ4_stream_t>

  /// Copies the dictionary, of which the last 64 KiB count.
  package init(dictionary: UnsafeRawBufferPointer?) {
    words = LZ4.reachable(dictionary)
    loaded = .allocate(capacity: 1)
    working = .allocate(capacity: 1)
    LZ4_initStream(loaded, MemoryLayout<LZ4_stream_t>.size)
    if let start = words.baseAddress, words.count > 0 {
      LZ4_loadDict(loaded, start, Int32(truncatingIfNeeded: words.count))
    }
  }

  deinit {
    loaded.deallocate()
    working.deallocate()
    words.deallocate()
  }

  /// Compresses bytes to the end of a writer and returns how many that made, or -1 if the source is
  /// larger than `LZ4.maximumSource`.
  package func compress(_ source: UnsafeRawBufferPointer, into writer: ByteWriter) -> Int {
    working.update(from: loaded, count: 1)
    return LZ4.append(source, to: writer) {
      LZ4_compress_fast_continue(working, $0, $1, $2, $3, 1)
    }
  }
}
