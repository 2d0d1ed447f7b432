// The last key of a walk, kept while the walk goes on.

internal import LimelightCodecs

/// Two buffers by turns: what was held last stays where it is until the next but one is held.
///
/// Whoever writes front-coded keys needs each until the next one has come.
struct HeldKey {
  private let buffers = (ByteWriter(capacity: 64), ByteWriter(capacity: 64))
  private var isSecond = false

  /// A copy of a key.
  mutating func hold(_ key: [UInt8]) -> UnsafeRawBufferPointer {
    isSecond.toggle()
    let buffer = isSecond ? buffers.1 : buffers.0
    buffer.removeAll()
    buffer.bytes(key)
    return buffer.written
  }
}
