// The dictionary that an index's stored items are compressed with.

package import LimelightCodecs
internal import LimelightStorage

/// Typical bytes of an index's items; LZ4 blocks of 4 KiB refer to them as if they stood before.
///
/// One an index, made once and shared by all segments and threads. Keeps its compressors: loading a
/// dictionary into one costs more than to compress a block.
package final class StoredDictionary: @unchecked Sendable {
  package let bytes: [UInt8]
  /// The XXH64 by which a segment knows the dictionary that it needs.
  package let hash: UInt64
  private let lock = Lock()
  private var idle: [LZ4Compressor] = []

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    hash = bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      return XXH64.hash(base, buffer.count, seed: 0)
    }
  }

  /// A compressor loaded with the dictionary, for one thread until it is given back.
  package func borrowCompressor() -> LZ4Compressor {
    lock.lock()
    let compressor = idle.popLast()
    lock.unlock()
    return compressor ?? bytes.withUnsafeBytes { LZ4Compressor(dictionary: $0) }
  }

  package func giveBack(_ compressor: LZ4Compressor) {
    lock.lock()
    idle.append(compressor)
    lock.unlock()
  }
}
